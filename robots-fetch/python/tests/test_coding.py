"""Content codings: what is decoded, and what is a failure."""

import gzip
import zlib

import pytest

from robots_exclusion._coding import CodingError, decoded

BODY = b"User-agent: *\nDisallow: /private\n" * 40
GZIP = gzip.compress(BODY)
ZLIB = zlib.compress(BODY)
RAW = ZLIB[2:-4]
FLIPPED = bytes([*GZIP[:-6], GZIP[-6] ^ 1, *GZIP[-5:]])


@pytest.mark.parametrize(
    ("values", "body"),
    [
        ([], BODY),
        (["identity"], BODY),
        (["utf-8", ""], BODY),
        (["gzip"], GZIP),
        (["X-GZIP, identity"], GZIP),
        (["gzip"], gzip.compress(BODY[:100]) + gzip.compress(BODY[100:]) + bytes(9000)),
        (["deflate"], ZLIB),
        (["deflate"], RAW),
    ],
)
def test_whole_bodies_are_decoded(values, body):
    assert decoded(values, body, 10_000) == BODY
    assert decoded(values, body, 50) == BODY[:50]
    assert decoded(values, b"", 50) == b""


@pytest.mark.parametrize(
    ("values", "body", "kind"),
    [
        (["gzip"], GZIP[: len(GZIP) // 2], "decoding"),
        (["gzip"], GZIP[:-1], "decoding"),
        (["gzip"], FLIPPED, "decoding"),
        (["gzip"], GZIP + b"x", "decoding"),
        (["gzip"], BODY, "decoding"),
        (["deflate"], ZLIB[:-1], "decoding"),
        (["deflate"], RAW[:-1], "decoding"),
        (["deflate"], ZLIB + ZLIB, "decoding"),
        (["br"], b"rubbish", "unknown-coding"),
        (["compress"], BODY, "unknown-coding"),
        (["gzip, gzip"], gzip.compress(GZIP), "unknown-coding"),
        (["gzip", "deflate"], GZIP, "unknown-coding"),
    ],
)
def test_other_bodies_are_failures(values, body, kind):
    with pytest.raises(CodingError) as caught:
        decoded(values, body, 10_000)
    assert caught.value.kind == kind


def test_no_more_is_decoded_than_is_read():
    bomb = gzip.compress(bytes(100_000_000))
    assert decoded(["gzip"], bomb, 1000) == bytes(1000)
    # What follows the part that is read has no effect.
    assert decoded(["gzip"], bomb[:5000], 1000) == bytes(1000)


def test_empty_members_without_end_are_a_failure():
    with pytest.raises(CodingError, match="larger than the decoded one"):
        decoded(["gzip"], gzip.compress(b"") * 500_000, 1000)
