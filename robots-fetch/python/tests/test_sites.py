"""Cache, AsyncCache, Retrieval, Entry and Disk against loopback sites."""

import asyncio
import contextlib
import copy
import http.client
import importlib
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

import pytest

from sites import Site, after, says

sites = pytest.importorskip("robots_exclusion_sites")

from robots_exclusion import PROFILES, AsyncCache, Cache, InvalidAgent, VisitTime  # noqa: E402

ROBOTS = b"User-agent: *\nDisallow: /private\n"
AGENT = "ExampleBot/1.0 (+https://example.com/bot)"


def test_a_cache_asks_a_site_once():
    with Site(says(200, ROBOTS)) as site:
        cache = Cache(AGENT)
        decision = cache.check("ExampleBot", f"{site.url}/private/page")
        assert (decision.allowed, decision.line, decision.rule) == (False, 2, "Disallow: /private")
        assert cache.can_fetch("ExampleBot", f"{site.url}/page")
        assert site.requests == ["/robots.txt"]


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (500, False), (503, False), (429, False)])
def test_statuses_follow_the_profile(status, allowed):
    with Site(says(status)) as site:
        decision = Cache(AGENT).check("ExampleBot", f"{site.url}/page")
        assert (decision.allowed, decision.reason) == (allowed, "status")
        assert str(status) in str(decision)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"<!doctype html><title>Log in</title>", "HTML"),
        (b'{"error": "not found"}', "JSON"),
        (b"Not Found", "text"),
        (b"\x1f\x8b\x08\x00\x00", "gzip"),
    ],
)
def test_decisions_say_what_a_body_is_that_is_no_robots_txt(body, word):
    with Site(says(200, body)) as site:
        url = f"{site.url}/page"
        cache = Cache(AGENT)
        asynchronous = asyncio.run(AsyncCache(AGENT).check("ExampleBot", url))
        retrieval = sites.Retrieval(url)
        retrieval.answer(200, [], body)
        entry = retrieval.entry.check("ExampleBot", url)
        found = [cache.check("ExampleBot", url), cache.peek("ExampleBot", url), cache.decide("ExampleBot", url).decision]
        for decision in [*found, asynchronous, entry]:
            assert decision.allowed and word in str(decision).split(": the robots.txt is ")[1]
        # The robots.txt itself is allowed whatever it is.
        assert "the robots.txt is" not in str(cache.check("ExampleBot", f"{site.url}/robots.txt"))


def test_threads_wait_for_one_retrieval_without_the_interpreter():
    with Site(after(1, says(200, ROBOTS))) as site:
        cache = Cache(AGENT)
        found = []
        threads = [
            threading.Thread(target=lambda: found.append(cache.can_fetch("ExampleBot", f"{site.url}/private")))
            for _ in range(8)
        ]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        # This thread runs while the others wait.
        assert time.monotonic() - started < 0.9
        for thread in threads:
            thread.join()
        assert found == [False] * 8 and site.requests == ["/robots.txt"]


def test_asyncio():
    async def ask(urls):
        async with AsyncCache(AGENT) as cache:
            return await asyncio.gather(*(cache.can_fetch("ExampleBot", url) for url in urls))

    with Site(after(0.5, says(200, ROBOTS))) as one, Site(after(0.5, says(404))) as other:
        urls = [f"{one.url}/private", f"{other.url}/private", f"{one.url}/page"]
        assert asyncio.run(ask(urls)) == [False, True, True]


def test_a_slow_site_delays_no_other():
    """More tasks than threads wait for one site."""

    async def ask(slow, quick, unknown):
        async with AsyncCache(AGENT, max_workers=4) as cache:
            assert await cache.can_fetch("ExampleBot", f"{quick}/page")
            waiting = [asyncio.create_task(cache.check(["ExampleBot"], f"{slow}/private")) for _ in range(40)]
            waiting.append(asyncio.create_task(cache.check(iter(["ExampleBot"]), f"{slow}/page")))
            await asyncio.sleep(0.2)
            started = time.monotonic()
            assert not await cache.can_fetch("ExampleBot", f"{quick}/private")
            assert not await cache.can_fetch("ExampleBot", f"{unknown}/private")
            assert time.monotonic() - started < 1.5
            # A task that is cancelled does not end the question of the others.
            waiting[0].cancel()
            decisions = await asyncio.gather(*waiting, return_exceptions=True)
            assert isinstance(decisions[0], asyncio.CancelledError)
            return [bool(decision) for decision in decisions[1:]]

    with Site(after(3, says(200, ROBOTS))) as slow, Site(says(200, ROBOTS)) as quick, Site(says(200, ROBOTS)) as unknown:
        assert asyncio.run(ask(slow.url, quick.url, unknown.url)) == [False] * 39 + [True]
        assert slow.requests == quick.requests == ["/robots.txt"]


