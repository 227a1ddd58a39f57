"""The module itself: arguments, values, threads, examples."""

import copy
import doctest
import gzip
import json
import multiprocessing
import pickle
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.robotparser
import weakref
import zlib
from datetime import time as clock
from pathlib import Path
from urllib.error import URLError

import pytest

import robots_exclusion
from robots_exclusion import PROFILES, InvalidAgent, PageReader, Robots, product_token, protego, read_page, robotparser
from inputs import BODIES, TEXTS, names
from sites import Site, says

BODY = "User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2.5\nRequest-rate: 3/15\nSitemap: /map\n"


@pytest.mark.parametrize("body", [BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())])
def test_bodies_are_bytes_or_text(body):
    robots = Robots(body)
    assert robots.body == BODY.encode()
    assert not robots.can_fetch("ExampleBot", "/private")
    assert robots.can_fetch(b"ExampleBot", b"/private/open")


def test_text_of_any_bytes_becomes_these_bytes_again():
    body = b"User-agent: *\nDisallow: /\xff\n"
    assert Robots(body.decode("utf-8", "surrogateescape")).body == body


def test_text_with_lone_surrogates_is_accepted():
    """JSON and file names can contain them, and a file or a header that has them is not an error."""
    body = "#\ud800\xe9\udcff\nUser-agent: *\nDisallow: /a\n"
    robots = Robots(body)
    assert robots.body == b"#\xed\xa0\x80\xc3\xa9\xff\nUser-agent: *\nDisallow: /a\n"
    assert not robots.can_fetch("a", "/a\ud800") and robots.can_fetch("a", "/\ud800")
    assert not robots.check("a", "/a\udcff") and not robots.explain("a", "/a\ud800").decision
    assert not protego.Protego.parse(body).can_fetch("/a", "x\ud800")
    parser = robotparser.RobotFileParser()
    parser.parse(body.split("\n"))
    assert not parser.can_fetch("x\udcff", "/a")
    assert robots.lint(url="https://example.com/\ud800", content_type="text/plain\ud800")
    assert product_token("ExampleBot/1.0 (\ud800)") == "ExampleBot"
    assert product_token(b"ExampleBot/1.0 (\xff)") == "ExampleBot"


def test_agents_that_are_not_text_are_refused_unless_any_agent_is_accepted():
    for agent in ("a\udcff", b"\xff", "a\ud800", ["a", b"\xff"]):
        with pytest.raises(InvalidAgent, match="not UTF-8"):
            Robots(BODY).can_fetch(agent, "/private")
        assert not Robots(BODY, lenient_agents=True).can_fetch(agent, "/private"), agent
        assert Robots(BODY, lenient_agents=True).crawl_delay(agent) == 2.5


@pytest.mark.parametrize("wrong", [None, 5, 1.5, [b"a"]])
def test_other_types_are_refused(wrong):
    with pytest.raises(TypeError, match="expected bytes or str, got"):
        Robots(wrong)
    with pytest.raises(TypeError):
        Robots("").can_fetch("a", wrong)


def test_errors_carry_the_message_of_the_library():
    with pytest.raises(InvalidAgent, match="must not be empty"):
        Robots("").can_fetch("", "/")
    with pytest.raises(ValueError, match="the names are rfc9309, draft-koster-rep-00, google and koster-1996"):
        Robots("", "RFC9309")
    with pytest.raises(TypeError, match="names in the order of preference"):
        Robots("").can_fetch(5, "/")


def test_an_agent_is_a_name_a_header_or_several_names():
    robots = Robots("User-agent: B\nDisallow: /b\n\nUser-agent: A\nDisallow: /a\n")
    assert not robots.can_fetch("A/1.0 (+https://example.com)", "/a")
    for _ in range(2):
        assert not robots.can_fetch(["None", "A", "B"], "/a")
        assert robots.can_fetch(["None", "A", "B"], "/b")
        assert not robots.can_fetch(("B", "A"), "/b")
        assert robots.can_fetch([], "/b")
        assert robots.can_fetch("A", "/b")


def test_more_crawlers_than_are_kept_get_their_own_rules():
    names = [f"Bot{'x' * index}" for index in range(30)]
    robots = Robots("".join(f"User-agent: {name}\nDisallow: /{index}$\n" for index, name in enumerate(names)))
    for _ in range(2):
        for index, name in enumerate(names):
            assert not robots.can_fetch(name, f"/{index}")
            assert robots.can_fetch(name, f"/{index + 1}")


