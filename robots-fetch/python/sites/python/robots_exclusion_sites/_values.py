"""What caches and gates return and raise."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from robots_exclusion import Decision, RequestRate, VisitTime


class SiteDecision(NamedTuple):
    """All that a crawler needs to know about a URL. It is true if access is allowed. Times are seconds since 1970."""

    #: Whether the crawler may access the URL, and why.
    decision: Decision
    #: The ``Crawl-delay`` in seconds, or ``None``.
    crawl_delay: Optional[float]
    #: The first ``Request-rate``, or ``None``.
    request_rate: Optional[RequestRate]
    #: The hours in which requests are welcome. If there are none, they are welcome all day.
    visit_times: list[VisitTime]
    #: The sitemaps that are absolute URLs.
    sitemaps: list[str]
    #: The meaning of the last answer: ``success``, ``unavailable``, ``unreachable``, ``throttled`` or ``restricted``.
    result: str
    #: When to ask again about a URL that may not be accessed now, or ``None``.
    ask_again: Optional[float]
    #: When the last answer was received.
    received: float
    #: Whether the last answer is fresh.
    is_fresh: bool
    #: Until when the last answer is or was fresh.
    fresh_until: float
    #: When the site will be asked again.
    next_attempt: float

    def __bool__(self) -> bool:
        return self.decision.allowed

    def as_dict(self) -> dict[str, Any]:
        """Returns the members as a dictionary for JSON."""
        found: dict[str, Any] = self._asdict()
        found["decision"] = self.decision.as_dict()
        found["request_rate"] = None if self.request_rate is None else self.request_rate.as_dict()
        found["visit_times"] = [window.as_dict() for window in self.visit_times]
        return found


class Disallowed(Exception):
    """The robots.txt of a site disallows a URL. ``decision`` says why."""

    def __init__(self, url: str, decision: SiteDecision) -> None:
        super().__init__(url, decision)
        self.url: str = url
        self.decision: SiteDecision = decision

    def __str__(self) -> str:
        return f"{self.url}: {self.decision.decision}"


class NotNow(Exception):
    """A site can't be asked for longer than a gate waits, because of a pause or of its ``Visit-time``. ``seconds`` is how long."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(url, seconds)
        self.url: str = url
        self.seconds: float = seconds

    def __str__(self) -> str:
        return f"{self.url}: the site can be asked in {self.seconds:.0f} s"
