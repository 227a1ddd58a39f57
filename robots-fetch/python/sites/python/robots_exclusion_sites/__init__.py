"""Asks sites for their robots.txt: clients, cache, outages and a store on disk.

``Cache`` serves threads, ``AsyncCache`` asyncio, and ``Retrieval`` programs that have a client of their own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from ._sites import Cache, Disk, Entry, Retrieval, origin

__all__ = ["AsyncCache", "Cache", "Disk", "Entry", "Retrieval"]


class AsyncCache:
    """A ``Cache`` for asyncio: sites are asked in threads, at most ``max_workers`` at a time, and one for each site.

    The other arguments are those of ``Cache``. Close it at the end, or use it in ``async with``.
    """

    def __init__(self, user_agent, profile="rfc9309", *, max_workers=32, **options):
        self._cache = Cache(user_agent, profile, **options)
        self._pool = ThreadPoolExecutor(max_workers, thread_name_prefix="robots")
        # The sites that are being asked. Event loops of several threads can share a cache.
        self._asking = {}
        self._lock = threading.Lock()

    async def check(self, agent, url):
        """Returns the decision about a URL. Asks its site if necessary."""
        if isinstance(agent, Iterable) and not isinstance(agent, str):
            # An iterator could be read only once.
            agent = list(agent)
        decision = self._cache.peek(agent, url)
        if decision is not None:
            return decision
        # A task that is cancelled leaves the site to the others that wait for it.
        entry = await asyncio.shield(asyncio.wrap_future(self._ask(url)))
        # The cache keeps compiled rules, but not the entry of a failure that is not the site's.
        decision = self._cache.peek(agent, url)
        return entry.check(agent, url) if decision is None else decision

    def _ask(self, url):
        """Returns the future entry of a site."""
        site = origin(url)
        with self._lock:
            future = self._asking.get(site)
            if future is not None:
                return future
            future = self._asking[site] = self._pool.submit(self._cache.entry, url)
        future.add_done_callback(lambda _: self._asking.pop(site, None))
        return future

    async def can_fetch(self, agent, url):
        """Returns whether a crawler may access a URL."""
        return bool(await self.check(agent, url))

    def close(self):
        """Ends the threads, without waiting for sites that are being asked."""
        self._pool.shutdown(wait=False)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.close()
