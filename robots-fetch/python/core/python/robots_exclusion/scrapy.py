"""A parser and a downloader middleware for Scrapy.

The parser replaces only the reading of files::

    ROBOTSTXT_PARSER = "robots_exclusion.scrapy.RobotsExclusionParser"

The middleware replaces Scrapy's own: statuses, redirects, timeouts and outages follow a document, and every request to a site
waits for its robots.txt. It needs ``pip install robots-exclusion[sites]``::

    ROBOTSTXT_OBEY = True
    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_exclusion.scrapy.RobotsTxtMiddleware": 100,
    }

SCRAPY.md documents the settings.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from ._coding import CodingError, decoded
from ._core import Robots, product_token
from ._extras import imported

__all__ = ["RobotsExclusionParser", "RobotsTxtMiddleware"]

logger = logging.getLogger(__name__)

#: The most sites whose entries are kept in memory.
_MOST_SITES = 10_000

#: The most crawlers of one site whose delays are kept.
_MOST_NAMES = 100

#: The key of ``Request.meta`` whose list gets the content codings of a robots.txt.
_CODINGS = "robotstxt_codings"


def _text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _site(url):
    """Returns the root URL of a site, or ``None`` for other schemes than http and https."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/" if parts.scheme in ("http", "https") else None


class RobotsExclusionParser(RobotParser):
    """A value for ``ROBOTSTXT_PARSER``. ``ROBOTSTXT_PROFILE`` names the document."""

    def __init__(self, robotstxt_body, profile="rfc9309"):
        self.robots = Robots(robotstxt_body, profile, lenient_agents=True)

    @classmethod
    def from_crawler(cls, crawler, robotstxt_body):
        profile = crawler.settings.get("ROBOTSTXT_PROFILE") if crawler else None
        return cls(robotstxt_body, profile or "rfc9309")

    def allowed(self, url, user_agent):
        """Returns whether a crawler may access a URL."""
        return self.robots.can_fetch(_text(user_agent), url)

    def crawl_delay(self, user_agent):
        """Returns the ``Crawl-delay`` in seconds, or ``None``."""
        return self.robots.crawl_delay(_text(user_agent))


