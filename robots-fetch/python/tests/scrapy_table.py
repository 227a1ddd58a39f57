"""Prints the table of the README: what crawls of sites with troubles get with the middleware of this project, and with the one of
Scrapy. `cargo xtask python` runs it after the tests."""

import socket
import sys
import tempfile
from pathlib import Path

import scrapy
from sites import Site, after, says
from test_scrapy import OURS, crawl, failing

PAGES = 10
ROBOTS = b"User-agent: *\nDisallow: /private\n"
#: Both middlewares run with the retries that Scrapy has by default.
DEFAULTS = {"RETRY_ENABLED": True}


def items(stats):
    """Returns how many pages reached the spider."""
    return sum(count for key, count in stats.items() if key.startswith("parsed"))


def of(site, settings, paths=None):
    stats, _ = crawl({**DEFAULTS, **settings}, [site.url + path for path in paths or [f"/{index}" for index in range(PAGES)]])
    return stats


def once(failure):
    def row(settings):
        with Site(failing([failure])) as site:
            return f"{items(of(site, settings))}"

    return row


def slow(settings):
    paths = [f"/{name}{index}" for index in range(PAGES) for name in ("", "private")]
    with Site(after(3, says(200, ROBOTS))) as site:
        found = items(of(site, {**settings, "CONCURRENT_REQUESTS_PER_DOMAIN": 64}, paths))
        wrong = sum(path.startswith("/private") for path in site.requests)
    return f"{found - wrong}, and {wrong} that are disallowed"


def dead(settings):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        stats, _ = crawl({**DEFAULTS, **settings, "ROBOTSTXT_RETRY_TIMES": 0}, [url])
    kinds = {key.rsplit(".", 1)[1] for key in stats if key.startswith("downloader/exception_type_count/")}
    return f"{items(stats)}, {', '.join(sorted(kinds))}"


def unreachable(settings):
    """The robots.txt has status 503 for good; the pages are there."""
    with Site(says(503)) as site:
        return f"{items(of(site, {**settings, 'ROBOTSTXT_RETRY_TIMES': 1}))}"


def autothrottle(settings):
    with Site(says(200, b"User-agent: *\nCrawl-delay: 1\n")) as site:
        found = items(of(site, {**settings, "ROBOTSTXT_CRAWL_DELAY": True, "AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 1}))
        pages = [at for path, at in zip(site.requests, site.times) if path != "/robots.txt"]
    return f"{found}, shortest gap {min(later - earlier for earlier, later in zip(pages, pages[1:])):.2f} s"


def resume(settings):
    """The robots.txt has status 503 in the first run of a job, and 200 in the second."""
    with tempfile.TemporaryDirectory() as folder, Site(failing([says(503)])) as site:
        settings = {**settings, "JOBDIR": str(Path(folder) / "job"), "RETRY_ENABLED": False, "ROBOTSTXT_RETRY_TIMES": 0}
        first = items(of(site, settings))
        stats, _ = crawl({**DEFAULTS, **settings}, [])
        unread = first if "/robots.txt" in site.requests[:1] and first else 0
        return f"{first + items(stats)}" + (f", {unread} of them without rules" if unread else "")


def offline(settings):
    """The second run has the cache of Scrapy, and no site."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {**settings, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(Path(folder) / "cache"), "ROBOTSTXT_RETRY_TIMES": 0}
        with Site(says(200, ROBOTS)) as site:
            of(site, settings)
        return f"{items(of(site, settings))}"


def without_reactor(is_cached):
    def row(settings):
        with tempfile.TemporaryDirectory() as folder, Site(says(200, ROBOTS)) as site:
            settings = {**settings, "TWISTED_REACTOR_ENABLED": False}
            if is_cached:
                settings["ROBOTSTXT_CACHE_PATH"] = str(Path(folder) / "robots.sqlite")
            return f"{items(of(site, settings))}"

    return row


ROWS = {
    "once 503": once(says(503)),
    "once 429": once(says(429)),
    "once a reset": once(says(None)),
    "always 503": unreachable,
    "a robots.txt that takes 3 s": slow,
    "a closed port": dead,
    "AutoThrottle, `Crawl-delay: 1`": autothrottle,
    "a job resumed after 503": resume,
    "offline, from `HTTPCACHE`": offline,
    "no reactor": without_reactor(False),
    "no reactor, with `ROBOTSTXT_CACHE_PATH`": without_reactor(True),
}


def main():
    print(f"| {PAGES} pages of a site | this middleware | that of Scrapy {scrapy.__version__} |\n| --- | --- | --- |")
    wanted = sys.argv[1:]
    for name, row in ROWS.items():
        if not wanted or any(word in name for word in wanted):
            print(f"| {name} | {row(OURS)} | {row({})} |", flush=True)


if __name__ == "__main__":
    main()
