"""A replacement for ``protego``.

>>> from robots_exclusion.protego import Protego
>>> robots = Protego.parse("User-agent: *\\nDisallow: /private\\nCrawl-delay: 4\\n")
>>> robots.can_fetch("https://example.com/private", "ExampleBot"), robots.crawl_delay("ExampleBot")
(False, 4.0)

The interface is that of Protego. The answers are those of RFC 9309; lines without a colon and the misspellings that Google's
parser accepts are read, and any text is accepted as an agent.
"""

from __future__ import annotations

from datetime import time
from typing import Iterator, NamedTuple, Optional

from ._core import Robots
from ._core import VisitTime as _Window
from ._extras import Kept, rooted

__all__ = ["Protego", "RequestRate", "VisitTime"]


class RequestRate(NamedTuple):
    """A number of requests in a number of seconds, between two times of the day if there are such."""

    requests: int
    seconds: int
    start_time: Optional[time]
    end_time: Optional[time]


class VisitTime(NamedTuple):
    """The times of the day between which a crawler is welcome."""

    start_time: time
    end_time: time


class Protego:
    """Answers questions about a robots.txt file, as ``protego.Protego`` does."""

    __slots__ = ("_known", "_robots")

    def __init__(self, robots: Optional[Robots] = None) -> None:
        self._robots = Robots(b"", lenient_agents=True, lenient_lines=True) if robots is None else robots
        #: The delay and the rate of crawlers for which they were asked.
        self._known: Kept[tuple[Optional[float], Optional[RequestRate]]] = Kept()

    @classmethod
    def parse(cls, content: str) -> "Protego":
        """Reads a file."""
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        return cls(Robots(content, lenient_agents=True, lenient_lines=True))

    @property
    def robots(self) -> Robots:
        """The file as ``robots_exclusion.Robots``, for explanations and lints."""
        return self._robots

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Returns whether a crawler may access a URL. A text without a scheme is a path, as for Protego."""
        if url.startswith("//"):
            # As for Protego, a host follows.
            url = rooted(url)
        elif not url.startswith("/") and ":" not in url:
            url = f"/{url}"
        return self._robots.can_fetch(user_agent, url)

    def crawl_delay(self, user_agent: str) -> Optional[float]:
        """Returns the ``Crawl-delay`` in seconds, or ``None``."""
        try:
            return self._known[user_agent][0]
        except (KeyError, TypeError):
            return self._pace(user_agent)[0]

    def request_rate(self, user_agent: str) -> Optional[RequestRate]:
        """Returns the ``Request-rate``, or ``None``."""
        try:
            return self._known[user_agent][1]
        except (KeyError, TypeError):
            return self._pace(user_agent)[1]

    def _pace(self, user_agent: str) -> tuple[Optional[float], Optional[RequestRate]]:
        """Reads the delay and the rate of a crawler, and keeps them."""
        return self._known.keep(user_agent, (self._robots.crawl_delay(user_agent), self._rate(user_agent)))

    def _rate(self, user_agent: str) -> Optional[RequestRate]:
        rate = self._robots.request_rate(user_agent)
        if rate is None:
            return None
        if rate.window is None:
            return RequestRate(rate.requests, int(rate.seconds), None, None)
        times = _times(rate.window)
        return None if times is None else RequestRate(rate.requests, int(rate.seconds), *times)

    def visit_time(self, user_agent: str) -> Optional[VisitTime]:
        """Returns the first ``Visit-time``, or ``None``."""
        windows = map(_times, self._robots.visit_times(user_agent))
        return next((VisitTime(*times) for times in windows if times), None)

    @property
    def sitemaps(self) -> Iterator[str]:
        """Iterates over the values of the ``Sitemap`` lines."""
        return iter(self._robots.sitemaps)

    @property
    def preferred_host(self) -> Optional[str]:
        """The value of the last ``Host`` line, or ``None``."""
        hosts = [value for key, value in self._robots.other_records if key.lower() == "host"]
        return hosts[-1] if hosts else None


def _times(window: _Window) -> Optional[tuple[time, time]]:
    """Returns two times of the day, or ``None`` if one of them is 24:00, which ``time`` can't express. Protego ignores such lines."""
    if window.start[0] > 23 or window.end[0] > 23:
        return None
    return time(*window.start), time(*window.end)
