"""Asks one program all questions that it can be asked."""

import base64
import collections
import json
import os
import secrets
import selectors
import signal
import subprocess
import tempfile
import time

from . import DECIDES, PAGE, Mistake, strict

PROTOCOL = 1
#: Seconds for the first line of a program, and for each answer.
START, ANSWER = 30.0, 5.0
#: After so many failed starts in a row the run ends.
STARTS = 3
#: After so many questions in a row without an answer the run ends.
GIVE_UP = 25
#: The longest line that a program may write, in bytes.
LONGEST = 1 << 20
#: The questions that this version of the protocol asks.
KINDS = ("verdict", "page")
#: The keys of a question that are files.
BODIES = ("file", "html", "rendered")


class Broken(Exception):
    """The program does not speak the protocol."""


class Failed(Exception):
    """There is no answer: `outcome` is crash, timeout or garbage, and `why` says more."""

    def __init__(self, outcome, why):
        super().__init__(f"{outcome}: {why}")
        self.outcome, self.why = outcome, why


def ended(process):
    """Ends a process that has a session of its own, with all processes that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):
        process.kill()
    process.wait()


def checked(hello):
    """Returns the first line of a program, if it is one."""
    if not isinstance(hello, dict) or type(hello.get("protocol")) is not int or hello["protocol"] != PROTOCOL:
        raise ValueError(f"`protocol` is not {PROTOCOL}")
    me = hello.get("implementation")
    if not isinstance(me, dict) or not isinstance(me.get("name"), str) or not me["name"]:
        raise ValueError("`implementation` has no name")
    for key in ("version", "language"):
        if not isinstance(me.setdefault(key, ""), str):
            raise ValueError(f"`{key}` is not text")
    for key, texts in (("documents", me.setdefault("documents", [])), ("can", hello.get("can"))):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"`{key}` is not a list of texts")
    return hello


class Program:
    """A program that speaks the protocol, restarted after each failure."""

    def __init__(self, command, version, answer=ANSWER):
        self.command, self.version, self.limit = command, version, answer
        self.process, self.restarts, self.stderr = None, -1, tempfile.TemporaryFile()
        self.start()

    def start(self):
        why = ""
        for _ in range(STARTS):
            self.restarts += 1
            try:
                # A session of its own, so that what the program starts ends with it.
                self.process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, bufsize=0,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                self.stderr.close()
                raise Mistake(f"{self.command[0]}: {getattr(error, 'strerror', None) or error}") from None
            os.set_blocking(self.process.stdin.fileno(), False)
            self.buffer = b""
            try:
                hello = self.call({"cmd": "start", "protocol": PROTOCOL, "suite": self.version}, START)
                self.hello = checked(hello)
                return
            except Failed as failure:
                why = str(failure)
            except ValueError as error:
                why = f"{error} in its first line, {json.dumps(hello)[:200]}"
            self.kill()
        last = self.last_lines()
        self.stderr.close()
        raise Broken(f"{' '.join(self.command)}: no start: {why}; {last}")

    def call(self, message, limit):
        """Sends a line and returns the line that answers it. Both are under the same limit."""
        end = time.monotonic() + limit
        rest = memoryview(json.dumps(message).encode() + b"\n")
        stdin, stdout = self.process.stdin, self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            if message["cmd"] == "ask" and (self.buffer or (selector.select(0) and self.read())):
                raise Failed("garbage", "it wrote before it was asked")
            selector.register(stdin, selectors.EVENT_WRITE)
            while rest or b"\n" not in self.buffer:
                left = end - time.monotonic()
                ready = selector.select(left) if left > 0 else []
                if not ready:
                    raise Failed("timeout", "it does not read" if rest else f"no answer within {limit:g} s")
                for key, _ in ready:
                    if key.fileobj is stdout:
                        if not self.read():
                            raise Failed("crash", "its output ended")
                        continue
                    try:
                        rest = rest[os.write(stdin.fileno(), rest[: 1 << 16]) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        raise Failed("crash", "it closed its input") from None
                    if not rest:
                        selector.unregister(stdin)
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            return strict(line)
        except ValueError as error:
            raise Failed("garbage", f"{error}: {line[:80]!r}") from None

    def read(self):
        """Adds output to the buffer. Returns False at its end."""
        read = os.read(self.process.stdout.fileno(), 1 << 16)
        self.buffer += read
        if len(self.buffer) > LONGEST:
            raise Failed("garbage", f"a line above {LONGEST} bytes")
        return bool(read)

    def ask(self, question):
        """Returns the result of a question; after a failure the program is started anew."""
        # Numbers that a program can't know, so that it can't answer before it is asked.
        seq = secrets.randbelow(1 << 31)
        try:
            return answered(question["kind"], seq, self.call({"cmd": "ask", "seq": seq, **question}, self.limit))
        except Failed as failure:
            self.kill()
            return {"outcome": failure.outcome, "why": failure.why}

    def kill(self):
        """Ends the program. The next question starts it again."""
        if self.process is None:
            return
        ended(self.process)
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None

    def stop(self):
        if self.process is not None:
            try:
                os.write(self.process.stdin.fileno(), b'{"cmd": "stop"}\n')
                self.process.wait(1)
            except (OSError, subprocess.TimeoutExpired):
                pass
            self.kill()
        self.stderr.close()

    def last_lines(self):
        self.stderr.seek(0)
        text = self.stderr.read().decode("utf-8", "replace").strip().splitlines()[-3:]
        return "standard error ends with: " + " | ".join(text) if text else "standard error is empty"


def answered(kind, seq, answer):
    """Returns the result that a line of a program gives to a question."""
    if not isinstance(answer, dict) or type(answer.get("seq")) is not int or answer["seq"] != seq:
        raise Failed("garbage", f"an answer to another question: {json.dumps(answer)[:80]}")
    value = "allow" if kind == "verdict" else "answers"
    given = [key for key in (value, "skip", "error") if key in answer]
    if len(given) != 1:
        raise Failed("garbage", f"not one of {value}, skip and error: {json.dumps(answer)[:80]}")
    if given[0] != value:
        if not isinstance(answer[given[0]], str):
            raise Failed("garbage", f"`{given[0]}` is not text")
        return {"outcome": given[0], "why": answer[given[0]]}
    if kind == "verdict":
        line = answer.get("line")
        if not isinstance(answer["allow"], bool):
            raise Failed("garbage", "`allow` is neither true nor false")
        if line is not None and (type(line) is not int or line < 0):
            raise Failed("garbage", "`line` is not a number of a line")
        return {"outcome": "answer", "allow": answer["allow"], "line": line}
    answers = answer["answers"]
    if not isinstance(answers, dict) or not all(isinstance(text, str) for text in answers.values()):
        raise Failed("garbage", "`answers` does not have a text for each use")
    return {"outcome": "answer", "answers": answers}


class Command:
    """A command that answers one question by its exit status: 0 allowed, 10 disallowed, 20 not asked."""

    def __init__(self, command, name, documents, can):
        self.command, self.restarts = command, 0
        self.hello = {
            "implementation": {"name": name, "version": "", "language": "", "documents": documents},
            "can": can,
        }

    def ask(self, question):
        if question["kind"] != "verdict":
            return {"outcome": "skip", "why": "a command is asked verdicts only"}
        words = {"%agent%": question["agents"][0], "%url%": question["target"]}
        if any(word is None or "\0" in word for word in words.values()):
            return {"outcome": "skip", "why": "not an argument of a command"}
        with tempfile.NamedTemporaryFile(suffix=".txt") as file, tempfile.TemporaryFile() as stderr:
            file.write(base64.b64decode(question["file"]["base64"]))
            file.flush()
            words["%robots%"] = file.name
            command = []
            for argument in self.command:
                for placeholder, word in words.items():
                    argument = argument.replace(placeholder, word)
                command.append(argument)
            try:
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
                )
            except OSError as error:
                raise Mistake(f"{command[0]}: {error.strerror}") from None
            try:
                status = process.wait(ANSWER)
            except subprocess.TimeoutExpired:
                return {"outcome": "timeout", "why": f"no end within {ANSWER:g} s"}
            finally:
                ended(process)
            stderr.seek(0)
            last = stderr.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        if status in (0, 10):
            return {"outcome": "answer", "allow": status == 0, "line": None}
        if status == 20:
            return {"outcome": "skip", "why": "exit status 20"}
        return {"outcome": "error", "why": f"exit status {status}: {' '.join(last)}"}

    def kill(self):
        pass

    stop = kill


def run(suite, program, give_up=GIVE_UP):
    """Returns the result of all questions as one JSON value.

    Ends early if the program can't be started again, or leaves `give_up` questions in a row without an answer: then `ended`
    says why, and the other questions have the outcome `ended`.
    """
    can = set(program.hello["can"])
    started, results, failures, end = time.monotonic(), [], 0, None
    for test in suite.tests.values():
        ask = test["ask"]
        if test["kind"] not in KINDS or test["kind"] not in can:
            continue
        missing = sorted(need for need in test["needs"] if need not in can)
        uses = {use for expected in test["expect"] for use in expected["answer"].get("answers", {})}
        if uses and not any(f"page:{use}" in can for use in uses):
            missing += sorted(f"page:{use}" for use in uses)
        if missing:
            results.append({"id": test["id"], "outcome": "skip", "why": "needs " + ", ".join(missing), "needs": missing})
            continue
        if end is not None:
            results.append({"id": test["id"], "outcome": "ended"})
            continue
        question = {"kind": test["kind"], **{key: value for key, value in ask.items() if key not in BODIES}}
        for key in BODIES:
            if key in ask:
                question[key] = {"base64": base64.b64encode(suite.body(ask[key])).decode()}
        result = program.ask(question)
        results.append({"id": test["id"], **result})
        failures = failures + 1 if result["outcome"] in ("crash", "timeout", "garbage") else 0
        if give_up and failures >= give_up:
            end = f"gave up after {failures} questions in a row without an answer; the last: {result['outcome']}: {result['why']}"
        elif failures and isinstance(program, Program):
            try:
                program.start()
            except Broken as broken:
                end = str(broken)
    program.stop()
    return {
        "format": 1,
        "suite": suite.version,
        "implementation": program.hello["implementation"],
        "can": sorted(can),
        "seconds": round(time.monotonic() - started, 2),
        "restarts": program.restarts,
        **({"ended": end} if end is not None else {}),
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

    `held` is None if the question was not asked, because the program does not meet its needs or the run ended. A question that
    the program declines although it meets the needs is not held. `line_held` is None if there is no line to compare.
    """
    for row in result["results"]:
        test = suite.tests.get(row["id"])
        if test is None:
            continue
        for document, level, statement, readings, answers in suite.judged(test):
            held = line_held = None
            if row["outcome"] != "ended" and not row.get("needs"):
                right = [answer for answer in answers if fits(test["kind"], row, answer, result["can"])]
                held = bool(right) and row["outcome"] == "answer"
                if held and row.get("line") is not None:
                    line_held = any(answer.get("line") == row["line"] for answer in right)
            yield test, document, level, statement, readings, held, line_held


def tally(suite, result):
    """Returns {document: {"MUST": [sentences held, sentences, tests held, tests asked, tests not asked], ...}}.

    A sentence is held if a question that shows it was asked, and none is answered otherwise. Sentences that were never asked
    about count, too, so leaving questions out never improves a score. Questions that cite a reading count under "choices", and
    lines under "lines".
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
            of = sentences[document, key]
            known = of.get(statement)
            of[statement] = known if held is None else held if known is None else known and held
        if line_held is not None:
            tests[document, "lines"][0] += line_held
            tests[document, "lines"][1] += 1
    out = {document: {} for document in suite.documents}
    for (document, key), (held, asked, left) in tests.items():
        of = sentences.get((document, key), {})
        out[document][key] = [sum(value is True for value in of.values()), len(of), held, asked, left]
    return out


def failures(suite, result, documents, levels=DECIDES):
    """Returns the ids of the tests of these documents and levels that are not held."""
    return sorted(
        {
            test["id"]
            for test, document, level, _, readings, held, _ in judge(suite, result)
            if document in documents and level in levels and not readings and held is False
        }
    )