def test_answers_in_memory_need_no_thread():
    async def ask(url):
        async with AsyncCache(AGENT) as cache:
            with pytest.raises(InvalidAgent):
                await cache.check("", url)
            with pytest.raises(TypeError, match="names in the order of preference"):
                await cache.check(5, url)
            with pytest.raises(ValueError, match="is not a URL"):
                await cache.check("a", "/page")
            first = await cache.check("ExampleBot", url)
            cache._max_workers = 0
            assert await cache.check("ExampleBot", url) == first == Cache(AGENT).check("ExampleBot", url)

    with Site(says(200, ROBOTS)) as site:
        asyncio.run(ask(f"{site.url}/private"))
    asyncio.run(ask("http://127.0.0.1:9/page"))


def test_tasks_share_an_answer_that_is_not_kept():
    """A timeout below the default is not a failure of the site."""

    async def ask(url):
        async with AsyncCache(AGENT, timeout=0.5) as cache:
            return await asyncio.gather(*(cache.check("ExampleBot", url) for _ in range(20)))

    with Site(after(2, says(200, ROBOTS))) as site:
        started = time.monotonic()
        assert {decision.reason for decision in asyncio.run(ask(f"{site.url}/page"))} == {"timeout"}
        assert time.monotonic() - started < 2 and len(site.requests) == 1


def test_a_cache_that_is_peeked_at_asks_no_site(tmp_path):
    path = tmp_path / "robots.sqlite"
    with Site(says(200, ROBOTS)) as site:
        cache = Cache(AGENT, path=path)
        assert cache.peek("ExampleBot", f"{site.url}/private") is None and not site.requests
        assert cache.entry(f"{site.url}/").body() == ROBOTS
        assert cache.peek("ExampleBot", f"{site.url}/private").line == 2
        assert Cache(AGENT, path=path).peek("ExampleBot", f"{site.url}/private").line == 2
        assert site.requests == ["/robots.txt"]


def test_a_cache_keeps_answers_on_disk(tmp_path):
    path = tmp_path / "robots.sqlite"
    with Site(says(200, ROBOTS)) as site:
        for _ in range(2):
            assert not Cache(AGENT, path=path).can_fetch("ExampleBot", f"{site.url}/private")
        assert site.requests == ["/robots.txt"]


def url_objects(url):
    """Returns a URL as the clients have it."""
    found = [url, url.encode(), urllib.parse.urlsplit(url), urllib.parse.urlparse(url)]
    for module in ("httpx", "yarl"):
        with contextlib.suppress(ImportError):
            found.append(importlib.import_module(module).URL(url))
    return found


def test_urls_and_agents_are_what_clients_have():
    """URL objects, and the bytes of a field of Scrapy."""

    async def ask(url):
        async with AsyncCache(AGENT) as cache:
            assert not await cache.can_fetch(b"ExampleBot", url) and not await cache.can_fetch([b"ExampleBot"], url)
            assert not (await cache.decide("ExampleBot", url)).decision
            with pytest.raises(sites.Disallowed) as refused:
                async with cache.gate(b"ExampleBot", delay=0)(url):
                    raise AssertionError
            assert refused.value.url == text

    with Site(says(200, ROBOTS)) as site:
        text = f"{site.url}/private"
        cache = Cache(AGENT)
        for url in url_objects(text):
            assert sites.origin(url) == site.url
            for agent in (b"ExampleBot/1.0", ["OtherBot", b"ExampleBot"]):
                assert not cache.can_fetch(agent, url)
                assert cache.explain(agent, url).matched[0].line == cache.decide(agent, url).decision.line == 2
            entry = cache.entry(url)
            assert not entry.check("ExampleBot", url) and sites.Retrieval(url).url == f"{site.url}/robots.txt"
            asyncio.run(ask(url))
    for wrong in (None, 5, object()):
        with pytest.raises(TypeError, match="url: expected a URL, got"):
            cache.check("ExampleBot", wrong)
    for wrong in (None, 5, [5]):
        with pytest.raises(TypeError, match="expected an agent"):
            cache.check(wrong, text)