def test_a_decision_has_its_line():
    decision = Robots(BODY).check("ExampleBot", "https://example.com/private/page")
    assert (decision.allowed, decision.reason, decision.line, decision.basis) == (False, "rule", 2, "wildcard")
    assert Robots(BODY).body[slice(*decision.span)] == b"/private"
    assert decision == Robots(BODY).check("ExampleBot", "/private/x")
    assert hash(decision) == hash(Robots(BODY).check("ExampleBot", "/private/x"))
    none = Robots("").check("ExampleBot", "/")
    assert (bool(none), none.reason, none.line, none.rule, none.basis) == (True, "no-group", None, None, "none")


@pytest.mark.parametrize(("body", "kind", "shown"), BODIES)
def test_a_body_that_is_not_a_robots_txt_file_is_named(body, kind, shown):
    for profile in PROFILES:
        robots = Robots(body, profile)
        assert robots.kind == kind
        for decision in (robots.check("x", "/a"), robots.explain("x", "/a").decision):
            assert names(decision, kind, shown), str(decision)
    answers = read_page({}).for_crawler("x", robots=Robots(body), url="https://example.com/a")
    assert names(answers.access, kind, shown), str(answers.access)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_is_not_a_url_has_no_verdict(text):
    for profile in PROFILES:
        robots = Robots(BODY, profile)
        assert not robots.can_fetch("ExampleBot", text)
        for decision in (robots.check("ExampleBot", text), robots.explain("ExampleBot", text).decision):
            assert (decision.allowed, decision.reason) == (False, "not-url")
        answers = read_page({}).for_crawler("ExampleBot", robots=robots, url=text)
        assert not answers.access.allowed


def test_replacements_take_a_text_of_no_characters_for_the_root():
    """As the originals do."""
    root = "User-agent: *\nDisallow: /$\n"
    parser = robotparser.RobotFileParser()
    parser.parse(root.splitlines())
    assert not parser.can_fetch("ExampleBot", "") and parser.can_fetch("ExampleBot", "/a")
    found = protego.Protego.parse(root)
    assert not found.can_fetch("", "ExampleBot") and found.can_fetch("/a", "ExampleBot")


def test_an_explanation_has_groups_and_rules():
    explained = Robots(BODY + "User-agent: Other\nDisallow: /\n").explain("ExampleBot", "/private/open")
    assert bool(explained.decision)
    assert [(rule.line, rule.outcome) for rule in explained.matched] == [(3, "decides"), (2, "shorter")]
    assert [rule.line for rule in explained.other_matches] == [8]
    assert [group.status for group in explained.groups] == ["wildcard", "others"]


def test_other_records():
    robots = Robots(BODY)
    assert robots.crawl_delay("ExampleBot") == 2.5
    rate = robots.request_rate("ExampleBot")
    assert (rate.requests, rate.seconds, rate.window) == (3, 15.0, None)
    assert robots.sitemaps == ["/map"]
    assert Robots("").crawl_delay("ExampleBot") is None
    assert Robots("").request_rate("ExampleBot") is None


def test_times_that_protego_ignores_are_not_errors():
    def parsed(*lines):
        return protego.Protego.parse("User-agent: *\n" + "\n".join(lines))

    assert parsed("Visit-time: 0000-2400").visit_time("a") is None
    assert parsed("Visit-time: 0000-2400", "Visit-time: 0900-1000").visit_time("a") == (clock(9), clock(10))
    for window in ("0000-2400", "2400-0000", "0800-2400"):
        assert parsed(f"Request-rate: 1/10 {window}").request_rate("a") is None
    assert parsed("Request-rate: 1/10 0800-1000").request_rate("a") == (1, 10, clock(8), clock(10))


def test_a_difference_is_proved():
    assert not Robots(BODY).difference(Robots(BODY + "Disallow: /private/x\n"), "a")
    difference = Robots(BODY).difference(Robots(BODY + "Disallow: /x\n"), "a")
    assert difference and difference.decided
    assert difference.newly_disallowed.path == "/x"
    assert difference.newly_disallowed.before.reason == "no-rule"
    assert difference.newly_disallowed.after.line == 7
    assert difference.newly_allowed is None


def test_findings():
    found = Robots("User-agent: *\nDisalow: /\nDisallow: /*\n").lint(content_type="text/html")
    assert {"misspelt-key", "content-type"} <= {finding.lint for finding in found}
    assert all(finding.severity in ("error", "warning", "note") and finding.message for finding in found)


