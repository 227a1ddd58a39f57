"""robots.txt for crawlers: who may access what, and which line says so (RFC 9309).

>>> from robots_exclusion import Robots
>>> robots = Robots("User-agent: *\\nDisallow: /private\\n")
>>> robots.can_fetch("ExampleBot", "https://example.com/private/page")
False
>>> print(robots.check("ExampleBot", "https://example.com/private/page"))
disallowed by line 2

``read_page`` reads what a page says after it was fetched: may it be indexed, quoted, followed, used for training?

Modules:

* ``robots_exclusion.robotparser`` replaces ``urllib.robotparser``.
* ``robots_exclusion.protego`` replaces ``protego``.
* ``robots_exclusion.scrapy`` has a parser and two middlewares for Scrapy.
* ``Cache``, ``AsyncCache``, ``Retrieval``, ``Entry`` and ``Disk`` ask sites; they need ``pip install robots-exclusion[sites]``.
* ``decide``, ``Captures`` and ``Pages`` read archives over Arrow; they need ``pip install robots-exclusion[arrow]``.
* ``python -m robots_exclusion`` is the ``robots`` command; it needs ``pip install robots-exclusion[command]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._core import (
    PROFILES,
    Change,
    Decision,
    Difference,
    Explanation,
    Finding,
    Group,
    InvalidAgent,
    PageAnswer,
    PageAnswers,
    PageProblem,
    PageReader,
    PageRules,
    RequestRate,
    Robots,
    Rule,
    VisitTime,
    __version__,
    page_document,
    product_token,
    read_page,
)

if TYPE_CHECKING:
    from robots_exclusion_arrow import Captures as Captures
    from robots_exclusion_arrow import Pages as Pages
    from robots_exclusion_arrow import decide as decide
    from robots_exclusion_arrow import identify as identify
    from robots_exclusion_arrow import judge as judge
    from robots_exclusion_arrow import parse_log as parse_log
    from robots_exclusion_sites import AsyncCache as AsyncCache
    from robots_exclusion_sites import Cache as Cache
    from robots_exclusion_sites import Disallowed as Disallowed
    from robots_exclusion_sites import NotNow as NotNow
    from robots_exclusion_sites import Disk as Disk
    from robots_exclusion_sites import Entry as Entry
    from robots_exclusion_sites import Gate as Gate
    from robots_exclusion_sites import Retrieval as Retrieval
    from robots_exclusion_sites import SiteDecision as SiteDecision
    from robots_exclusion_sites import origin as origin

    from ._core import PageDocument as PageDocument
    from ._core import Profile as Profile

__all__ = [
    "PROFILES",
    "Change",
    "Decision",
    "Difference",
    "Explanation",
    "Finding",
    "Group",
    "InvalidAgent",
    "PageAnswer",
    "PageAnswers",
    "PageProblem",
    "PageReader",
    "PageRules",
    "RequestRate",
    "Robots",
    "Rule",
    "VisitTime",
    "__version__",
    "page_document",
    "product_token",
    "read_page",
]

#: Names of other packages, with the extra that installs them.
_OTHERS = {
    **dict.fromkeys(
        ["AsyncCache", "Cache", "Disallowed", "Disk", "Entry", "Gate", "NotNow", "Retrieval", "SiteDecision", "origin"], "sites"
    ),
    **dict.fromkeys(["Captures", "Pages", "decide", "identify", "judge", "parse_log"], "arrow"),
}


# Type checkers use the imports above.
if not TYPE_CHECKING:

    def __getattr__(name):
        """Imports what is in another package when it is first used. A plain install lacks these packages, so ``__all__`` does not
        list the names."""
        if name not in _OTHERS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ._extras import imported

        return getattr(imported(_OTHERS[name], name), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_OTHERS])
