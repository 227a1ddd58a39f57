"""Access logs over Arrow."""

import datetime

import pytest

logs = pytest.importorskip("robots_exclusion_arrow")
pa = pytest.importorskip("pyarrow")

GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
HISTORY = [(None, None, b""), (None, 1_762_732_800_000, b"User-agent: *\nDisallow: /new\n")]


def rows(made):
    return pa.record_batch(made).to_pylist()


def test_headers_name_crawlers():
    headers = [GPTBOT, "NotGooglebot/1.0", "GPTBot, ClaudeBot, Googlebot", "curl/8.5.0", None]
    found = rows(logs.identify(pa.array(headers)))
    assert [(row["crawler"], row["kind"], row["operator"]) for row in found] == [
        ("GPTBot", "known", "OpenAI"),
        ("NotGooglebot", "unlisted", None),
        (None, "several", None),
        (None, "none", None),
        (None, "none", None),
    ]
    assert (found[0]["purpose"], found[0]["trigger"]) == ("ai-training", "automatic")


def test_lines_are_read():
    line = f'192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET /a?b HTTP/1.1" 200 12 "-" "{GPTBOT}"'
    found = rows(logs.parse_log(pa.chunked_array([[line], [None, "cut"]])))
    assert found[0] == {
        "time": datetime.datetime(2025, 11, 10, 10, tzinfo=datetime.timezone.utc),
        "address": "192.0.2.1",
        "host": None,
        "method": "GET",
        "target": "/a?b",
        "status": 200,
        "agent": GPTBOT,
    }
    assert found[1:] == [dict.fromkeys(found[0])] * 2
    with pytest.raises(ValueError, match="lacks the User-Agent header"):
        logs.parse_log(pa.array([line]), "common")


def test_requests_are_judged_by_the_version_in_force():
    times = [1_762_732_799_000, 1_762_732_800_000, 1_762_819_200_000, None, 1_762_819_200_000]
    found = rows(logs.judge(pa.array(["GPTBot"] * 5), pa.array(["/new"] * 4 + ["*"]), pa.array(times, pa.int64()), HISTORY))
    assert [(row["disallowed"], row["line"], row["version"], row["in_grace"]) for row in found] == [
        (False, None, 0, False),
        (True, 2, 1, True),
        (True, 2, 1, False),
        (None, None, None, None),
        (None, None, None, None),
    ]
    stamps = pa.array([1_762_819_200_000_000], pa.timestamp("us", "UTC"))
    hosts = pa.array(["a.example"])
    found = rows(logs.judge(pa.array(["GPTBot"]), pa.array(["/new"]), stamps, HISTORY, hosts=hosts, grace=90_000))
    assert (found[0]["disallowed"], found[0]["in_grace"]) == (True, True)
    with pytest.raises(ValueError, match="different lengths"):
        logs.judge(pa.array(["GPTBot"]), pa.array(["/new"] * 2), stamps, HISTORY)
