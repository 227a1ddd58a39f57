"""The other side of the wire: answers of servers, played to any HTTP client, which is judged by what it asks for.

The server is the client's HTTP proxy on loopback, so every host name of a test reaches it without DNS, ports or root. Each
test has host names of its own, so what a client keeps from one test can't answer another. https is played as http.

A timeline has several steps. The clock of the client is set for each, and the client is started again, so it is judged by what it
keeps on disk. A client retrieves robots.txt when it likes: a timeline is judged as long as it retrieves in the steps in which the
timeline has answers, and only there.
"""

import http.server
import pathlib
import re
import shlex
import socket
import struct
import subprocess
import threading
import time
import urllib.parse

from . import DECIDES, Mistake

#: Failures that can be played over HTTP: how the connection ends.
FAILURES = {
    "reset": "reset", "incomplete": "incomplete", "chunking": "chunking", "invalid-response": "invalid",
    "timeout": "silence", "head-too-large": "head", "unknown-coding": "coding", "decoding": "garbage",
}
#: The page with links to all URLs, for crawlers that follow links.
SEED = "http://seed.test/"


class Probe:
    """A test with one choice of its statuses and failures, or a step of a timeline, under a host of its own."""

    def __init__(self, suite, test, counts, answers, decisions, host):
        self.test, self.answers, self.host = test, [played_over_http(answer, host) for answer in answers], host
        #: Whether the result counts. Permissions and choices of the suite do not.
        self.counts = counts
        self.control = f"http://control-{host}/page"
        #: (URL, whether it may be asked for).
        self.urls = [(f"http://{host}{path}", allow) for allow, path in decisions]
        self.chain, self.asked, self.retrieved = [f"http://{host}/robots.txt"], set(), False
        self.bodies = [suite.body(answer["file"]) if "file" in answer else b"" for answer in answers]

    def answer(self, url):
        """Returns the answer of a URL of the chain, and its body; each Location adds the next URL."""
        if url not in self.chain:
            return None, b""
        self.retrieved = True
        index = self.chain.index(url)
        if index >= len(self.answers):
            return None, b""
        answer = self.answers[index]
        location = next((field.split(":", 1)[1].strip() for field in answer.get("fields", []) if field.lower().startswith("location:")), None)
        if location is not None and index + 1 == len(self.chain):
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(url, location))
            if parts.scheme in ("http", "https"):
                # What a client asks for has neither user information nor a fragment.
                self.chain.append(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl())
        return answer, self.bodies[index]

    def is_silent(self):
        return any(FAILURES.get(answer.get(key)) == "silence" for answer in self.answers for key in ("fails", "breaks"))

    def result(self):
        """Returns (held, words); `held` is None if the client did not come far enough to be judged."""
        if self.control not in self.asked:
            return None, "did not run: the control URL was not asked for"
        violations = [url for url, allow in self.urls if not allow and url in self.asked]
        left = [url for url, allow in self.urls if allow and url not in self.asked]
        if violations:
            return False, "asked for what is disallowed: " + violations[0]
        if left:
            return False, "left out what is allowed: " + left[0]
        return True, "held"


class Timeline:
    """A test with several steps, each of which is a probe under the same host."""

    def __init__(self, test, counts, steps):
        self.test, self.counts = test, counts
        #: (seconds since the start, probe, whether a retrieval is expected).
        self.steps, self.current = steps, 0
        self.host, self.control = steps[0][1].host, steps[0][1].control

    @property
    def probe(self):
        return self.steps[self.current][1]

    @property
    def chain(self):
        return self.probe.chain

    @property
    def asked(self):
        return self.probe.asked

    @property
    def urls(self):
        return self.probe.urls

    def answer(self, url):
        return self.probe.answer(url)

    def result(self):
        judged = 0
        for number, (_, probe, expects) in enumerate(self.steps, 1):
            if probe.retrieved != expects:
                break
            if not probe.urls:
                continue
            held, words = probe.result()
            if held is None:
                break
            if not held:
                return False, f"step {number}: {words}"
            judged += number > 1
        if not judged:
            return None, "did not run: its retrievals are not those of the timeline"
        return True, f"held, {judged} of {len(self.steps) - 1} later steps"


def seconds(text):
    """Returns the seconds of a time such as `1d 1h 5m 3s`."""
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    return sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([smhd])", text))


def played_over_http(answer, host):
    """Returns an answer whose redirects stay on hosts of the test: https becomes http, and other hosts end with `host`."""

    def over_http(match):
        user, at, name = match[2].rpartition("@")
        name, _, port = name.lower().partition(":")
        if not re.fullmatch(r"[a-z0-9.-]*[a-z][a-z0-9.-]*", name) or (port and int(port) > 65535):
            return match[0]
        own = host if name == "example.com" else f"{name}.{host}"
        return f"{match[1]}http://{user}{at}{own}" + (f":{port}" if port not in ("", "443", "80") else "")

    def field(text):
        return re.sub(r"(?i)^(location:\s*)(?:https?:)?//([^/?#]*)", over_http, text)

    return {**answer, "fields": [field(text) for text in answer.get("fields", [])]}