def test_errors_carry_the_message_of_the_library():
    with pytest.raises(InvalidAgent, match="must not be empty"):
        Cache(AGENT).check("", "http://127.0.0.1/")
    with pytest.raises(ValueError, match="is not a URL"):
        Cache(AGENT).check("a", "/page")
    with pytest.raises(ValueError, match="has two schemes; did you mean `http://example.com/`"):
        Cache(AGENT).check("a", "http://http://example.com/")
    with pytest.raises(ValueError, match="has no host"):
        Cache(AGENT).check("a", "https:///page")
    with pytest.raises(ValueError):
        Cache("a\nb")
    with pytest.raises(ValueError, match="timeout"):
        Cache(AGENT, timeout=0)
    decision = Cache(AGENT, public_only=True).check("a", "http://127.0.0.1:9/")
    assert not decision and "not allowed" in str(decision)


FACTS = b"User-agent: *\nDisallow: /private\nCrawl-delay: 2\nRequest-rate: 1/5\nSitemap: https://example.com/map.xml\n"


def test_a_cache_gives_all_facts():
    with Site(says(200, FACTS)) as site, Cache(AGENT) as cache:
        url = f"{site.url}/private"
        found = cache.decide("ExampleBot", url)
        assert not found and found.decision == cache.check("ExampleBot", url)
        assert (found.crawl_delay, found.result, found.is_fresh) == (2.0, "success", True)
        assert (found.request_rate.requests, found.request_rate.seconds) == (1, 5.0)
        assert found.sitemaps == cache.sitemaps(url) == ["https://example.com/map.xml"]
        assert found.received <= time.time() < found.next_attempt <= found.ask_again
        assert json.loads(json.dumps(found.as_dict()))["decision"]["line"] == 2
        assert pickle.loads(pickle.dumps(found)) == found
        assert cache.crawl_delay("ExampleBot", url) == 2.0
        assert cache.explain("ExampleBot", url).matched[0].line == 2
        assert cache.robots(url).body == FACTS
        entry = cache.entry(url)
        assert cache.entry(site.url) is entry and cache.robots(url) is entry.robots()
        assert entry.robots() is entry.robots() and entry.crawl_delay("ExampleBot") == 2.0
        assert entry.sitemaps() == ["https://example.com/map.xml"] and entry.explain("ExampleBot", url).decision.line == 2
        assert site.requests == ["/robots.txt"]
    with pytest.raises(ValueError, match="the cache is closed"):
        cache.check("ExampleBot", "http://127.0.0.1/")


def test_facts_of_a_site_without_a_file():
    with Site(says(404)) as none, Site(says(503)) as down:
        cache = Cache(AGENT)
        assert cache.robots(none.url) is None and cache.sitemaps(none.url) == [] and cache.crawl_delay("a", none.url) is None
        explained = cache.explain("a", f"{down.url}/a?b")
        assert not explained.decision and explained.path == "/a?b" and explained.groups == []
        found = cache.decide("a", f"{down.url}/")
        assert not found and found.result == "unreachable" and found.ask_again == found.next_attempt


def test_asyncio_gives_all_facts():
    async def ask(url):
        async with AsyncCache(AGENT) as cache:
            found = await cache.decide("ExampleBot", url)
            assert not found and found.crawl_delay == 2.0 and found.request_rate.requests == 1
            assert await cache.crawl_delay("ExampleBot", url) == 2.0
            assert await cache.sitemaps(url) == ["https://example.com/map.xml"]
            assert (await cache.explain(iter(["ExampleBot"]), url)).matched[0].line == 2
            assert (await cache.robots(url)).body == FACTS
            assert (await cache.entry(url)).status == 200

    with Site(says(200, FACTS)) as site:
        asyncio.run(ask(f"{site.url}/private"))
        assert site.requests == ["/robots.txt"]


def test_a_gate_waits_between_requests_and_refuses_what_is_disallowed():
    body = b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.4\n"

    async def crawl(url):
        times = []
        async with AsyncCache(AGENT) as cache:
            gate = cache.gate("ExampleBot", delay=0.1)

            async def ask(path):
                async with gate(url + path) as decision:
                    assert decision.crawl_delay == 0.4
                    times.append(time.monotonic())

            started = time.monotonic()
            await asyncio.gather(*(ask(f"/{index}") for index in range(4)))
            with pytest.raises(sites.Disallowed, match="/private: disallowed by line 2") as refused:
                await ask("/private")
            assert refused.value.decision.decision.line == 2
            assert pickle.loads(pickle.dumps(refused.value)).url == refused.value.url
            assert time.monotonic() - started < 10
            with pytest.raises(ValueError, match="delay: expected"):
                cache.gate("a", delay=-1)
        assert all(after - before >= 0.38 for before, after in zip(times, times[1:])) and len(times) == 4

    with Site(says(200, body)) as site:
        asyncio.run(crawl(site.url))


