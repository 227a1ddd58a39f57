"""Clients for asyncio."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from email.utils import parsedate_to_datetime
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Optional

from robots_exclusion import Decision, Explanation, Robots, VisitTime

from ._sites import Cache, Entry, ending, forked, origin
from ._values import Disallowed, NotNow, SiteDecision

if TYPE_CHECKING:
    from robots_exclusion import Profile
    from robots_exclusion._core import _Agent

    from ._sites import _Url

#: The most sites of a gate whose last requests are remembered.
_MOST_SITES = 10_000

#: The pause after a failure without a ``Retry-After``, the longest such pause, and the longest that a ``Retry-After`` can ask for.
_FIRST_PAUSE, _MOST_PAUSE, _MOST_RETRY_AFTER = 30.0, 3600.0, 86400.0


def _once(agent: _Agent) -> _Agent:
    """Returns an agent that can be read more than once."""
    return list(agent) if isinstance(agent, Iterable) and not isinstance(agent, (str, bytes)) else agent


def _shown(url: _Url) -> str:
    """Returns the text of a URL for a message."""
    if isinstance(url, bytes):
        return url.decode("utf-8", "replace")
    return str(url.geturl() if hasattr(url, "geturl") else url)


class AsyncCache:
    """A ``Cache`` for asyncio: sites are asked in threads, at most ``max_workers`` at a time, and one for each site.

    The other arguments are those of ``Cache``; ``transport`` can be a coroutine function. Close it at the end, or use it in
    ``async with``. The interpreter ends without waiting for sites that are being asked; for a ``transport``, it waits for 2 seconds.
    """

    def __init__(self, user_agent: str, profile: Profile = "rfc9309", *, max_workers: int = 32, **options: Any) -> None:
        transport: Any = options.get("transport")
        if iscoroutinefunction(transport) or iscoroutinefunction(getattr(transport, "__call__", None)):
            options["transport"] = self._blocking(transport)
        if max_workers < 1:
            raise ValueError(f"max_workers: expected a number from 1, got {max_workers}")
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._cache = Cache(user_agent, profile, **options)
        self._max_workers = max_workers
        self._begin()
        _caches.add(self)

    def _begin(self) -> None:
        # The sites that are being asked. Event loops of several threads can share a cache.
        self._asking: dict[str, Future[Entry]] = {}
        self._queue: deque[tuple[str, _Url, Future[Entry]]] = deque()
        self._workers = 0
        self._lock = threading.Lock()

    def _blocking(self, transport: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
        """Returns a function that calls a coroutine function in the event loop, from a thread."""

        async def call(*arguments: Any) -> Any:
            return await transport(*arguments)

        def blocking(*arguments: Any) -> Any:
            if self._loop is None:
                raise ConnectionError("there is no event loop")
            return asyncio.run_coroutine_threadsafe(call(*arguments), self._loop).result()

        return blocking

    async def entry(self, url: _Url) -> Entry:
        """Returns the entry of the site of a URL. Asks the site if necessary."""
        self._loop = asyncio.get_running_loop()
        # A task that is cancelled leaves the site to the others that wait for it.
        return await asyncio.shield(asyncio.wrap_future(self._ask(url)))

    async def check(self, agent: _Agent, url: _Url) -> Decision:
        """Returns the decision about a URL. Asks its site if necessary."""
        agent = _once(agent)
        decision = self._cache.peek(agent, url)
        if decision is not None:
            return decision
        entry = await self.entry(url)
        # The cache keeps compiled rules, but not the entry of a failure that is not the site's.
        decision = self._cache.peek(agent, url)
        return entry.check(agent, url) if decision is None else decision

    async def can_fetch(self, agent: _Agent, url: _Url) -> bool:
        """Returns whether a crawler may access a URL."""
        return bool(await self.check(agent, url))

    async def decide(self, agent: _Agent, url: _Url) -> SiteDecision:
        """Returns all that a crawler needs to know about a URL; see ``Cache.decide``."""
        agent = _once(agent)
        decision = await self.check(agent, url)
        if self._cache.peek(agent, url) is not None:
            return self._cache.decide(agent, url)
        entry = await self.entry(url)
        next_attempt = entry.next_attempt
        return SiteDecision(
            decision, entry.crawl_delay(agent), None, [], [], entry.result, None if decision else next_attempt, time.time(),
            is_fresh=False, fresh_until=next_attempt, next_attempt=next_attempt,
        )  # fmt: skip

    async def robots(self, url: _Url) -> Optional[Robots]:
        """Returns the robots.txt of the site of a URL, or ``None`` if everything or nothing may be accessed."""
        return (await self.entry(url)).robots()

    async def crawl_delay(self, agent: _Agent, url: _Url) -> Optional[float]:
        """Returns the ``Crawl-delay`` of a crawler at the site of a URL in seconds, or ``None``."""
        return (await self.decide(agent, url)).crawl_delay

    async def sitemaps(self, url: _Url) -> list[str]:
        """Returns the sitemaps of the site of a URL that are absolute URLs."""
        return (await self.decide([], url)).sitemaps

    async def explain(self, agent: _Agent, url: _Url) -> Explanation:
        """Returns how the decision about a URL came about; see ``Robots.explain``."""
        agent = _once(agent)
        return (await self.entry(url)).explain(agent, url)

    def gate(
        self,
        agent: _Agent,
        *,
        delay: float = 1.0,
        max_delay: float = 60.0,
        max_wait: float = 120.0,
        max_request: float = 30.0,
    ) -> Gate:
        """Returns a gate in front of the requests of a crawler."""
        return Gate(self, agent, delay=delay, max_delay=max_delay, max_wait=max_wait, max_request=max_request)

    def _ask(self, url: _Url) -> Future[Entry]:
        """Returns the future entry of a site."""
        site = origin(url)
        with self._lock:
            future = self._asking.get(site)
            if future is not None:
                return future
            future = self._asking[site] = Future()
            self._queue.append((site, url, future))
        self._start()
        return future

    def _start(self) -> None:
        """Starts threads for the sites that wait, as many as there may be."""
        while True:
            with self._lock:
                if not self._queue or self._workers >= self._max_workers:
                    return
                site, url, future = self._queue.popleft()
                self._workers += 1
            try:
                self._cache._ask(url, self._receive(site, future))
            except Exception as error:
                self._ended(site)
                future.set_exception(error)

    def _receive(self, site: str, future: Future[Entry]) -> Callable[[Entry], None]:
        def receive(entry: Entry) -> None:
            self._ended(site)
            if not future.cancelled():
                future.set_result(entry)
            self._start()

        return receive

    def _ended(self, site: str) -> None:
        with self._lock:
            self._asking.pop(site, None)
            self._workers -= 1

    def close(self) -> None:
        """Closes the cache, without waiting for sites that are being asked."""
        self._cache.close()
        with self._lock:
            waiting = list(self._queue)
            self._queue.clear()
            for site, _, _ in waiting:
                self._asking.pop(site, None)
        for _, _, future in waiting:
            future.set_exception(ValueError("the cache is closed"))

    async def __aenter__(self) -> AsyncCache:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class _Site:
    """When a site gets its next request."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.next = 0.0
        #: The last request, which is set when it has ended.
        self.request: Optional[asyncio.Event] = None
        #: The failures in a row.
        self.failures = 0


