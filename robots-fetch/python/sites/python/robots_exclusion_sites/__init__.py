"""Asks sites for their robots.txt: clients, cache, outages and a store on disk.

``Cache`` serves threads, ``AsyncCache`` asyncio, and ``Retrieval`` programs that have a client of their own.
"""

from robots_exclusion import __version__

from ._sites import Cache, Disk, Entry, Retrieval, origin
from ._tasks import AsyncCache, Gate
from ._values import Disallowed, NotNow, SiteDecision

__all__ = [
    "AsyncCache",
    "Cache",
    "Disallowed",
    "Disk",
    "Entry",
    "Gate",
    "NotNow",
    "Retrieval",
    "SiteDecision",
    "__version__",
    "origin",
]
