"""A plugin of pytest that runs the tests of another project with a class of this one in place of its own.

``pytest -p replacements`` with ``REPLACES=protego``, ``urllib``, ``scrapy``, ``scrapy-middleware`` or ``robotspy``. Tests that the
documents contradict are expected to fail, with the sentence as the reason; a test that passes although it is listed is an error.
"""

import os
from collections import Counter

import pytest

from expected import EXPECTED, URLS

PROJECT = os.environ["REPLACES"]

if PROJECT == "protego":
    import protego

    from robots_exclusion.protego import Protego

    protego.Protego = Protego
elif PROJECT == "urllib":
    import urllib.robotparser

    from robots_exclusion.robotparser import RobotFileParser

    if hasattr(urllib.robotparser.RobotFileParser(), "groups"):
        EXPECTED["urllib"].update(EXPECTED["urllib-groups"])
    urllib.robotparser.RobotFileParser = RobotFileParser
elif PROJECT == "scrapy":
    import scrapy.robotstxt

    from robots_exclusion.scrapy import RobotsExclusionParser

    scrapy.robotstxt.ProtegoRobotParser = RobotsExclusionParser
elif PROJECT == "scrapy-middleware":
    import scrapy.downloadermiddlewares.robotstxt as scrapys
    from scrapy.settings import default_settings

    from robots_exclusion import scrapy as own

    # The tests ask once. With retries, requests would go back to the scheduler.
    default_settings.RETRY_TIMES = 0
    scrapys.RobotsTxtMiddleware, scrapys.logger = own.RobotsTxtMiddleware, own.logger
elif PROJECT == "robotspy":
    import sys
    import types

    from robots_exclusion.robotparser import RobotFileParser

    class RobotsParser(RobotFileParser):
        """The replacement of urllib.robotparser, whose interface is the nearest, with the constructor of robotspy."""

        @classmethod
        def from_string(cls, text):
            parser = cls()
            parser.parse(text.splitlines())
            return parser

    sys.modules["robots"] = types.SimpleNamespace(RobotsParser=RobotsParser)

    @pytest.fixture
    def can_fetch():
        return lambda text, agent, path: RobotsParser.from_string(text).can_fetch(agent, path)

else:
    raise pytest.UsageError(f"REPLACES={PROJECT} is not known")


#: The most characters of a parameter that pytest 9 writes out.
LONG = 100

#: The differences in lists of URLs that a run has found.
MOVED = []


def move_urls(item):
    """Moves the URLs about which this project differs to the other list of a test class of CPython, so that the test expects this
    project's answer. A URL that is in the right list already is left there."""
    for url, is_allowed, reason in URLS.get(item.cls.__name__, []):
        wrong, right = ("bad", "good") if is_allowed else ("good", "bad")
        if url in getattr(item.cls, wrong):
            setattr(item.cls, wrong, [other for other in getattr(item.cls, wrong) if other != url])
            setattr(item.cls, right, [*getattr(item.cls, right), url])
            MOVED.append(f"DIFFERS {item.cls.__name__} {url}: {'allowed' if is_allowed else 'disallowed'}: {reason}")


def name_of(item, number):
    """Returns the name in expected.py of the test of a function with this number: as pytest 9 writes it, which numbers long
    parameters. Pytest 8, the last one for CPython 3.9, writes them out."""
    name = item.nodeid.split("::", 1)[-1]
    for key, value in item.callspec.params.items() if hasattr(item, "callspec") else ():
        if isinstance(value, str) and len(value) > LONG:
            name = name.replace(value.encode("unicode_escape").decode(), f"{key}{number}")
    return name


def pytest_collection_modifyitems(items):
    expected = dict(EXPECTED[PROJECT])
    numbers = Counter()
    for item in items:
        function = item.nodeid.split("[", 1)[0]
        name = name_of(item, numbers[function])
        numbers[function] += 1
        if PROJECT == "urllib":
            move_urls(item)
        reason = expected.pop(name, None)
        if reason is not None:
            # Of a test with subtests, some pass.
            item.add_marker(pytest.mark.xfail(reason=reason, strict=PROJECT != "urllib"))
    # Versions of CPython have different tests.
    is_complete = PROJECT in ("scrapy", "urllib") or len(items) < 10
    assert is_complete or not expected, f"tests in expected.py that do not exist: {sorted(expected)}"


def pytest_terminal_summary(terminalreporter):
    for line in MOVED:
        terminalreporter.write_line(line)