class RobotsTxtMiddleware:
    """A downloader middleware in place of Scrapy's ``RobotsTxtMiddleware``."""

    #: The priority of requests for a robots.txt.
    DOWNLOAD_PRIORITY = 1000

    def __init__(self, crawler):
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        sites = imported("sites", "RobotsTxtMiddleware")
        self.crawler = crawler
        self._retrieval = sites.Retrieval
        self._default_user_agent = settings["USER_AGENT"]
        self._user_agent = settings["ROBOTSTXT_USER_AGENT"]
        self._profile = settings.get("ROBOTSTXT_PROFILE") or "rfc9309"
        self._timeout = settings.getfloat("ROBOTSTXT_TIMEOUT", 30)
        self._sets_delay = settings.getbool("ROBOTSTXT_CRAWL_DELAY", False)
        self._most_delay = settings.getfloat("ROBOTSTXT_CRAWL_DELAY_MAX", 60)
        path = settings.get("ROBOTSTXT_CACHE_PATH")
        self._disk = sites.Disk(path, self._profile) if path else None
        # Fails now if the profile has no such name.
        sites.Retrieval("https://example.com/", self._profile)
        self._entries = OrderedDict()
        self._delays = OrderedDict()
        self._waiting = {}
        self._names = {}
        crawler.signals.connect(self._keep_coded, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def process_request(self, request, spider=None):
        """Waits for the robots.txt of the request's site. Raises ``IgnoreRequest`` if it disallows the request."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        site = _site(request.url)
        if site is None:
            return
        entry = await self._entry(site, request)
        names = self._names_of(request)
        decision = entry.check(names, request.url)
        if self._sets_delay:
            self._set_delay(request, entry, names)
        stats = self.crawler.stats
        if decision:
            stats.inc_value("robotstxt/allowed")
            return
        stats.inc_value("robotstxt/forbidden")
        stats.inc_value(f"robotstxt/forbidden/{decision.reason}")
        logger.debug(
            "Forbidden by robots.txt: %(request)s: %(decision)s",
            {"request": request, "decision": decision},
            extra={"spider": self.crawler.spider},
        )
        raise IgnoreRequest(f"Forbidden by robots.txt: {decision}")

    def _names_of(self, request):
        """Returns the names of the crawler that sends a request."""
        agent = _text(self._user_agent or request.headers.get(b"User-Agent") or self._default_user_agent)
        if agent not in self._names:
            if len(self._names) >= _MOST_SITES:
                self._names.clear()
            token = product_token(agent)
            # A crawler whose name is not found obeys the groups for `*`.
            self._names[agent] = [token] if token else ["*"]
        return self._names[agent]

    async def _entry(self, site, request):
        """Returns the entry of a site. All but the first of concurrent requests wait for the first."""
        while True:
            entry = self._entries.get(site)
            if entry is not None and not entry.is_due():
                self._entries.move_to_end(site)
                return entry
            if site not in self._waiting:
                break
            # Each request waits for a Deferred of its own, because a Deferred passes on what its first callback returns.
            mine = Deferred()
            self._waiting[site].append(mine)
            await maybe_deferred_to_future(mine)
        self._waiting[site] = []
        try:
            entry = await self._refresh(site, entry, request)
            self._entries[site] = entry
            while len(self._entries) > _MOST_SITES:
                self._entries.popitem(last=False)
            return entry
        finally:
            for waiting in self._waiting.pop(site):
                waiting.callback(None)

    async def _refresh(self, site, entry, request):
        if entry is None and self._disk is not None:
            entry = await self._in_thread(self._disk.get, site)
            if entry is not None and not entry.is_due():
                self.crawler.stats.inc_value("robotstxt/cached")
                return entry
        retrieval = self._retrieval(site, self._profile, entry)
        while retrieval.url is not None:
            if self._is_disallowed(retrieval.url_to_check, request):
                retrieval.disallowed()
            else:
                await self._ask(retrieval)
        entry = retrieval.entry
        if self._disk is not None:
            await self._in_thread(self._disk.put, site, entry)
        self._report(site, entry)
        await self._signal(entry, request)
        return entry

    def _is_disallowed(self, url, request):
        """Returns whether the site of a URL is known, and disallows it."""
        entry = self._entries.get(_site(url)) if url is not None else None
        return entry is not None and not entry.is_due() and not entry.check(self._names_of(request), url)

    async def _in_thread(self, call, *arguments):
        """Calls the store without blocking the reactor. A store that fails is not used for this site."""
        try:
            return await maybe_deferred_to_future(deferToThread(call, *arguments))
        except OSError as error:
            logger.warning("The store of robots.txt files failed: %(error)s", {"error": error})
            return None

    async def _ask(self, retrieval):
        """Makes one request of a retrieval."""
        stats = self.crawler.stats
        codings = []
        robots_request = Request(
            retrieval.url,
            headers={**dict(retrieval.headers), "Accept-Encoding": "identity"},
            priority=self.DOWNLOAD_PRIORITY,
            dont_filter=True,
            meta={
                "dont_obey_robotstxt": True,
                # Redirects and errors are for the retrieval.
                "dont_redirect": True,
                "dont_retry": True,
                "handle_httpstatus_all": True,
                "dont_cache": True,
                "download_timeout": self._timeout,
                _CODINGS: codings,
            },
            callback=NO_CALLBACK,
        )
        stats.inc_value("robotstxt/request_count")
        try:
            response = await self._download(robots_request)
        except Exception as error:
            kind = _kind(error)
            stats.inc_value(f"robotstxt/exception_count/{kind}")
            retrieval.failure(kind, str(error))
            return
        stats.inc_value("robotstxt/response_count")
        stats.inc_value(f"robotstxt/response_status_count/{response.status}")
        headers = [(_text(name), value) for name, values in response.headers.items() for value in values]
        # Those that are left in the response are unknown to HttpCompressionMiddleware.
        codings += response.headers.getlist("Content-Encoding")
        body, failure, text = b"", None, ""
        try:
            body = decoded([coding.decode("latin-1") for coding in codings], response.body, retrieval.max_size)
        except CodingError as error:
            failure, text = error.kind, str(error)
        if not {"dataloss", "partial"}.isdisjoint(response.flags):
            failure, text = "incomplete", ""
        retrieval.answer(response.status, headers, body, failure, text)

    def _keep_coded(self, response, request):
        """Takes the codings from a robots.txt when it was downloaded. Otherwise, HttpCompressionMiddleware would decode it, and it
        passes on what it decoded of a body that was cut or damaged."""
        codings = request.meta.get(_CODINGS)
        if codings is not None:
            codings[:] = response.headers.getlist("Content-Encoding")
            response.headers.pop("Content-Encoding", None)

    async def _download(self, request):
        engine = self.crawler.engine
        if hasattr(engine, "download_async"):
            return await engine.download_async(request)
        return await maybe_deferred_to_future(engine.download(request))

    def _report(self, site, entry):
        if entry.cause is not None and entry.result != "unavailable":
            logger.warning(
                "The robots.txt of %(site)s is %(result)s: %(cause)s",
                {"site": site, "result": entry.result, "cause": entry.cause},
                extra={"spider": self.crawler.spider},
            )

    async def _signal(self, entry, request):
        signal = getattr(signals, "robots_parsed", None)
        send = getattr(self.crawler.signals, "send_catch_log_async", None)
        body = entry.body()
        if signal is not None and send is not None and body is not None:
            parser = RobotsExclusionParser(body, self._profile)
            await send(signal=signal, robotparser=parser, request=request)

    def _delay(self, request, entry, names):
        """Returns the crawl delay, which is read once for each entry and crawler."""
        known_entry, delays = self._delays.get(_site(request.url), (None, {}))
        if known_entry is not entry or len(delays) >= _MOST_NAMES:
            delays = {}
            while len(self._delays) >= _MOST_SITES:
                self._delays.popitem(last=False)
            self._delays[_site(request.url)] = entry, delays
        key = tuple(names)
        if key not in delays:
            body = entry.body()
            robots = Robots(body, self._profile, lenient_agents=True) if body is not None else None
            delays[key] = robots.crawl_delay(names) if robots is not None else None
        return delays[key]

    def _set_delay(self, request, entry, names):
        """Sets the delay of the request's slot to the crawl delay, if that is longer."""
        delay = self._delay(request, entry, names)
        if not delay:
            return
        delay = min(delay, self._most_delay)
        downloader = self.crawler.engine.downloader
        get_key = getattr(downloader, "get_slot_key", None) or downloader._get_slot_key
        key = get_key(request)
        slot = downloader.slots.get(key)
        if slot is not None and slot.delay < delay:
            slot.delay, slot.randomize_delay = delay, False
            self.crawler.stats.inc_value("robotstxt/crawl_delay_count")
        # For a slot that is made later.
        known = downloader.per_slot_settings.setdefault(key, {})
        if known.get("delay", 0) < delay:
            known.update(delay=delay, randomize_delay=False)


_KINDS = {
    "CannotResolveHostError": "dns",
    "ConnectError": "connect",
    "ConnectionRefusedError": "connect",
    "DNSLookupError": "dns",
    "DownloadConnectionRefusedError": "connect",
    "DownloadFailedError": "incomplete",
    "DownloadTimeoutError": "timeout",
    "ResponseDataLoss": "incomplete",
    "ResponseDataLossError": "incomplete",
    "ResponseFailed": "incomplete",
    "ResponseNeverReceived": "incomplete",
    "TCPTimedOutError": "timeout",
    "TimeoutError": "timeout",
    "UnsupportedURLSchemeError": "unsupported-scheme",
    "gaierror": "dns",
}


def _kind(error):
    """Returns the kind of a failure, by the names of the exception's classes: they moved between versions of Scrapy."""
    for cls in type(error).__mro__:
        if cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
    return "other"
