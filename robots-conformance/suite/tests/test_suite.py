"""Tests of the runner and of the checks of a release. Run in the folder of a release: `python3 -m unittest discover -s tests -t .`"""

import contextlib
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time
import unittest
from unittest import mock

from robots_txt_suite import Mistake, Suite
from robots_txt_suite import run as runs
from robots_txt_suite.__main__ import main
from robots_txt_suite.check import problems, used

RELEASE = pathlib.Path(__file__).parent.parent

#: Programs that fail in ways that must never count as an answer. Each answers every question that is not spoilt with "allow".
HELLO = """
import json, sys, time
def say(value): print(json.dumps(value), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        say({"protocol": 1, "implementation": {"name": "x", "version": "1", "language": "", "documents": ["rfc9309"]}, "can": CAN})
    elif message["cmd"] == "ask":
        ANSWER
"""


def program(answer, can=("verdict",)):
    text = HELLO.replace("CAN", json.dumps(list(can))).replace("ANSWER", answer)
    return [sys.executable, "-c", text]


class Release(unittest.TestCase):
    """A copy of a part of the release, which a test may damage."""

    @classmethod
    def setUpClass(cls):
        data = json.loads((RELEASE / "suite.json").read_text())
        kinds, kept = set(), []
        for number, test in enumerate(data["tests"]):
            several = "several-agents" in test["needs"] and "several" not in kinds
            if number % 12 == 0 or test["kind"] not in kinds or several:
                kept.append(test)
            kinds |= {test["kind"], *(["several"] if several else [])}
        data["tests"] = kept
        names = {name for test in kept for name in used(test["ask"])}
        data["files"] = {name: file for name, file in data["files"].items() if name in names}
        ids = {test["id"] for test in kept} | {"id"}
        cls.texts = {name: (RELEASE / name).read_text() for name in ("judgements.tsv", "suite.schema.json", "VERSION")}
        cls.texts["suite.json"] = json.dumps(data, separators=(",", ":"))
        for name in ("ids.tsv", "verdicts.tsv"):
            lines = (RELEASE / name).read_text().splitlines(True)
            cls.texts[name] = "".join(line for line in lines if line.split("\t")[0] in ids)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()) if hasattr(self, "enterContext") else tempfile.mkdtemp())
        for name, text in self.texts.items():
            (self.folder / name).write_text(text)

    def found(self):
        return list(problems(Suite(self.folder)))

    def changed(self, change):
        """Returns the problems after `change` of the data, other than that of the sums."""
        data = json.loads((self.folder / "suite.json").read_text())
        change(data)
        (self.folder / "suite.json").write_text(json.dumps(data))
        return [problem for problem in self.found() if not problem.startswith("SHA256SUMS")]

    def test_the_part_is_whole_but_for_its_sums(self):
        self.assertEqual(self.found(), ["SHA256SUMS: No such file or directory"])

    def test_the_release_is_whole(self):
        self.assertEqual(list(problems(Suite(RELEASE))), [])

    def test_a_changed_expectation_is_found_by_the_sums(self):
        def flip(data):
            answer = next(test for test in data["tests"] if test["kind"] == "verdict")["expect"][0]["answer"]
            answer["decision"] = {"allow": "disallow", "disallow": "allow"}[answer["decision"]]

        shutil.copy(RELEASE / "SHA256SUMS", self.folder / "SHA256SUMS")
        self.changed(flip)
        self.assertIn("suite.json: differs from the released file", self.found())

    def test_a_raised_level_is_found(self):
        def lift(data):
            demands = (demand for test in data["tests"] for expected in test["expect"] for demand in expected["documents"].values())
            next(demand for demand in demands if demand["level"] == "SHOULD")["level"] = "MUST"

        self.assertRegex("\n".join(self.changed(lift)), r"its level under \S+ is MUST, but the sentence says SHOULD")

    def test_a_raised_level_is_found_if_its_sentence_is_raised_too(self):
        def lift(data):
            statement = next(
                statement for statement in data["statements"]
                if statement["keyword"] == "SHOULD" and "must" not in statement.get("quote", "must").lower()
            )
            statement["keyword"] = "MUST"
            for test in data["tests"]:
                for expected in test["expect"]:
                    for demand in expected["documents"].values():
                        if demand["cites"][:1] == [statement["id"]]:
                            demand["level"] = "MUST"

        self.assertRegex("\n".join(self.changed(lift)), "its keyword MUST is not among the words that it quotes")

    def test_a_file_of_a_page_that_is_missing_is_found(self):
        def remove(data):
            test = next(test for test in data["tests"] if test["kind"] == "page" and "html" in test["ask"])
            del data["files"][test["ask"]["html"]]

        self.assertRegex("\n".join(self.changed(remove)), "the file .* is missing")

    def test_a_cut_file_is_found(self):
        def cut(data):
            next(file for file in data["files"].values() if file["length"] > 9)["base64"] = "YWJj"

        self.assertRegex("\n".join(self.changed(cut)), "its bytes are not those of its digest")

    def test_an_id_of_another_question_is_found(self):
        def reuse(data):
            data["tests"][1]["id"] = data["tests"][0]["id"]

        found = "\n".join(self.changed(reuse))
        self.assertRegex(found, "the id is not that of the question")
        self.assertRegex(found, "the id is used twice")

    def test_what_the_sums_do_not_show_is_found(self):
        def of_kind(data, kind, fits=lambda test: True):
            return next(test for test in data["tests"] if test["kind"] == kind and fits(test))

        def first(data, kind="verdict"):
            return of_kind(data, kind)["expect"][0]

        def demand(data, fits=lambda demand: True):
            return next(
                (document, demand)
                for test in data["tests"]
                for expected in test["expect"]
                for document, demand in expected["documents"].items()
                if fits(demand)
            )

        def statement(data, name):
            return next(statement for statement in data["statements"] if statement["id"] == name)

        def file(data):
            return data["files"][of_kind(data, "verdict")["ask"]["file"]]

        recorded = "it differs from what ids.tsv records"
        for change, expected in [
            (lambda data: first(data)["answer"].update(decision="allow" if first(data)["answer"]["decision"] == "disallow" else "disallow"), recorded),
            (lambda data: first(data)["answer"].update(line=999), "line 999 is beyond the end of the file"),
            (lambda data: first(data)["answer"].update(decision="disalow"), "not enum"),
            (lambda data: first(data)["answer"].update(line="2"), "not type integer"),
            (lambda data: first(data, "page")["answer"]["answers"].update(indexx="no"), "indexx: no is not an answer about a page"),
            (lambda data: first(data, "page")["answer"]["answers"].update(index="maybe"), "index: maybe is not an answer about a page"),
            (lambda data: first(data, "exchange")["answer"].update(access="nearly"), "access: nearly is not an answer"),
            (lambda data: first(data, "exchange")["answer"].update(access="nothing", decisions=["allow /"]), "allow / contradicts the access to nothing"),
            (lambda data: first(data, "timeline")["answer"]["steps"].pop(), "different numbers of steps"),
            (lambda data: data["tests"].remove(of_kind(data, "exchange")), "ids.tsv has it .* and suite.json does not"),
            (lambda data: data["tests"].reverse(), "not in the order of the tables"),
            (lambda data: of_kind(data, "exchange").update(needs=["http", "telepathy"]), "the need telepathy is not known"),
            (lambda data: of_kind(data, "verdict", lambda test: "several-agents" in test["needs"]).update(needs=[]), "the question has the need several-agents"),
            (lambda data: of_kind(data, "verdict").update(names=["x"]), recorded),
            (lambda data: of_kind(data, "verdict").update(colour="red"), "colour: not expected"),
            (lambda data: first(data).update(readings=["reading/nope"]), "reading/nope is not a reading"),
            (lambda data: first(data).update(readings=["reading/nul"]), recorded),
            (lambda data: first(data).update(accept=[{"decision": "allow"}, {"decision": "disallow"}]), "both decisions are right"),
            (lambda data: demand(data)[1].update(level="NONE", cites=[]), "it cites nothing for"),
            (lambda data: demand(data)[1].update(cites=["google/G8-1", *demand(data)[1]["cites"]]), "google/G8-1 is not of"),
            (lambda data: statement(data, "rfc9309/2.2.2-4").update(quote="The fewest octets MUST be used."), recorded),
            (lambda data: statement(data, "rfc9309/2.2.2-4").pop("quote"), "its keyword MUST has no quote"),
            (lambda data: data["statements"].append(dict(data["statements"][0])), "two statements have this id"),
            (lambda data: data["documents"].pop(), "tdmrep is not its document"),
            (lambda data: data["readings"][0].update(title=""), "not minLength"),
            (lambda data: file(data).update(text="user-agent: x\n"), "its text is not that of its bytes"),
            (lambda data: file(data).update(base64="?"), "not base64"),
            (lambda data: file(data).update(sha256="0" * 64), "its bytes are not those of its digest"),
            (lambda data: data["files"].update({"0" * 16: file(data)}), "no question uses it"),
            (lambda data: data["suite"].update(version="2026.12.0"), "VERSION: not that of suite.json"),
            (lambda data: of_kind(data, "verdict")["ask"].update(target="https://example.com/z"), "the target is not that of its path"),
        ]:
            data = json.loads(self.texts["suite.json"])
            change(data)
            (self.folder / "suite.json").write_text(json.dumps(data))
            with self.subTest(expected):
                self.assertRegex("\n".join(self.found()), expected)

    def test_the_other_files_are_compared(self):
        for name, change, expected in [
            ("verdicts.tsv", lambda text: text.replace("\tallow\t", "\tdisallow\t", 1), r"verdicts.tsv: line \d+ differs from suite.json"),
            ("verdicts.tsv", lambda text: text.rpartition("\nv")[0] + "\n", r"verdicts.tsv: line \d+ differs from suite.json"),
            ("verdicts.tsv", lambda text: text.replace("\n", "\r\n"), "verdicts.tsv: line 1 differs"),
            ("ids.tsv", lambda text: text.split("\n")[0] + "\n", "ids.tsv does not have it"),
            ("ids.tsv", lambda text: text + "v000000000\t2026.11.0\t\t\t0\tx\n", r"v000000000: ids.tsv has it \(x\), and suite.json does not"),
            ("ids.tsv", lambda text: text.replace("2026.11.0", "9999.99.9", 1), "9999.99.9 is not a version up to this one"),
            ("ids.tsv", lambda text: text.replace("\t2026.11.0\t\t\t", "\t2026.11.0\t2026.11.0\twrong\t", 1), "has it as retired"),
            ("judgements.tsv", lambda text: text.replace("rfc9309/2.2.2-4\t", "x\t"), "rfc9309/2.2.2-4: judgements.tsv does not have it"),
            ("suite.schema.json", lambda text: "{}", "it does not describe format 1"),
            ("suite.schema.json", lambda text: text.replace('"minItems"', '"atLeast"'), "the keyword atLeast is not known"),
            ("VERSION", lambda text: "2031.01.0\n", "VERSION: not that of suite.json"),
        ]:
            text = self.texts[name]
            (self.folder / name).write_bytes(change(text).encode())
            with self.subTest(name=name, expected=expected):
                self.assertRegex("\n".join(self.found()), expected)
            (self.folder / name).write_text(text)

    def test_the_list_of_sums_is_complete(self):
        for name in ("SHA256SUMS", "CHANGES.md"):
            shutil.copy(RELEASE / name, self.folder / name)
        sums = (self.folder / "SHA256SUMS").read_text()
        for text, expected in [
            ("", "CHANGES.md: not in SHA256SUMS"),
            ("".join(line + "\n" for line in sums.splitlines() if "CHANGES" not in line), "CHANGES.md: not in SHA256SUMS"),
            (sums + "x\n", "SHA256SUMS: not a line of a sum and a name: x"),
            (sums + sums, "SHA256SUMS: CHANGES.md is there twice"),
            ("0" * 64 + "  ../x\n", "not a line of a sum and a name"),
        ]:
            (self.folder / "SHA256SUMS").write_text(text)
            with self.subTest(expected):
                self.assertRegex("\n".join(self.found()), expected)
        (self.folder / "files").mkdir()
        (self.folder / "files" / "0123456789abcdef").write_bytes(b"x")
        (self.folder / "SHA256SUMS").write_text(sums)
        found = "\n".join(self.found())
        self.assertIn("files/0123456789abcdef: not in SHA256SUMS", found)
        self.assertIn("files/0123456789abcdef: suite.json does not have it", found)
        self.assertRegex(found, "files/[0-9a-f]{16}: differs from suite.json")

    def test_a_key_that_is_there_twice_is_an_error(self):
        text = (self.folder / "suite.json").read_text()
        (self.folder / "suite.json").write_text(text.replace('"decision":"allow"', '"decision":"disallow","decision":"allow"', 1))
        with self.assertRaisesRegex(Mistake, "the key decision is there twice"):
            self.found()

    def test_half_a_file_is_a_clear_error(self):
        text = (self.folder / "suite.json").read_text()
        (self.folder / "suite.json").write_text(text[: len(text) // 2])
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            self.assertEqual(main(["--suite", str(self.folder), "check"]), 2)
        self.assertIn("not whole", error.getvalue())


class Programs(unittest.TestCase):
    """Programs that misbehave."""

    def setUp(self):
        self.suite = Suite(RELEASE)
        tests = [test for test in self.suite.tests.values() if test["kind"] == "verdict" and not test["needs"]]
        self.suite.tests = {test["id"]: test for test in tests[:6]}

    def outcomes(self, answer):
        asked = runs.run(self.suite, runs.Program(program(answer), self.suite.version, answer=0.5))
        return [row["outcome"] for row in asked["results"]], asked["restarts"]

    def test_answers_are_counted(self):
        self.assertEqual(self.outcomes('say({"seq": message["seq"], "allow": True})'), (["answer"] * 6, 0))

    def test_failures_are_never_answers(self):
        for answer, outcome in [
            ("sys.exit(1)", "crash"),
            ("time.sleep(9)", "timeout"),
            ('print("allowed", flush=True)', "garbage"),
            ('say({"seq": -1, "allow": True})', "garbage"),
            ('say({"seq": message["seq"], "allow": 1})', "garbage"),
            ('say([])', "garbage"),
        ]:
            with self.subTest(answer):
                self.assertEqual(self.outcomes(answer), ([outcome] * 6, 6))

    def test_answers_are_read_strictly(self):
        for answer in [
            "print('{\"seq\":%d.0,\"allow\":true}' % message['seq'], flush=True)",
            "print('{\"seq\":%d,\"allow\":false,\"allow\":true}' % message['seq'], flush=True)",
            "print('{\"seq\":%d,\"allow\":true,\"x\":NaN}' % message['seq'], flush=True)",
            'say({"seq": True, "allow": True})',
            'say({"seq": message["seq"], "allow": True, "error": "E"})',
            'say({"seq": message["seq"], "allow": True, "skip": "no"})',
            'say({"seq": message["seq"], "allow": True, "line": True})',
            'say({"seq": message["seq"], "allow": True, "line": -1})',
            'say({"seq": message["seq"], "error": None})',
            'print("[" * 200000, flush=True)',
            'sys.stdout.buffer.write((json.dumps({"seq": message["seq"], "allow": True}) + "\\n").encode("utf-16-le")); sys.stdout.flush()',
        ]:
            with self.subTest(answer):
                self.assertEqual(set(self.outcomes(answer)[0]), {"garbage"})

    def test_what_is_written_before_a_question_is_not_its_answer(self):
        # Each question is answered twice, and the second answer names the next number.
        twice = 'say({"seq": message["seq"], "allow": True}); say({"seq": message["seq"] + 1, "allow": True})'
        outcomes, restarts = self.outcomes(twice)
        self.assertEqual(outcomes, ["answer", "garbage"] * 3)
        self.assertEqual(restarts, 3)
        early = program("pass")
        early[2] = early[2].replace('"can": ["verdict"]})', '"can": ["verdict"]}); [say({"seq": n, "allow": True}) for n in range(3000)]')
        asked = runs.run(self.suite, runs.Program(early, self.suite.version, answer=0.5))
        self.assertEqual({row["outcome"] for row in asked["results"]}, {"garbage"})

    def test_a_program_that_stops_reading_is_stopped(self):
        large = next(test for test in Suite(RELEASE).tests.values() if test["needs"] == ["long-line", "size-limit"] and test["kind"] == "verdict")
        self.suite.tests = {large["id"]: large}
        command = program("pass", ("verdict", *large["needs"]))
        command[2] = command[2].replace('elif message["cmd"] == "ask":', "else:").replace("for line in sys.stdin:", "for line in [sys.stdin.readline()]:") + "\ntime.sleep(60)\n"
        asked = runs.run(self.suite, runs.Program(command, self.suite.version, answer=0.5))
        self.assertEqual([(row["outcome"], row["why"]) for row in asked["results"]], [("timeout", "it does not read")])

    def test_a_run_ends_after_failures_in_a_row(self):
        asked = runs.run(self.suite, runs.Program(program("sys.exit(1)"), self.suite.version), give_up=2)
        self.assertEqual([row["outcome"] for row in asked["results"]], ["crash", "crash", "ended", "ended", "ended", "ended"])
        self.assertIn("gave up after 2 questions", asked["ended"])

    def test_results_are_kept_if_the_program_does_not_start_again(self):
        with tempfile.TemporaryDirectory() as folder:
            command = program("sys.exit(1)")
            mark = str(pathlib.Path(folder, "mark"))
            command[2] = f"import os\nif os.path.exists({mark!r}): os._exit(1)\nopen({mark!r}, 'w').close()\n" + command[2]
            out = pathlib.Path(folder, "out")
            self.assertEqual(self.status("--out", str(out), "--", *command), 3)
            result = json.loads(out.read_text())
        self.assertIn("no start", result["ended"])
        self.assertEqual([row["outcome"] for row in result["results"] if not row.get("needs")][:2], ["crash", "ended"])

    def test_what_a_program_started_ends_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder, "pid")
            child = f'import subprocess; child = subprocess.Popen(["sleep", "60"]); open({str(mark)!r}, "w").write(str(child.pid)); time.sleep(60)'
            self.suite.tests = dict(list(self.suite.tests.items())[:1])
            self.outcomes(child)
            state = pathlib.Path(f"/proc/{mark.read_text()}/stat")
            for _ in range(50):
                try:
                    ended = state.read_text().rpartition(")")[2].split()[0] == "Z"
                except OSError:
                    ended = True
                if ended:
                    break
                time.sleep(0.1)
            self.assertTrue(ended)

    def test_a_first_line_that_is_not_one_is_an_error_on_one_line(self):
        for first in [
            {}, [], {"protocol": True}, {"protocol": 2},
            {"protocol": 1, "can": ["verdict"]},
            {"protocol": 1, "can": ["verdict"], "implementation": "x"},
            {"protocol": 1, "can": ["verdict"], "implementation": {"version": "1"}},
            {"protocol": 1, "can": None, "implementation": {"name": "x", "documents": ["rfc9309"]}},
            {"protocol": 1, "can": "verdict", "implementation": {"name": "x", "documents": ["rfc9309"]}},
            {"protocol": 1, "can": [["verdict"]], "implementation": {"name": "x", "documents": ["rfc9309"]}},
            {"protocol": 1, "can": ["verdict"], "implementation": {"name": "x", "documents": "rfc9309"}},
            {"protocol": 1, "can": ["verdict"], "implementation": {"name": "x", "documents": [{}]}},
        ]:
            with self.subTest(first):
                error = io.StringIO()
                with contextlib.redirect_stderr(error):
                    status = main(["--suite", str(RELEASE), "run", "--", sys.executable, "-c", f"print({json.dumps(first)!r}, flush=True); input(); input()"])
                self.assertEqual((status, error.getvalue().count("\n")), (3, 1))

    def test_documents_are_checked_before_the_questions(self):
        for documents in ([], ["rfc9309", "nonsense"]):
            asked = program('open("/nonexistent/file")')
            with self.subTest(documents):
                asked[2] = asked[2].replace('["rfc9309"]', json.dumps(documents))
                self.assertEqual(self.status("--", *asked), 2)

    def test_declining_is_not_free(self):
        skip = 'say({"seq": message["seq"], "allow": True} if not hasattr(sys, "once") else {"seq": message["seq"], "skip": "no"}); sys.once = 1'
        with tempfile.TemporaryDirectory() as folder:
            badge = pathlib.Path(folder, "badge")
            self.assertEqual(self.status("--badge", str(badge), "--", *program(skip)), 1)
            value = json.loads(badge.read_text())
        self.assertEqual(value["color"], "orange")
        self.assertRegex(value["message"], r"^[01] of \d\d sentences$")
        self.assertEqual(self.status("--", *program('say({"seq": message["seq"], "skip": "no"})')), 4)

    def test_a_disputed_question_does_not_count(self):
        result = runs.run(self.suite, runs.Program(program('say({"seq": message["seq"], "allow": True})'), self.suite.version))
        failed = runs.failures(self.suite, result, self.suite.documents)
        self.assertTrue(failed)
        for identity in failed:
            self.suite.tests[identity]["disputed"] = "https://example.com/issues/1"
        self.assertEqual(runs.failures(self.suite, result, self.suite.documents), [])
        levels = {level for of in runs.tally(self.suite, result).values() for level in of}
        self.assertIn("DISPUTED", levels)

    def test_a_failure_says_what_was_answered_and_expected(self):
        out = io.StringIO()
        command = program('say({"seq": message["seq"], "allow": True, "line": 3})')
        with contextlib.redirect_stdout(out):
            main(["--suite", str(RELEASE), "run", "--", *command])
        self.assertRegex(out.getvalue(), r"fails: v\S+ \S+: answered allow \(line 3\); expected disallow \(line \d+\)")

    def test_only_known_uses_of_pages_are_compared(self):
        pages = [test for test in Suite(RELEASE).tests.values() if test["kind"] == "page"]
        self.suite.tests = {test["id"]: test for test in pages}
        can = ["page", "fields", "html", "page:index"]
        answer = 'say({"seq": message["seq"], "answers": {"index": "yes"}})'
        result = runs.run(self.suite, runs.Program(program(answer, can), self.suite.version, answer=0.5))
        of_test = {row["id"]: row for row in result["results"]}
        seen = set()
        for test, _, _, _, _, held, _ in runs.judge(self.suite, result):
            uses = {use for expected in test["expect"] for use in expected["answer"]["answers"]}
            if uses and "index" not in uses:
                self.assertEqual(of_test[test["id"]]["outcome"], "skip")
            if held is not None:
                seen.add(held)
        self.assertEqual(seen, {True, False})

    def test_errors_and_skips_keep_the_program(self):
        self.assertEqual(self.outcomes('say({"seq": message["seq"], "error": "E"})'), (["error"] * 6, 0))
        self.assertEqual(self.outcomes('say({"seq": message["seq"], "skip": "no"})'), (["skip"] * 6, 0))

    def status(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return main(["--suite", str(RELEASE), "run", *arguments])

    def test_exit_statuses(self):
        nothing = program('say({"seq": message["seq"], "allow": True})', can=())
        self.assertEqual(self.status("--", *nothing), 4)
        self.assertEqual(self.status("--", sys.executable, "-c", "print('hello')"), 3)
        self.assertEqual(self.status("--", "no-such-program"), 2)
        self.assertEqual(self.status("--", *program('say({"seq": message["seq"], "allow": True})')), 1)

    def test_known_failures(self):
        command = program('say({"seq": message["seq"], "allow": True})')
        with tempfile.TemporaryDirectory() as folder:
            known, out = pathlib.Path(folder, "known"), pathlib.Path(folder, "out")
            known.write_text("v000000000 # not a failure\n")
            self.assertEqual(self.status("--known", str(known), "--out", str(out), "--", *command), 5)
            suite = Suite(RELEASE)
            failed = runs.failures(suite, json.loads(out.read_text()), ["rfc9309"])
            known.write_text("\n".join(failed) + "\n")
            self.assertEqual(self.status("--known", str(known), "--", *command), 0)


#: A client that asks for all pages that the page with the links has, and reads no robots.txt.
ASKS_FOR_ALL = """
import re, sys, urllib.request
def get(url):
    try: return urllib.request.urlopen(url, timeout=1).read().decode()
    except OSError: return ""
for link in re.findall('href="(.*?)"', get(sys.argv[1])): get(link)
"""


class Serve(unittest.TestCase):
    """Clients of the servers that `serve` plays."""

    def served(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("robots_txt_suite.__main__.Progress.every", 0):
            status = main(["--suite", str(RELEASE), "serve", "--silence", "0.1", *arguments])
        return status, out.getvalue(), err.getvalue()

    def test_a_client_that_reads_no_file_fails_where_one_disallows(self):
        status, out, err = self.served("--", sys.executable, "-c", ASKS_FOR_ALL, "%seed%")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"asked for what is disallowed: http://")
        held, of, idle = map(int, re.search(r"^(\d+) of (\d+) held, (\d+) did not run$", out, re.MULTILINE).groups())
        self.assertTrue(0 < held < of)
        self.assertEqual(idle, 0)
        self.assertRegex(err, "(?s)^1 commands, 1 at a time.*\n1 of 1 commands\n$")

    def test_progress_is_said_for_each_command(self):
        status, out, err = self.served("--jobs", "2", "--", sys.executable, "-S", "-c", "0", "%url%")
        self.assertEqual(status, 4)
        self.assertRegex(out, r"(?m)^0 of (\d+) held, \1 did not run$")
        first, *lines = err.splitlines()
        total = int(re.match(r"(\d+) commands, 2 at a time", first)[1])
        self.assertEqual(lines, [f"{done} of {total} commands" for done in range(1, total + 1)])

    def test_clients_that_do_not_end_or_start(self):
        status, _, err = self.served("--timeout", "0.5", "--", sys.executable, "-c", "import time; time.sleep(60)", "%seed%")
        self.assertEqual(status, 4)
        self.assertIn("the client did not end within 0.5 s\n", err)
        for arguments, words in [(["no-such-program", "%seed%"], "no-such-program"), (["true"], "neither %seed% nor %url%")]:
            status, _, err = self.served("--", *arguments)
            self.assertEqual(status, 2)
            self.assertIn(words, err)


if __name__ == "__main__":
    unittest.main()
