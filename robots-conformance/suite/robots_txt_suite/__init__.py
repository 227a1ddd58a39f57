"""The robots.txt test suite: questions from the documents of the Robots Exclusion Protocol, and a runner for any program.

Needs Python 3.9 and nothing else. PROTOCOL.md describes what a program reads and writes.
"""

import base64
import collections
import hashlib
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
        self.version = self.data["suite"]["version"]
        self.documents = [document["id"] for document in self.data["documents"]]
        self.statements = {statement["id"]: statement for statement in self.data["statements"]}
        self.tests = {test["id"]: test for test in self.data["tests"]}

    def body(self, name):
        """Returns the bytes of a file."""
        file = self.data["files"][name]
        if "base64" in file:
            return base64.b64decode(file["base64"])
        return b"".join(base64.b64decode(piece["base64"]) * piece["times"] for piece in file["pieces"])

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


def canonical(value):
    """Returns the text over which ids are computed: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def level_of(statement):
    """Returns the level of a test that shows a statement."""
    keyword = statement["keyword"]
    return "TEXT" if keyword == "" else keyword.replace(" NOT", "").upper()


#: The words of each keyword (RFC 2119). Documents other than RFCs have them in lower case.
WORDS = {
    "MUST": ("must", "shall", "required"),
    "SHOULD": ("should", "recommended"),
    "MAY": ("may", "can", "optional", "not required"),
}


def words_of(suite):
    """Yields statements whose keyword is not among the words that they quote."""
    for statement in suite.statements.values():
        words = WORDS.get(statement["keyword"].replace(" NOT", ""), ())
        quote = " ".join(statement.get("quote", "").lower().split())
        if words and quote and not any(word in quote for word in words):
            yield f"{statement['id']}: its keyword {statement['keyword']} is not among the words that it quotes"


def problems(suite):
    """Yields what is wrong with a release: sums, ids, levels, references."""
    yield from words_of(suite)
    sums = suite.folder / "SHA256SUMS"
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        yield f"SHA256SUMS: {error.strerror}"
        lines = []
    for line in lines:
        digest, _, name = line.partition("  ")
        try:
            found = hashlib.sha256((suite.folder / name).read_bytes()).hexdigest()
        except OSError as error:
            yield f"{name}: {error.strerror}"
        else:
            if found != digest:
                yield f"{name}: differs from the released file"
    for name, file in suite.data["files"].items():
        body = suite.body(name)
        digest = hashlib.sha256(body).hexdigest()
        if digest != file["sha256"] or len(body) != file["length"] or not digest.startswith(name):
            yield f"file {name}: its bytes are not those of its digest"
    ledger = {}
    try:
        rows = (suite.folder / "ids.tsv").read_text(encoding="utf-8").splitlines()[1:]
    except OSError as error:
        yield f"ids.tsv: {error.strerror}"
        rows = []
    for row in rows:
        columns = row.split("\t")
        if len(columns) != 5:
            yield f"ids.tsv: not five columns: {row}"
        elif columns[0] in ledger:
            yield f"ids.tsv: {columns[0]} is used twice"
        else:
            ledger[columns[0]] = columns
    seen = set()
    for test in suite.data["tests"]:
        identity = test["id"]
        digest = hashlib.sha256(canonical([test["kind"], test["ask"]]).encode()).hexdigest()[:9]
        if identity[1:] != digest:
            yield f"{identity}: the id is not that of the question"
        if identity in seen:
            yield f"{identity}: the id is used twice"
        seen.add(identity)
        if rows and (identity not in ledger or ledger[identity][2]):
            yield f"{identity}: ids.tsv does not have it, or has it as retired"
        for file in (test["ask"].get(key) for key in ("file", "html", "rendered")):
            if file is not None and file not in suite.data["files"]:
                yield f"{identity}: the file {file} is missing"
        documents = [document for expected in test["expect"] for document in expected["documents"]]
        for expected in test["expect"]:
            for document, demand in expected["documents"].items():
                unknown = [cite for cite in demand["cites"] if cite not in suite.statements]
                if unknown:
                    yield f"{identity}: {unknown[0]} is not a statement"
                    continue
                level = level_of(suite.statements[demand["cites"][0]]) if demand["cites"] else "NONE"
                if demand["level"] != level:
                    yield f"{identity}: its level under {document} is {demand['level']}, but the sentence says {level}"
        if test["kind"] == "verdict" and len(set(documents)) != len(documents):
            answers = collections.defaultdict(set)
            for expected in test["expect"]:
                for document in expected["documents"]:
                    answers[document].add(expected["answer"].get("decision"))
            for document, decisions in answers.items():
                if len(decisions) > 1:
                    yield f"{identity}: two answers under {document}"
