"""The tests of urllib.robotparser, Protego, Scrapy and robotspy, with the classes of this project in place of theirs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: Where `cargo xtask python` unpacks source distributions.
SOURCES = Path(os.environ.get("ROBOTS_SOURCES", "sources"))


def run(project, folder, *arguments):
    """Runs tests, and returns how many passed, failed as expected and were skipped."""
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-p", "replacements", "-p", "no:cacheprovider", "-q", "-rX", *arguments]
    environment = {**os.environ, "REPLACES": project, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    count = {word: int(number) for number, word in re.findall(r"(\d+) (passed|xfailed|skipped)", done.stdout)}
    count["differs"] = len(re.findall(r"^DIFFERS", done.stdout, re.M))
    print(f"{project}: {count}")
    return count


def unpacked(name):
    found = sorted(path for path in SOURCES.glob(f"{name}-*") if path.is_dir())
    if not found:
        pytest.skip(f"the source distribution of {name} could not be downloaded")
    return found[-1]


def test_protego():
    pytest.importorskip("protego")
    count = run("protego", unpacked("protego"), "tests")
    assert count["passed"] > 4000 and count["xfailed"] == 20


def test_urllib():
    """The tests of the CPython that runs. From 3.14 and the late 3.13 on, they expect answers by RFC 9309."""
    test_robotparser = pytest.importorskip("test.test_robotparser", reason="the tests of CPython are not installed")
    count = run("urllib", HERE, test_robotparser.__file__)
    is_present = hasattr(test_robotparser, "PercentEncodingTest")
    has_groups = hasattr(test_robotparser, "WeirdPathTest")
    assert count["passed"] >= 58 and count.get("xfailed", 0) == is_present + 5 * has_groups
    assert (count["differs"] >= 8 + 17 * has_groups) if is_present else (count["differs"] == 2)


def test_scrapy():
    """Scrapy itself skips `test_order_based_precedence` for the class that is replaced."""
    pytest.importorskip("scrapy")
    tests = ["--noconftest", "-o", "addopts=", "-W", "ignore", "tests/test_robotstxt_interface.py", "-k", "TestProtegoRobotParser"]
    count = run("scrapy", unpacked("scrapy"), *tests)
    assert count["passed"] >= 8 and count["skipped"] == 1 and "xfailed" not in count


def test_scrapys_middleware():
    pytest.importorskip("scrapy")
    pytest.importorskip("pytest_asyncio")
    tests = ["-o", "addopts=", "-W", "ignore", "tests/test_downloadermiddleware_robotstxt.py", "-k", "not Rerp"]
    count = run("scrapy-middleware", unpacked("scrapy"), *tests)
    assert count["passed"] >= 10 and count["xfailed"] == 4


def test_robotspy(tmp_path):
    """The tests of robotspy that come from Google's and its own, without those of its network and its errors. The source
    distribution has not the file with the names that they share."""
    folder = tmp_path / "tests"
    shutil.copytree(unpacked("robotspy") / "tests", folder)
    (folder / "__init__.py").touch()
    (folder / "core.py").write_text("ALLOWED, DISALLOWED = True, False\nDEFAULT_AGENT, FOOBOT_AGENT = 'test_robotparser', 'FooBot'\n")
    names = [f"tests/test_{name}.py" for name in ("google", "google_correctness", "google_stress", "robots")]
    # Its check of product tokens and its text form are of its class only.
    count = run("robotspy", tmp_path, *names, "-k", "not valid_agent and not string_formatting")
    assert count["passed"] == 569 and count["xfailed"] == 16
