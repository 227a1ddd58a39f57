"""Loopback sites for tests."""

import contextlib
import http.server
import threading
import time


class Site:
    """A site with a robots.txt of your choice. It records the paths that were requested with their times, and the fields of the
    last request for a robots.txt."""

    def __init__(self, answer, pages=None):
        """``answer`` is called with the path of each request for a robots.txt, and returns status, fields and body. ``pages`` has
        such a function for the paths of other requests; those that it has not are a page without rules."""
        self.requests = []
        self.times = []
        self.fields = {}
        self._lock = threading.Lock()
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with site._lock:
                    site.requests.append(self.path)
                    site.times.append(time.monotonic())
                if self.path.startswith("/robots.txt"):
                    site.fields = dict(self.headers)
                    status, fields, body = answer(self.path)
                elif self.path in (pages or {}):
                    status, fields, body = pages[self.path](self.path)
                else:
                    status, fields, body = 200, {}, b"<html><body>page</body></html>"
                if status is None:
                    # The connection is closed without an answer.
                    self.close_connection = True
                    return
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    for name, value in fields.items():
                        self.send_header(name, value)
                    if "Content-Length" not in fields:
                        self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def says(status, body=b"", **fields):
    """Returns an answer that is always the same."""
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    return lambda _: (status, fields, body)


def after(seconds, answer):
    """Returns an answer that takes this time."""

    def slow(path):
        time.sleep(seconds)
        return answer(path)

    return slow
