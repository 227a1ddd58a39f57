"""A replacement for ``urllib.robotparser``.

>>> from robots_exclusion.robotparser import RobotFileParser
>>> parser = RobotFileParser()
>>> parser.parse(["User-agent: *", "Disallow: /*.pdf$"])
>>> parser.can_fetch("ExampleBot", "https://example.com/a.pdf")
False

The interface is that of the standard library. The answers are those of RFC 9309: the longest pattern decides, ``*`` and ``$``
are special, all groups that name a crawler apply, and a name is compared as a whole. Another document can be chosen, as in
``RobotFileParser(profile="koster-1996")``. As in the standard library, any text is accepted as an agent.

``entries`` and ``default_entry`` contain the groups of the file, as in CPython before RFC 9309 was implemented there: the groups for
``*`` are not among ``entries``. Changes of them would have no effect, so they raise ``TypeError`` or ``AttributeError``.

As in the standard library, each ``parse`` or ``read`` adds to what was parsed before; use a new parser for a new version of a file. A
rule that was parsed before stays in force: a later ``Allow`` does not lift it.
"""

from __future__ import annotations

import urllib.error
import urllib.request
import urllib.robotparser
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, Optional, TypeVar, Union
from urllib.robotparser import RequestRate

from ._coding import CodingError, decoded
from ._core import Decision, Group, Robots, Rule, product_token
from ._extras import Kept, rooted

if TYPE_CHECKING:
    from ._core import Profile

    # The types of the standard library do not have these classes.
    class _StandardEntry: ...

    class _StandardRuleLine: ...

else:
    from urllib.robotparser import Entry as _StandardEntry
    from urllib.robotparser import RuleLine as _StandardRuleLine

__all__ = ["Entry", "RequestRate", "RobotFileParser", "RuleLine"]

_Item = TypeVar("_Item")

#: The most bytes that a content coding may expand to. The rest is not read.
_MOST = 16 * 1024 * 1024


@lru_cache(maxsize=256)
def _known_names(useragent: str) -> Union[str, list[str]]:
    token = product_token(useragent)
    return [token, token.split()[0]] if token and " " in token else useragent


def _names(useragent: Any) -> Any:
    """Returns the names for which groups are looked for. The standard library also finds the first of several words."""
    return _known_names(useragent) if isinstance(useragent, str) else useragent


def _whole(number: Optional[float]) -> Union[int, float, None]:
    """Returns seconds as an ``int`` where they are whole, as the standard library does."""
    return int(number) if number is not None and number == int(number) else number


