"""Requests a URL if a program allows it, as the client of `serve`: `get.py URL PROGRAM ARGUMENTS`.

The program gets the URL as its last argument, and allows it with exit status 0. Without a program, the parser of the standard
library decides.
"""

import os
import socket
import subprocess
import sys


def allowed(url, program):
    if program:
        return subprocess.run([*program, url], stdout=subprocess.DEVNULL, check=False).returncode == 0
    # Imported here, because this program is started for each URL.
    import http.client
    import urllib.parse
    import urllib.robotparser

    parts = urllib.parse.urlsplit(url)
    parser = urllib.robotparser.RobotFileParser(f"{parts.scheme}://{parts.netloc}/robots.txt")
    try:
        parser.read()
    except (OSError, ValueError, http.client.HTTPException):
        return False
    return parser.can_fetch("ExampleBot", url)


def get(url):
    """Requests a URL from the proxy of the environment. The answer does not matter."""
    host, _, port = os.environ["http_proxy"].rpartition("://")[2].rstrip("/").partition(":")
    name = url.split("/", 3)[2]
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(f"GET {url} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
        while connection.recv(4096):
            pass


def main():
    if len(sys.argv) < 2 or "http_proxy" not in os.environ:
        sys.exit("usage: get.py URL [PROGRAM ARGUMENTS], with the proxy in http_proxy")
    url, *program = sys.argv[1:]
    if allowed(url, program):
        get(url)


if __name__ == "__main__":
    main()