def numbers(spans):
    """Returns the first, a middle and the last number of spans such as `500-599`."""
    all_numbers = []
    for span in spans:
        first, _, last = str(span).partition("-")
        all_numbers.extend(range(int(first), int(last or first) + 1))
    return sorted({all_numbers[0], all_numbers[len(all_numbers) // 2], all_numbers[-1]})


def demanded(test, document):
    """Returns the answer that a document expects, and whether it counts; `None` if the test is not about the document."""
    found = [
        (demand["level"] in DECIDES and not expected["readings"] and not test.get("disputed"), expected["answer"])
        for expected in test["expect"]
        for of, demand in expected["documents"].items()
        if of == document
    ]
    # Where the same question is asked by a sentence and by a choice, the sentence counts.
    return max(found, key=lambda pair: pair[0], default=None)


def probes(suite, document):
    """Returns the probes and the timelines of a document, and (id, why) of the tests that can't be played."""
    played, timelines, left = [], [], []
    for test in suite.tests.values():
        demand = demanded(test, document) if test["kind"] in ("exchange", "timeline") else None
        if demand is None:
            continue
        counts, answer = demand
        why = unplayable(test)
        if why is None and test["kind"] == "timeline":
            found = timeline(suite, test, counts, answer)
            timelines += found
            why = None if found else "no step after the first has a URL to ask for, or a failure can't be played over a proxy"
        elif why is None:
            decisions = paths(suite, answer, test["ask"]["answers"])
            found = []
            for number, answers in enumerate(variants(test["ask"]["answers"])):
                if decisions and playable(answers):
                    found.append(Probe(suite, test, counts, answers, decisions, f"{test['id']}-{number}.test"))
            played += found
            why = None if found else "it has no URL to ask for" if not decisions else "its failures can't be played over a proxy"
        if why is not None:
            left.append((test["id"], why))
    return played, timelines, left


def unplayable(test):
    """Returns why a test can't be played at all."""
    if "ftp" in test["needs"] or test["ask"].get("origin", "").startswith("ftp:"):
        return "it needs FTP"
    steps = test["ask"].get("steps", [test["ask"]])
    if any("takes" in answer for step in steps for answer in step.get("answers", [])):
        return "its answer comes late"
    if "cross-origin-knowledge" in test["needs"]:
        return "it needs knowledge of another site"
    if any("agent" in step or "site" in step for step in test["ask"].get("steps", [])):
        return "it needs several crawlers or sites"
    return None


def playable(answers):
    return all(answer.get(key) in (None, *FAILURES) for answer in answers for key in ("fails", "breaks"))


def timeline(suite, test, counts, answer):
    """Returns the timeline of a test as a list of one, or an empty list if it can't be played."""
    steps, last, rules = [], [], []
    for asked, expected in zip(test["ask"]["steps"], answer["steps"]):
        answers = next(iter(variants(asked.get("answers", []))), []) if asked.get("answers") else []
        expects = bool(answers)
        answers = answers or last
        if not playable(answers):
            break
        if any("file" in one for one in answers):
            rules = answers
        steps.append((seconds(asked["at"]), Probe(suite, test, counts, answers, paths(suite, expected, rules), f"{test['id']}.test"), expects))
        last = answers
    return [Timeline(test, counts, steps)] if any(probe.urls for _, probe, _ in steps[1:]) else []


#: A file whose rules nobody reads in another way.
PLAIN = re.compile(rb"(?i)\A(?:#.*\n)*user-agent: \*\n(?:#.*\n)*disallow: (/[a-z]+)\n\Z")


def paths(suite, answer, answers):
    """Returns the decisions of an answer as (allowed, path).

    Without decisions, they follow from the access: all, nothing, or the rules of the file in `answers`, if it has just one.
    """
    found = []
    for decision in answer.get("decisions", []):
        words = decision.split()
        if len(words) >= 2 and words[1].startswith("/") and words[1] != "/robots.txt":
            found.append((words[0] == "allow", words[1]))
    if not found and answer.get("access") in ("everything", "nothing"):
        found.append((answer["access"] == "everything", "/page"))
    if not found and answer.get("access") == "rules":
        bodies = [suite.body(one["file"]) for one in answers if "file" in one]
        plain = PLAIN.match(bodies[-1]) if bodies else None
        if plain is not None:
            found += [(True, "/page"), (False, plain[1].decode())]
    return found


def variants(answers):
    """Yields lists of answers with one status or failure each."""
    counts = [numbers(answer["statuses"]) if "statuses" in answer else answer.get("fails") or answer.get("breaks") or [None] for answer in answers]
    for turn in range(max(len(count) for count in counts)):
        chosen = []
        for answer, choices in zip(answers, counts):
            choice = choices[min(turn, len(choices) - 1)]
            if "statuses" in answer:
                answer = {**answer, "status": choice}
            elif choice is not None:
                answer = {**answer, "fails" if "fails" in answer else "breaks": choice}
            chosen.append(answer)
        if all(answer.get("status", 200) >= 200 for answer in chosen):
            yield chosen


class Proxy:
    """The server. Its `log` has the time and URL of every request."""

    def __init__(self, played, silence, timelines=()):
        self.by_host = {probe.host: probe for probe in [*played, *timelines]}
        self.played, self.silence, self.log = played, silence, []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                proxy.serve(self)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def links(self, played=None):
        """Returns the URLs that a client has to visit, which are those of the seed page from now on."""
        links = [url for probe in played or self.played for url in [*(url for url, _ in probe.urls), probe.control]]
        self.linked = links
        return links

    def probe(self, host):
        """Returns the probe of a host: its own, the one with the control URL, or one that a redirect leads to."""
        host = host.lower().rpartition("@")[2].partition(":")[0]
        own = re.search(r"([a-z][0-9a-f]{9}(?:-\d+)?\.test)$", host)
        return self.by_host.get(own[1]) if own else None

    def serve(self, handler):
        url = handler.path
        self.log.append((round(time.time(), 3), url))
        parts = urllib.parse.urlsplit(url)
        if url == SEED:
            page = "".join(f'<a href="{link}">x</a>\n' for link in self.linked)
            return self.send(handler, 200, [("Content-Type", "text/html")], f"<html><body>{page}</body></html>".encode())
        probe = self.probe(parts.netloc)
        if probe is None:
            return self.send(handler, 404, [], b"")
        answer, body = probe.answer(url)
        if answer is not None:
            return self.play(handler, answer, body)
        probe.asked.add(url)
        if parts.path == "/robots.txt":
            return self.send(handler, 404, [], b"")
        return self.send(handler, 200, [("Content-Type", "text/html")], b"<html><body>page</body></html>")

    def play(self, handler, answer, body):
        fields = [tuple(part.strip() for part in field.split(":", 1)) for field in answer.get("fields", [])]
        failure = FAILURES.get(answer.get("fails"))
        breaks = FAILURES.get(answer.get("breaks"))
        raw = handler.wfile
        handler.close_connection = True
        if breaks is not None:
            # The head says more than the body has; then the connection ends as the test says.
            head = "".join(f"{name}: {value}\r\n" for name, value in fields)
            length = "Transfer-Encoding: chunked\r\n" if breaks == "chunking" else f"Content-Length: {len(body) + 4096}\r\n"
            raw.write(f"HTTP/1.1 {answer.get('status', 200)} OK\r\n{head}{length}\r\n".encode())
            raw.write(b"%x\r\n%s\r\nzz\r\n" % (len(body), body) if breaks == "chunking" else body)
            failure = {"silence": "silence", "reset": "reset"}.get(breaks, "end")
        if failure == "end":
            return
        if failure == "silence":
            time.sleep(self.silence)
        elif failure == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
        elif failure == "incomplete":
            raw.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\nUser-agent: *\n")
        elif failure == "chunking":
            raw.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nUser-agent: *\n")
        elif failure == "head":
            raw.write(b"HTTP/1.1 200 OK\r\n" + b"X-Padding: %s\r\n" % (b"x" * 8000) * 200 + b"\r\n")
        elif failure in ("coding", "garbage"):
            fields = [field for field in fields if field[0].lower() != "content-encoding"]
            coding = "gzip" if failure == "garbage" else "unknown"
            self.send(handler, answer.get("status", 200), [*fields, ("Content-Encoding", coding)], b"\x1f\x8b\x08\x00broken")
        elif failure == "invalid":
            raw.write(b"\x00\x01\x02 this is not HTTP\r\n\r\n")
        else:
            self.send(handler, answer.get("status", 200), fields, body)

    def send(self, handler, status, fields, body):
        try:
            handler.send_response_only(status)
            for name, value in fields:
                handler.send_header(name, value)
            if not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in fields):
                handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            if handler.command != "HEAD" and status not in (204, 304):
                handler.wfile.write(body)
        except OSError:
            pass


def judge(played):
    """Returns the results of all probes by the sentence that each test shows."""
    out = []
    for probe in played:
        held, words = probe.result()
        out.append({"id": probe.test["id"], "host": probe.host, "counts": probe.counts, "held": held, "words": words})
    return out


class Faketime:
    """The clock of a client that runs under libfaketime."""

    def __init__(self, library, file):
        self.file = file
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, offset):
        self.file.write_text(f"+{offset}\n", encoding="utf-8")


class Hook:
    """The clock of a client that a command sets: it gets the seconds since the start as its last argument."""

    environment = {}

    def __init__(self, command):
        self.command = command

    def set(self, offset):
        try:
            subprocess.run([*shlex.split(self.command), str(offset)], check=True, stdout=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Mistake(f"--clock-hook {self.command}: {error}") from None


def commands(template, links):
    """Yields the commands of a client. `%seed%` is the page with all links; `%url%` stands for one URL in each command."""
    if any("%seed%" in word for word in template):
        yield [word.replace("%seed%", SEED) for word in template]
    elif any("%url%" in word for word in template):
        for link in links:
            yield [word.replace("%url%", link) for word in template]
    else:
        raise Mistake("the client's arguments have neither %seed% nor %url%; add one where the client expects a URL")
