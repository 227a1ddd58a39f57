"""Asks sites for their robots.txt: clients, cache, outages and a store on disk.

``Cache`` serves threads, ``AsyncCache`` asyncio, and ``Retrieval`` programs that have a client of their own.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ._sites import Cache, Disk, Entry, Retrieval

__all__ = ["AsyncCache", "Cache", "Disk", "Entry", "Retrieval"]


class AsyncCache:
    """A ``Cache`` for asyncio: sites are asked in threads, at most ``max_workers`` at a time.

    The other arguments are those of ``Cache``. Close it at the end, or use it in ``async with``.
    """

    def __init__(self, user_agent, profile="rfc9309", *, max_workers=32, **options):
        self._cache = Cache(user_agent, profile, **options)
        self._pool = ThreadPoolExecutor(max_workers, thread_name_prefix="robots")

    async def check(self, agent, url):
        """Returns the decision about a URL. Asks its site if necessary."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._cache.check, agent, url)

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
