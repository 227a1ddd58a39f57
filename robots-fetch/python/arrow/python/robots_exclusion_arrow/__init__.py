"""Decides about whole archives of robots.txt files over Arrow.

>>> from robots_exclusion_arrow import decide
>>> bodies = [b"User-agent: *\\nDisallow: /private\\n", b"<html>", None]
>>> found = decide(bodies, ["ExampleBot"], ["/private"])
>>> found.select(["body", "allowed", "line", "html"]).to_pylist()[0]
{'body': 0, 'allowed': False, 'line': 2, 'html': False}
>>> found["allowed"].to_pylist()
[False, True, None]

Results are ``pyarrow.RecordBatch`` objects where pyarrow is installed. Elsewhere they can be passed to each library that reads Arrow's C
interface, such as Polars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Optional, Protocol, Union

from robots_exclusion import __version__

from . import _arrow

if TYPE_CHECKING:
    from robots_exclusion import Profile

__all__ = ["Captures", "Pages", "__version__", "decide", "identify", "judge", "parse_log"]


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _result(batch: Any) -> Any:
    """Returns a record batch as an object of pyarrow, if it is installed."""
    try:
        pyarrow = import_module("pyarrow")
    except ImportError:
        return batch
    return pyarrow.record_batch(batch)


def decide(
    bodies: Any,
    agents: Iterable[str],
    paths: Iterable[str],
    profile: Profile = "rfc9309",
    *,
    max_size: Optional[int] = None,
    records: bool = False,
) -> Any:
    """Decides about each path for each agent in each body, and returns a record batch with one row for each decision.

    ``bodies`` is an Arrow array or stream of bytes or text in any of its encodings (views, dictionaries, runs), such as a column of
    pyarrow or Polars; a column of pandas; or another iterable of ``bytes``, ``str`` and ``None``. Each body is read once; of a
    dictionary or of runs, each different value. ``agents`` and ``paths`` are iterables of ``str``. Bodies are read as ``profile`` says, up
    to ``max_size`` bytes if it is given. Raises ``InvalidAgent`` if an agent is not a name.

    The columns are ``body`` (the index of the body), ``agent``, ``path``, ``allowed``, ``line`` (null if no line decides), ``basis``
    (``named``, ``wildcard`` or ``none``), ``reason``, and the flags ``no_group``, ``html``, ``accidental_group``, ``cut`` and ``not_utf8``.
    With ``records``, ``kind`` (what kind of thing the body is), ``crawl_delay`` (seconds) and ``sitemaps`` follow. A null body has rows
    like others, which are null except for the first three columns: with one agent and one path, the result has the length of ``bodies``.
    """
    return _result(_arrow.decide(bodies, agents, paths, profile, max_size, records))


def identify(headers: Any) -> Any:
    """Returns who sends each ``User-Agent`` header, as a record batch with a row for each header.

    ``headers`` is a column or an iterable, as of ``decide``. The columns are ``crawler`` (the name of a known or unlisted crawler), ``kind``
    (``known``, ``several``, ``unlisted`` or ``none``), ``operator``, ``purpose`` and ``trigger`` (``automatic`` or ``user``).
    """
    return _result(_arrow.identify(headers))


def parse_log(lines: Any, format: str = "combined") -> Any:
    """Reads lines of an access log, and returns a record batch with a row for each line.

    The columns are ``time`` (UTC, in milliseconds), ``address``, ``host``, ``method``, ``target``, ``status`` and ``agent``. All of them
    are null for a line that can't be read. ``format`` is ``combined``, ``vhost``, ``w3c``, ``cloudfront``, ``alb``, ``json``, ``envoy``,
    ``s3``, ``proxy-manager``, ``bunny``, or a format string of Apache or nginx.
    """
    return _result(_arrow.parse_log(lines, format))


def judge(
    crawlers: Any,
    targets: Any,
    times: Any,
    history: list[tuple[Optional[str], Optional[int], bytes]],
    *,
    hosts: Any = None,
    profile: Profile = "rfc9309",
    grace: int = 86_400,
) -> Any:
    """Compares each request with the robots.txt in force, and returns a record batch with a row for each request.

    ``crawlers`` are names as ``identify`` returns them, ``targets`` paths with queries or URLs, ``times`` Arrow timestamps or integers in
    milliseconds since 1970. ``history`` is a list of ``(host, time, body)``: a host or ``None`` for all hosts, the milliseconds from which the
    body was served or ``None`` for the beginning, and ``bytes``. ``grace`` is in seconds. The columns are ``disallowed`` (null without a
    robots.txt or a path), ``disputed``, ``line``, ``version`` (from 0 for each host) and ``in_grace``.
    """
    return _result(_arrow.judge(crawlers, targets, times, history, hosts, profile, grace))


class Captures:
    """Iterates over the captures of a WARC file, in record batches of at most ``rows`` rows.

    ``file`` is a path, or a file object in binary mode. It is read as a stream, and may consist of gzip members. The columns are ``url``,
    ``date``, ``status`` (null for records of the type ``resource``), ``body`` (decoded, at most 4 MiB of it), ``offset`` and ``damage``. A
    damaged record has only the last two, which are null otherwise: its position in the file, and what is wrong. If the body of an answer
    is cut or can't be decoded, it is null, and they say why. Reading continues after it.

    A ``Captures`` is also a stream of Arrow's C interface: ``pyarrow.RecordBatchReader.from_stream(Captures(file))``. Raises ``OSError``,
    with the name of the file, if it can't be read.
    """

    def __init__(self, file: Union[str, PathLike[str], _Readable], *, rows: int = 1000) -> None:
        self._captures = _arrow.Captures(file, rows=rows)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return _result(next(self._captures))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the remaining batches for Arrow's C interface."""
        return self._captures.__arrow_c_stream__(requested_schema)


