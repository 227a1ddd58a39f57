"""A replacement for ``urllib.robotparser``.

>>> from robots_exclusion.robotparser import RobotFileParser
>>> parser = RobotFileParser()
>>> parser.parse(["User-agent: *", "Disallow: /*.pdf$"])
>>> parser.can_fetch("ExampleBot", "https://example.com/a.pdf")
False

The interface is that of the standard library. The answers are those of RFC 9309: the longest pattern decides, ``*`` and ``$``
are special, all groups that name a crawler apply, and a name is compared as a whole. Another document can be chosen, as in
``RobotFileParser(profile="koster-1996")``. As in the standard library, any text is accepted as an agent.
"""

from __future__ import annotations

import urllib.error
import urllib.request
import urllib.robotparser
from urllib.robotparser import RequestRate

from ._coding import CodingError, decoded
from ._core import Robots, product_token

__all__ = ["RequestRate", "RobotFileParser"]

#: The most bytes that a content coding may expand to. The rest is not read.
_MOST = 16 * 1024 * 1024


def _names(useragent):
    """Returns the names for which groups are looked for. The standard library also finds the first of several words."""
    token = product_token(useragent) if isinstance(useragent, str) else None
    return [token, token.split()[0]] if token and " " in token else useragent


class RobotFileParser(urllib.robotparser.RobotFileParser):
    """Answers questions about a robots.txt file, as ``urllib.robotparser.RobotFileParser`` does."""

    def __init__(self, url="", profile="rfc9309"):
        self._profile = profile
        self._robots = Robots(b"", profile, lenient_agents=True)
        super().__init__(url)

    @property
    def robots(self):
        """The file as ``robots_exclusion.Robots``, for explanations and lints."""
        return self._robots

    def read(self):
        """Reads the file from its URL. Other than in the standard library, it may contain any bytes, and have the content coding
        gzip or deflate. Raises ``URLError`` for other codings, and if the file can't be decoded."""
        try:
            answer = urllib.request.urlopen(self.url)
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
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
                    raise urllib.error.URLError(f"{self.url}: {error.kind}: {error}") from error
            self._parse(body)

    def parse(self, lines):
        """Reads the file from an iterable of lines, with or without line ends."""
        self._parse("\n".join(line.rstrip("\r\n") for line in lines))

    def _parse(self, body):
        self._robots = Robots(body, self._profile, lenient_agents=True)
        self.sitemaps = self._robots.sitemaps
        self.modified()

    def can_fetch(self, useragent, url):
        """Returns whether a crawler may access a URL."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        # Nothing may be accessed before the file was read.
        if not self.last_checked:
            return False
        return self._robots.can_fetch(_names(useragent), url)

    def crawl_delay(self, useragent):
        """Returns the ``Crawl-delay`` in seconds, or ``None``."""
        delay = self._robots.crawl_delay(_names(useragent)) if self.last_checked else None
        return int(delay) if delay is not None and delay == int(delay) else delay

    def request_rate(self, useragent):
        """Returns the ``Request-rate``, or ``None``."""
        rate = self._robots.request_rate(_names(useragent)) if self.last_checked else None
        return None if rate is None else RequestRate(rate.requests, int(rate.seconds))

    def site_maps(self):
        """Returns the values of the ``Sitemap`` lines, or ``None`` if there are none."""
        return self.sitemaps or None

    def __str__(self):
        groups = sorted(self._robots.groups, key=lambda group: "*" in group.agents)
        return "\n\n".join(map(self._text, groups))

    def _text(self, group):
        lines = [f"User-agent: {agent}" for agent in group.agents]
        delay = self.crawl_delay(group.agents[0])
        if delay is not None:
            lines.append(f"Crawl-delay: {delay}")
        rate = self.request_rate(group.agents[0])
        if rate is not None:
            lines.append(f"Request-rate: {rate.requests}/{rate.seconds}")
        return "\n".join([*lines, *map(str, group.rules)])
