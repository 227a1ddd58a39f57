"""robots.txt for crawlers: who may access what, and which line says so (RFC 9309).

>>> from robots_exclusion import Robots
>>> robots = Robots("User-agent: *\\nDisallow: /private\\n")
>>> robots.can_fetch("ExampleBot", "https://example.com/private/page")
False
>>> print(robots.check("ExampleBot", "https://example.com/private/page"))
disallowed by line 2

Modules:

* ``robots_exclusion.robotparser`` replaces ``urllib.robotparser``.
* ``robots_exclusion.protego`` replaces ``protego``.
* ``robots_exclusion.scrapy`` has a parser and a downloader middleware for Scrapy.
* ``Cache`` and ``AsyncCache`` ask sites; they need ``pip install robots-exclusion[sites]``.
* ``decide`` decides about archives over Arrow; it needs ``pip install robots-exclusion[arrow]``.
* ``python -m robots_exclusion`` is the ``robots`` command; it needs ``pip install robots-exclusion[command]``.
"""

from ._core import (
    PROFILES,
    Change,
    Decision,
    Difference,
    Explanation,
    Finding,
    Group,
    InvalidAgent,
    RequestRate,
    Robots,
    Rule,
    VisitTime,
    product_token,
)

__all__ = [
    "PROFILES",
    "Change",
    "Decision",
    "Difference",
    "Explanation",
    "Finding",
    "Group",
    "InvalidAgent",
    "RequestRate",
    "Robots",
    "Rule",
    "VisitTime",
    "product_token",
]

_OTHERS = {"AsyncCache": "sites", "Cache": "sites", "decide": "arrow"}


def __getattr__(name):
    """Imports what is in another package when it is first used. A plain install lacks these packages, so ``__all__`` does not list
    the names."""
    if name not in _OTHERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._extras import imported

    return getattr(imported(_OTHERS[name], name), name)
