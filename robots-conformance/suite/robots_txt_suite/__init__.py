"""The robots.txt test suite: questions from the documents of the Robots Exclusion Protocol, and a runner for any program.

Needs Python 3.9 and nothing else. PROTOCOL.md describes what a program reads and writes.
"""

import base64
import collections
import json
import pathlib

#: The levels that count. A test that only shows a permission (MAY) is reported and never scored. UNVERIFIED are statements
#: about pages of search engines of which no text is stored: they are scored apart from the words of documents.
SCORED = ("MUST", "SHOULD", "TEXT", "UNVERIFIED")
#: The levels that decide whether a program passes: those of sentences that are quoted.
DECIDES = SCORED[:3]
#: The answers about a page that says nothing. Uses that are not listed have no answer.
PAGE = {
    **dict.fromkeys(("index", "follow", "archive", "images", "translate", "available"), "yes"),
    **dict.fromkeys(("url only", "noai", "noimageai"), "no"),
}


class Mistake(Exception):
    """An argument or file that can't be used; the message says what to do."""


def strict(text):
    """Returns the value of JSON in UTF-8. A key that is there twice, NaN, and what is nested too deep are a ValueError, too."""

    def no_constant(name):
        raise ValueError(f"{name} is not JSON")

    def pairs(of):
        value = dict(of)
        if len(value) != len(of):
            twice = next(key for key, count in collections.Counter(key for key, _ in of).items() if count > 1)
            raise ValueError(f"the key {twice} is there twice")
        return value

    try:
        return json.loads(text.decode("utf-8"), object_pairs_hook=pairs, parse_constant=no_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None


class Suite:
    """The data of a release."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        try:
            text = (self.folder / "suite.json").read_bytes()
        except OSError as error:
            raise Mistake(f"{self.folder}: no suite.json: {error.strerror}; name the folder of a release") from None
        try:
            self.data = strict(text)
        except ValueError as error:
            raise Mistake(f"{self.folder / 'suite.json'}: not whole: {error}") from None
        form = self.data.get("format") if isinstance(self.data, dict) else None
        if form != 1:
            raise Mistake(f"{self.folder / 'suite.json'}: format {form} is not known; this runner reads 1")
        try:
            self.version = str(self.data["suite"]["version"])
            self.documents = [document["id"] for document in self.data["documents"]]
            self.statements = {statement["id"]: statement for statement in self.data["statements"]}
            self.tests = {test["id"]: test for test in self.data["tests"]}
        except (KeyError, TypeError) as error:
            raise Mistake(f"{self.folder / 'suite.json'}: not a suite: {type(error).__name__}: {error}") from None

    def body(self, name):
        """Returns the bytes of a file."""
        file = self.data["files"][name]
        if "base64" in file:
            return base64.b64decode(file["base64"], validate=True)
        return b"".join(base64.b64decode(piece["base64"], validate=True) * piece["times"] for piece in file["pieces"])

    def judged(self, test):
        """Yields (document, level, statement, readings, answers) for each document that a test is about.

        `statement` is the sentence that the test shows, and `answers` are all that are right. The level of a disputed test is
        DISPUTED, which never counts.
        """
        for expected in test["expect"]:
            answers = [expected["answer"], *({**expected["answer"], **other} for other in expected.get("accept", []))]
            for document, demand in expected["documents"].items():
                first = demand["cites"][0] if demand["cites"] else None
                yield document, "DISPUTED" if test.get("disputed") else demand["level"], first, expected["readings"], answers
