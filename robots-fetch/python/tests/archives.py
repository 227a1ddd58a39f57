"""WARC files for tests, and the ``robots`` command."""

import gzip
import random
import subprocess

from robots_exclusion.__main__ import command as path_of_command


def record(url, status, body, kind="response"):
    """Returns a WARC record."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n\r\n".encode()
    block = head + body
    fields = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
    return fields.encode() + f"Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def bodies(rng):
    """Iterates over bodies without end: files, pages, other bytes, and empty ones."""
    names = ["*", "GPTBot", "CCBot", "Googlebot", "ExampleBot"]
    while True:
        kind = rng.random()
        if kind < 0.1:
            yield b"<!DOCTYPE html><html><title>404</title></html>"
        elif kind < 0.15:
            yield rng.randbytes(200)
        elif kind < 0.18:
            yield b""
        else:
            lines = []
            for _ in range(rng.randrange(1, 6)):
                lines.append(f"User-agent: {rng.choice(names)}")
                if rng.random() < 0.1:
                    lines.append("Sitemap: https://example.com/map.xml")
                    continue
                for _ in range(rng.randrange(0, 8)):
                    path = "/" + "/".join(rng.choice("abcdef") for _ in range(rng.randrange(0, 4)))
                    lines.append(f"{rng.choice(['Allow', 'Disallow'])}: {path}")
            yield "\n".join(lines).encode()


def write_archive(path, captures, seed=1):
    """Writes an archive: one gzip member for each record, some of them cut, and some with other statuses and types."""
    rng = random.Random(seed)
    source = bodies(rng)
    with open(path, "wb") as file:
        for index in range(captures):
            status = 200 if rng.random() < 0.9 else rng.choice([301, 404, 503])
            kind = "response" if rng.random() < 0.95 else "request"
            member = gzip.compress(record(f"https://site{index}.example/robots.txt", status, next(source), kind), 1)
            if rng.random() < 0.01:
                member = member[: rng.randrange(1, len(member))]
            file.write(member)


def command():
    """Returns a function that runs the command and iterates over its lines, or ``None`` without the command."""
    path = path_of_command()
    if path is None:
        return None

    def run(*arguments):
        process = subprocess.Popen([path, *map(str, arguments)], stdout=subprocess.PIPE, text=True, errors="replace")
        has_error = False
        for line in process.stdout:
            has_error |= line.startswith("error\t")
            yield line.rstrip("\n")
        assert process.wait() in ((2,) if has_error else (0, 1))

    return run