def test_profiles_differ():
    body = "User-agent: *\nDisallow: /a\nAllow: /a/b\n"
    assert [Robots(body, profile).can_fetch("x", "/a/b") for profile in PROFILES] == [True, True, True, False]


def test_any_agent_is_accepted_if_agents_are_lenient():
    robots = Robots("user-agent: *\ndisallow: /x\n", lenient_agents=True)
    for agent in ["", "*", "a@b", "Mozilla/5.0", "\u041b", "a\nb"]:
        assert not robots.can_fetch(agent, "/x"), agent


def test_lines_are_lenient_without_agents():
    body = "user-agent *\ndissallow /x\n"
    robots = Robots(body, lenient_lines=True)
    assert not robots.can_fetch("a", "/x")
    with pytest.raises(InvalidAgent):
        robots.can_fetch("", "/x")
    assert Robots(body).can_fetch("a", "/x")
    assert Robots(body, lenient_agents=True).can_fetch("a", "/x")


def replaced(*parts):
    """Returns the parser of the standard library and its replacement, after the same calls of `parse`."""
    parsers = urllib.robotparser.RobotFileParser(), robotparser.RobotFileParser()
    for parser in parsers:
        for part in parts:
            parser.parse(part.splitlines())
    return parsers


#: What public programs ask before they ask `can_fetch`.
GUARDS = [
    lambda parser: parser.can_fetch("a", "/x") if parser.default_entry else True,
    lambda parser: True if parser.default_entry is None and not parser.entries else parser.can_fetch("a", "/x"),
    lambda parser: True if parser.entries == [] and parser.default_entry is None else parser.can_fetch("a", "/x"),
    lambda parser: not any(line.path == "/" and not line.allowance for entry in [*parser.entries, parser.default_entry] if entry
                           for line in entry.rulelines),
    lambda parser: all(entry.allowance("/x") for entry in parser.entries + [parser.default_entry] if entry),
    lambda parser: next((entry.allowance("/x") for entry in parser.entries if entry.applies_to("a")), True),
    lambda parser: parser.default_entry.delay if parser.default_entry else None,
    lambda parser: bool(parser.mtime()) and parser.last_checked > 0,
    lambda parser: len(parser.entries),
    lambda parser: str(parser),
]  # fmt: skip


@pytest.mark.skipif(
    not replaced("User-agent: *\nDisallow: /\n")[0].default_entry, reason="this CPython has groups in place of default_entry"
)
@pytest.mark.parametrize(
    "parts",
    [
        [""],
        ["", ""],
        ["User-agent: *\nDisallow: /\n"],
        ["User-agent: *\nDisallow: /\nCrawl-delay: 3\n"],
        ["User-agent: a\nDisallow: /\n"],
        ["User-agent: a\nUser-agent: b\nDisallow: /x\nRequest-rate: 1/5\n\nUser-agent: *\nCrawl-delay: 2\nAllow: /\n"],
        ["User-agent: *\nDisallow:\n"],
        ["Disallow: /\nSitemap: /map\n"],
        ["User-agent: *\nDisallow: /\n", "User-agent: *\nAllow: /\n"],
        ["User-agent: *\nDisallow: /\n", ""],
        ["User-agent: a\nDisallow: /\n", "User-agent: *\nAllow: /\n"],
        ["User-agent: a\nDisallow: /y\n", "User-agent: *\nDisallow: /\n"],
        ["User-agent: b\nDisallow: /y\n", "Disallow: /\n"],
    ],
)
def test_programs_that_read_entries_get_the_same(parts):
    original, own = replaced(*parts)
    for number, guard in enumerate(GUARDS):
        assert guard(own) == guard(original), number
    assert own.sitemaps == original.sitemaps and own.site_maps() == original.site_maps()
    for agent, path in [("a", "/x"), ("a", "/y"), ("b", "/x"), ("c", "/")]:
        assert own.can_fetch(agent, path) == original.can_fetch(agent, path), (agent, path)
        assert own.crawl_delay(agent) == original.crawl_delay(agent)
        assert own.request_rate(agent) == original.request_rate(agent)


