"""A parser, a downloader middleware and a spider middleware for Scrapy.

The parser replaces only the reading of files::

    ROBOTSTXT_PARSER = "robots_exclusion.scrapy.RobotsExclusionParser"

The middleware replaces Scrapy's own: statuses, redirects, timeouts and outages follow a document, and every request to a site
waits for its robots.txt. While a robots.txt can't be read, requests to its site wait, and are not lost. It needs
``pip install robots-exclusion[sites]``::

    ROBOTSTXT_OBEY = True
    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_exclusion.scrapy.RobotsTxtMiddleware": 100,
    }

``PageRulesMiddleware`` is a spider middleware that reads what a page says to crawlers: may it be indexed, quoted, followed?

SCRAPY.md documents the settings.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, TypeVar, Union
from urllib.parse import urlsplit

try:
    import scrapy as _
except ModuleNotFoundError as error:
    if error.name != "scrapy":
        raise
    raise ImportError("robots_exclusion.scrapy needs another package: pip install robots-exclusion[scrapy]", name="scrapy") from None

from scrapy import Request, signals
from scrapy.core.downloader import Slot
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapysMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

from ._coding import CodingError, decoded
from ._core import PageAnswers, Robots, page_document, product_token, read_page
from ._extras import imported

if TYPE_CHECKING:
    from robots_exclusion_sites import Disk, Entry, Retrieval
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from ._core import PageDocument, Profile

__all__ = ["PageRulesMiddleware", "RobotsExclusionParser", "RobotsTxtMiddleware"]

_Result = TypeVar("_Result")

logger: logging.Logger = logging.getLogger(__name__)

#: The most sites whose entries are kept in memory.
_MOST_SITES = 10_000

#: The most crawlers of one site whose delays are kept.
_MOST_NAMES = 100

#: The key of ``Request.meta`` that marks requests for a robots.txt.
_ROBOTS_TXT = "robotstxt_request"

#: The response field with the content codings of a robots.txt. It stays in the cache of Scrapy.
_CODINGS = "X-Robots-Txt-Content-Encoding"

#: The pause in seconds before a request goes back to the scheduler, because the robots.txt of its site is asked for again later. In
#: the downloader, it would keep requests to other sites from being sent.
_PAUSE = 1.0

#: The first and the longest pause in seconds before a robots.txt is asked for again, without a Retry-After field. Each pause is twice as
#: long as the one before.
_FIRST_RETRY, _LONGEST_RETRY = 1.0, 16.0

#: The attribute of a slot of the downloader, and its value, with which its delay has no random part.
_NO_JITTER: tuple[str, Any] = ("jitter", 0.0) if hasattr(Slot, "jitter") else ("randomize_delay", False)


def _text(value: Union[str, bytes]) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _site(url: str) -> Optional[str]:
    """Returns the root URL of a site, or ``None`` for other schemes than http and https."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/" if parts.scheme in ("http", "https") else None


class RobotsExclusionParser(RobotParser):
    """A value for ``ROBOTSTXT_PARSER``. ``ROBOTSTXT_PROFILE`` names the document."""

    def __init__(self, robotstxt_body: bytes, profile: Profile = "rfc9309") -> None:
        self.robots: Robots = Robots(robotstxt_body, profile, lenient_agents=True)

    @classmethod
    def from_crawler(cls, crawler: Optional[Crawler], robotstxt_body: bytes) -> RobotsExclusionParser:
        profile: Optional[Profile] = crawler.settings.get("ROBOTSTXT_PROFILE") if crawler else None
        return cls(robotstxt_body, profile or "rfc9309")

    def allowed(self, url: Union[str, bytes], user_agent: Union[str, bytes]) -> bool:
        """Returns whether a crawler may access a URL."""
        return self.robots.can_fetch(_text(user_agent), url)

    def crawl_delay(self, user_agent: Union[str, bytes]) -> Optional[float]:
        """Returns the ``Crawl-delay`` in seconds, or ``None``."""
        return self.robots.crawl_delay(_text(user_agent))