def _opening(windows: list[VisitTime], now: float) -> float:
    """Returns how many seconds after ``now`` one of the windows opens; 0 if one is open, or there are none."""
    waits = []
    for window in windows:
        (hour, minute), (last_hour, last_minute) = window.start, window.end
        start, last = 60 * hour + minute, 60 * last_hour + last_minute
        at = int(now) // 60 % 1440
        is_open = start <= at <= last if start <= last else at >= start or at <= last
        waits.append(0.0 if is_open else (60 * start - now) % 86400)
    return min(waits, default=0.0)


def _retry_after(headers: Any, now: float) -> Optional[float]:
    """Returns the seconds that a ``Retry-After`` of headers asks for, or ``None``."""
    pairs = headers.items() if hasattr(headers, "items") else headers or ()
    for name, value in pairs:
        name, value = (text.decode("latin-1") if isinstance(text, bytes) else str(text) for text in (name, value))
        if name.lower() != "retry-after":
            continue
        value = value.strip()
        if value.isascii() and value.isdigit():
            return float(value[:9])
        with suppress(TypeError, ValueError, OverflowError):
            return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    return None


class _Turn(AbstractAsyncContextManager[SiteDecision]):
    """The turn of a request, for ``async with``."""

    def __init__(self, turn: AbstractAsyncContextManager[SiteDecision]) -> None:
        self._turn = turn

    async def __aenter__(self) -> SiteDecision:
        return await self._turn.__aenter__()

    async def __aexit__(self, *raised: Any) -> Optional[bool]:
        return await self._turn.__aexit__(*raised)

    def __bool__(self) -> bool:
        # It would be true for each URL.
        raise TypeError("a gate has no answer without `async with gate(url)`")


