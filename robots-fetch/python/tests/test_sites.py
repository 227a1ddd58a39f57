"""Cache, AsyncCache, Retrieval, Entry and Disk against loopback sites."""

import asyncio
import threading
import time

import pytest

from sites import Site, after, says

sites = pytest.importorskip("robots_exclusion_sites")

from robots_exclusion import AsyncCache, Cache, InvalidAgent  # noqa: E402

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
            cache._pool.shutdown()
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


def test_errors_carry_the_message_of_the_library():
    with pytest.raises(InvalidAgent, match="must not be empty"):
        Cache(AGENT).check("", "http://127.0.0.1/")
    with pytest.raises(ValueError, match="is not a URL"):
        Cache(AGENT).check("a", "/page")
    with pytest.raises(ValueError):
        Cache("a\nb")
    with pytest.raises(ValueError, match="timeout"):
        Cache(AGENT, timeout=0)
    decision = Cache(AGENT, public_only=True).check("a", "http://127.0.0.1:9/")
    assert not decision and "not allowed" in str(decision)


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
