"""Answers questions of the suite for parsers in Python: `python.py urllib`, `python.py protego` or `python.py robotspy`.

`python.py lines NAME VERSION LANGUAGE DOCUMENT COMMAND...` asks a program in another language, which needs no JSON: it reads lines
with the file, the crawler and the URL in base64, each after a `=`, and answers each with `1` or `0`.

`python.py pages NAME VERSION LANGUAGE DOCUMENT USES COMMAND...` asks a program about pages: it reads lines with the fields (one a
line), the HTML and the crawler in base64, and answers each with words such as `index=no`, one for each use in USES (`index,follow`).
"""

import base64
import json
import platform
import subprocess
import sys
from importlib import metadata


def urllib_robotparser():
    import urllib.robotparser

    def allowed(body, agent, url):
        # As its own `read` does, but bytes that are not UTF-8 raise no error.
        parser = urllib.robotparser.RobotFileParser()
        parser.parse(body.decode("utf-8", "replace").splitlines())
        return parser.can_fetch(agent, url)

    # Late releases of 3.13 and 3.14 follow RFC 9309, and their own text says so.
    follows = "rfc9309" if "9309" in (urllib.robotparser.__doc__ or "") else "koster-1996"
    return "urllib.robotparser", "CPython " + platform.python_version(), follows, allowed


def protego():
    from protego import Protego

    def allowed(body, agent, url):
        return Protego.parse(body.decode("utf-8", "replace")).can_fetch(url, agent)

    return "protego", metadata.version("protego"), "rfc9309", allowed


def robotspy():
    from robots import RobotsParser

    def allowed(body, agent, url):
        return RobotsParser.from_string(body.decode("utf-8", "replace")).can_fetch(agent, url)

    return "robotspy", metadata.version("robotspy"), "rfc9309", allowed


def lines(name, version, language, document, *command):
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def allowed(body, agent, url):
        words = (b"=" + base64.b64encode(text) for text in (body, agent.encode(), url.encode()))
        program.stdin.write(b" ".join(words) + b"\n")
        program.stdin.flush()
        answer = program.stdout.readline()
        if answer not in (b"0\n", b"1\n"):
            raise RuntimeError(f"{name} answered {answer!r}")
        return answer == b"1\n"

    return (name, version, document, allowed), language


def pages(name, *command):
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answers(message):
        fields = "\n".join(f"{key}: {value}" for key, value in message["fields"]).encode("latin-1")
        html = base64.b64decode(message["html"]["base64"]) if "html" in message else b""
        words = (b"=" + base64.b64encode(text) for text in (fields, html, "".join(message["agents"]).encode()))
        program.stdin.write(b" ".join(words) + b"\n")
        program.stdin.flush()
        line = program.stdout.readline().decode()
        if not line:
            raise RuntimeError(f"{name} ended")
        return dict(word.split("=") for word in line.split())

    return answers


def main():
    choices = {"urllib": urllib_robotparser, "protego": protego, "robotspy": robotspy}
    language = "Python"
    # All take text and a URL; what else they can be asked is in PROTOCOL.md.
    can = ["verdict", "url", "odd-agent", "bytes", "nul", "byte-order-mark", "long-line"]
    if len(sys.argv) == 2 and sys.argv[1] in choices:
        name, version, document, allowed = choices[sys.argv[1]]()
    elif len(sys.argv) > 6 and sys.argv[1] == "lines":
        (name, version, document, allowed), language = lines(*sys.argv[2:])
    elif len(sys.argv) > 7 and sys.argv[1] == "pages":
        name, version, language, document, uses, *command = sys.argv[2:]
        allowed = pages(name, *command)
        can = ["page", "fields", "html", "odd-agent", *(f"page:{use}" for use in uses.split(","))]
    else:
        sys.exit(f"usage: python.py {'|'.join(choices)}|lines NAME VERSION LANGUAGE DOCUMENT COMMAND...|pages NAME VERSION LANGUAGE DOCUMENT USES COMMAND...")
    me = {"name": name, "version": version, "language": language, "documents": document.split(",")}
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            answer = {"protocol": 1, "implementation": me, "can": can}
        elif message["cmd"] == "stop":
            break
        else:
            answer = {"seq": message["seq"]}
            try:
                if message["kind"] == "page":
                    answer["answers"] = allowed(message)
                    print(json.dumps(answer), flush=True)
                    continue
                body = base64.b64decode(message["file"]["base64"])
                answer["allow"] = bool(allowed(body, message["agents"][0], message["target"]))
            except Exception as error:  # what it raises is its answer
                answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