def _refused(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("entries can't be changed: a change would have no effect; pass the lines to parse()")


class _Fixed(list[_Item]):
    """A list that can't be changed."""

    append = extend = insert = remove = pop = clear = sort = reverse = _refused
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refused

    def __reduce__(self) -> tuple[Any, ...]:
        return _Fixed, (list(self),)


class RuleLine(_StandardRuleLine):
    """A rule of a group: a ``path``, as it is written, and its ``allowance``. It can't be changed."""

    path: str
    allowance: bool
    _profile: Profile

    def __init__(self, path: str, allowance: bool, profile: Profile = "rfc9309") -> None:
        # As in the standard library, an empty rule is one that allows.
        self.__dict__.update(path=path, allowance=allowance or not path, _profile=profile)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        _refused()

    def applies_to(self, filename: str) -> bool:
        """Returns whether the rule matches a path."""
        if not self.path:
            return True
        alone = Robots(f"User-agent: *\nDisallow: {self.path}\n", self._profile, lenient_agents=True)
        return not alone.can_fetch("*", filename)

    def __str__(self) -> str:
        return f"{'Allow' if self.allowance else 'Disallow'}: {self.path}"


class Entry(_StandardEntry):
    """A group of a file: its ``useragents``, ``rulelines``, ``delay`` and ``req_rate``. It can't be changed."""

    useragents: list[str]
    rulelines: list[Any]
    delay: Any
    req_rate: Optional[RequestRate]
    _profile: Profile

    def __init__(
        self,
        useragents: Iterable[str] = (),
        rulelines: Iterable[RuleLine] = (),
        delay: Union[int, float, None] = None,
        req_rate: Optional[RequestRate] = None,
        profile: Profile = "rfc9309",
    ) -> None:
        names, rules = _Fixed(useragents), _Fixed(rulelines)
        self.__dict__.update(useragents=names, rulelines=rules, delay=delay, req_rate=req_rate, _profile=profile)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        _refused()

    def _robots(self) -> Robots:
        names = [f"User-agent: {agent}" for agent in self.useragents]
        return Robots("\n".join([*names, *map(str, self.rulelines), ""]), self._profile, lenient_agents=True)

    def applies_to(self, useragent: Optional[str]) -> bool:
        """Returns whether the group is for a crawler: whether it has the name of the crawler, or ``*``."""
        return self._robots().check("*" if useragent is None else _names(useragent), "/").basis != "none"

    def allowance(self, filename: str) -> bool:
        """Returns whether the group alone allows a path. Its crawlers are not compared."""
        return not self.useragents or self._robots().can_fetch(self.useragents[0], filename)

    def __str__(self) -> str:
        lines = [f"User-agent: {agent}" for agent in self.useragents]
        if self.delay is not None:
            lines.append(f"Crawl-delay: {self.delay}")
        if self.req_rate is not None:
            lines.append(f"Request-rate: {self.req_rate.requests}/{self.req_rate.seconds}")
        return "\n".join([*lines, *map(str, self.rulelines)])


class RobotFileParser(urllib.robotparser.RobotFileParser):
    """Answers questions about a robots.txt file, as ``urllib.robotparser.RobotFileParser`` does."""

    disallow_all: bool
    allow_all: bool
    last_checked: float
    sitemaps: list[str]

    def __init__(self, url: str = "", profile: Profile = "rfc9309") -> None:
        # The constructor of the standard library would set the attributes that are properties here.
        self._profile: Profile = profile
        self._empty = Robots(b"", profile, lenient_agents=True)
        #: What each call of `parse` has read, except what was read before.
        self._parsed: list[Robots] = []
        self._entries: Optional[tuple[_Fixed[Entry], Optional[Entry]]] = None
        #: The delay and the rate of crawlers for which they were asked.
        self._known: Kept[tuple[Union[int, float, None], Optional[RequestRate]]] = Kept()
        self.sitemaps = []
        self.disallow_all = False
        self.allow_all = False
        self.set_url(url)
        self.last_checked = 0

    def _add_entry(self, entry: Any) -> None:
        _refused()

    @property
    def robots(self) -> Robots:
        """The file that was parsed last as ``robots_exclusion.Robots``, for explanations and lints."""
        return self._parsed[-1] if self._parsed else self._empty

    @property
    def entries(self) -> list[Any]:
        """The groups, without those for ``*``. The list can't be changed."""
        return self._read_entries()[0]

    @property
    def default_entry(self) -> Optional[Any]:
        """The groups for ``*`` as one, or ``None`` if there are none."""
        return self._read_entries()[1]

    def read(self) -> None:
        """Reads the file from its URL. Other than in the standard library, it may contain any bytes, and have the content coding
        gzip or deflate. Raises ``URLError`` for other codings, and if the file can't be decoded."""
        try:
            answer = urllib.request.urlopen(self.url)  # type: ignore[attr-defined]
        except urllib.error.HTTPError as error:
            if error.code in (401, 403) or error.code >= 500:
                self.disallow_all = True
            elif 400 <= error.code < 500:
                self.allow_all = True
            error.close()
        else:
            with answer:
                codings = answer.headers.get_all("Content-Encoding", [])
                body = answer.read()
            if codings:
                try:
                    body = decoded(codings, body, _MOST)
                except CodingError as error:
                    raise urllib.error.URLError(f"{self.url}: {error.kind}: {error}") from error  # type: ignore[attr-defined]
            # Not `splitlines`, which ends lines at other characters, too.
            self.parse(body.decode("utf-8", "surrogateescape").split("\n"))

    def parse(self, lines: Iterable[str]) -> None:
        """Adds an iterable of lines, with or without line ends."""
        robots = Robots("\n".join(line.rstrip("\r\n") for line in lines), self._profile, lenient_agents=True)
        self.sitemaps.extend(robots.sitemaps)
        # A program that reads a file each day, which rarely changes, does not use more and more memory.
        if all(robots.body != other.body for other in self._parsed):
            self._parsed.append(robots)
            self._entries = None
            # Another thread may still keep an answer of the parts before.
            self._known = Kept()
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Returns whether a crawler may access a URL."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        # Nothing may be accessed before the file was read.
        if not self.last_checked:
            return False
        names = _names(useragent)
        # As in the original, a URL of no characters is the root, and what is between two slashes and the path is a host.
        if not url and isinstance(url, str):
            url = "/"
        elif url.startswith("//"):
            url = rooted(url)
        if len(self._parsed) == 1:
            return self._parsed[0].can_fetch(names, url)
        return all(decision for _, decision in self._decisions(names, url))

    def crawl_delay(self, useragent: str) -> Union[int, float, None]:  # type: ignore[override]
        """Returns the ``Crawl-delay`` in seconds, or ``None``."""
        if not self.mtime():
            return None
        try:
            return self._known[useragent][0]
        except (KeyError, TypeError):
            return self._pace(useragent)[0]

    def request_rate(self, useragent: str) -> Optional[RequestRate]:
        """Returns the ``Request-rate``, or ``None``."""
        if not self.mtime():
            return None
        try:
            return self._known[useragent][1]
        except (KeyError, TypeError):
            return self._pace(useragent)[1]

    def _pace(self, useragent: Any) -> tuple[Union[int, float, None], Optional[RequestRate]]:
        """Reads the delay and the rate of a crawler, and keeps them."""
        known, names = self._known, _names(useragent)
        parsed = self._parsed if len(self._parsed) == 1 else [robots for robots, _ in self._decisions(names, "/")]
        delays = [delay for robots in parsed if (delay := robots.crawl_delay(names)) is not None]
        found = [rate for robots in parsed if (rate := robots.request_rate(names)) is not None]
        rates = [RequestRate(rate.requests, int(rate.seconds)) for rate in found]
        slowest = min(rates, key=lambda rate: rate.requests / max(rate.seconds, 1), default=None)
        return known.keep(useragent, (_whole(max(delays, default=None)), slowest))

    def site_maps(self) -> Optional[list[str]]:
        """Returns the values of the ``Sitemap`` lines, or ``None`` if there are none."""
        return self.sitemaps or None

    def __str__(self) -> str:
        entries, default = self._read_entries()
        return "\n\n".join(map(str, entries if default is None else [*entries, default]))

    def _decisions(self, names: Any, url: str) -> list[tuple[Robots, Decision]]:
        """Returns what was parsed with its decisions. If a part names the crawler, only such parts count."""
        found = [(robots, robots.check(names, url)) for robots in self._parsed]
        bases = {decision.basis for _, decision in found}
        basis = next((basis for basis in ("named", "wildcard") if basis in bases), "none")
        return [(robots, decision) for robots, decision in found if decision.basis == basis]

    def _read_entries(self) -> tuple[_Fixed[Entry], Optional[Entry]]:
        if self._entries is None:
            named: list[Entry] = []
            general: list[Entry] = []
            for robots in self._parsed:
                entries = [self._entry(robots, group) for group in robots.groups]
                named += [entry for entry in entries if "*" not in entry.useragents]
                general += self._joined([entry for entry in entries if "*" in entry.useragents], is_later=bool(general))
            default = self._joined(general)
            self._entries = _Fixed(named), default[0] if default else None
        return self._entries

    def _joined(self, entries: list[Entry], is_later: bool = False) -> list[Entry]:
        """Returns the groups for ``*`` as one. What was parsed later lifts no rule."""
        if not entries:
            return []
        names = dict.fromkeys(name for entry in entries for name in entry.useragents)
        rules = [rule for entry in entries for rule in entry.rulelines if not (is_later and rule.allowance)]
        return [Entry(names, rules, entries[0].delay, entries[0].req_rate, self._profile)]

    def _entry(self, robots: Robots, group: Group) -> Entry:
        def line(rule: Rule) -> RuleLine:
            return RuleLine(rule.pattern, rule.allows, self._profile)

        name = _names(group.agents[0]) if group.agents else ""
        found = robots.request_rate(name)
        rate = None if found is None else RequestRate(found.requests, int(found.seconds))
        return Entry(group.agents, map(line, group.rules), _whole(robots.crawl_delay(name)), rate, self._profile)
