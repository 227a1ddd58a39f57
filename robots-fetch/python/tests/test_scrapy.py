"""Real Scrapy against loopback sites."""

import gzip
import json
import os
import socket
import subprocess
import sys
import time
import zlib
from contextlib import ExitStack
from pathlib import Path

import pytest

from sites import Site, after, says

pytest.importorskip("scrapy")
pytest.importorskip("robots_exclusion_sites")

from robots_exclusion import Robots  # noqa: E402
from robots_exclusion_sites import Retrieval  # noqa: E402

HERE = Path(__file__).parent
ROBOTS = b"User-agent: *\nDisallow: /private\n"
OURS = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_exclusion.scrapy.RobotsTxtMiddleware": 100,
    }
}


#: No retries, for failures that do not pass.
QUICK = {"ROBOTSTXT_RETRY_TIMES": 0}


def crawl(settings, urls):
    """Makes a crawl in a process of its own, because Twisted's reactor runs once. Returns statistics and log."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, str(HERE / "crawl.py"), json.dumps(settings), json.dumps(urls)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def one(answer, path="/page", **settings):
    """Crawls one page of a site, and returns whether it was requested, the statistics and the log."""
    with Site(answer) as site:
        stats, log = crawl({**OURS, **settings}, [site.url + path])
        return path in site.requests, stats, log


def disallowed_of_runs(settings, runs=20):
    """Makes seven concurrent requests to each of ``runs`` sites whose robots.txt takes two seconds. Returns the number of sites
    that got a disallowed request, and checks that the allowed ones arrived."""
    with ExitStack() as stack:
        sites = [stack.enter_context(Site(after(2, says(200, ROBOTS)))) for _ in range(runs)]
        paths = ["/private/1", "/a", "/private/2", "/b", "/private/3", "/private/4", "/c"]
        urls = [site.url + path for path in paths for site in sites]
        crawl({**settings, "CONCURRENT_REQUESTS_PER_DOMAIN": 256}, urls)
        for site in sites:
            assert {"/a", "/b", "/c"} <= set(site.requests)
            assert site.requests.count("/robots.txt") == 1
        return sum(any(path.startswith("/private") for path in site.requests) for site in sites)


def test_no_disallowed_request_is_sent_while_robots_txt_is_in_flight():
    assert disallowed_of_runs(OURS) == 0


def test_the_middleware_of_scrapy_sends_some():
    """If this fails, Scrapy waits now, and the text of SCRAPY.md has to change."""
    sent = disallowed_of_runs({})
    print(f"Scrapy's own middleware: {sent} of 20 sites got a disallowed request")
    assert sent > 0


@pytest.mark.parametrize(
    ("answer", "allowed", "result"),
    [
        (says(200, ROBOTS), True, None),
        (says(404), True, None),
        (says(403), True, None),
        (says(410), True, None),
        (says(500), False, "unreachable: status 500"),
        (says(503), False, "unreachable: status 503"),
        (says(None), False, "unreachable"),
        # More redirects than are followed: the file may be assumed to be unavailable (RFC 9309, section 2.3.1.2).
        (says(302, location="/robots.txt?again"), True, None),
    ],
    ids=["200", "404", "403", "410", "500", "503", "closed", "loop"],
)
def test_statuses_follow_the_profile(answer, allowed, result):
    requested, stats, log = one(answer, **QUICK)
    assert requested is allowed, stats
    assert stats.get("robotstxt/forbidden", 0) == (not allowed)
    if result:
        assert result in log, log


GZIP = gzip.compress(ROBOTS * 40)
ZLIB = zlib.compress(ROBOTS * 40)
FLIPPED = bytes([*GZIP[:-6], GZIP[-6] ^ 1, *GZIP[-5:]])


def coded(coding, body, status=200, **fields):
    return says(status, body, Content_Encoding=coding, **fields)


@pytest.mark.parametrize("compression", [True, False])
def test_codings_are_decoded_strictly(compression):
    """The middleware of Scrapy for codings makes a file of a body that was cut or damaged, which could open a site."""
    whole = {
        "gzip": coded("gzip", GZIP),
        "deflate": coded("deflate", ZLIB),
        "raw deflate": coded("deflate", ZLIB[2:-4]),
        "identity": coded("identity", ROBOTS),
        "a bomb": coded("gzip", gzip.compress(ROBOTS + b"#" * 50_000_000)),
    }
    failures = {
        "cut gzip": coded("gzip", GZIP[: len(GZIP) // 2]),
        "flipped gzip": coded("gzip", FLIPPED),
        "cut deflate": coded("deflate", ZLIB[: len(ZLIB) // 2]),
        "rubbish": coded("br", b"rubbish"),
        "compress": coded("compress", ROBOTS),
        "several": coded("gzip, gzip", gzip.compress(GZIP)),
        "no gzip": coded("gzip", ROBOTS),
    }
    # If no body is read, the coding does not matter.
    unread = {"404": coded("gzip", FLIPPED, 404), "302": coded("br", b"rubbish", 302, Location="/gone.txt")}
    with ExitStack() as stack:
        answers = {**whole, **failures, **unread}
        sites = {name: stack.enter_context(Site(answer)) for name, answer in answers.items()}
        urls = [site.url + path for site in sites.values() for path in ("/page", "/private")]
        settings = {"COMPRESSION_ENABLED": compression, "DOWNLOAD_MAXSIZE": 10_000_000, **QUICK}
        _, log = crawl({**OURS, **settings}, urls)
        got = {name: sorted(set(site.requests) & {"/page", "/private"}) for name, site in sites.items()}
        assert all(site.fields["Accept-Encoding"] == "identity" for site in sites.values())
    assert {name: got[name] for name in whole} == {name: ["/page"] for name in whole}
    assert {name: got[name] for name in failures} == {name: [] for name in failures}
    assert got["404"] == got["302"] == ["/page", "/private"]
    assert "unreachable: invalid content coding" in log and "unreachable: unknown content coding" in log


def test_a_body_that_ends_early_disallows():
    for settings in ({}, {"DOWNLOAD_FAIL_ON_DATALOSS": False}):
        requested, _, log = one(says(200, ROBOTS, Content_Length="5000", Connection="close"), **settings)
        assert not requested
        assert "incomplete body" in log


def test_the_profile_decides():
    """Koster's draft of 1996: a status of 403 restricts access to the whole site."""
    assert not one(says(403), ROBOTSTXT_PROFILE="koster-1996")[0]


