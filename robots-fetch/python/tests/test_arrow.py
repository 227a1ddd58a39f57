"""Decisions over Arrow, and captures of WARC files."""

import errno
import gzip
import io
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

arrow = pytest.importorskip("robots_exclusion_arrow")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.compute")

import inputs  # noqa: E402
from archives import command, record, write_archive  # noqa: E402

from robots_exclusion import InvalidAgent, Robots, decide  # noqa: E402

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
    assert [row["allowed"] for row in found] == [True, False, True, False, *[None] * 4]


def test_a_body_that_is_not_a_robots_txt_file_is_named():
    found = decide([body for body, _, _ in inputs.BODIES], ["x"], ["/a"], records=True)
    assert found["kind"].to_pylist() == [kind for _, kind, _ in inputs.BODIES]


def test_a_text_that_is_not_a_url_has_no_verdict():
    found = decide([BODIES[0]], ["x"], inputs.TEXTS)
    assert found["allowed"].to_pylist() == [False] * len(inputs.TEXTS)
    assert found["reason"].to_pylist() == ["not-url"] * len(inputs.TEXTS)


def test_chunks_and_streams_are_read():
    chunked = pa.chunked_array([[BODIES[0]], [], [None, BODIES[3]]], pa.binary())
    assert [row["body"] for row in rows(chunked)] == [0] * 4 + [1] * 4 + [2] * 4
    found = decide(chunked, iter(AGENTS), {"/"})
    assert isinstance(found, pa.RecordBatch) and found.num_rows == 6


def test_bodies_have_any_encoding():
    """Also slices, of which only a part counts."""
    bodies = [BODIES[0], BODIES[0], None, BODIES[3], BODIES[0]]
    expected = rows(bodies)
    plain = pa.array(bodies, pa.binary())
    dictionary = plain.dictionary_encode()
    runs = pa.compute.run_end_encode(plain)
    both = pa.RunEndEncodedArray.from_arrays(runs.run_ends, runs.values.dictionary_encode())
    for encoded in (plain, dictionary, runs, both, pa.chunked_array([plain]), pa.chunked_array([dictionary]), iter(bodies), tuple(bodies)):
        assert rows(encoded) == expected
    for encoded in (plain, dictionary, runs):
        assert [row["allowed"] for row in rows(encoded[2:])] == [row["allowed"] for row in expected[8:]]
    assert rows(pa.array([], pa.dictionary(pa.int32(), pa.binary()))) == []
    assert [row["allowed"] for row in rows(pa.nulls(2))] == [None] * 8
    fixed = pa.array([b"User-agent: *\nDisallow: /"], pa.binary(25))
    assert [row["allowed"] for row in rows(fixed)] == [False] * 4
    assert rows([BODIES[0].decode(), bytearray(BODIES[0])]) == rows([BODIES[0], memoryview(BODIES[0])])


def test_expressions_of_other_libraries_keep_their_length():
    bodies = [BODIES[0], None, BODIES[3]]
    expected = [False, None, False]
    assert decide(bodies, ["a"], ["/private"])["allowed"].to_pylist() == expected
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"body": bodies})
    assert decide(frame["body"], ["a"], ["/private"])["allowed"].to_pylist() == expected
    assert decide(pandas.Series(["", None, float("nan"), pandas.NA]), ["a"], ["/"])["allowed"].to_pylist() == [True, None, None, None]
    polars = pytest.importorskip("polars")
    allowed = polars.col("body").map_batches(lambda column: polars.Series(decide(column, ["a"], ["/private"])["allowed"]))
    for type in (polars.Binary, polars.String, polars.Categorical):
        values = bodies if type == polars.Binary else [body and body.decode() for body in bodies]
        frame = polars.DataFrame({"body": polars.Series(values, dtype=polars.String if type == polars.Categorical else type).cast(type)})
        assert frame.with_columns(allowed=allowed)["allowed"].to_list() == expected, type


def test_results_are_plain_objects_of_pyarrow():
    found = decide(pa.array(BODIES), AGENTS, PATHS, records=True)
    assert type(found) is pa.RecordBatch and pickle.loads(pickle.dumps(found)).equals(found)
    unsigned = [field for field in found.schema if str(field.type).startswith("uint")]
    assert not unsigned and not any(pa.types.is_dictionary(field.type) for field in found.schema)
    assert found["kind"].to_pylist()[::4][:2] == ["rules", "html"]


def test_other_records_are_columns():
    bodies = [b"User-agent: a\nCrawl-delay: 2.5\nDisallow: /a\nUser-agent: *\nDisallow:\nSitemap: https://example.com/a\nSitemap: /b\n", None, b""]
    found = decide(bodies, ["a", "b"], ["/"], records=True)
    assert found["crawl_delay"].to_pylist() == [2.5, None, None, None, None, None]
    assert found["sitemaps"].to_pylist() == [["https://example.com/a", "/b"]] * 2 + [None] * 2 + [[]] * 2
    assert "crawl_delay" not in decide(bodies, ["a"], ["/"]).schema.names
    assert decide(bodies, pa.array(["a", "b"]), pa.array(["/"]), records=True) == found


def test_profile_and_limit_are_options():
    bodies = pa.array([b"User-agent: *\nDisallow: /private\nAllow: /private/page\n"])
    assert [row["allowed"] for row in rows(bodies)] == [True] * 4
    assert [row["allowed"] for row in rows(bodies, profile="koster-1996")] == [True, False] * 2
    assert all(row["cut"] and row["line"] != 2 for row in rows(bodies, max_size=14))