def _has_asyncio() -> bool:
    """Returns whether the code runs in an event loop of asyncio: with its reactor, or without a reactor."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _sleep(seconds: float) -> None:
    if _has_asyncio():
        await asyncio.sleep(seconds)
    else:
        from twisted.internet import reactor

        await maybe_deferred_to_future(deferLater(reactor, seconds, lambda: None))


def _is_unknown(entry: Entry) -> bool:
    """Returns whether the rules of a site are not known, and may be known later."""
    return entry.result in ("unreachable", "throttled") and entry.body() is None


def _retry_after(value: Optional[bytes]) -> Optional[float]:
    """Returns the seconds of a Retry-After field, or ``None`` if it has neither a number nor a date."""
    if value is None:
        return None
    text = _text(value).strip()
    if text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


class _Failure(NamedTuple):
    """Why a request for a robots.txt failed, and when the site wants the next one."""

    #: The exception of a request without an answer.
    error: Optional[Exception]
    #: The seconds of a Retry-After field.
    after: Optional[float]


def _is_dead(error: Optional[Exception]) -> bool:
    """Returns whether a site can't be reached at all: its name is unknown, or it refuses connections."""
    return error is not None and _kind(error) in ("dns", "connect")


def _copied(error: Exception) -> Exception:
    """Returns an exception to raise in place of one that was raised before, whose traceback would become longer each time."""
    try:
        copied = copy.copy(error)
    except Exception:  # Not all exceptions can be copied.
        copied = error
    copied.__cause__ = error.__cause__
    return copied.with_traceback(None)


def _started(call: Coroutine[Any, Any, None]) -> Union[asyncio.Task[None], Deferred[None]]:
    """Starts a coroutine, which nothing waits for."""
    if _has_asyncio():
        return asyncio.get_running_loop().create_task(call)

    async def until_cancelled() -> None:
        with suppress(CancelledError):
            await call

    return Deferred.fromCoroutine(until_cancelled())


def _warn_of_scrapys(settings: BaseSettings) -> None:
    """Warns of the middleware of Scrapy, which would ask each site again and filter out more requests."""
    path = f"{ScrapysMiddleware.__module__}.{ScrapysMiddleware.__name__}"
    # A class, or its path.
    names: list[Any] = [path, ScrapysMiddleware]
    orders = settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES")
    if any(orders.get(name) is not None for name in names):
        logger.warning("Scrapy's own RobotsTxtMiddleware is enabled, too; set %(path)r to None in DOWNLOADER_MIDDLEWARES", {"path": path})