@pytest.mark.parametrize(("hops", "allowed"), [(1, False), (5, False), (6, True)])
def test_redirects_are_followed_as_the_profile_says(hops, allowed):
    """RFC 9309, section 2.3.1.2: at least five consecutive redirects, then the file may be assumed to be unavailable."""

    def answer(path):
        hop = int(path.partition("?")[2] or 0)
        return (301, {"Location": f"/robots.txt?{hop + 1}"}, b"") if hop < hops else (200, {}, ROBOTS)

    requested, stats, _ = one(answer, "/private/page")
    assert requested is allowed
    assert stats["robotstxt/request_count"] == min(hops + 1, 6)


@pytest.mark.parametrize(("profile", "follows"), [("rfc9309", True), ("google", False)])
def test_redirects_to_disallowed_urls_are_followed_as_the_profile_says(profile, follows):
    with Site(says(200, ROBOTS)) as other, Site(says(301, location=f"{other.url}/private/file")) as site:
        settings = {**OURS, "ROBOTSTXT_PROFILE": profile, "CONCURRENT_REQUESTS": 1}
        crawl(settings, [f"{other.url}/page", f"{site.url}/page"])
        assert site.requests == ["/robots.txt", "/page"]
        assert ("/private/file" in other.requests) is follows


def test_a_timeout_disallows():
    started = time.monotonic()
    requested, stats, log = one(after(20, says(200, b"")), ROBOTSTXT_TIMEOUT=1, ROBOTSTXT_RETRY_TIMES=0)
    assert not requested and time.monotonic() - started < 19
    assert stats["robotstxt/exception_count/timeout"] == 1
    assert "timed out" in log


