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
    "AsyncCache",
    "Cache",
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
    "decide",
    "product_token",
]

_OTHERS = {"AsyncCache": "sites", "Cache": "sites", "decide": "arrow"}


def __getattr__(name):
    """Imports what is in another package when it is first used."""
    if name not in _OTHERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    extra = _OTHERS[name]
    try:
        module = import_module(f"robots_exclusion_{extra}")
    except ModuleNotFoundError as error:
        if error.name != f"robots_exclusion_{extra}":
            raise
        message = f"{name} needs another package: pip install robots-exclusion[{extra}]"
        raise ImportError(message, name=error.name) from None
    return getattr(module, name)