class Gate:
    """A gate in front of the requests of a crawler: one request at a time for each site, with its delay between them.

    ``async with gate(url) as decision`` waits for the turn of the request, and gives the ``SiteDecision``. It raises ``Disallowed``
    if the robots.txt disallows the URL. The delay is the ``Crawl-delay`` or ``Request-rate`` of the site, at least ``delay`` and at most
    ``max_delay`` seconds, from the end of a request to the start of the next one. A request that does not end counts as one for
    ``max_request`` seconds. ``note`` tells the gate of answers with status 429 and 503, which pause the site. If a pause or the
    ``Visit-time`` of the site is longer than ``max_wait`` seconds, ``NotNow`` is raised. A gate belongs to one event loop.
    """

    def __init__(
        self,
        cache: AsyncCache,
        agent: _Agent,
        *,
        delay: float = 1.0,
        max_delay: float = 60.0,
        max_wait: float = 120.0,
        max_request: float = 30.0,
    ) -> None:
        if not isinstance(cache, AsyncCache):
            raise TypeError(f"cache: expected an AsyncCache, got {type(cache).__name__}")
        if not 0 <= delay <= max_delay:
            raise ValueError(f"delay: expected a number of seconds from 0 to max_delay ({max_delay}), got {delay}")
        self._cache = cache
        self._agent = _once(agent)
        self._delay = delay
        self._max_delay = max_delay
        self._max_wait = max_wait
        self._max_request = max_request
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    def __call__(self, url: _Url) -> AbstractAsyncContextManager[SiteDecision]:
        """Waits until the URL may be requested. Raises ``Disallowed`` if its site disallows it, and ``NotNow`` if that takes too long."""
        return _Turn(self._wait(url))

    @asynccontextmanager
    async def _wait(self, url: _Url) -> AsyncIterator[SiteDecision]:
        site = self._site(origin(url))
        async with site.lock:
            decision = await self._cache.decide(self._agent, url)
            if not decision:
                raise Disallowed(_shown(url), decision)
            if site.request is not None:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(site.request.wait(), self._max_request)
            end = time.monotonic() + self._max_wait
            while True:
                now = time.monotonic()
                wait = max(0.0, site.next - now)
                wait += _opening(decision.visit_times, time.time() + wait)
                if now + wait > end:
                    raise NotNow(_shown(url), wait)
                if not wait:
                    break
                # An answer to another request may make the pause longer meanwhile.
                await asyncio.sleep(wait)
            site.request = request = asyncio.Event()
        try:
            yield decision
        finally:
            request.set()
            site.next = max(site.next, time.monotonic() + self._delay_of(decision))

    def note(self, url: _Url, status: Optional[int], headers: object = None) -> None:
        """Notes the answer to a request: its status, ``None`` without an answer, and its headers in the form of any client.

        After 429 and 503, the site pauses as ``Retry-After`` says, for at most 24 hours; without one, and without an answer, for 30
        seconds, and longer after each further failure in a row, up to an hour.
        """
        if status is not None and not isinstance(status, int):
            raise TypeError(f"status: expected an int or None, got {type(status).__name__}")
        site = self._site(origin(url))
        if status not in (None, 429, 503):
            site.failures = 0
            return
        pause = _retry_after(headers, time.time())
        if pause is None:
            pause = min(_FIRST_PAUSE * 2.0 ** min(site.failures, 10), _MOST_PAUSE)
        site.failures += 1
        site.next = max(site.next, time.monotonic() + min(pause, _MOST_RETRY_AFTER))

    def _delay_of(self, decision: SiteDecision) -> float:
        rate = decision.request_rate
        of_rate = rate.seconds / rate.requests if rate is not None and rate.requests else 0.0
        return min(max(self._delay, decision.crawl_delay or 0.0, of_rate), self._max_delay)

    def _site(self, name: str) -> _Site:
        site = self._sites.setdefault(name, _Site())
        self._sites.move_to_end(name)
        if len(self._sites) > _MOST_SITES:
            now = time.monotonic()
            for other, state in list(self._sites.items())[: _MOST_SITES // 2]:
                is_over = state.request is None or state.request.is_set()
                if is_over and not state.lock.locked() and state.next <= now:
                    del self._sites[other]
        return site


#: The caches of this process, which begin anew in the child process after a fork.
_caches: weakref.WeakSet[AsyncCache] = weakref.WeakSet()


def _begin_anew() -> None:
    # The threads of the parent process do not exist here.
    forked()
    for cache in list(_caches):
        cache._begin()


# A thread that runs Python code while the interpreter ends would crash it.
atexit.register(ending)

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