def test_wrong_arguments_say_what_is_expected():
    with pytest.raises(TypeError, match="expected binary or string values, got Int64"):
        rows(pa.array([1]))
    with pytest.raises(TypeError, match="expected binary or string values"):
        rows(pa.array([1, 1]).dictionary_encode())
    with pytest.raises(InvalidAgent, match="must not be empty"):
        decide(pa.array([b""]), [""], ["/"])
    for bodies in (b"User-agent: *", "text", 5, [5], None):
        with pytest.raises(TypeError, match="bodies: expected an Arrow array, or an iterable of bytes, str and None"):
            decide(bodies, ["a"], ["/"])
    for agents in ("GPTBot", 5, [5], None):
        with pytest.raises(TypeError, match="agents: expected an iterable of str"):
            decide([b""], agents, ["/"])
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
    assert all(type(batch) is pa.RecordBatch for batch in arrow.Captures(path))
    assert not any(str(field.type).startswith("uint") for field in batches[0].schema)
    with pytest.raises(FileNotFoundError) as missing:
        arrow.Captures(tmp_path / "none")
    assert missing.value.errno == errno.ENOENT and str(tmp_path / "none") in str(missing.value)
    assert missing.value.filename == str(tmp_path / "none")
    with pytest.raises(OSError, match=re.escape(str(tmp_path))):
        list(arrow.Captures(tmp_path))


def test_captures_are_a_stream_and_take_file_objects(tmp_path):
    parts = [gzip.compress(record(f"https://{index}.example/robots.txt", 200, body)) for index, body in enumerate(BODIES)]
    expected = pa.Table.from_batches(arrow.Captures(io.BytesIO(b"".join(parts)), rows=2))
    assert expected["body"].to_pylist() == BODIES
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    assert pa.RecordBatchReader.from_stream(arrow.Captures(path)).read_all() == expected.combine_chunks()
    with path.open("rb") as file:
        assert pa.Table.from_batches(arrow.Captures(file)).num_rows == len(BODIES)
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(arrow.Captures(path))["body"].to_list() == BODIES

    class Broken:
        name = "broken.warc"

        def read(self, size):
            raise ConnectionError("the network is down")

    with pytest.raises(OSError, match="broken.warc: .*the network is down"):
        next(arrow.Captures(Broken()))
    with pytest.raises(OSError, match="binary mode"):
        next(arrow.Captures(io.StringIO("WARC/1.0")))


def answer(url, fields, body, kind="response"):
    """Returns a record of an answer with these fields."""
    head = "".join(f"{field}\r\n" for field in ["HTTP/1.1 200 OK", *fields]).encode() + b"\r\n"
    block = head + body
    header = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return gzip.compress(header.encode() + block + b"\r\n\r\n")


def test_pages():
    html = ["Content-Type: text/html"]
    archive = [
        answer("https://a.example/", html, b"<title>a</title>\n<meta name=robots content='noindex, nofollow'>"),
        answer("https://a.example/b", [*html, "X-Robots-Tag: googlebot: nosnippet"], b"<meta name=bingbot content=noindex>"),
        answer("https://a.example/c", [*html, "X-Robots-Tag: noindex", "Content-Length: 999"], b"<title>cut"),
        answer("https://a.example/d", ["Content-Type: text/plain"], b"<meta name=robots content=noindex>"),
        b"\x1f\x8bnot gzip",
        answer("https://a.example/e", [*html, "Content-Usage: train-ai=n"], b""),
    ]
    agents = ["Googlebot", "bingbot", "ExampleBot"]
    rows = pa.Table.from_batches(arrow.Pages(io.BytesIO(b"".join(archive)), agents, rows=2)).to_pylist()
    of = {(row["url"][17:], row["agent"]): row for row in rows if row["url"]}
    assert len(of) == 15 and len(rows) == 16
    for agent in agents:
        assert (of["/", agent]["index"], of["/", agent]["follow"]) == ("no", "no")
        assert of["/", agent]["because"][0] == "index: noindex (meta element, line 2)"
        assert of["/d", agent]["index"] == "yes" and of["/d", agent]["complete"]
        # The field is known, and that the body is cut, too.
        assert of["/c", agent]["index"] == "no" and not of["/c", agent]["complete"]
        assert "shorter than its Content-Length" in of["/c", agent]["damage"]
    assert [of["/b", agent]["index"] for agent in agents] == ["yes", "no", "yes"]
    assert [of["/b", agent]["snippet"] for agent in agents] == ["no", "yes", "yes"]
    assert of["/e", "ExampleBot"]["training"] == "disallowed"
    damaged = next(row for row in rows if row["url"] is None)
    assert damaged["agent"] is None and damaged["index"] is None and damaged["damage"]
    stream = pa.RecordBatchReader.from_stream(arrow.Pages(io.BytesIO(archive[0]), ["a"], document="google-pages"))
    assert stream.read_all().num_rows == 1
    with pytest.raises(ValueError, match='document "rfc": expected one of'):
        arrow.Pages(io.BytesIO(b""), ["a"], document="rfc")
    with pytest.raises(InvalidAgent):
        arrow.Pages(io.BytesIO(b""), [""])


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
