"""The other side of the wire: answers of servers, played to any HTTP client, which is judged by what it asks for.

The server is the client's HTTP proxy on loopback, so every host name of a test reaches it without DNS, ports or root. Each
test has host names of its own, so what a client keeps from one test can't answer another.
"""

import http.server
import socket
import struct
import threading
import time
import urllib.parse

from . import SCORED, Mistake

#: Failures that can be played over HTTP: how the connection ends.
FAILURES = {
    "reset": "reset", "incomplete": "incomplete", "chunking": "chunking", "invalid-response": "invalid",
    "timeout": "silence",
}
#: The page with links to all URLs, for crawlers that follow links.
SEED = "http://seed.test/"


class Probe:
    """A test with one choice of its statuses and failures, under a host of its own."""

    def __init__(self, suite, test, document, answers, decisions, number):
        self.test, self.document, self.answers = test, document, answers
        self.host = f"{test['id']}-{number}.test"
        self.control = f"http://control-{test['id']}-{number}.test/page"
        #: (URL, whether it may be asked for).
        self.urls = [(f"http://{self.host}{path}", allow) for allow, path in decisions]
        self.chain, self.asked = [f"http://{self.host}/robots.txt"], set()
        self.bodies = [suite.body(answer["file"]) if "file" in answer else b"" for answer in answers]

    def answer(self, url):
        """Returns the answer of a URL of the chain, and its body; each Location adds the next URL."""
        if url not in self.chain:
            return None, b""
        index = self.chain.index(url)
        if index >= len(self.answers):
            return None, b""
        answer = self.answers[index]
        location = next((field.split(":", 1)[1].strip() for field in answer.get("fields", []) if field.lower().startswith("location:")), None)
        if location is not None and index + 1 == len(self.chain):
            target = urllib.parse.urljoin(url, location)
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ("http", "https"):
                self.chain.append(target)
        return answer, self.bodies[index]

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


def numbers(spans):
    """Returns the first, a middle and the last number of spans such as `500-599`."""
    all_numbers = []
    for span in spans:
        first, _, last = str(span).partition("-")
        all_numbers.extend(range(int(first), int(last or first) + 1))
    return sorted({all_numbers[0], all_numbers[len(all_numbers) // 2], all_numbers[-1]})


def probes(suite, document):
    """Returns the probes of a document, and (id, why) of the tests that can't be played."""
    played, left = [], []
    for test in suite.tests.values():
        if test["kind"] != "exchange":
            continue
        demanded = [(demand["level"], expected) for expected in test["expect"] for of, demand in expected["documents"].items() if of == document]
        scored = [expected for level, expected in demanded if level in SCORED and not expected["readings"]]
        if not scored:
            continue
        decisions = paths(scored[0]["answer"])
        why = None
        if not decisions:
            why = "it has no URL to ask for"
        elif "ftp" in test["needs"] or "cross-origin-knowledge" in test["needs"]:
            why = "it needs FTP or knowledge of another site"
        elif any("https://" in field for answer in test["ask"]["answers"] for field in answer.get("fields", [])):
            why = "it needs TLS"
        elif "origin" in test["ask"]:
            why = "it needs an origin of its own"
        if why is None:
            for number, answers in enumerate(variants(test["ask"]["answers"])):
                if any(answer.get(key) not in (None, *FAILURES) for answer in answers for key in ("fails", "breaks")):
                    continue
                played.append(Probe(suite, test, document, answers, decisions, number))
        else:
            left.append((test["id"], why))
    return played, left


def paths(answer):
    """Returns the decisions of an answer as (allowed, path)."""
    found = []
    for decision in answer.get("decisions", []):
        words = decision.split()
        if len(words) >= 2 and words[1].startswith("/") and words[1] != "/robots.txt":
            found.append((words[0] == "allow", words[1]))
    if not found and answer.get("access") in ("everything", "nothing"):
        found.append((answer["access"] == "everything", "/page"))
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

    def __init__(self, played, silence):
        self.by_host = {}
        for probe in played:
            self.by_host[probe.host] = probe
            self.by_host[urllib.parse.urlsplit(probe.control).netloc] = probe
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

    def links(self):
        return [url for probe in self.played for url in [*(url for url, _ in probe.urls), probe.control]]

    def serve(self, handler):
        url = handler.path
        self.log.append((round(time.time(), 3), url))
        parts = urllib.parse.urlsplit(url)
        if url == SEED:
            page = "".join(f'<a href="{link}">x</a>\n' for link in self.links())
            return self.send(handler, 200, [("Content-Type", "text/html")], f"<html><body>{page}</body></html>".encode())
        probe = self.by_host.get(parts.netloc) or next((probe for probe in self.played if url in probe.chain), None)
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
        out.append({"id": probe.test["id"], "host": probe.host, "held": held, "words": words})
    return out


def commands(template, links):
    """Yields the commands of a client. `%seed%` is the page with all links; `%url%` stands for one URL in each command."""
    if any("%seed%" in word for word in template):
        yield [word.replace("%seed%", SEED) for word in template]
    elif any("%url%" in word for word in template):
        for link in links:
            yield [word.replace("%url%", link) for word in template]
    else:
        raise Mistake("the client's arguments have neither %seed% nor %url%; add one where the client expects a URL")
