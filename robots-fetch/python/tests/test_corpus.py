"""Decisions and lines equal those of `robots batch`, for the files of the repository and, if it is present, of the corpus."""

import gzip
import os
import re
import subprocess
from pathlib import Path

import pytest

from robots_exclusion import Robots
from robots_exclusion.__main__ import command

ROOT = Path(__file__).parents[3]
CORPUS = Path(os.environ.get("ROBOTS_CORPUS", ROOT.parent / "shared" / "corpus"))
AGENTS = [
    "GPTBot", "ExampleBot", "Bingbot", "Googlebot", "FooBot", "Mediapartners-Google", "Twitterbot", "AdsBot-Google", "Slurp",
    "msnbot", "Googlebot-News", "AhrefsBot", "Yandex", "ia_archiver", "Baiduspider", "Googlebot-Image", "CCBot", "MJ12bot",
    "ClaudeBot", "SemrushBot",
]  # fmt: skip


def of_repository():
    """Returns for each file of the repository the URLs that its rules mention, and some that they extend."""
    folder = ROOT / "robots-conformance" / "corpus"
    found = {}
    for path in sorted(folder.glob("*.txt")):
        paths = re.findall(rb"(?im)^\W*(?:dis)?allow\s*:?\s*(/[^\s#$*]*)", path.read_bytes())
        texts = dict.fromkeys(["/", "/none", *(text.decode("utf-8", "replace") for text in paths)])
        found[path.name] = [f"https://example.com{text}{end}" for text in texts for end in ("", "a", "/b.html?c=1")]
    return folder, found


def of_corpus():
    """Returns for each file of the corpus the URLs of the recorded verdicts."""
    recorded = CORPUS / "google-verdicts.tsv.gz"
    if not recorded.exists():
        pytest.skip(f"no recorded verdicts at {CORPUS}")
    found = {}
    with gzip.open(recorded, "rt", encoding="utf-8", newline="\n") as rows:
        for row in rows:
            name, _, url, *_ = row.split("\t")
            found.setdefault(name, {})[url] = None
    return CORPUS / "sites", {name: list(urls) for name, urls in sorted(found.items())}


def is_plain(url):
    """Returns whether a client requests a URL as it is written."""
    return url.isascii() and not re.search(r"[\s\"#'<>\\^`{|}\x7f]|/(\.|%2e){1,2}([/?]|$)", url, re.I)


@pytest.fixture(scope="module", params=[of_repository, of_corpus], ids=["repository", "corpus"])
def source(request):
    """Returns a folder, the URLs for each of its files, and the number of decisions and accidental groups expected at least."""
    return *request.param(), *((1000, 0) if request.param is of_repository else (100_000, 1))


@pytest.mark.parametrize("profile", ["rfc9309", "google"])
def test_decisions_equal_those_of_the_command(source, profile, tmp_path):
    robots = command()
    if robots is None:
        pytest.skip("the robots command is not installed")
    folder, urls, expected, _ = source
    # With --as-written, the command takes names as they are, as `Robots` does. It compares the bytes of URLs as they are written,
    # so they are those that a client requests as they are.
    urls = {name: [url for url in asked if is_plain(url)] for name, asked in urls.items()}
    questions = tmp_path / "questions"
    with open(questions, "w", encoding="utf-8", newline="\n") as out:
        for name, asked in urls.items():
            for agent in AGENTS:
                out.writelines(f"{name}\t{agent}\t{url}\n" for url in asked)
    with open(questions, "rb") as lines:
        command_line = [robots, "batch", "--as-written", "--profile", profile]
        answers = subprocess.Popen(command_line, stdin=lines, stdout=subprocess.PIPE, cwd=folder, text=True)
        count = 0
        for name, asked in urls.items():
            robots_txt = Robots((folder / name).read_bytes(), profile)
            for agent in AGENTS:
                for url in asked:
                    decision = robots_txt.check(agent, url)
                    word = "allowed" if decision else "disallowed"
                    # After the line, there may be what the file is instead of a robots.txt.
                    answer = answers.stdout.readline().split("\t")
                    expected_words = [word, str(decision.line or 0)]
                    assert [text.strip() for text in answer[:2]] == expected_words, (name, agent, url)
                    assert robots_txt.can_fetch(agent, url) == decision.allowed
                    count += 1
        assert answers.stdout.read() == "" and answers.wait() == 0
    print(f"{profile}: {count} decisions about {len(urls)} files")
    assert count > expected


def test_accidental_groups_are_those_of_the_lint(source):
    arrow = pytest.importorskip("robots_exclusion_arrow")
    pa = pytest.importorskip("pyarrow")
    folder, urls, _, expected = source
    found = 0
    for name in urls:
        body = (folder / name).read_bytes()
        robots = Robots(body)
        linted = any(finding.lint == "accidental-group" for finding in robots.lint(all=True))
        decided = pa.record_batch(arrow.decide(pa.array([body]), ["*", *AGENTS], ["/"]))
        flagged = any(decided["accidental_group"].to_pylist())
        # A group for other crawlers can be accidental as well.
        assert linted or not flagged, name
        found += flagged
    assert found >= expected