def test_a_refused_connection_keeps_its_own_error():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        stats, log = crawl({**OURS, **QUICK}, [f"http://127.0.0.1:{closed.getsockname()[1]}/page"])
    assert "robotstxt/forbidden" not in stats and "downloader/response_count" not in stats
    assert any("ConnectionRefused" in key for key in stats if key.startswith("downloader/exception_type_count")), stats
    assert "unreachable" in log


def failing(failures, then=says(200, ROBOTS)):
    """Answers the first requests for a robots.txt with ``failures``, and all others with ``then``."""
    left = list(failures)

    def answer(path):
        failure = left.pop(0) if left else then
        return failure(path)

    return answer


@pytest.mark.parametrize(
    "failure",
    [says(503), says(503, retry_after="1"), says(429), says(None)],
    ids=["503", "503 with Retry-After", "429", "reset"],
)
def test_a_failure_that_passes_loses_no_request(failure):
    with Site(failing([failure])) as site:
        urls = [f"{site.url}/{index}" for index in range(10)]
        stats, log = crawl(OURS, [*urls, f"{site.url}/private"])
        assert {f"/{index}" for index in range(10)} <= set(site.requests), (stats, log)
        assert "/private" not in site.requests
        assert stats["robotstxt/retry_count"] == 1


def test_a_site_that_waits_does_not_stop_others():
    with Site(failing([says(503, retry_after="4")])) as slow, Site(says(200, ROBOTS)) as quick:
        urls = [f"{slow.url}/{index}" for index in range(40)] + [f"{quick.url}/{index}" for index in range(40)]
        crawl({**OURS, "CONCURRENT_REQUESTS": 8}, urls)
        assert len(set(slow.requests)) == 41 and len(set(quick.requests)) == 41
        assert quick.times[-1] < slow.times[-1]


def test_an_outage_of_some_seconds_loses_no_request():
    started = time.monotonic()
    with Site(lambda path: says(503)(path) if time.monotonic() < started + 5 else says(200, ROBOTS)(path)) as site:
        stats, _ = crawl({**OURS, "ROBOTSTXT_WAIT": 60}, [f"{site.url}/{index}" for index in range(10)])
        assert {f"/{index}" for index in range(10)} <= set(site.requests), stats
        assert stats["robotstxt/retry_count"] <= 4


def test_many_sites_that_wait_do_not_stop_others():
    with ExitStack() as stack:
        slow = [stack.enter_context(Site(failing([says(503, retry_after="5")]))) for _ in range(5)]
        quick = stack.enter_context(Site(says(200, ROBOTS)))
        urls = [f"{site.url}/{index}" for site in slow for index in range(8)] + [f"{quick.url}/{index}" for index in range(8)]
        crawl({**OURS, "CONCURRENT_REQUESTS": 16}, urls)
        assert all(len(set(site.requests)) == 9 for site in [*slow, quick])
        assert quick.times[-1] < min(max(site.times) for site in slow) - 1


def test_an_error_of_a_site_is_the_same_for_each_request():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        stats, log = crawl({**OURS, **QUICK}, [f"{url}/{index}" for index in range(200)])
    lines = len(log.splitlines()) / 200
    assert stats["downloader/exception_count"] == 201 and lines < 150, lines


def test_a_redirect_to_a_dead_site_is_not_an_error_of_this_site():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        target = f"http://127.0.0.1:{closed.getsockname()[1]}/robots.txt"
        requested, stats, _ = one(says(301, location=target), **QUICK)
    assert not requested and stats["robotstxt/forbidden/connect"] == 1, stats


def test_an_outage_ends_the_wait():
    started = time.monotonic()
    with Site(says(503, retry_after="600")) as site:
        stats, _ = crawl(OURS, [f"{site.url}/{index}" for index in range(3)])
        assert set(site.requests) == {"/robots.txt"}
    assert stats["robotstxt/forbidden/status"] == 3 and time.monotonic() - started < 30


def test_a_resumed_job_has_the_requests_of_a_site_that_was_unreachable(tmp_path):
    with Site(failing([says(503)])) as site:
        urls = [f"{site.url}/{index}" for index in range(3)]
        settings = {**OURS, **QUICK, "JOBDIR": str(tmp_path / "job")}
        crawl(settings, urls)
        assert set(site.requests) == {"/robots.txt"}
        crawl(settings, [])
        assert {"/0", "/1", "/2"} <= set(site.requests)


