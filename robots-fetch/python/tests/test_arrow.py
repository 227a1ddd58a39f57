"""Decisions over Arrow, and captures of WARC files."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

arrow = pytest.importorskip("robots_exclusion_arrow")
pa = pytest.importorskip("pyarrow")

from archives import command, record, write_archive  # noqa: E402

from robots_exclusion import Robots, decide  # noqa: E402

BODIES = [
    b"User-agent: *\nDisallow: /private\n",
    b"<!DOCTYPE html><html></html>",
    b"\xff\xfe\x00",
    b"User-agent: *\nSitemap: /a\nUser-agent: GPTBot\nDisallow: /\n",
    b"User-agent: *\nDisallow: /a\n" + b"#" * 600_000 + b"\nUser-agent: GPTBot\nDisallow: /\n",
    b"",
]
AGENTS = ["GPTBot", "ExampleBot"]
PATHS = ["/", "/private/page"]


def rows(bodies, **options):
    return pa.record_batch(decide(bodies, AGENTS, PATHS, **options)).to_pylist()


def test_decisions_are_those_of_the_module():
    found = rows(pa.array(BODIES, pa.binary()))
    assert len(found) == len(BODIES) * 4
    for row in found:
        decision = Robots(BODIES[row["body"]]).check(row["agent"], row["path"])
        expected = (decision.allowed, decision.line, decision.basis, decision.reason)
        assert (row["allowed"], row["line"], row["basis"], row["reason"]) == expected
        assert row["no_group"] == (decision.basis == "none")


def test_flags():
    found = {(row["body"], row["agent"]): row for row in rows(pa.array(BODIES, pa.binary()))}
    for flag, bodies in {"html": [1], "not_utf8": [2], "accidental_group": [3], "cut": [4]}.items():
        assert sorted({body for (body, _), row in found.items() if row[flag]}) == bodies, flag


@pytest.mark.parametrize(
    "type", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.string(), pa.large_string(), pa.string_view()]
)
def test_all_types_of_text_are_read(type):
    body = "User-agent: *\nDisallow: /private\n"
    values = [body if "string" in str(type) else body.encode(), None]
    found = rows(pa.array(values, type))
    assert [row["allowed"] for row in found] == [True, False, True, False]


def test_chunks_and_streams_are_read():
    chunked = pa.chunked_array([[BODIES[0]], [], [None, BODIES[3]]], pa.binary())
    assert [row["body"] for row in rows(chunked)] == [0] * 4 + [2] * 4


def test_profile_and_limit_are_options():
    bodies = pa.array([b"User-agent: *\nDisallow: /private\nAllow: /private/page\n"])
    assert [row["allowed"] for row in rows(bodies)] == [True] * 4
    assert [row["allowed"] for row in rows(bodies, profile="koster-1996")] == [True, False] * 2
    assert all(row["cut"] and row["line"] != 2 for row in rows(bodies, max_size=14))


def test_wrong_arguments_say_what_is_expected():
    with pytest.raises(TypeError, match="expected binary or string values, got Int64"):
        rows(pa.array([1]))
    with pytest.raises(ValueError, match="must not be empty"):
        decide(pa.array([b""]), [""], ["/"])
    with pytest.raises(ValueError, match="the names are"):
        decide(pa.array([b""]), ["a"], ["/"], "rfc")


def test_captures(tmp_path):
    path = tmp_path / "a.warc.gz"
    parts = [gzip.compress(record(f"https://{index}.example/robots.txt", 200, body)) for index, body in enumerate(BODIES)]
    path.write_bytes(b"".join([*parts[:2], parts[2][:30], *parts[3:]]))
    batches = [pa.record_batch(batch) for batch in arrow.Captures(path, rows=2)]
    found = pa.Table.from_batches(batches).to_pylist()
    assert [row["body"] for row in found] == [*BODIES[:2], None, *BODIES[3:]]
    assert found[2]["offset"] == len(parts[0]) + len(parts[1])
    assert "gzip" in found[2]["damage"]
    assert [row["status"] for row in found] == [200, 200, None, 200, 200, 200]
    assert len(batches) == 3
    with pytest.raises(FileNotFoundError):
        arrow.Captures(tmp_path / "none")


FLAGS = {"html": "html", "accidental_group": "accidental-group", "cut": "cut", "not_utf8": "not-utf8"}


def test_counts_equal_those_of_the_command(tmp_path):
    path = tmp_path / "archive.warc.gz"
    write_archive(path, 3000)
    robots = command()
    if robots is None:
        pytest.skip("the robots command is not installed")
    expected = {"error": 0}
    for line in robots("batch", "--agent", "GPTBot", "--url", "/", "--warc", path):
        fields = line.split("\t")
        # The table has no columns for the kinds of other bodies.
        flags = [flag for flag in fields[7].split(",") if flag in FLAGS.values()] or ["-"] if len(fields) > 7 else []
        for key in ["error"] if fields[0] == "error" else [fields[3], *flags]:
            expected[key] = expected.get(key, 0) + 1
    found = {}
    for batch in arrow.Captures(path):
        batch = pa.record_batch(batch)
        found["error"] = found.get("error", 0) + batch.num_rows - batch["damage"].null_count
        success = [status is not None and status // 100 == 2 for status in batch["status"].to_pylist()]
        for row in pa.record_batch(decide(batch["body"].filter(pa.array(success)), ["GPTBot"], ["/"])).to_pylist():
            keys = ["allowed" if row["allowed"] else "disallowed"]
            keys += [name for flag, name in FLAGS.items() if row[flag]] or ["-"]
            for key in keys:
                found[key] = found.get(key, 0) + 1
    assert found == expected and found["error"] > 0 and found["html"] > 0


def test_memory_stays_flat_for_a_large_archive():
    """100,000 captures, in a process of its own."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of a process is known on Linux only")
    done = subprocess.run([sys.executable, str(Path(__file__).with_name("figures.py")), "archive"], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_examples():
    import doctest

    assert doctest.testmod(arrow).attempted > 0
