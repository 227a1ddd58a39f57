"""Asks one program all questions that it can be asked."""

import base64
import collections
import json
import os
import selectors
import subprocess
import tempfile
import time

from . import PAGE, SCORED, Mistake

PROTOCOL = 1
#: Seconds for the first line of a program, and for each answer.
START, ANSWER = 30.0, 5.0
#: After so many failed starts in a row the run ends.
STARTS = 3
#: The questions that this version of the protocol asks.
KINDS = ("verdict", "page")
#: The keys of a question that are files.
BODIES = ("file", "html", "rendered")


class Broken(Exception):
    """The program does not speak the protocol."""


class Program:
    """A program that speaks the protocol, restarted after each failure."""

    def __init__(self, command, version, answer=ANSWER):
        self.command, self.version, self.limit = command, version, answer
        self.process, self.restarts, self.stderr = None, -1, tempfile.TemporaryFile()
        self.start()

    def start(self):
        failure = None
        for _ in range(STARTS):
            self.restarts += 1
            try:
                self.process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, bufsize=0
                )
            except OSError as error:
                raise Mistake(f"{self.command[0]}: {error.strerror}") from None
            self.buffer = b""
            hello, failure = self.call({"cmd": "start", "protocol": PROTOCOL, "suite": self.version}, START)
            if failure is None and isinstance(hello, dict) and hello.get("protocol") == PROTOCOL:
                self.hello = hello
                return
            self.kill()
            failure = failure or f"its first line is {json.dumps(hello)[:200]}"
        raise Broken(f"{' '.join(self.command)}: no start: {failure}; {self.last_lines()}")

    def call(self, message, limit):
        """Sends a line and returns (answer, None), or (None, why there is none)."""
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
        except OSError:
            return None, "crash"
        end = time.monotonic() + limit
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None, "timeout"
                read = os.read(self.process.stdout.fileno(), 1 << 16)
                if not read:
                    return None, "crash"
                self.buffer += read
                if len(self.buffer) > 1 << 20:
                    return None, "garbage"
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            return json.loads(line), None
        except ValueError:
            return None, "garbage"

    def ask(self, seq, question):
        """Returns the result of a question; after a failure the program is started anew."""
        answer, failure = self.call({"cmd": "ask", "seq": seq, **question}, self.limit)
        if failure is None and (not isinstance(answer, dict) or answer.get("seq") != seq):
            failure = "garbage"
        if failure is None:
            if question["kind"] == "verdict" and isinstance(answer.get("allow"), bool):
                return {"outcome": "answer", "allow": answer["allow"], "line": answer.get("line")}
            if question["kind"] == "page" and isinstance(answer.get("answers"), dict):
                return {"outcome": "answer", "answers": answer["answers"]}
            if isinstance(answer.get("skip"), str):
                return {"outcome": "skip", "why": answer["skip"]}
            if isinstance(answer.get("error"), str):
                return {"outcome": "error", "why": answer["error"]}
            failure = "garbage"
        self.kill()
        self.start()
        return {"outcome": failure}

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def stop(self):
        self.call({"cmd": "stop"}, 0.0)
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            pass
        self.kill()

    def last_lines(self):
        self.stderr.seek(0)
        text = self.stderr.read().decode("utf-8", "replace").strip().splitlines()[-3:]
        return "standard error ends with: " + " | ".join(text) if text else "standard error is empty"


class Command:
    """A command that answers one question by its exit status: 0 allowed, 10 disallowed, 20 not asked."""

    def __init__(self, command, name, documents, can):
        self.command, self.restarts = command, 0
        self.hello = {
            "implementation": {"name": name, "version": "", "language": "", "documents": documents},
            "can": can,
        }

    def ask(self, _seq, question):
        agents = question["agents"]
        with tempfile.NamedTemporaryFile(suffix=".txt") as file:
            file.write(base64.b64decode(question["file"]["base64"]))
            file.flush()
            words = {"%robots%": file.name, "%agent%": agents[0], "%url%": question["target"]}
            command = []
            for argument in self.command:
                for placeholder, word in words.items():
                    argument = argument.replace(placeholder, word)
                command.append(argument)
            try:
                run = subprocess.run(command, capture_output=True, timeout=ANSWER, check=False)
            except subprocess.TimeoutExpired:
                return {"outcome": "timeout"}
            except OSError as error:
                raise Mistake(f"{command[0]}: {error.strerror}") from None
        if run.returncode in (0, 10):
            return {"outcome": "answer", "allow": run.returncode == 0, "line": None}
        if run.returncode == 20:
            return {"outcome": "skip", "why": "exit status 20"}
        last = run.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return {"outcome": "error", "why": f"exit status {run.returncode}: {' '.join(last)}"}

    def stop(self):
        pass