@pytest.mark.parametrize("url", ["//example.com/private", "///private", "//example.com/private?a", "//example.com", "//e/public"])
def test_a_url_without_a_scheme_has_a_host(url):
    lines = ["User-agent: *", "Disallow: /private"]
    parsers = urllib.robotparser.RobotFileParser(), robotparser.RobotFileParser()
    for parser in parsers:
        parser.parse(lines)
    expected = parsers[0].can_fetch("a", url)
    assert expected == ("private" not in url)
    assert parsers[1].can_fetch("a", url) == protego.Protego.parse("\n".join(lines)).can_fetch(url, "a") == expected
    for parser in parsers:
        with pytest.raises((TypeError, AttributeError)):
            parser.can_fetch("a", None)


def test_answers_about_pages_can_be_pickled():
    robots = Robots("User-agent: *\nDisallow: /private\n")
    page = read_page({"X-Robots-Tag": "noindex, max-snippet: 20, unknown"}, b"<p><meta name=robots content=nofollow>")
    for url in "/", "/private":
        answers = page.for_crawler("ExampleBot", robots=robots, url=url)
        for again in pickle.loads(pickle.dumps(answers)), copy.copy(answers):
            assert again == answers and hash(again) == hash(answers) and again.as_dict() == answers.as_dict()
    with pytest.raises(TypeError, match="for_crawler"):
        type(answers)()


def test_a_later_part_changes_delays_that_were_asked_before():
    _, parser = replaced("User-agent: *\nCrawl-delay: 2\n")
    asked = [f"a{number}" for number in range(3000)] + ["a0"]
    assert {parser.crawl_delay(agent) for agent in asked} == {2}
    assert len(parser._known) <= 1024
    parser.parse(["User-agent: *", "Crawl-delay: 7", "Request-rate: 1/9", "Disallow: /x", "User-agent: b", "Crawl-delay: 4"])
    assert [parser.crawl_delay("a0"), parser.crawl_delay("b"), tuple(parser.request_rate("a0"))] == [7, 4, (1, 9)]


def test_entries_that_a_program_changes_are_an_error():
    _, parser = replaced("User-agent: a\nDisallow: /x\n")
    entry = parser.entries[0]
    for change in (
        lambda: parser.entries.append(entry),
        lambda: parser.entries.extend([entry]),
        lambda: parser.entries.insert(0, entry),
        lambda: parser.entries.clear(),
        lambda: parser.entries.__setitem__(0, entry),
        lambda: parser._add_entry(entry),
        lambda: entry.rulelines.append(entry.rulelines[0]),
        lambda: entry.useragents.remove("a"),
        lambda: setattr(entry, "rulelines", []),
        lambda: setattr(entry.rulelines[0], "allowance", True),
    ):
        with pytest.raises(TypeError, match="pass the lines to parse"):
            change()
    with pytest.raises(AttributeError):
        parser.default_entry = entry
    with pytest.raises(AttributeError):
        parser.entries = []
    assert [str(entry) for entry in copy.deepcopy(parser).entries] == [str(entry)]
    assert not pickle.loads(pickle.dumps(parser)).can_fetch("a", "/x")


def test_a_subclass_sees_the_lines_that_are_read():
    class Seen(robotparser.RobotFileParser):
        def parse(self, lines):
            self.seen = list(lines)
            super().parse(self.seen)

    with Site(says(200, b"User-agent: *\r\nDisallow: /\xff\x0cx\r\n")) as site:
        parser = Seen(f"{site.url}/robots.txt")
        parser.read()
    assert parser.seen[0].strip() == "User-agent: *"
    assert not parser.can_fetch("a", "/%FF%0Cx") and parser.mtime() > 0


def test_the_replacement_of_robotparser_decodes_strictly():
    """A server can send a coding although urllib does not ask for one."""

    def read(coding, body):
        with Site(says(200, body, Content_Encoding=coding)) as site:
            parser = robotparser.RobotFileParser(f"{site.url}/robots.txt")
            try:
                parser.read()
            except URLError as error:
                assert not parser.can_fetch("a", "/") and not parser.last_checked
                return str(error)
            return parser.can_fetch("a", "/private"), parser.can_fetch("a", "/")

    coded = gzip.compress(BODY.encode())
    assert read("gzip", coded) == read("deflate", zlib.compress(BODY.encode())) == read("identity", BODY.encode()) == (False, True)
    assert "ends early" in read("gzip", coded[:-9])
    assert "br" in read("br", b"rubbish")


@pytest.mark.parametrize("body", ["User-agent: *\nDisalow: /a\n", "User-agent: *\nDisallow /a\n", "useragent: *\nDisallow: /a\n"])
def test_only_protego_reads_lines_as_google_does(body):
    parser = robotparser.RobotFileParser()
    parser.parse(body.splitlines())
    assert parser.can_fetch("a@b", "/a")
    assert not protego.Protego.parse(body).can_fetch("/a", "a@b")