def test_the_cache_of_scrapy_replays_without_the_site(tmp_path):
    settings = {**OURS, **QUICK, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path / "cache")}
    with Site(says(200, ROBOTS)) as site:
        url = f"{site.url}/page"
        crawl(settings, [url, f"{site.url}/private"])
    stats, log = crawl(settings, [url])
    assert stats["httpcache/hit"] == 2 and stats["response_received_count"] >= 1, log


def test_autothrottle_does_not_shorten_the_crawl_delay():
    body = b"User-agent: *\nCrawl-delay: 1\n"
    with Site(says(200, body)) as site:
        settings = {"ROBOTSTXT_CRAWL_DELAY": True, "AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 1}
        crawl({**OURS, **settings}, [f"{site.url}/{index}" for index in range(5)])
        pages = [at for path, at in zip(site.requests, site.times) if path != "/robots.txt"]
    gaps = [later - earlier for earlier, later in zip(pages, pages[1:])]
    assert min(gaps) > 0.95, gaps


def test_no_pause_is_shorter_than_the_crawl_delay():
    with Site(says(200, b"User-agent: *\nCrawl-delay: 0.5\n")) as site, Site(says(200, b"User-agent: *\nCrawl-delay: 0.1\n")) as other:
        settings = {"ROBOTSTXT_CRAWL_DELAY": True, "DOWNLOAD_DELAY": 0.5}
        # Ports of one host share a slot.
        crawl({**OURS, **settings}, [f"{of.url}/{index}" for index in range(10) for of in (site, other)])
        pages = sorted(at for of in (site, other) for path, at in zip(of.requests, of.times) if path != "/robots.txt")
    gaps = [later - earlier for earlier, later in zip(pages, pages[1:])]
    # With a random part, they would be 0.25 to 0.75 seconds.
    assert min(gaps[2:]) > 0.36, gaps


@pytest.mark.parametrize("cached", [False, True])
def test_it_works_without_a_reactor(tmp_path, cached):
    import scrapy

    if tuple(map(int, scrapy.__version__.split(".")[:2])) < (2, 15):
        pytest.skip("this Scrapy needs a reactor")
    settings = {**OURS, "TWISTED_REACTOR_ENABLED": False}
    if cached:
        settings["ROBOTSTXT_CACHE_PATH"] = str(tmp_path / "robots.sqlite")
    with Site(says(200, ROBOTS)) as site:
        _, log = crawl(settings, [f"{site.url}/page", f"{site.url}/private"])
        assert site.requests == ["/robots.txt", "/page"], log


def test_the_name_that_is_checked_is_the_one_that_is_sent():
    body = b"User-agent: OtherBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n"
    requested, *_ = one(says(200, body), DEFAULT_REQUEST_HEADERS={"User-Agent": "OtherBot/1.0"})
    assert not requested
    with Site(says(200, body)) as site:
        crawl({**OURS, "USER_AGENT": "OtherBot/1.0"}, [site.url + "/page"])
        assert site.fields["User-Agent"] == "OtherBot/1.0" and site.requests == ["/robots.txt"]


def test_scrapy_finds_the_middleware():
    from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as Own

    from robots_exclusion.scrapy import RobotsTxtMiddleware

    assert issubclass(RobotsTxtMiddleware, Own)


def test_the_agent_is_the_one_of_the_request():
    body = b"User-agent: ExampleBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n"
    assert not one(says(200, body))[0]
    assert one(says(200, body), USER_AGENT="OtherBot/1.0")[0]
    assert not one(says(200, body), USER_AGENT="OtherBot/1.0", ROBOTSTXT_USER_AGENT="ExampleBot")[0]


def test_decisions_appear_in_the_statistics_and_the_log():
    _, stats, log = one(says(200, ROBOTS), "/private", LOG_LEVEL="DEBUG")
    assert stats["robotstxt/forbidden/rule"] == 1
    assert stats["robotstxt/response_status_count/200"] == 1
    assert "/private>: disallowed by line 2" in log


def test_the_crawl_delay_sets_the_slot():
    body = b"User-agent: *\nCrawl-delay: 1\nDisallow: /private\n"
    with Site(says(200, body)) as site:
        started = time.monotonic()
        urls = [f"{site.url}/{index}" for index in range(4)]
        stats, _ = crawl({**OURS, "ROBOTSTXT_CRAWL_DELAY": True}, urls)
        assert time.monotonic() - started > 2.5
        assert stats["robotstxt/crawl_delay_count"] >= 1


def test_the_crawl_delay_of_an_entry_is_read_once(monkeypatch):
    from types import SimpleNamespace

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.utils.test import get_crawler

    import robots_exclusion.scrapy as module

    read = []

    def counted(body, *arguments, **options):
        read.append(body)
        return Robots(body, *arguments, **options)

    def entry(body):
        retrieval = Retrieval("https://example.com/")
        retrieval.answer(200, [], body)
        return retrieval.entry

    monkeypatch.setattr(module, "Robots", counted)
    crawler = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True})
    downloader = SimpleNamespace(get_slot_key=lambda _: "example.com", slots={}, per_slot_settings={})
    crawler.engine = SimpleNamespace(downloader=downloader)
    middleware = module.RobotsTxtMiddleware(crawler)
    request = Request("https://example.com/page")
    first = entry(b"User-agent: *\nCrawl-delay: 2\nDisallow:\nUser-agent: b\nDisallow:\nCrawl-delay: 3\n")
    for names, delay in (["a"], 2), (["a"], 2), (["b"], 3), (["b"], 3):
        middleware._set_delay(request, first, names)
        assert downloader.per_slot_settings["example.com"]["delay"] == delay
    assert len(read) == 2
    middleware._set_delay(request, entry(b"User-agent: *\nCrawl-delay: 5\n"), ["a"])
    assert len(read) == 3 and downloader.per_slot_settings["example.com"]["delay"] == 5
    # A slot with a longer delay has no random part that could make it shorter.
    downloader.slots["example.com"] = slot = Slot(8, 7.0, *([0.5] if hasattr(Slot, "jitter") else [True]))
    middleware._set_delay(request, first, ["a"])
    assert slot.delay == 7 and {slot.download_delay() for _ in range(9)} == {7}
    # A slot that is made later keeps a longer delay that a setting asks for.
    downloader._delay = 9
    downloader.get_slot_key = lambda _: "b.example.com"
    middleware._set_delay(request, first, ["a"])
    assert downloader.per_slot_settings["b.example.com"]["delay"] == 9