def run(suite, program):
    """Asks all questions and returns the result as one JSON value."""
    can = set(program.hello.get("can", []))
    started, results = time.monotonic(), []
    for seq, test in enumerate(suite.tests.values(), 1):
        ask = test["ask"]
        if test["kind"] not in KINDS or test["kind"] not in can:
            continue
        missing = sorted(need for need in test["needs"] if need not in can)
        uses = {use for expected in test["expect"] for use in expected["answer"].get("answers", {})}
        if uses and not any(f"page:{use}" in can for use in uses):
            missing += sorted(f"page:{use}" for use in uses)
        if missing:
            results.append({"id": test["id"], "outcome": "skip", "why": "needs " + ", ".join(missing)})
            continue
        question = {"kind": test["kind"], **{key: value for key, value in ask.items() if key not in BODIES}}
        for key in BODIES:
            if key in ask:
                question[key] = {"base64": base64.b64encode(suite.body(ask[key])).decode()}
        results.append({"id": test["id"], **program.ask(seq, question)})
    program.stop()
    return {
        "format": 1,
        "suite": suite.version,
        "implementation": program.hello["implementation"],
        "can": sorted(can),
        "seconds": round(time.monotonic() - started, 2),
        "restarts": program.restarts,
        "results": results,
    }


def fits(kind, row, answer, can):
    """Returns whether a result has the expected answer. About a page, only uses that the program can be asked about count."""
    if kind == "verdict":
        return answer["decision"] == {True: "allow", False: "disallow"}.get(row.get("allow"))
    asked = {need[len("page:"):] for need in can if need.startswith("page:")}
    given = row.get("answers", {})
    return all(given.get(use, PAGE.get(use)) == answer["answers"].get(use, PAGE.get(use)) for use in asked)


def judge(suite, result):
    """Yields (test, document, level, statement, readings, held, line_held) for each question and document.

    `held` is None if the question was not asked; `line_held` is None if there is no line to compare.
    """
    for row in result["results"]:
        test = suite.tests.get(row["id"])
        if test is None:
            continue
        for document, level, statement, readings, answers in suite.judged(test):
            held = line_held = None
            if row["outcome"] != "skip":
                right = [answer for answer in answers if fits(test["kind"], row, answer, result["can"])]
                held = bool(right) and row["outcome"] == "answer"
                if held and row.get("line") is not None:
                    line_held = any(answer.get("line") == row["line"] for answer in right)
            yield test, document, level, statement, readings, held, line_held


def tally(suite, result):
    """Returns {document: {"MUST": [sentences held, sentences asked, tests held, tests asked, tests not asked], ...}}.

    A sentence is held if no question that shows it is answered otherwise. Questions that cite a reading count under
    "choices", and lines under "lines".
    """
    tests = collections.defaultdict(lambda: [0, 0, 0])
    sentences = collections.defaultdict(dict)
    for _, document, level, statement, readings, held, line_held in judge(suite, result):
        key = "choices" if readings else level
        counts = tests[document, key]
        if held is None:
            counts[2] += 1
        else:
            counts[0] += held
            counts[1] += 1
            if statement is not None and not readings:
                sentences[document, key][statement] = sentences[document, key].get(statement, True) and held
        if line_held is not None:
            tests[document, "lines"][0] += line_held
            tests[document, "lines"][1] += 1
    out = {document: {} for document in suite.documents}
    for (document, key), (held, asked, left) in tests.items():
        of = sentences.get((document, key), {})
        out[document][key] = [sum(of.values()), len(of), held, asked, left]
    return out


def failures(suite, result, documents):
    """Returns the ids of the scored tests of these documents that are not held."""
    return sorted(
        {
            test["id"]
            for test, document, level, _, readings, held, _ in judge(suite, result)
            if document in documents and level in SCORED and not readings and held is False
        }
    )
