"""Decisions and lines equal those of `robots batch` for every file of the corpus, where it is present."""

import gzip
import os
import subprocess
from pathlib import Path

import pytest

from robots_exclusion import Robots
from robots_exclusion.__main__ import command

CORPUS = Path(os.environ.get("ROBOTS_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))
AGENTS = [
    "GPTBot", "ExampleBot", "Bingbot", "Googlebot", "FooBot", "Mediapartners-Google", "Twitterbot", "AdsBot-Google", "Slurp",
    "msnbot", "Googlebot-News", "AhrefsBot", "Yandex", "ia_archiver", "Baiduspider", "Googlebot-Image", "CCBot", "MJ12bot",
    "ClaudeBot", "SemrushBot",
]  # fmt: skip


@pytest.fixture(scope="module")
def urls():
    """Returns the URLs of the recorded verdicts by file."""
    recorded = CORPUS / "google-verdicts.tsv.gz"
    if not recorded.exists():
        pytest.skip(f"there are no recorded verdicts at {CORPUS}")
    found = {}
    with gzip.open(recorded, "rt", encoding="utf-8", newline="\n") as rows:
        for row in rows:
            name, _, url, *_ = row.split("\t")
            found.setdefault(name, {})[url] = None
    return {name: list(urls) for name, urls in sorted(found.items())}


@pytest.mark.parametrize("profile", ["rfc9309", "google"])
def test_decisions_equal_those_of_the_command(urls, profile, tmp_path):
    robots = command()
    if robots is None:
        pytest.skip("the robots command is not installed")
    questions = tmp_path / "questions"
    with open(questions, "w", encoding="utf-8", newline="\n") as out:
        for name, asked in urls.items():
            for agent in AGENTS:
                out.writelines(f"{name}\t{agent}\t{url}\n" for url in asked)
    with open(questions, "rb") as lines:
        answers = subprocess.Popen(
            [robots, "batch", "--profile", profile], stdin=lines, stdout=subprocess.PIPE, cwd=CORPUS / "sites", text=True
        )
        count = 0
        for name, asked in urls.items():
            robots_txt = Robots((CORPUS / "sites" / name).read_bytes(), profile)
            for agent in AGENTS:
                for url in asked:
                    decision = robots_txt.check(agent, url)
                    word = "allowed" if decision else "disallowed"
                    assert answers.stdout.readline() == f"{word}\t{decision.line or 0}\n", (name, agent, url)
                    assert robots_txt.can_fetch(agent, url) == decision.allowed
                    count += 1
        assert answers.stdout.read() == "" and answers.wait() == 0
    print(f"{profile}: {count} decisions about {len(urls)} files")
    assert count > 100_000


def test_accidental_groups_are_those_of_the_lint(urls):
    arrow = pytest.importorskip("robots_exclusion_arrow")
    pa = pytest.importorskip("pyarrow")
    found = 0
    for name in urls:
        body = (CORPUS / "sites" / name).read_bytes()
        robots = Robots(body)
        linted = any(finding.lint == "accidental-group" for finding in robots.lint())
        decided = pa.record_batch(arrow.decide(pa.array([body]), ["*", *AGENTS], ["/"]))
        flagged = any(decided["accidental_group"].to_pylist())
        # A group for other crawlers can be accidental as well.
        assert linted or not flagged, name
        found += flagged
    assert found > 0