def test_the_cache_on_disk_is_used_by_the_next_crawl(tmp_path):
    path = str(tmp_path / "robots.sqlite")
    with Site(says(200, ROBOTS)) as site:
        for _ in range(2):
            stats, _ = crawl({**OURS, "ROBOTSTXT_CACHE_PATH": path}, [f"{site.url}/private"])
            assert stats["robotstxt/forbidden"] == 1
        assert site.requests == ["/robots.txt"]
        assert stats["robotstxt/cached"] == 1


def test_requests_that_do_not_obey_pass():
    with Site(says(200, ROBOTS)) as site:
        stats, _ = crawl({**OURS, "ROBOTSTXT_OBEY": False}, [f"{site.url}/private"])
        assert site.requests == ["/private"] and "robotstxt/forbidden" not in stats


@pytest.mark.parametrize(
    ("settings", "warning", "requests"),
    [
        (OURS, None, ["/robots.txt"]),
        ({"DOWNLOADER_MIDDLEWARES": {"robots_exclusion.scrapy.RobotsTxtMiddleware": 100}}, "own RobotsTxtMiddleware is enabled, too", ["/robots.txt"]),
        ({**OURS, "ROBOTSTXT_OBEY": "default"}, "ROBOTSTXT_OBEY is not set", ["/private"]),
        ({**OURS, "ROBOTSTXT_OBEY": False}, None, ["/private"]),
        ({**OURS, "RETRY_TIMES": -1}, None, ["/robots.txt"]),
    ],
    ids=["as documented", "both", "not set", "off", "no retries"],
)
def test_settings_that_do_not_do_what_they_seem_to_are_named(settings, warning, requests):
    with Site(says(200, ROBOTS)) as site:
        _, log = crawl(settings, [f"{site.url}/private"])
        assert warning in log if warning else log == "", log
        assert site.requests == requests