def test_files_can_be_pickled():
    robots = pickle.loads(pickle.dumps(Robots(BODY, "google", lenient_agents=True)))
    assert (robots.body, robots.profile) == (BODY.encode(), "google")
    assert not robots.can_fetch("", "/private")
    assert robots.can_fetch("a", "/private") is False
    lines = pickle.loads(pickle.dumps(Robots("user-agent *\ndisallow /x\n", lenient_lines=True)))
    assert not lines.can_fetch("a", "/x")


def values():
    """Returns a value of each class."""
    robots = Robots(BODY + "Request-rate: 1/10 0800-2400\nVisit-time: 0600-0845\nUser-agent: Other\nDisallow: /Open\n")
    timed = Robots("User-agent: *\nRequest-rate: 1/10 0800-2400\nVisit-time: 0600-0845\n")
    explained = robots.explain("Other", "/open")
    difference = robots.difference(Robots(BODY + "Disallow: /x\n"), "ExampleBot")
    return [
        robots.check("ExampleBot", "/private/x"),
        Robots("").check("ExampleBot", "/"),
        robots.groups[0],
        robots.groups[0].rules[0],
        explained,
        explained.near_misses[0],
        explained.groups[1],
        difference,
        difference.newly_disallowed,
        robots.lint()[0],
        robots.request_rate("ExampleBot"),
        timed.request_rate("ExampleBot"),
        timed.visit_times("ExampleBot")[0],
    ]


def test_values_can_be_pickled_and_copied():
    for value in values():
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(value, protocol)) == value
        for copied in (copy.copy(value), copy.deepcopy([value])[0]):
            assert copied == value and repr(copied) == repr(value)
            members = [name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))]
            assert [getattr(copied, name) for name in members] == [getattr(value, name) for name in members]


def test_values_are_dictionaries_for_json():
    for value in values():
        found = value.as_dict()
        assert set(found) == {name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))}
        assert json.loads(json.dumps(found)).keys() == found.keys()
    decision = Robots(BODY).check("ExampleBot", "/private/x").as_dict()
    assert (decision["allowed"], decision["line"], decision["span"]) == (False, 2, (24, 32))
    explained = Robots(BODY).explain("ExampleBot", "/private/x").as_dict()
    assert explained["decision"]["line"] == 2 and explained["groups"][0]["rules"][0]["pattern"] == "/private"


def test_files_and_values_have_equality_hash_and_weak_references():
    robots = Robots(BODY)
    assert robots == Robots(BODY.encode()) and hash(robots) == hash(Robots(BODY.encode()))
    for other in (Robots(BODY + "#"), Robots(BODY, "google"), Robots(BODY, lenient_agents=True), Robots(BODY, lenient_lines=True)):
        assert robots != other
    assert robots != BODY and {robots: 1}[Robots(BODY)] == 1
    assert pickle.loads(pickle.dumps(robots)) == robots
    assert weakref.ref(robots)() is robots
    for value in values():
        assert hash(value) == hash(pickle.loads(pickle.dumps(value)))


def test_a_url_is_not_a_body():
    urls = ("https://example.com/robots.txt", " HTTP://example.com ", "http://[::1]/", "https:/example.com", "ftp://example.com/robots.txt")
    for url in urls:
        with pytest.raises(ValueError, match="the body is a URL"):
            Robots(url)
        # A server can send this.
        assert Robots(url.encode()).can_fetch("a", "/")
        assert protego.Protego.parse(url).can_fetch("/", "a")
    for name in ("robots.txt", "/srv/www/robots.txt\n", "C:\\www\\robots.txt"):
        with pytest.raises(ValueError, match="the body is the name of a file"):
            Robots(name)
        assert Robots(name.encode()).can_fetch("a", "/")
    for body in ("https://example.com/ is down", "https://", "example.com", "Sitemap: https://example.com/"):
        assert Robots(body).can_fetch("a", "/")


def test_urls_of_other_packages_are_accepted():
    class Url:
        scheme, path = "https", "/private"

        def __str__(self):
            return "https://example.com/private"

    robots = Robots(BODY)
    for url in (Url(), urllib.parse.urlsplit("https://example.com/private"), urllib.parse.urlparse("https://example.com/private?a")):
        assert not robots.can_fetch("a", url) and not robots.check("a", url) and not robots.explain("a", url).decision