def test_a_gate_pauses_as_the_site_asks():
    async def crawl(url):
        async with AsyncCache(AGENT) as cache:
            gate = cache.gate("ExampleBot", delay=0, max_wait=3)
            times = []
            for status, headers in [(503, {"retry-after": "1"}), (200, {}), (429, [(b"Retry-After", b"600")]), (503, None)]:
                with contextlib.suppress(sites.NotNow):
                    async with gate(url):
                        times.append(time.monotonic())
                        gate.note(url, status, headers)
            assert len(times) == 3 and times[1] - times[0] > 0.95 and times[2] - times[1] < 0.9
            with pytest.raises(sites.NotNow, match="the site can be asked in ") as refused:
                async with gate(url):
                    raise AssertionError
            assert 500 < refused.value.seconds <= 600
            assert pickle.loads(pickle.dumps(refused.value)).seconds == refused.value.seconds

    with Site(says(200, ROBOTS)) as site:
        asyncio.run(crawl(site.url + "/"))


def test_a_pause_holds_for_a_request_that_waits():
    async def crawl(url):
        async with AsyncCache(AGENT) as cache:
            gate = cache.gate("ExampleBot", delay=0.3)
            async with gate(url):
                pass
            started = time.monotonic()

            async def wait():
                async with gate(url):
                    return time.monotonic() - started

            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0.05)
            gate.note(url, 429, {"Retry-After": "1"})
            assert 1 < await waiting < 3

    with Site(says(200, ROBOTS)) as site:
        asyncio.run(crawl(site.url + "/"))


def test_a_gate_waits_for_the_hours_of_a_site():
    from robots_exclusion_sites._tasks import _opening, _retry_after

    day = VisitTime((6, 0), (8, 30))
    night = VisitTime((23, 0), (2, 0))
    at = lambda hour, minute, second=0: 86400 * 20_000 + 3600 * hour + 60 * minute + second  # noqa: E731
    assert _opening([], at(1, 0)) == 0 and _opening([day], at(6, 0)) == 0 and _opening([day], at(8, 30, 59)) == 0
    assert _opening([day], at(8, 31)) == 77_340 and _opening([day], at(5, 59, 30)) == 30
    assert _opening([night], at(0, 30)) == 0 and _opening([night], at(22, 0)) == 3600 and _opening([day, night], at(22, 0)) == 3600
    date = "Sun, 06 Nov 1994 08:49:37 GMT"
    assert _retry_after({"Retry-After": date}, 784111777 - 20) == 20 and _retry_after({"Retry-After": "soon"}, 0) is None

    async def crawl(url):
        async with AsyncCache(AGENT) as cache:
            with pytest.raises(sites.NotNow):
                async with cache.gate("ExampleBot")(url):
                    raise AssertionError

    hour = time.gmtime(time.time() + 7200).tm_hour
    body = f"User-agent: *\nVisit-time: {hour:02}00-{hour:02}30\n".encode()
    with Site(says(200, body)) as site:
        asyncio.run(crawl(site.url + "/"))


def test_a_request_that_does_not_end_stops_a_site_for_a_time_only():
    async def crawl(url):
        async with AsyncCache(AGENT) as cache:
            gate = cache.gate("ExampleBot", delay=0, max_request=0.2)
            async with gate(url + "a"):
                async with gate(url + "b"):
                    pass

    with Site(says(200, ROBOTS)) as site:
        asyncio.run(asyncio.wait_for(crawl(site.url + "/"), 30))