class RobotsTxtMiddleware(ScrapysMiddleware):
    """A downloader middleware in place of Scrapy's ``RobotsTxtMiddleware``."""

    #: The priority of requests for a robots.txt.
    DOWNLOAD_PRIORITY: int = 1000

    # The initializer of Scrapy's class makes a parser and a table of its own, which are not used here.
    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            # Scrapy logs a text. A program that has set this to false needs none.
            is_default = settings.getpriority("ROBOTSTXT_OBEY") == SETTINGS_PRIORITIES["default"]
            raise NotConfigured(*["ROBOTSTXT_OBEY is not set, so no robots.txt is obeyed"] if is_default else [])
        sites = imported("sites", "RobotsTxtMiddleware")
        _warn_of_scrapys(settings)
        self.crawler: Crawler = crawler
        self._retrieval = sites.Retrieval
        self._default_user_agent = settings["USER_AGENT"]
        self._user_agent = settings["ROBOTSTXT_USER_AGENT"]
        # Programs that override `process_request_2` of Scrapy's class read these.
        self._default_useragent, self._robotstxt_useragent = self._default_user_agent, self._user_agent
        self._profile: Profile = settings.get("ROBOTSTXT_PROFILE") or "rfc9309"
        self._timeout = settings.getfloat("ROBOTSTXT_TIMEOUT", 30)
        self._sets_delay = settings.getbool("ROBOTSTXT_CRAWL_DELAY", False)
        self._most_delay = settings.getfloat("ROBOTSTXT_CRAWL_DELAY_MAX", 60)
        # Of sites that can't be reached, and of all others.
        retries = max(0, settings.getint("RETRY_TIMES", 2))
        most = settings.get("ROBOTSTXT_RETRY_TIMES")
        most = max(0, int(most)) if most is not None else None
        self._retries_of_dead: int = retries if most is None else most
        self._retries: Optional[int] = 0 if most is None and not retries else most
        self._longest_wait = settings.getfloat("ROBOTSTXT_WAIT", 60)
        path = settings.get("ROBOTSTXT_CACHE_PATH")
        self._disk: Optional[Disk] = sites.Disk(path, self._profile) if path else None
        # Fails now if the profile has no such name.
        sites.Retrieval("https://example.com/", self._profile)
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._delays: OrderedDict[str, tuple[Entry, dict[tuple[str, ...], Optional[float]]]] = OrderedDict()
        self._waiting: dict[str, list[Deferred[None]]] = {}
        #: The sites whose robots.txt is asked for again, with the tasks that ask.
        self._retried: dict[str, Union[asyncio.Task[None], Deferred[None]]] = {}
        self._errors: dict[str, Exception] = {}
        self._given_up: list[Request] = []
        self._slot_delays: dict[str, float] = {}
        self._names: dict[str, list[str]] = {}
        self._known_robots: OrderedDict[str, tuple[Entry, Robots]] = OrderedDict()
        crawler.signals.connect(self._downloaded, signals.response_downloaded)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)
        if settings.get("JOBDIR"):
            crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsTxtMiddleware:
        return cls(crawler)

    async def process_request(  # type: ignore[override]
        self, request: Request, spider: Optional[Spider] = None
    ) -> Optional[Request]:
        """Waits for the robots.txt of the request's site. Raises ``IgnoreRequest`` if it disallows the request."""
        if request.meta.get("dont_obey_robotstxt"):
            return None
        site = _site(request.url)
        if site is None:
            return None
        entry = await self._entry(site, request)
        if entry is None:
            await _sleep(_PAUSE)
            self._count("robotstxt/rescheduled")
            return request.replace(dont_filter=True, priority=request.priority - 1)
        error = self._errors.get(site)
        if error is not None and _is_unknown(entry):
            # The site can't be reached at all: its own error says so, as it would without this middleware.
            raise _copied(error)
        names = self._names_of(request)
        decision = entry.check(names, request.url)
        if self._sets_delay:
            self._set_delay(request, entry, names)
        if decision:
            self._count("robotstxt/allowed")
            return None
        self._count("robotstxt/forbidden")
        self._count(f"robotstxt/forbidden/{decision.reason}")
        if _is_unknown(entry) and self.crawler.settings.get("JOBDIR"):
            # The next run of the job asks again.
            self._given_up.append(request.replace(dont_filter=True))
        logger.debug(
            "Forbidden by robots.txt: %(request)s: %(decision)s",
            {"request": request, "decision": decision},
            extra={"spider": self.crawler.spider},
        )
        raise IgnoreRequest(f"Forbidden by robots.txt: {decision}")

    def _names_of(self, request: Request) -> list[str]:
        """Returns the names of the crawler that sends a request."""
        agent = self._agent_of(request)
        if agent not in self._names:
            if len(self._names) >= _MOST_SITES:
                self._names.clear()
            token = product_token(agent)
            # A crawler whose name is not found obeys the groups for `*`.
            self._names[agent] = [token] if token else ["*"]
        return self._names[agent]

    def _agent_of(self, request: Request) -> str:
        """Returns the user agent that is sent with a request, or that ``ROBOTSTXT_USER_AGENT`` names in its place."""
        settings = self.crawler.settings
        defaults = settings.getdict("DEFAULT_REQUEST_HEADERS") if "DEFAULT_REQUEST_HEADERS" in settings else {}
        choices = [
            self._user_agent,
            request.headers.get(b"User-Agent"),
            *(value for name, value in defaults.items() if name.lower() == "user-agent"),
            getattr(self.crawler.spider, "user_agent", None),
            self._default_user_agent,
        ]
        return _text(next((agent for agent in choices if agent and isinstance(agent, (str, bytes))), ""))

    def known_robots(self, url: str) -> Optional[Robots]:
        """Returns the robots.txt of a URL's site, as it was when a request to the site was last checked; ``None`` if the site was
        not asked, or has none."""
        site = _site(url) or ""
        entry = self._entries.get(site)
        body = entry.body() if entry is not None else None
        if entry is None or body is None:
            return None
        known = self._known_robots.get(site)
        if known is None or known[0] is not entry:
            known = entry, Robots(body, self._profile, lenient_agents=True)
            while len(self._known_robots) >= _MOST_NAMES:
                self._known_robots.popitem(last=False)
            self._known_robots[site] = known
        return known[1]

    async def robot_parser(self, request: Request) -> Optional[RobotsExclusionParser]:
        """Returns the parser of the robots.txt of a request's site; ``None`` if the site has none, or it can't be read."""
        site = _site(request.url)
        entry = None
        while site is not None and (entry := await self._entry(site, request)) is None:
            await _sleep(_PAUSE)
        body = entry.body() if entry is not None else None
        return RobotsExclusionParser(body, self._profile) if body is not None else None

    async def _entry(self, site: str, request: Request) -> Optional[Entry]:
        """Returns the entry of a site, or ``None`` while its robots.txt is asked for again after a failure. All but the first of
        concurrent requests wait for the first."""
        while True:
            if site in self._retried:
                return None
            entry = self._entries.get(site)
            if entry is not None and not entry.is_due():
                self._entries.move_to_end(site)
                return entry
            if site not in self._waiting:
                break
            # Each request waits for a Deferred of its own, because a Deferred passes on what its first callback returns.
            mine: Deferred[None] = Deferred()
            self._waiting[site].append(mine)
            await maybe_deferred_to_future(mine)
        self._waiting[site] = []
        try:
            return await self._refresh(site, entry, request)
        finally:
            for waiting in self._waiting.pop(site):
                waiting.callback(None)

    async def _refresh(self, site: str, before: Optional[Entry], request: Request) -> Optional[Entry]:
        """Returns a new entry of a site, or ``None`` if its robots.txt is to be asked for again later."""
        if before is None and self._disk is not None:
            before = await self._in_thread(self._disk.get, site)
            if before is not None and not before.is_due():
                self._count("robotstxt/cached")
                self._keep(site, before)
                return before
        entry, failure = await self._retrieve(site, before, request)
        if self._may_pass(entry, failure, 0) and (failure.after or 0.0) <= self._longest_wait:
            self._retried[site] = _started(self._retry(site, before, entry, failure, request))
            return None
        await self._take(site, entry, request)
        return entry

    async def _retry(self, site: str, before: Optional[Entry], entry: Entry, failure: _Failure, request: Request) -> None:
        """Asks for the robots.txt of a site again after a failure that may pass, until it does or the wait is over."""
        try:
            # The task is known before it ends.
            await _sleep(0)
            end = time.monotonic() + self._longest_wait
            pause = _FIRST_RETRY
            retries = 0
            while self._may_pass(entry, failure, retries):
                left = end - time.monotonic()
                wait = max(failure.after or 0.0, min(pause, left))
                pause = min(2 * pause, _LONGEST_RETRY)
                if left <= 0 or wait > left or not await self._wait(wait):
                    break
                retries += 1
                self._count("robotstxt/retry_count")
                # However often it was asked, this is one failure: the next attempt is not later because of the retries.
                entry, failure = await self._retrieve(site, before, request)
            await self._take(site, entry, request)
        finally:
            self._retried.pop(site, None)

    def _may_pass(self, entry: Entry, failure: _Failure, retries: int) -> bool:
        """Returns whether a robots.txt is asked for again after so many retries."""
        if not _is_unknown(entry) or entry.cause in _LASTING:
            return False
        most = self._retries_of_dead if _is_dead(failure.error) else self._retries
        return most is None or retries < most

    async def _retrieve(self, site: str, before: Optional[Entry], request: Request) -> tuple[Entry, _Failure]:
        """Asks for the robots.txt of a site once, and follows its redirects."""
        retrieval: Retrieval = self._retrieval(site, self._profile, before)
        failure = _Failure(None, None)
        error_of_site: Optional[Exception] = None
        while (url := retrieval.url) is not None:
            if self._is_disallowed(retrieval.url_to_check, request):
                retrieval.disallowed()
                continue
            failure = await self._ask(retrieval, request)
            # The error of another site, to which this one redirects, is not that of this site.
            error_of_site = failure.error if _site(url) == site else None
        self._note(site, error_of_site)
        entry = retrieval.entry
        # A retrieval without a URL has ended.
        assert entry is not None
        return entry, failure

    async def _take(self, site: str, entry: Entry, request: Request) -> None:
        """Uses an entry from now on."""
        if self._disk is not None:
            await self._in_thread(self._disk.put, site, entry)
        self._report(site, entry)
        await self._signal(entry, request)
        self._keep(site, entry)

    def _keep(self, site: str, entry: Entry) -> None:
        self._entries[site] = entry
        while len(self._entries) > _MOST_SITES:
            self._entries.popitem(last=False)

    def _note(self, site: str, error: Optional[Exception]) -> None:
        """Keeps the error of a site that can't be reached at all."""
        self._errors.pop(site, None)
        if error is not None and _is_dead(error):
            self._errors[site] = error
        while len(self._errors) > _MOST_SITES:
            self._errors.pop(next(iter(self._errors)))

    async def _wait(self, seconds: float) -> bool:
        """Waits before a retry. Returns whether the spider still runs."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._is_closing():
                return False
            await _sleep(min(left, _PAUSE))
        return not self._is_closing()

    def _engine_slot(self) -> Any:
        return getattr(self.crawler.engine, "_slot", None) or getattr(self.crawler.engine, "slot", None)

    def _count(self, name: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(name)

    def _is_closing(self) -> bool:
        slot = self._engine_slot()
        return slot is None or bool(slot.closing)

    def _spider_closed(self) -> None:
        for retry in list(self._retried.values()):
            retry.cancel()

    def _spider_opened(self) -> None:
        """Lets the scheduler keep, for the next run of a job, requests whose robots.txt could not be read in this one."""
        scheduler = self._engine_slot().scheduler
        close = scheduler.close

        def keep_and_close(reason: str) -> Any:
            for request in self._given_up:
                scheduler.enqueue_request(request)
            return close(reason)

        scheduler.close = keep_and_close

    def _is_disallowed(self, url: Optional[str], request: Request) -> bool:
        """Returns whether the site of a URL is known, and disallows it."""
        if url is None:
            return False
        entry = self._entries.get(_site(url) or "")
        return entry is not None and not entry.is_due() and not entry.check(self._names_of(request), url)

    async def _in_thread(self, call: Callable[..., _Result], *arguments: Any) -> Optional[_Result]:
        """Calls the store without blocking the reactor. A store that fails is not used for this site."""
        try:
            if _has_asyncio():
                return await asyncio.get_running_loop().run_in_executor(None, call, *arguments)
            return await maybe_deferred_to_future(deferToThread(call, *arguments))
        except OSError as error:
            logger.warning("The store of robots.txt files failed: %(error)s", {"error": error})
            return None

    async def _ask(self, retrieval: Retrieval, request: Request) -> _Failure:
        """Makes one request of a retrieval. Returns how it failed."""
        assert retrieval.url is not None
        robots_request = Request(
            retrieval.url,
            headers={
                **dict(retrieval.headers),
                "Accept-Encoding": "identity",
                # The site sees one name: the one for which its file is read.
                "User-Agent": self._agent_of(request),
            },
            priority=self.DOWNLOAD_PRIORITY,
            dont_filter=True,
            meta={
                "dont_obey_robotstxt": True,
                # Redirects and errors are for the retrieval.
                "dont_redirect": True,
                "dont_retry": True,
                "handle_httpstatus_all": True,
                "download_timeout": self._timeout,
                _ROBOTS_TXT: True,
            },
            callback=NO_CALLBACK,
        )
        self._count("robotstxt/request_count")
        try:
            response = await self._download(robots_request)
        except Exception as error:
            kind = _kind(error)
            self._count(f"robotstxt/exception_count/{kind}")
            retrieval.failure(kind, str(error))
            return _Failure(error, None)
        self._count("robotstxt/response_count")
        self._count(f"robotstxt/response_status_count/{response.status}")
        headers = [(_text(name), value) for name, values in response.headers.items() for value in values]
        codings = [*response.headers.getlist(_CODINGS), *response.headers.getlist("Content-Encoding")]
        body, text = b"", ""
        failure: Optional[str] = None
        try:
            body = decoded([coding.decode("latin-1") for coding in codings], response.body, retrieval.max_size)
        except CodingError as error:
            failure, text = error.kind, str(error)
        if not {"dataloss", "partial"}.isdisjoint(response.flags):
            failure, text = "incomplete", ""
        retrieval.answer(response.status, headers, body, failure, text)
        return _Failure(None, _retry_after(response.headers.get("Retry-After")))

    def _downloaded(self, response: Response, request: Request) -> None:
        if not request.meta.get(_ROBOTS_TXT):
            self._keep_delay(request)
            return
        # HttpCompressionMiddleware would pass on what it decodes of a body that was cut or damaged.
        codings = response.headers.getlist("Content-Encoding")
        if codings:
            response.headers.pop("Content-Encoding")
            response.headers.setlist(_CODINGS, codings)
        if response.status == 429 or response.status >= 500:
            # A retry has to reach the site, and so has the next run.
            request.meta["dont_cache"] = True

    def _keep_delay(self, request: Request) -> None:
        """Sets the delay of a slot again after AutoThrottle has changed it."""
        key = request.meta.get("download_slot", "")
        delay = self._slot_delays.get(key, 0.0)
        engine: Any = self.crawler.engine
        slot = engine.downloader.slots.get(key) if delay else None
        if slot is not None and slot.delay < delay:
            slot.delay = delay

    async def _download(self, request: Request) -> Response:
        engine: Any = self.crawler.engine
        if hasattr(engine, "download_async"):
            response: Response = await engine.download_async(request)
        else:
            response = await maybe_deferred_to_future(engine.download(request))
        return response

    def _report(self, site: str, entry: Entry) -> None:
        if entry.cause is not None and entry.result != "unavailable":
            logger.warning(
                "The robots.txt of %(site)s is %(result)s: %(cause)s",
                {"site": site, "result": entry.result, "cause": entry.cause},
                extra={"spider": self.crawler.spider},
            )

    async def _signal(self, entry: Entry, request: Request) -> None:
        signal = getattr(signals, "robots_parsed", None)
        send = getattr(self.crawler.signals, "send_catch_log_async", None)
        body = entry.body()
        if signal is not None and send is not None and body is not None:
            parser = RobotsExclusionParser(body, self._profile)
            await send(signal=signal, robotparser=parser, request=request)

    def _delay(self, request: Request, entry: Entry, names: list[str]) -> Optional[float]:
        """Returns the crawl delay, which is read once for each entry and crawler."""
        site = _site(request.url) or ""
        known_entry, delays = self._delays.get(site, (None, {}))
        if known_entry is not entry or len(delays) >= _MOST_NAMES:
            delays = {}
            while len(self._delays) >= _MOST_SITES:
                self._delays.popitem(last=False)
            self._delays[site] = entry, delays
        key = tuple(names)
        if key not in delays:
            body = entry.body()
            robots = Robots(body, self._profile, lenient_agents=True) if body is not None else None
            delays[key] = robots.crawl_delay(names) if robots is not None else None
        return delays[key]

    def _set_delay(self, request: Request, entry: Entry, names: list[str]) -> None:
        """Sets the delay of the request's slot to the crawl delay, if that is longer."""
        delay = self._delay(request, entry, names)
        if not delay:
            return
        engine: Any = self.crawler.engine
        downloader = engine.downloader
        get_key = getattr(downloader, "get_slot_key", None) or downloader._get_slot_key
        key = get_key(request)
        # Several sites may share a slot, such as those of one host with several ports.
        delay = max(min(delay, self._most_delay), self._slot_delays.get(key, 0.0))
        self._slot_delays[key] = delay
        slot = downloader.slots.get(key)
        if slot is not None:
            if slot.delay < delay:
                slot.delay = delay
                self._count("robotstxt/crawl_delay_count")
            # The random part would make some pauses shorter.
            setattr(slot, *_NO_JITTER)
        # For a slot that is made later.
        known = downloader.per_slot_settings.setdefault(key, {})
        usual = getattr(downloader, "_delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))
        known["delay"] = max(delay, known.get("delay", usual))
        known.update([_NO_JITTER])


class PageRulesMiddleware(BaseSpiderMiddleware):
    """A spider middleware that reads the rules of each page for the crawler that requested it: ``X-Robots-Tag``, ``meta``
    elements, ``Content-Usage``. The answers are ``response.meta["page_rules"]``, a ``PageAnswers``."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._document: Optional[PageDocument] = settings.get("PAGE_RULES_DOCUMENT")
        self._drop = settings.getlist("PAGE_RULES_DROP")
        self._obeys_nofollow = settings.getbool("PAGE_RULES_NOFOLLOW", False)
        # Fails now if there is no such document or answer.
        answers = read_page({}, document=self._document or "repext-03").for_crawler("*")
        for name in self._drop:
            answers.limits(name)

    def process_spider_input(self, response: Response, spider: Optional[Spider] = None) -> None:
        """Sets ``response.meta["page_rules"]``. Raises ``IgnoreRequest`` if the page prevents a use of ``PAGE_RULES_DROP``."""
        request = response.request
        assert request is not None
        middleware = self.crawler.get_downloader_middleware(RobotsTxtMiddleware)
        names: list[str]
        robots: Optional[Robots] = None
        if isinstance(middleware, RobotsTxtMiddleware):
            names, robots = middleware._names_of(request), middleware.known_robots(response.url)
        else:
            token = product_token(request.headers.get(b"User-Agent") or b"")
            names = [token] if token else ["*"]
        document: PageDocument = self._document or page_document(names)
        page = read_page(response.headers, response.body, document=document)
        url = None if robots is None else response.url
        answers = page.for_crawler(names, robots=robots, url=url, now=time.time())
        request.meta["page_rules"] = answers
        for name in self._drop:
            if answers.limits(name):
                self._count(f"page_rules/dropped/{name}")
                raise IgnoreRequest(f"The page limits this use: {name}")

    def get_processed_request(self, request: Request, response: Optional[Response]) -> Optional[Request]:
        """Returns the request, unless the page that it was found in says ``nofollow`` and ``PAGE_RULES_NOFOLLOW`` is set."""
        answers = response.meta.get("page_rules") if response is not None and response.request else None
        if self._obeys_nofollow and isinstance(answers, PageAnswers) and answers.limits("follow"):
            self._count("page_rules/not_followed")
            return None
        return request

    def _count(self, name: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(name)


#: Causes that do not pass while a spider runs.
_LASTING = ("unsupported-scheme", "invalid-redirect")

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


def _kind(error: BaseException) -> str:
    """Returns the kind of a failure, by the names of the exception's classes: they moved between versions of Scrapy."""
    for cls in type(error).__mro__:
        if cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
    return "other"