def test_the_parser_serves_the_middleware_of_scrapy():
    with Site(says(200, ROBOTS)) as site:
        settings = {"ROBOTSTXT_PARSER": "robots_exclusion.scrapy.RobotsExclusionParser"}
        crawl(settings, [f"{site.url}/private"])
        crawl(settings, [f"{site.url}/page"])
        assert site.requests == ["/robots.txt", "/robots.txt", "/page"]


def test_the_parser_reads_lines_as_the_document_says():
    from robots_exclusion.scrapy import RobotsExclusionParser

    for body in (b"User-agent: *\nDisalow: /a\n", b"User-agent: *\nDisallow /a\n", b"useragent: *\nDisallow: /a\n"):
        assert RobotsExclusionParser(body).allowed("/a", "a@b")
    assert not RobotsExclusionParser(ROBOTS).allowed("/private", b"\xff")


def test_a_missing_package_is_named(monkeypatch):
    from scrapy.utils.test import get_crawler

    from robots_exclusion.scrapy import RobotsTxtMiddleware

    monkeypatch.setitem(sys.modules, "robots_exclusion_sites", None)
    with pytest.raises(ImportError, match=r"RobotsTxtMiddleware needs another package: pip install robots-exclusion\[sites\]"):
        RobotsTxtMiddleware(get_crawler(settings_dict={"ROBOTSTXT_OBEY": True}))


USAGE = says(200, b"User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n")
PAGES = {
    "/closed": says(200, b"<meta name=robots content=noindex>", Content_Type="text/html"),
    "/named": says(200, b"<p>a", Content_Type="text/html", X_Robots_Tag="otherbot: noindex, examplebot: nosnippet"),
    "/links": says(200, b"<meta name=robots content=nofollow><a href=/target>a</a>", Content_Type="text/html"),
    "/target": says(200, b"<p>b", Content_Type="text/html"),
    "/old": says(200, b"<p>c", Content_Type="text/html", X_Robots_Tag="unavailable_after: 2022-08-04"),
}
PAGE_RULES = {"SPIDER_MIDDLEWARES": {"robots_exclusion.scrapy.PageRulesMiddleware": 50}}


def crawl_pages(*paths, **settings):
    with Site(USAGE, PAGES) as site:
        stats, log = crawl({**PAGE_RULES, **settings}, [site.url + path for path in paths])
        return stats, site.requests, log


def test_rules_of_pages_are_marked():
    stats, requests, _ = crawl_pages("/closed", "/named", "/links", "/old", **OURS)
    assert stats["index/closed"] == "no: noindex (meta element, line 1)"
    assert stats["index/named"] == "yes"
    assert stats["index/old"] == "no: unavailable_after: 2022-08-04T00:00:00Z (X-Robots-Tag)"
    # What robots.txt says about training is joined.
    assert stats["training/named"] == "disallowed: train-ai disallowed (robots.txt line 2)"
    assert "/target" in requests
    stats, _, _ = crawl_pages("/named")
    assert stats["training/named"] == "unknown"


def test_pages_are_dropped_and_links_not_followed_if_settings_say_so():
    stats, requests, _ = crawl_pages("/closed", "/named", "/links", PAGE_RULES_DROP=["index"], PAGE_RULES_NOFOLLOW=True)
    assert "parsedclosed" not in stats and stats["page_rules/dropped/index"] == 1
    assert stats["parsednamed"] == 1 and stats["parsedlinks"] == 1
    assert "/target" not in requests and stats["page_rules/not_followed"] == 1


def test_unknown_settings_of_page_rules_are_an_error():
    for setting in ({"PAGE_RULES_DROP": ["quote"]}, {"PAGE_RULES_DOCUMENT": "google"}):
        _, requests, log = crawl_pages("/named", **setting)
        assert "expected one of" in log and requests == []