class Pages:
    """Iterates over the rules of the pages of a WARC file, in record batches: a row for each capture and each of ``agents``.

    Reads fields such as ``X-Robots-Tag`` and ``Content-Usage``, and ``meta`` elements of HTML, as ``robots_exclusion.read_page`` does.
    ``document`` is a name such as ``google-pages``; without it, each agent reads pages by the document of its operator. ``file`` and
    damage are as of ``Captures``, and a batch has at most ``rows`` captures.

    The columns are ``url``, ``date``, ``status``, ``agent`` and ``complete``; an answer in words to each question: ``index``, ``snippet``,
    ``follow``, ``archive``, ``images``, ``translate``, ``image_preview``, ``video_preview``, ``unavailable_after``, ``training``, ``answers`` and
    ``search``; ``because``, a list such as ``["index: noindex (meta element, line 2)"]``; ``problems``, a list of codes; ``offset`` and
    ``damage``. If ``complete`` is false, an answer without a rule means that none was found in what was read: the body is cut, can't be
    decoded, or has more than 1 MiB before the end of its head.

    The answers are those of the page alone. Whether a crawler may fetch it is in the robots.txt of its site: see ``decide``. A ``Pages`` is
    also a stream of Arrow's C interface.

    >>> import io
    >>> head = b"HTTP/1.1 200 OK\\r\\nX-Robots-Tag: noindex\\r\\n\\r\\n"
    >>> record = b"WARC/1.0\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: https://example.com/\\r\\nContent-Length: %d\\r\\n\\r\\n"
    >>> pages = Pages(io.BytesIO(record % len(head) + head + b"\\r\\n\\r\\n"), ["Googlebot"])
    >>> next(pages).select(["agent", "index", "because"]).to_pylist()
    [{'agent': 'Googlebot', 'index': 'no', 'because': ['index: noindex (X-Robots-Tag)']}]
    """

    def __init__(
        self,
        file: Union[str, PathLike[str], _Readable],
        agents: Iterable[str],
        *,
        document: Optional[str] = None,
        rows: int = 1000,
    ) -> None:
        self._pages = _arrow.Pages(file, agents, document, rows)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return _result(next(self._pages))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the remaining batches for Arrow's C interface."""
        return self._pages.__arrow_c_stream__(requested_schema)
