"""Answers rows for implementations in Python: `answer.py protego` or `answer.py urllib`.

The first line on stdout has the version; after that, each line of JSON on stdin gets one line. README.md describes the lines.
"""

import json
import sys


def protego():
    from importlib.metadata import version

    from protego import Protego

    def allowed(body, agent, url):
        # Takes text, so what the file is decoded with is the caller's choice.
        return Protego.parse(body.decode("utf-8", "replace")).can_fetch(url, agent)

    return version("protego"), ["rfc9309"], allowed


def urllib_robotparser():
    import platform
    import urllib.robotparser

    def allowed(body, agent, url):
        # As its own `read` does, except that bytes that are not UTF-8 do not raise an error.
        parser = urllib.robotparser.RobotFileParser()
        parser.parse(body.decode("utf-8", "replace").splitlines())
        return parser.can_fetch(agent, url)

    # Which document it follows changed within 3.14, and its own text says so.
    text = urllib.robotparser.__doc__ or ""
    claims = ["rfc9309"] if "9309" in text else ["koster-1996"]
    return "of Python " + platform.python_version(), claims, allowed


def answer(row, allowed):
    agents = row["agents"]
    if len(agents) != 1:
        return {"unasked": "several names of one crawler"}
    if row["url"] is None:
        return {"unasked": "text that is not an absolute URL"}
    try:
        return {"allowed": bool(allowed(bytes.fromhex(row["body"]), agents[0], row["url"]))}
    except Exception as error:  # whatever it raises is its answer
        return {"error": f"raises {type(error).__name__}: {error}"}


def main():
    version, claims, allowed = {"protego": protego, "urllib": urllib_robotparser}[sys.argv[1]]()
    print(json.dumps({"version": version, "claims": claims}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), allowed)), flush=True)


if __name__ == "__main__":
    main()
