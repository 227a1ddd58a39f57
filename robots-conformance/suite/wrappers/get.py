"""Requests a URL if a program allows it, as the client of `serve`: `get.py URL PROGRAM ARGUMENTS`.

The program gets the URL as its last argument, and allows it with exit status 0. Without a program, the parser of the standard
library decides.
"""

import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import urllib.robotparser


def allowed(url, program):
    if program:
        return subprocess.run([*program, url], stdout=subprocess.DEVNULL, check=False).returncode == 0
    parts = urllib.parse.urlsplit(url)
    parser = urllib.robotparser.RobotFileParser(f"{parts.scheme}://{parts.netloc}/robots.txt")
    try:
        parser.read()
    except (OSError, ValueError):
        return False
    return parser.can_fetch("ExampleBot", url)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: get.py URL [PROGRAM ARGUMENTS]")
    url, *program = sys.argv[1:]
    if allowed(url, program):
        try:
            urllib.request.urlopen(url, timeout=10).read()
        except urllib.error.HTTPError:
            pass


if __name__ == "__main__":
    main()