def test_a_transport_of_the_program_sends_the_requests():
    asked = []

    def transport(url, headers):
        asked.append((url, headers))
        if url == "https://example.com/robots.txt":
            return 301, {"Location": "https://www.example.com/robots.txt"}, b""
        if url.startswith("https://slow"):
            raise TimeoutError("slow")
        return 200, [(b"Content-Type", b"text/plain")], ROBOTS

    cache = Cache(AGENT, transport=transport)
    assert cache.check("ExampleBot", "https://example.com/private").line == 2
    assert [url for url, _ in asked] == ["https://example.com/robots.txt", "https://www.example.com/robots.txt"]
    assert cache.check("ExampleBot", "https://slow.example/").reason == "timeout"
    with pytest.raises(ValueError, match="transport: expected a function"):
        Cache(AGENT, transport=5)

    async def ask():
        async def transport(url, headers):
            await asyncio.sleep(0.1)
            return 200, {}, ROBOTS

        async with AsyncCache(AGENT, transport=transport) as cache:
            return await asyncio.gather(*(cache.can_fetch("a", f"https://{name}.example/private") for name in "abc"))

    assert asyncio.run(ask()) == [False] * 3


def test_options_of_a_cache():
    with Site(says(200, ROBOTS)) as site:
        lenient = Cache(AGENT, lenient_agents=True, max_sites=1, max_bytes=1 << 20, concurrent=1)
        for agent in ("", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"):
            assert not lenient.can_fetch(agent, f"{site.url}/private")
        assert lenient.can_fetch("a", f"{site.url}/")
    decision = Cache(AGENT, proxy="http://127.0.0.1:9").check("a", "http://example.com/")
    assert not decision
    assert Cache(AGENT, proxy="environment").peek("a", "http://example.com/") is None
    for wrong in ({"proxy": "ftp://127.0.0.1"}, {"profile": "RFC9309"}):
        with pytest.raises(ValueError):
            Cache(AGENT, **wrong)
    with pytest.raises(OSError):
        Cache(AGENT, certificates=b"-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n")


#: Forms of header fields, as clients have them.
HEADERS = [
    {"ETag": '"x"', "Cache-Control": "max-age=60"},
    {b"ETag": b'"x"', b"Cache-Control": b"max-age=60"},
    {"ETag": ['"x"'], "Cache-Control": ["public", "max-age=60"]},
    [("ETag", '"x"'), ("Cache-Control", "max-age=60")],
    [(b"ETag", b'"x"'), (b"Cache-Control", b"max-age=60")],
    ((b"ETag", b'"x"'), (b"Cache-Control", b"max-age=60")),
    iter([["ETag", '"x"'], ["Cache-Control", b"max-age=60"]]),
    http.client.parse_headers(__import__("io").BytesIO(b'ETag: "x"\r\nCache-Control: max-age=60\r\nX: \xff\r\n\r\n')),
]


@pytest.mark.parametrize("headers", HEADERS)
def test_header_fields_have_the_form_of_any_client(headers):
    retrieval = sites.Retrieval("https://example.com/")
    retrieval.answer(200, headers, ROBOTS)
    assert not retrieval.entry.is_due(time.time() + 30) and retrieval.entry.is_due(time.time() + 61)


def test_header_fields_of_installed_clients():
    with Site(says(302, Location="/other", ETag='"x"')) as site:
        for client, get in {
            "requests": lambda module: module.get(f"{site.url}/robots.txt", allow_redirects=False).headers,
            "httpx": lambda module: module.get(f"{site.url}/robots.txt").headers,
            "urllib3": lambda module: module.request("GET", f"{site.url}/robots.txt", redirect=False).headers,
        }.items():
            try:
                headers = get(__import__(client))
            except ImportError:
                continue
            for form in (headers, headers.items(), dict(headers)):
                retrieval = sites.Retrieval(site.url)
                retrieval.answer(302, form, b"")
                assert retrieval.url == f"{site.url}/other"


def test_wrong_header_fields_say_what_is_expected():
    for wrong in (5, "ETag: x", b"x", ["ETag"], [("a", 5)], [(None, "a")], {"a": None}, None):
        with pytest.raises(TypeError, match="headers: expected a mapping, or pairs of name and value"):
            sites.Retrieval("https://example.com/").answer(200, wrong, b"")
    with pytest.raises(TypeError, match="bytes"):
        sites.Retrieval("https://example.com/").answer(200, {}, "User-agent: *")


def test_more_crawlers_of_an_entry_are_no_slower():
    body = b"User-agent: *\n" + b"".join(b"Disallow: /p%d/*/x%d\n" % (index, index) for index in range(15_000))
    retrieval = sites.Retrieval("https://example.com/")
    retrieval.answer(200, {}, body)
    entry, names = retrieval.entry, [f"Bot{chr(97 + index)}" for index in range(20)]
    for name in names:
        entry.check(name, "https://example.com/a")
    started = time.process_time()
    for _ in range(200):
        for name in names:
            assert entry.check(name, "https://example.com/a")
    assert time.process_time() - started < 1


def program(tmp_path, text, *arguments):
    """Returns a program that was started, and prints a line when it asks the site."""
    path = tmp_path / "program.py"
    # Jobs in the background ignore the signal, and so do the programs that they start.
    start = """\
import asyncio, signal, sys, time
from robots_exclusion import AsyncCache, Cache
signal.signal(signal.SIGINT, signal.default_int_handler)
print('ready', flush=True)
"""
    path.write_text(start + text)
    return subprocess.Popen([sys.executable, str(path), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name != "posix", reason="the signal is one of POSIX")
@pytest.mark.parametrize(
    "text",
    [
        f"Cache({AGENT!r}).check('a', sys.argv[1])",
        f"async def main():\n    async with AsyncCache({AGENT!r}) as cache:\n        await cache.check('a', sys.argv[1])\nasyncio.run(main())",
    ],
)
def test_an_interrupt_ends_a_wait_and_the_program(tmp_path, text):
    with Site(after(8, says(200, ROBOTS))) as site:
        process = program(tmp_path, text, f"{site.url}/")
        process.stdout.readline()
        deadline = time.monotonic() + 10
        while not site.requests and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _, errors = process.communicate(timeout=20)
        ended = time.monotonic() - started
        print(f"the program ended {ended:.2f} s after Ctrl-C")
        # About 0.1 s on a machine that is not busy.
        assert "KeyboardInterrupt" in errors and ended < 2, errors


def test_a_program_ends_while_a_site_is_asked(tmp_path):
    text = f"""
async def main():
    cache = AsyncCache({AGENT!r})
    try:
        await asyncio.wait_for(cache.check("a", sys.argv[1]), 0.5)
    except asyncio.TimeoutError:
        print("late")
asyncio.run(main())
"""
    with Site(after(8, says(200, ROBOTS))) as site:
        process = program(tmp_path, text, f"{site.url}/")
        started = time.monotonic()
        output, errors = process.communicate(timeout=20)
        assert (output, errors, process.returncode) == ("ready\nlate\n", "", 0)
        assert time.monotonic() - started < 5


def ask_in_child(cache, urls, pipe):
    async def ask():
        return [bool(await asyncio.wait_for(cache.check("a", url), 10)) for url in urls]

    pipe.send([bool(cache.check("a", url)) for url in urls] if isinstance(cache, Cache) else asyncio.run(ask()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("kind", [Cache, AsyncCache])
@pytest.mark.parametrize("on_disk", [False, True])
def test_a_cache_works_in_a_child_after_a_fork(kind, on_disk, tmp_path):
    """Also while a thread of the parent asks the site."""
    context = multiprocessing.get_context("fork")
    path = tmp_path / "robots.sqlite" if on_disk else None
    with Site(after(1, says(200, ROBOTS))) as site, Site(says(404)) as other:
        cache = kind(AGENT, path=path)
        url = f"{site.url}/private"
        ask = (lambda: cache.check("a", url)) if kind is Cache else (lambda: asyncio.run(cache.check("a", url)))
        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.3)
        receiver, sender = context.Pipe(False)
        process = context.Process(target=ask_in_child, args=[cache, [url, f"{other.url}/"], sender])
        process.start()
        try:
            assert receiver.poll(20), "the child process hangs"
            assert receiver.recv() == [False, True]
        finally:
            process.kill()
            thread.join()
        assert not ask().__bool__()


ONE_QUESTION = """
import asyncio, sys
from robots_exclusion import AsyncCache

async def ask():
    async with AsyncCache("ExampleBot/1.0") as cache:
        print(await cache.can_fetch("ExampleBot", sys.argv[1]))

asyncio.run(ask())
"""


def test_the_interpreter_ends_right_after_an_answer():
    """The thread that brings the answer still runs Python code when the program has nothing left to do."""
    with Site(after(0.1, says(200, ROBOTS))) as site:
        command = [sys.executable, "-c", ONE_QUESTION, f"{site.url}/private"]
        for _ in range(6):
            programs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
            found = [(program.communicate(timeout=60)[0], program.returncode) for program in programs]
            assert found == [("False\n", 0)] * 8


LATE_QUESTION = """
import asyncio, atexit, sys

async def ask():
    async with AsyncCache("ExampleBot/1.0") as cache:
        await cache.can_fetch("ExampleBot", "http://127.0.0.1:9/")

# Is called after what the import registers.
atexit.register(lambda: asyncio.run(ask()))

from robots_exclusion import AsyncCache
"""


def test_a_question_at_the_end_of_the_interpreter_is_an_error():
    done = subprocess.run([sys.executable, "-c", LATE_QUESTION + "AsyncCache"], capture_output=True, text=True, timeout=60)
    assert "RuntimeError: the interpreter ends" in done.stderr and done.returncode == 0


def test_a_mistake_in_a_transport_is_shown(monkeypatch):
    async def coroutine(url, headers):
        return 200, {}, ROBOTS

    class Response:
        pass

    shown = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: shown.append(f"{found.exc_type.__name__}: {found.exc_value}"))
    url = "https://example.com/page"
    for transport, message in [
        (lambda url, headers: Response(), "TypeError: transport: expected (status, headers, body), an int, fields and bytes; got Response"),
        (lambda url, headers: (200, {}, "text"), "TypeError: transport: .* got .int, dict, str."),
        (lambda url: None, "TypeError: .*"),
        (lambda url, headers: undefined, "NameError: .*"),  # noqa: F821
    ]:
        assert not Cache(AGENT, transport=transport).can_fetch("ExampleBot", url)
        assert re.fullmatch(message.replace("(status, headers, body)", ".status, headers, body."), shown.pop()), message
    for error in (OSError("x"), type("ReadError", (Exception,), {})("x")):
        def failing(url, headers):
            raise error

        assert not Cache(AGENT, transport=failing).can_fetch("ExampleBot", url)
    assert shown == []
    with pytest.raises(ValueError, match="transport: a coroutine function needs an AsyncCache"):
        Cache(AGENT, transport=coroutine)
    with pytest.raises(ValueError, match="transport: expected a function, got int"):
        Cache(AGENT, transport=5)


def test_numbers_and_classes_that_can_not_work_are_refused():
    with pytest.raises(ValueError, match="max_workers: expected a number from 1, got 0"):
        AsyncCache(AGENT, max_workers=0)
    with pytest.raises(TypeError, match="cache: expected an AsyncCache, got Cache"):
        sites.Gate(Cache(AGENT), "ExampleBot")
    gate = AsyncCache(AGENT).gate("ExampleBot")
    with pytest.raises(TypeError, match="status: expected an int or None, got str"):
        gate.note("https://example.com/", "503")
    with pytest.raises(TypeError, match="async with gate"):
        bool(gate("https://example.com/"))


def test_entries_are_values():
    with Site(says(200, ROBOTS)) as site, Site(says(404)) as other:
        for profile in PROFILES:
            for lenient in (False, True):
                entry = Cache(AGENT, profile, lenient_agents=lenient).entry(site.url)
                again = pickle.loads(pickle.dumps(entry))
                assert again == entry and hash(again) == hash(entry) and copy.copy(entry) == entry
                assert again.check("ExampleBot", f"{site.url}/private") == entry.check("ExampleBot", f"{site.url}/private")
        assert entry != Cache(AGENT).entry(other.url)


def test_an_entry_has_no_answer_about_another_site():
    """A program that keeps entries by the name of the host would apply the rules of one site to another one."""
    with Site(says(200, ROBOTS)) as site:
        entry = Cache(AGENT).entry(site.url)
        for url in ("https://example.com/page", site.url.replace("http:", "https:"), site.url.replace("127.0.0.1", "localhost")):
            for ask in (entry.check, entry.explain):
                with pytest.raises(ValueError, match=f"is not a URL of {site.url}, whose entry this is"):
                    ask("ExampleBot", url)
        assert not entry.check("ExampleBot", site.url.replace("http://", "HTTP://user@") + "/private")


def test_a_cache_that_accepts_each_agent_does_so_everywhere():
    async def ask(url):
        async with AsyncCache(AGENT, lenient_agents=True) as cache:
            return [await cache.check("a@b", url), (await cache.entry(url)).check("a@b", url), (await cache.explain("a@b", url)).decision]

    with Site(says(200, ROBOTS)) as site:
        url = f"{site.url}/private"
        cache = Cache(AGENT, lenient_agents=True)
        entry = cache.entry(url)
        found = [cache.check("a@b", url), entry.check("a@b", url), cache.explain("a@b", url).decision, *asyncio.run(ask(url))]
        assert [decision.line for decision in found] == [2] * 6
        assert entry.crawl_delay("a@b") is None and not entry.robots().can_fetch("a@b", "/private")
        with pytest.raises(InvalidAgent):
            Cache(AGENT).entry(url).check("a@b", url)


def test_stubs_name_what_there_is():
    import ast

    from robots_exclusion_sites import _sites

    stub = ast.parse((Path(sites.__file__).parent / "_sites.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and hasattr(_sites, node.name):
            members = {name for name in vars(getattr(_sites, node.name)) if not name.startswith("_")}
            stubbed = {item.name for item in node.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")}
            assert members == stubbed, node.name


def test_a_retrieval_is_driven_by_its_caller():
    retrieval = sites.Retrieval("https://example.com/page")
    assert retrieval.url == "https://example.com/robots.txt" and retrieval.entry is None
    retrieval.answer(301, [("Location", b"https://www.example.com/robots.txt")], b"")
    assert retrieval.url == "https://www.example.com/robots.txt"
    retrieval.answer(200, [("ETag", b'"x"'), ("Cache-Control", b"max-age=60")], ROBOTS)
    assert retrieval.url is None
    entry = retrieval.entry
    assert (entry.status, entry.result, entry.cause, entry.body()) == (200, "success", None, ROBOTS)
    assert len(entry.urls) == 2 and not entry.is_due() and entry.is_due(time.time() + 120)
    assert not entry.check("ExampleBot", "https://example.com/private")
    with pytest.raises(RuntimeError, match="has ended"):
        retrieval.answer(200, [], b"")
    again = sites.Retrieval("https://example.com/", previous=entry)
    assert again.headers == [] or again.headers == [("if-none-match", '"x"')]
    again.failure("timeout", "after 5 s")
    outage = again.entry
    assert outage.result == "unreachable" and "timed out" in outage.cause
    # For now, nothing may be accessed (RFC 9309, section 2.3.1.4).
    decision = outage.check("ExampleBot", "https://example.com/page")
    assert (decision.allowed, decision.reason) == (False, "timeout")
    with pytest.raises(ValueError, match="is not a kind of failure: expected"):
        sites.Retrieval("https://example.com/").failure("nothing")


def test_a_body_that_ends_early_is_a_failure_if_it_is_read():
    def answered(status, body=b"", headers=()):
        retrieval = sites.Retrieval("https://example.com/page")
        retrieval.answer(status, list(headers), body, "decoding", "cut")
        return retrieval

    entry = answered(200, ROBOTS).entry
    assert (entry.result, entry.body()) == ("unreachable", None) and "invalid content coding" in entry.cause
    assert answered(404).entry.result == "unavailable"
    assert answered(302, headers=[("Location", b"/other")]).url == "https://example.com/other"
    long = bytes(sites.Retrieval("https://example.com/").max_size)
    assert answered(200, long).entry.result == "success"
    with pytest.raises(ValueError, match="is not a kind of failure"):
        sites.Retrieval("https://example.com/").answer(200, [], b"", "nothing")


def test_redirects_to_disallowed_urls_end_a_retrieval_if_the_profile_says_so():
    def redirected(profile):
        retrieval = sites.Retrieval("https://example.com/", profile)
        assert retrieval.url_to_check is None
        retrieval.answer(301, [("Location", b"https://example.net/private")], b"")
        assert retrieval.url == "https://example.net/private"
        return retrieval

    assert redirected("rfc9309").url_to_check is None
    retrieval = redirected("google")
    assert retrieval.url_to_check == "https://example.net/private"
    retrieval.disallowed()
    entry = retrieval.entry
    assert retrieval.url is None and "disallows" in entry.cause
    assert entry.result == "unavailable" and entry.check("ExampleBot", "https://example.com/page")


def test_entries_are_bytes_for_other_stores(tmp_path):
    retrieval = sites.Retrieval("https://example.com/")
    retrieval.answer(200, [], ROBOTS)
    entry = sites.Entry.from_bytes(retrieval.entry.to_bytes())
    assert entry.body() == ROBOTS
    with pytest.raises(ValueError):
        sites.Entry.from_bytes(b"damaged")
    disk = sites.Disk(tmp_path / "robots.sqlite")
    assert disk.get("https://example.com/") is None
    disk.put("https://example.com/a", entry)
    assert len(disk) == 1 and disk.get("https://example.com/b").body() == ROBOTS
