"""Content codings (RFC 9110, section 8.4.1), decoded strictly: a cut or damaged body is not a file.

These are the rules of the Rust clients, without brotli.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

#: A coded body may have twice as many bytes as the decoded one, and this many more. No honest coding of a text needs more; a body
#: of endless empty gzip members does.
_OVERHEAD = 64 * 1024

#: The number of coded bytes that are decoded at once. Each end of a gzip member copies the rest of them.
_STEP = 4096

#: Names for no coding. Only the first is registered, as a name that is not sent; servers send all of them.
_NONE = {"", "identity", "none", "utf-8", "utf8"}

_GZIP, _ZLIB, _DEFLATE = 31, 15, -15


class CodingError(ValueError):
    """A body that can't be decoded. ``kind`` is the kind of the failure: ``unknown-coding`` or ``decoding``."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def decoded(values: Iterable[str], body: bytes, most: int) -> bytes:
    """Returns the first ``most`` bytes of a body that was sent with these values of ``Content-Encoding``.

    Bytes after them are not decoded. Raises ``CodingError``.
    """
    names = [name.strip().lower() for value in values for name in value.split(",")]
    codings = [name for name in names if name not in _NONE]
    if not codings:
        return body[:most]
    if len(codings) > 1:
        raise CodingError("unknown-coding", "several codings")
    if codings[0] not in ("gzip", "x-gzip", "deflate"):
        raise CodingError("unknown-coding", codings[0])
    # An empty body is complete, whatever its coding.
    if not body:
        return body
    try:
        return _inflated(body, _window(codings[0], body), most)
    except zlib.error as error:
        raise CodingError("decoding", str(error)) from None


def _window(coding: str, body: bytes) -> int:
    """Returns how zlib has to read a body. Some servers send deflate without the zlib header (RFC 1950, section 2.2)."""
    if coding != "deflate":
        return _GZIP
    is_zlib = body[0] & 0xF == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return _ZLIB if is_zlib else _DEFLATE


def _inflated(body: bytes, window: int, most: int) -> bytes:
    coded = memoryview(body)
    found = bytearray()
    at = 0
    decoder = zlib.decompressobj(window)
    while len(found) < most:
        part = coded[at : at + _STEP]
        if decoder.eof:
            # Only zeros or another member of gzip may follow: an early end of the body would otherwise be missed.
            rest = bytes(part).lstrip(b"\0")
            at += len(part) - len(rest)
            if not part:
                break
            if rest:
                if window != _GZIP or rest[0] != 0x1F:
                    raise CodingError("decoding", "more bytes after the end of the coded body")
                decoder = zlib.decompressobj(window)
        elif not part:
            raise CodingError("decoding", "the coded body ends early")
        else:
            found += decoder.decompress(part, most - len(found))
            at += len(part) - len(decoder.unconsumed_tail) - len(decoder.unused_data)
        if at > _OVERHEAD + 2 * len(found):
            raise CodingError("decoding", "the coded body is larger than the decoded one")
    return bytes(found)