def test_facts_are_found_once_for_many_crawlers():
    """With a file of 400 kB, reading it again for each call or each crawler would take minutes."""
    names = [f"Bot{'x' * (index // 26)}{chr(97 + index % 26)}" for index in range(200)]
    body = "User-agent: *\nCrawl-delay: 2\n" + "".join(f"Disallow: /p{index}/*/x{index}\n" for index in range(15_000))
    body += "User-agent: Botb\nDisallow: /\nCrawl-delay: 3\nSitemap: /map\n"
    robots = Robots(body)
    for _ in range(2):
        assert [robots.can_fetch(name, "/") for name in names] == [name != "Botb" for name in names]
        assert [robots.crawl_delay(name) for name in names] == [3 if name == "Botb" else 2 for name in names]
    started = time.process_time()
    for _ in range(100):
        for name in names:
            robots.can_fetch(name, "/a"), robots.crawl_delay(name), robots.sitemaps, robots.groups
    assert time.process_time() - started < 5
    first, second = robots.sitemaps, robots.sitemaps
    first.append("/other")
    assert second == robots.sitemaps == ["/map"]


def test_more_crawlers_than_are_kept_are_forgotten_without_harm():
    robots = Robots("User-agent: *\nDisallow: /x\n", lenient_agents=True)
    for index in range(3000):
        assert not robots.can_fetch(f"bot{index}", "/x") and not robots.can_fetch(["a", f"b{index}"], "/x")


def answers(body):
    """Runs in another process."""
    robots = Robots(body)
    return robots.check("ExampleBot", "/private"), robots.groups, robots.explain("ExampleBot", "/private"), robots.request_rate("a")


def test_values_pass_between_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(answers, [BODY]) == [answers(BODY)]


