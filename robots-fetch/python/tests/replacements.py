"""A plugin of pytest that runs the tests of another project with a class of this one in place of its own.

``pytest -p replacements`` with ``REPLACES=protego``, ``urllib`` or ``scrapy``. Tests that the documents contradict are expected to
fail, with the sentence as the reason; a test that passes although it is listed is an error.
"""

import os

import pytest

from expected import EXPECTED

PROJECT = os.environ["REPLACES"]

if PROJECT == "protego":
    import protego

    from robots_exclusion.protego import Protego

    protego.Protego = Protego
elif PROJECT == "urllib":
    import urllib.robotparser

    from robots_exclusion.robotparser import RobotFileParser

    urllib.robotparser.RobotFileParser = RobotFileParser
elif PROJECT == "scrapy":
    import scrapy.robotstxt

    from robots_exclusion.scrapy import RobotsExclusionParser

    scrapy.robotstxt.ProtegoRobotParser = RobotsExclusionParser
else:
    raise pytest.UsageError(f"REPLACES={PROJECT} is not known")


def pytest_collection_modifyitems(items):
    expected = dict(EXPECTED[PROJECT])
    for item in items:
        name = item.nodeid.split("::", 1)[-1]
        reason = expected.pop(name, None)
        if reason is not None:
            # With subtests, only the parts that fail are counted, and the test itself passes.
            item.add_marker(pytest.mark.xfail(reason=reason, strict=PROJECT != "urllib"))
    assert PROJECT == "scrapy" or not expected or len(items) < 10, f"tests in expected.py that do not exist: {sorted(expected)}"
