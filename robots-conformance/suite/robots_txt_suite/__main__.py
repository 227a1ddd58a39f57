"""The command line: `python3 -m robots_txt_suite COMMAND`."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import xml.sax.saxutils as xml

from . import DECIDES, SCORED, Mistake, Suite
from . import report as reports
from . import run as runs
from . import serve as serves
from .check import problems


def parser():
    out = argparse.ArgumentParser(
        prog="robots_txt_suite",
        description="Tests any implementation of robots.txt against the documents.",
    )
    out.add_argument("--suite", default=pathlib.Path(__file__).parent.parent, help="the folder of a release [default: this one]")
    commands = out.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help="ask a program all questions",
        epilog="Exit status: 0 every scored test of the claimed documents that the program can be asked holds, 1 some do not, "
        "2 wrong arguments, 3 the program does not speak the protocol, or the run ended early, 4 nothing was asked, 5 the "
        "failures are not those of --known.",
    )
    run.add_argument("--document", action="append", metavar="NAME", help="score this document [default: those that the program claims]")
    run.add_argument("--program", action="store_true", help="the command answers one question by its exit status: 0 allowed, 10 disallowed, 20 not asked; %%robots%%, %%agent%% and %%url%% are replaced")
    run.add_argument("--name", default="program", help="the name of the implementation, with --program")
    run.add_argument("--can", action="append", default=[], metavar="NEED", help="a need that the program meets, with --program")
    run.add_argument("--known", metavar="FILE", help="ids that are expected to fail, one a line; one that holds is an error, too")
    run.add_argument("--give-up", type=int, default=runs.GIVE_UP, metavar="N", help="end the run after N questions in a row without an answer; 0: never [default: %(default)s]")
    run.add_argument("--out", metavar="FILE", help="write the results as JSON")
    run.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML")
    run.add_argument("--badge", metavar="FILE", help="write a badge as JSON (shields.io endpoint)")
    run.add_argument("argv", nargs="+", metavar="PROGRAM ARGUMENTS", help="after --")
    serve = commands.add_parser(
        "serve",
        help="play answers of servers to an HTTP client, and judge what it asks for",
        epilog="The client gets http_proxy. Its arguments have %%seed%% (a page with links to all URLs, for a crawler) or %%url%% "
        "(one URL; the command is started for each). Exit status: 0 all held, 1 some did not, 2 wrong arguments, 4 nothing ran.",
    )
    serve.add_argument("--document", default="rfc9309", metavar="NAME")
    serve.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="the most time for each command [default: 600]")
    serve.add_argument("--jobs", type=int, default=1, metavar="N", help="how many clients run at the same time, with %%url%% [default: 1]")
    serve.add_argument("--silence", type=float, default=30, metavar="SECONDS", help="how long a silent server is silent [default: 30]")
    clock = serve.add_mutually_exclusive_group()
    clock.add_argument("--faketime", metavar="LIBRARY", help="play timelines, too, with libfaketime (libfaketime.so.1) as the clock of the client")
    clock.add_argument("--clock-hook", metavar="COMMAND", help="play timelines, too; the command gets the seconds since the start as its last argument, and sets the client's clock")
    serve.add_argument("--out", metavar="FILE", help="write the results as JSON")
    serve.add_argument("argv", nargs="+", metavar="CLIENT ARGUMENTS", help="after --")
    commands.add_parser("check", help="check that a release is whole and does not contradict itself")
    show = commands.add_parser("show", help="print a question with its file and the sentences that it shows")
    show.add_argument("id")
    report = commands.add_parser("report", help="write the results of several programs as one page")
    report.add_argument("--html", metavar="FILE")
    report.add_argument("--markdown", metavar="FILE")
    report.add_argument("--json", metavar="FILE")
    report.add_argument("results", nargs="+", metavar="RESULTS.json")
    return out


def main(argv=None):
    arguments = parser().parse_args(argv)
    try:
        suite = Suite(arguments.suite)
        return {"run": run, "check": check, "show": show, "report": report, "serve": serve}[arguments.command](suite, arguments)
    except Mistake as error:
        print(f"robots_txt_suite: {error}", file=sys.stderr)
        return 2
    except runs.Broken as error:
        print(f"robots_txt_suite: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"robots_txt_suite: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2


def run(suite, arguments):
    for document in arguments.document or []:
        if document not in suite.documents:
            raise Mistake(f"--document {document}: not known; use one of {', '.join(suite.documents)}")
    if arguments.program:
        program = runs.Command(arguments.argv, arguments.name, arguments.document or [], ["verdict", *arguments.can])
    else:
        program = runs.Program(arguments.argv, suite.version)
    me = program.hello["implementation"]
    documents = arguments.document or me["documents"]
    unknown = [document for document in documents if document not in suite.documents]
    if not documents or unknown:
        program.stop()
        claims = f"claims the unknown document {unknown[0]}" if unknown else "claims no document"
        raise Mistake(f"the program {claims}; name one with --document")
    result = runs.run(suite, program, arguments.give_up)
    if arguments.out:
        pathlib.Path(arguments.out).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    failed = runs.failures(suite, result, documents)
    asked = sum(not row.get("needs") and row["outcome"] != "ended" for row in result["results"])
    print(f"{me['name']} {me['version']}: {asked} questions in {result['seconds']} s, {result['restarts']} restarts")
    counts = runs.tally(suite, result)
    for document in suite.documents:
        parts = []
        for level in (*SCORED, "MAY", "choices", "DISPUTED", "lines"):
            if level in counts[document]:
                sentences, of, held, asked_of, left = counts[document][level]
                by_sentence = f" ({sentences} of {of} sentences)" if of else ""
                parts.append(f"{level} {held}/{asked_of}{by_sentence}" + (f" {left} not asked" if left else ""))
        if parts:
            print(f"  {document}{' *' if document in documents else ''}: " + "; ".join(parts))
    scored = [
        (held, level in DECIDES)
        for _, document, level, _, readings, held, _ in runs.judge(suite, result)
        if document in documents and level in SCORED and not readings
    ]
    if arguments.junit:
        junit(suite, result, documents, arguments.junit)
    if arguments.badge:
        badge(counts, documents[0], arguments.badge)
    rows = {row["id"]: row for row in result["results"]}
    if "ended" in result:
        for identity in failed:
            print(f"fails: {reports.failure(suite, rows[identity], documents)}")
        left = sum(row["outcome"] == "ended" for row in result["results"])
        print(f"the run ended, with {left} questions not asked: {result['ended']}")
        return 3
    if all(held is None for held, _ in scored) or all(row["outcome"] == "skip" for row in rows.values()):
        print("nothing was asked: list the needs that the program meets in `can`, and answer these questions")
        return 4
    if arguments.known:
        known = pathlib.Path(arguments.known).read_text(encoding="utf-8").split("\n")
        known = {line.split("#")[0].strip() for line in known} - {""}
        for identity in sorted(set(failed) - known):
            print(f"fails, and is not in {arguments.known}: {reports.failure(suite, rows[identity], documents)}")
        for identity in sorted(known - set(failed)):
            print(f"in {arguments.known}, but does not fail: {identity}")
        return 5 if set(failed) != known else 0
    for identity in failed:
        print(f"fails: {reports.failure(suite, rows[identity], documents)}")
    apart = runs.failures(suite, result, documents, ("UNVERIFIED",))
    if apart:
        print(f"unverified, which decides nothing: {len(apart)} tests do not hold")
    deciding = [held for held, decides in scored if decides]
    left = deciding.count(None)
    if not deciding:
        whole = "no statement is quoted, so nothing decides"
    else:
        whole = "passed" if not left else f"passed what it can be asked ({len(deciding) - left} of {len(deciding)})"
    print(f"{', '.join(documents)}: " + (f"{len(failed)} tests do not hold" if failed else whole))
    return 1 if failed else 0


def junit(suite, result, documents, path):
    cases, rows = [], {row["id"]: row for row in result["results"]}
    for test, document, level, _, readings, held, _ in runs.judge(suite, result):
        if document in documents and level in DECIDES and not readings:
            name = xml.quoteattr(f"{test['id']} {test['names'][0]}")
            words = reports.failure(suite, rows[test["id"]], [document])
            inner = "<skipped/>" if held is None else "" if held else f"<failure message={xml.quoteattr(f'{level}: {words}')}/>"
            cases.append(f"<testcase classname={xml.quoteattr(document)} name={name}>{inner}</testcase>")
    text = f'<testsuite name="robots-txt-suite" tests="{len(cases)}">' + "\n".join(cases) + "</testsuite>\n"
    pathlib.Path(path).write_text('<?xml version="1.0" encoding="UTF-8"?>\n' + text, encoding="utf-8")


def badge(counts, document, path):
    sentences, of = counts[document].get("MUST", [0, 0])[:2]
    color = "brightgreen" if of and sentences == of else "orange"
    value = {"schemaVersion": 1, "label": f"{document} MUST", "message": f"{sentences} of {of} sentences", "color": color}
    pathlib.Path(path).write_text(json.dumps(value) + "\n", encoding="utf-8")


class Progress:
    """Says how many of the commands have ended, from time to time."""

    #: Seconds between two lines.
    every = 10

    def __init__(self, total):
        self.total, self.done, self.said, self.lock = total, 0, time.monotonic(), threading.Lock()

    def add(self):
        with self.lock:
            self.done += 1
            if time.monotonic() - self.said >= self.every:
                self.said = time.monotonic()
                print(f"{self.done} of {self.total} commands", file=sys.stderr)


def serve(suite, arguments):
    if arguments.document not in suite.documents:
        raise Mistake(f"--document {arguments.document}: not known; use one of {', '.join(suite.documents)}")
    played, timelines, left = serves.probes(suite, arguments.document)
    folder = tempfile.TemporaryDirectory()
    clock = None
    if arguments.faketime:
        if not pathlib.Path(arguments.faketime).exists():
            raise Mistake(f"--faketime {arguments.faketime}: no such file; install libfaketime, and name its libfaketime.so.1")
        clock = lambda timeline: serves.Faketime(arguments.faketime, pathlib.Path(folder.name, timeline.host))
    elif arguments.clock_hook:
        clock = lambda _: serves.Hook(arguments.clock_hook)
    else:
        left += [(timeline.test["id"], "it needs a clock: --faketime or --clock-hook") for timeline in timelines]
        timelines = []
    # The page with all links is one, and so is the clock that a hook sets.
    has_seed = any("%seed%" in word for word in arguments.argv)
    jobs = 1 if has_seed else max(arguments.jobs, 1)
    proxy = serves.Proxy(played, arguments.silence, timelines)
    environment = {**os.environ, "http_proxy": proxy.url, "HTTP_PROXY": proxy.url, "no_proxy": "", "NO_PROXY": ""}
    first = list(serves.commands(arguments.argv, proxy.links()))
    later = sum(len(list(serves.commands(arguments.argv, proxy.links([timeline])))) * len(timeline.steps) for timeline in timelines)
    proxy.links()
    silent = sum(1 if has_seed else len(probe.urls) + 1 for probe in played if probe.is_silent())
    progress = Progress(len(first) + later)
    print(
        f"{progress.total} commands, {jobs} at a time; servers are silent in {silent} of them, each for {arguments.silence:g} s or until the "
        f"client gives up: up to {silent * arguments.silence / jobs / 60:.0f} minutes of waiting",
        file=sys.stderr,
    )

    def visit(command, more):
        try:
            process = subprocess.Popen(command, env={**environment, **more}, stdout=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            raise Mistake(f"{command[0]}: {error.strerror}") from None
        try:
            process.wait(arguments.timeout)
        except subprocess.TimeoutExpired:
            print(f"the client did not end within {arguments.timeout:g} s", file=sys.stderr)
        finally:
            runs.ended(process)
            progress.add()

    def follow(timeline):
        of_timeline = clock(timeline)
        for number, (offset, _, _) in enumerate(timeline.steps):
            timeline.current = number
            of_timeline.set(offset)
            for command in serves.commands(arguments.argv, proxy.links([timeline])):
                visit(command, of_timeline.environment)

    try:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda command: visit(command, {}), first))
        with concurrent.futures.ThreadPoolExecutor(1 if arguments.clock_hook else jobs) as pool:
            list(pool.map(follow, timelines))
    finally:
        proxy.close()
        folder.cleanup()
    played = [*played, *timelines]
    results = serves.judge(played)
    if arguments.out:
        value = {"suite": suite.version, "document": arguments.document, "client": arguments.argv, "results": results, "not_played": left}
        pathlib.Path(arguments.out).write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    for result in results:
        if not result["held"]:
            choice = "" if result["counts"] else " (a permission or a choice, not counted)"
            print(f"{result['id']} {suite.tests[result['id']]['names'][0]}: {result['words']}{choice}")
    scored = [result["held"] for result in results if result["counts"]]
    others = [result["held"] for result in results if not result["counts"]]
    print(f"{scored.count(True)} of {len(scored)} held, {scored.count(None)} did not run")
    print(f"permissions and choices: {others.count(True)} of {len(others)} as the suite has them, {others.count(None)} did not run")
    for why in sorted({why for _, why in left}):
        print(f"not played: {sum(of == why for _, of in left)}: {why}")
    if scored.count(None) == len(scored):
        return 4
    # A client need not retrieve when a timeline does. But each exchange has its URLs, and the client was sent there.
    missed = any(probe.counts and probe.result()[0] is None for probe in played if isinstance(probe, serves.Probe))
    return 1 if missed or False in scored else 0


def check(suite, _):
    found = list(problems(suite))
    for problem in found:
        print(problem)
    print(f"{len(suite.tests)} questions, {len(suite.data['files'])} files: " + (f"{len(found)} problems" if found else "whole"))
    return 1 if found else 0


def show(suite, arguments):
    test = suite.tests.get(arguments.id)
    if test is None:
        raise Mistake(f"{arguments.id}: not a question of this release")
    print(json.dumps({key: test[key] for key in ("id", "kind", "names", "needs", "ask", "expect")}, indent=1))
    if "file" in test["ask"]:
        body = suite.body(test["ask"]["file"])
        print("\n--- robots.txt" + (f", the first 4096 of {len(body)} bytes" if len(body) > 4096 else ""))
        print("".join(character if character.isprintable() or character == "\n" else repr(character)[1:-1] for character in body[:4096].decode("utf-8", "backslashreplace")))
    cites = [cite for expected in test["expect"] for demand in expected["documents"].values() for cite in demand["cites"]]
    for cite in dict.fromkeys(cites):
        statement = suite.statements[cite]
        print(f"\n{cite} {statement['keyword']}: {statement.get('quote', statement['says'])}")
    readings = {reading["id"]: reading for reading in suite.data["readings"]}
    for name in dict.fromkeys(name for expected in test["expect"] for name in expected["readings"]):
        print(f"\n{name}: {readings[name]['title']}\n{readings[name]['text']}")
    return 0


def report(suite, arguments):
    results = []
    for path in arguments.results:
        try:
            result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise Mistake(f"{path}: not JSON: {error}") from None
        if result.get("suite") != suite.version:
            raise Mistake(f"{path}: results of suite {result.get('suite')}, not {suite.version}; run it again")
        results.append(result)
    for path, write in ((arguments.html, reports.html), (arguments.markdown, reports.markdown), (arguments.json, reports.as_json)):
        if path:
            pathlib.Path(path).write_text(write(suite, results), encoding="utf-8")
    if not (arguments.html or arguments.markdown or arguments.json):
        sys.stdout.write(reports.markdown(suite, results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