def test_threads_share_a_file():
    body = "User-agent: *\n" + "".join(f"Disallow: /{index}*x\n" for index in range(20_000))
    robots = Robots(body)
    found = []

    def ask(name):
        found.append(all(not robots.can_fetch(name, f"/{index}yx") for index in range(0, 20_000, 997)))

    threads = [threading.Thread(target=ask, args=[f"Bot{'x' * index}"]) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


def test_compiling_releases_the_interpreter():
    """A thread that wakes up every millisecond does so while another compiles and explains large files."""
    body = "User-agent: *\n" + "".join(f"Disallow: /{index}*x\n" for index in range(30_000))
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(time.perf_counter())

    robots = Robots(body)
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        inside = 0
        for _ in range(5):
            started = time.perf_counter()
            robots.explain("a", "/")
            ended = time.perf_counter()
            inside += sum(started < at < ended for at in ticks)
    finally:
        stop.set()
        thread.join()
    assert inside > 5


def test_a_large_text_is_not_read_as_a_url():
    """It takes about as long as its bytes."""

    def cost(body):
        costs = []
        for _ in range(3):
            started = time.process_time()
            Robots(body)
            costs.append(time.process_time() - started)
        return min(costs)

    body = "# x\n" * 2_000_000
    assert cost(body) < 5 * cost(body.encode())


def test_product_tokens():
    assert product_token("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)") == "ExampleBot"
    assert product_token("Mozilla/5.0") is None


@pytest.mark.parametrize("module", [robots_exclusion, robotparser, protego])
def test_examples(module):
    result = doctest.testmod(module, extraglobs={"Robots": Robots, "product_token": product_token})
    assert result.failed == 0 and result.attempted > 0


def test_examples_of_the_readme():
    readme = Path(__file__).parent.parent / "core" / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.failed == 0 and result.attempted > 10


def test_every_class_and_method_has_a_docstring():
    for name in ("Robots", "Decision", "Explanation", "Finding", "Difference"):
        cls = getattr(robots_exclusion, name)
        assert cls.__doc__, name
        for attribute in vars(cls):
            if not attribute.startswith("_"):
                assert getattr(cls, attribute).__doc__, f"{name}.{attribute}"


def test_docstrings_do_not_repeat_signatures():
    for name in robots_exclusion.__all__:
        thing = getattr(robots_exclusion, name)
        for item in [thing, *(vars(thing).values() if isinstance(thing, type) else [])]:
            assert "\n--\n" not in (getattr(item, "__doc__", None) or ""), item


def test_stubs_name_what_there_is():
    """The stub of the extension module has the same classes, members and parameters as the module."""
    import ast
    import inspect

    from robots_exclusion import _core

    stub = ast.parse((Path(robots_exclusion.__file__).parent / "_core.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    for name in set(vars(_core)) - {"PROFILES"}:
        if name.startswith("_") or name == "InvalidAgent":
            continue
        thing = getattr(_core, name)
        if not inspect.isclass(thing):
            written = functions[name].args
            expected = [argument.arg for argument in [*written.args, *written.kwonlyargs]]
            assert list(inspect.signature(thing).parameters) == expected, name
            continue
        stubbed = {item.name: item for item in classes[name].body if isinstance(item, ast.FunctionDef)}
        members = {member for member in vars(thing) if not member.startswith("_")}
        assert members == {member for member in stubbed if not member.startswith("_")}, name
        for member in [*members, "__new__"]:
            if member not in stubbed or (member != "__new__" and not callable(getattr(thing, member))):
                continue
            if member == "__new__" and sys.version_info < (3, 10):
                continue  # `inspect` finds no signature of such a class
            written = stubbed[member].args
            expected = [argument.arg for argument in [*written.args[1:], *written.kwonlyargs, written.kwarg] if argument]
            signature = inspect.signature(thing if member == "__new__" else getattr(thing, member))
            found = [parameter for parameter in signature.parameters if parameter != "self"]
            assert found == expected, f"{name}.{member}"


#: Uses of each public item, with the type that a checker must find.
TYPES = """
from typing import Optional
from typing_extensions import assert_type
from robots_exclusion import Decision, Difference, Explanation, Finding, Group, PageAnswer, RequestRate, Robots, VisitTime
from robots_exclusion import page_document, product_token, read_page
from robots_exclusion._core import PageDocument
from robots_exclusion.protego import Protego
from robots_exclusion.robotparser import RobotFileParser

robots = Robots(b"", "google")
assert_type(robots.check("a", "/"), Decision)
assert_type(robots.can_fetch(["a", "b"], b"/"), bool)
assert_type(robots.explain("a", "/"), Explanation)
assert_type(robots.lint(), list[Finding])
assert_type(robots.crawl_delay("a"), Optional[float])
assert_type(robots.request_rate("a"), Optional[RequestRate])
assert_type(robots.visit_times("a"), list[VisitTime])
assert_type(robots.groups, list[Group])
assert_type(read_page([("a", "b")], b"").for_crawler("a").index, Optional[PageAnswer])
assert_type(page_document("a"), PageDocument)
assert_type(robots.sitemaps, list[str])
assert_type(robots.difference(robots, "a"), Difference)
assert_type(product_token("a"), Optional[str])
parser = RobotFileParser("https://example.com/robots.txt")
parser.parse(["User-agent: *"])
assert_type(parser.can_fetch("a", "/"), bool)
assert_type(Protego.parse("").crawl_delay("a"), Optional[float])
Robots("", "gogle")  # type: ignore[arg-type]
from robots_exclusion import AsyncCache, Cache, decide
from robots_exclusion_sites import AsyncCache as SitesAsyncCache
from robots_exclusion_sites import Cache as SitesCache

assert_type(Cache("a"), SitesCache)
assert_type(AsyncCache("a"), SitesAsyncCache)
assert_type(Cache("a").check("a", "https://example.com/"), Decision)
"""


def test_the_packages_have_types(tmp_path):
    """mypy in its strictest mode has no findings in the packages and in a program, and refuses a name that is not a profile."""
    pytest.importorskip("mypy")
    pytest.importorskip("scrapy")
    for name in ("robots_exclusion_sites", "robots_exclusion_arrow"):
        pytest.importorskip(name)
    program = tmp_path / "program.py"
    program.write_text(TYPES)
    strict = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    packages = ["-p", "robots_exclusion", "-p", "robots_exclusion_sites", "-p", "robots_exclusion_arrow"]
    for arguments in ([str(program)], packages):
        done = subprocess.run([*strict, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", ["robots_exclusion_sites", "robots_exclusion_arrow"])
def test_each_public_name_of_an_installed_package_can_be_imported(package):
    module = pytest.importorskip(package)
    for name in set(module.__all__) - {"__version__"}:
        assert getattr(robots_exclusion, name) is getattr(module, name) and name in dir(robots_exclusion)
    assert module.__version__ == robots_exclusion.__version__


def test_what_is_missing_says_how_to_install_it(monkeypatch):
    modules = __import__("sys").modules
    monkeypatch.setitem(modules, "robots_exclusion_arrow", None)
    monkeypatch.setitem(modules, "robots_exclusion_sites", None)
    with pytest.raises(ImportError, match=r"pip install robots-exclusion\[arrow\]"):
        robots_exclusion.decide
    with pytest.raises(ImportError, match=r"Cache needs another package: pip install robots-exclusion\[sites\]"):
        from robots_exclusion import Cache  # noqa: F401
    for name in robots_exclusion._OTHERS:
        with pytest.raises(ImportError, match=rf"{name} needs another package: pip install robots-exclusion\[(arrow|sites)\]"):
            getattr(robots_exclusion, name)
    with pytest.raises(AttributeError):
        robots_exclusion.nothing
    names = {}
    exec("from robots_exclusion import *", names)
    assert "Robots" in names and "Cache" not in names


def test_rules_of_pages():
    html = b"<!doctype html><title>a</title>\n<meta name=robots content='all, noindex'>"
    headers = [("Content-Type", "text/html"), ("X-Robots-Tag", b"googlebot: nosnippet"), ("Content-Usage", "train-ai=y")]
    page = read_page(headers, html, document="google-pages")
    answers = page.for_crawler("Googlebot")
    assert answers.access is None and answers.known == "page" and answers.complete
    assert (answers.index.value, answers.index.rule, answers.index.source) == ("no", "noindex", "meta element, line 2")
    assert answers.snippet.limited and not answers.archive.limited
    assert [problem.code for problem in answers.problems] == ["contradiction"]
    assert not page.for_crawler("bingbot").limits("snippet")
    robots = Robots("User-agent: *\nContent-Usage: train-ai=n\nDisallow: /private\n")
    joined = page.for_crawler("Googlebot", robots=robots, url="https://example.com/a")
    assert joined.access and joined.training.source == "robots.txt line 2"
    hidden = page.for_crawler("Googlebot", robots=robots, url="https://example.com/private")
    assert hidden.known == "url-only" and hidden.index is None and hidden.limits("index")
    assert {"rule-not-seen"} < {problem.code for problem in hidden.problems}
    written = json.loads(json.dumps(hidden.as_dict()))
    assert written["access"]["line"] == 3 and written["index"] is None
    for thing in (answers.index, answers.problems[0]):
        assert pickle.loads(pickle.dumps(thing)) == thing and copy.copy(thing) == thing


def test_pages_are_unavailable_after_their_date():
    page = read_page({"X-Robots-Tag": "unavailable_after: 2022-08-04"})
    date = 1_659_571_200
    for now, value, codes in (
        (None, "yes", []),
        (date - 1, "yes", []),
        (date, "yes", []),
        (date + 0.5, "no", ["date-in-the-past"]),
        (date + 1, "no", ["date-in-the-past"]),
        (-1e300, "yes", []),
        (1e300, "no", ["date-in-the-past"]),
    ):
        answers = page.for_crawler("ExampleBot", now=now)
        assert (answers.index.value, [problem.code for problem in answers.problems]) == (value, codes), now
        assert answers.unavailable_after.value == "2022-08-04T00:00:00Z"
    joined = page.for_crawler("ExampleBot", robots=Robots("User-agent: *\nAllow: /\n"), url="https://example.com/a", now=date + 1)
    assert joined.index.rule == "unavailable_after: 2022-08-04T00:00:00Z" and joined.limits("index")


def test_a_page_that_was_not_read_is_not_complete():
    assert read_page({"Content-Type": "application/pdf"}).complete
    assert not read_page({"Content-Type": "text/html"}).complete
    assert read_page({}).incomplete_because == "the HTML was not read"
    reader = PageReader("google-pages")
    reader.html(b"<p>a")
    reader.cut()
    assert not reader.finish().complete


def test_mistakes_with_pages_are_errors():
    with pytest.raises(ValueError, match="expected one of repext-03"):
        read_page({}, document="google")
    with pytest.raises(TypeError, match="headers: expected a mapping"):
        read_page("X-Robots-Tag: noindex")
    with pytest.raises(ValueError, match="give both robots and url"):
        read_page({}).for_crawler("ExampleBot", url="https://example.com/")
    for now in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="is not a time: expected seconds since 1970"):
            read_page({}).for_crawler("ExampleBot", now=now)
    with pytest.raises(ValueError, match="expected one of index"):
        read_page({}).for_crawler("ExampleBot").limits("indexing")
    with pytest.raises(InvalidAgent):
        read_page({}).for_crawler("")
