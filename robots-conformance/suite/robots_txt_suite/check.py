"""Checks of a release: whether it is whole, and does not contradict itself."""

import collections
import hashlib
import json
import re

from . import PAGE, strict
from .schema import errors

#: The words of each keyword (RFC 2119). Documents other than RFCs have them in lower case.
WORDS = {
    "MUST": ("must", "shall", "required"),
    "SHOULD": ("should", "recommended"),
    "MAY": ("may", "can", "optional", "not required"),
}
#: Folders and files that programs leave in a release.
LEFT = re.compile(r"(^|/)(\.|__pycache__/|node_modules/)")
#: The needs of questions.
NEEDS = frozenset(
    "bytes byte-order-mark clock cross-origin-knowledge failures fields ftp groups-together html http long-line no-wildcard "
    "not-modified nul odd-agent odd-url rendered robots-txt several-agents size-limit unencoded-url url".split()
)
#: The uses of a page, and their answers.
USES = {
    **{use: "yes|no" for use in ("follow", "archive", "images", "translate", "available")},
    **{use: "yes" for use in ("noai", "noimageai", "url only")},
    **{use: "allowed|disallowed|title and snippet" for use in ("training", "answers", "search")},
    "index": "yes|no|only embedded",
    "snippet": "none|[0-9]+", "video": "none|[0-9]+",
    "image preview": "none|standard|large",
    "until": "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "tdm": "reserved|not reserved", "tdm policy": r"\S+",
}
#: A span of time in answers, such as `1d 12h`.
SPAN = "[0-9]+[smhd]( [0-9]+[smhd])*"
RETRIEVAL = {
    "access": "rules|nothing|everything", "again": SPAN, "lasts": SPAN, "stale": SPAN,
    "class": "success|unavailable|unreachable|restricted|throttled", "cause": "[a-z-]+",
    "cut": bool, "html": bool, "bytes": int, "decisions": list, "facts": dict, "requests": list,
}
#: The keys of the answers to each kind of question, and what their values look like.
ANSWERS = {
    "verdict": {"decision": "allow|disallow", "line": int, "reason": "rule|no-rule|no-group|robots-txt"},
    "selection": {"basis": "named|wildcard|none", "groups": list, "rules": list},
    "reading": {"lines": list, "deviations": list, "dropped": int, "skipped": int},
    "grammar": {"conforms": bool, "departs": int},
    "token": {"valid": bool, "accepted": bool, "can_be_named": bool, "substring": bool, "names": str, "taken_as": str},
    "records": {"others": list, "sitemaps": list},
    "location": {"refused": bool, "robots_url": r"\S+", "unicode_host": r"\S+"},
    "scope": {"applies": bool},
    "exchange": RETRIEVAL,
    "timeline": {**RETRIEVAL, "due": bool, "fresh": bool},
    "page": {"answers": dict, "sources": dict},
}


def canonical(value):
    """Returns the text over which ids and digests are computed: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(value, digits):
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:digits]


def level_of(statement):
    """Returns the level of a test that shows a statement."""
    keyword = statement["keyword"]
    return "TEXT" if keyword == "" else keyword.replace(" NOT", "").upper()


def problems(suite):
    """Yields what is wrong with a release."""
    yield from sums(suite.folder)
    of_schema = list(schema(suite))
    yield from of_schema
    if of_schema:
        # What follows reads the data as the schema describes it.
        return
    yield from statements(suite)
    yield from files(suite)
    yield from table(suite)
    rows = ledger(suite)
    yield from rows.pop(None, [])
    seen = set()
    for test in suite.data["tests"]:
        if test["id"] in seen:
            yield f"{test['id']}: the id is used twice"
        seen.add(test["id"])
        for problem in of_test(suite, test, rows):
            yield f"{test['id']}: {problem}"
    for identity, (_, _, retired, _, _, name) in rows.items():
        if not retired and identity not in seen:
            yield f"{identity}: ids.tsv has it ({name}), and suite.json does not"
    order = [place(suite, test) for test in suite.data["tests"]]
    for test, before, own in zip(suite.data["tests"][1:], order, order[1:]):
        if own < before:
            yield f"{test['id']}: not in the order of the tables"
            break


def sums(folder):
    """Yields how the files differ from the list of their sums, which has to name all of them."""
    text = read(folder / "SHA256SUMS")
    if isinstance(text, str):
        yield text
        return
    listed = set()
    for line in text.decode("utf-8", "replace").splitlines():
        expected, separator, name = line.partition("  ")
        if not separator or not re.fullmatch("[0-9a-f]{64}", expected) or name.startswith("/") or ".." in name.split("/"):
            yield f"SHA256SUMS: not a line of a sum and a name: {line[:100]}"
            continue
        if name in listed:
            yield f"SHA256SUMS: {name} is there twice"
        listed.add(name)
        found = read(folder / name)
        if isinstance(found, str):
            yield found
        elif hashlib.sha256(found).hexdigest() != expected:
            yield f"{name}: differs from the released file"
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    for name in sorted(present - listed - {"SHA256SUMS"}):
        if not LEFT.search(name):
            yield f"{name}: not in SHA256SUMS, so it is not a part of the release"


def read(path):
    """Returns the bytes of a file, or why there are none."""
    try:
        return path.read_bytes()
    except OSError as error:
        return f"{path.name}: {error.strerror}"


def schema(suite):
    text = read(suite.folder / "suite.schema.json")
    if isinstance(text, str):
        yield text
        return
    try:
        of = strict(text)
        if of.get("properties", {}).get("format") != {"const": 1} or "test" not in of.get("$defs", {}):
            raise ValueError("it does not describe format 1")
        yield from (f"suite.json: {error}" for error in errors(of, suite.data))
    except (ValueError, AttributeError) as error:
        yield f"suite.schema.json: {error}"
    version = read(suite.folder / "VERSION")
    if version != suite.version.encode() + b"\n":
        yield f"VERSION: not that of suite.json, {suite.version}"


def twice(what, items):
    for identity, count in collections.Counter(item["id"] for item in items).items():
        if count > 1:
            yield f"{identity}: two {what} have this id"


def statements(suite):
    """Yields statements that contradict themselves, or that are not judged."""
    yield from twice("statements", suite.data["statements"])
    yield from twice("documents", suite.data["documents"])
    yield from twice("readings", suite.data["readings"])
    for statement in suite.data["statements"]:
        name = statement["id"]
        if statement["document"] not in suite.documents or not name.startswith(statement["document"] + "/"):
            yield f"{name}: {statement['document']} is not its document"
        words = WORDS.get(statement["keyword"].replace(" NOT", ""), ())
        quote = " ".join(statement.get("quote", "").lower().split())
        if words and not quote:
            yield f"{name}: its keyword {statement['keyword']} has no quote"
        elif words and not any(re.search(rf"\b{word}\b", quote) for word in words):
            yield f"{name}: its keyword {statement['keyword']} is not among the words that it quotes"
        elif (statement["keyword"] == "unverified") == bool(quote):
            yield f"{name}: " + ("it is unverified, but has a quote" if quote else "it has no quote, and is not unverified")
    shown = {
        statement
        for test in suite.data["tests"]
        for _, level, statement, readings, _ in suite.judged(test)
        if level in ("MUST", "SHOULD") and not readings
    }
    text = read(suite.folder / "judgements.tsv")
    if isinstance(text, str):
        yield text
        return
    judged = {line.split("\t")[0] for line in text.decode("utf-8", "replace").splitlines()[1:]}
    for statement in sorted(shown - judged):
        yield f"{statement}: judgements.tsv does not have it"


def used(value):
    """Yields the names of the files of a question."""
    if isinstance(value, dict):
        for key, of in value.items():
            if key in ("file", "html", "rendered") and isinstance(of, str):
                yield of
            else:
                yield from used(of)
    elif isinstance(value, list):
        for of in value:
            yield from used(of)


def files(suite):
    """Yields files that are not what their entries say, and those of `files/` that are not the same."""
    names = {name for test in suite.data["tests"] for name in used(test["ask"])}
    for name in sorted(set(suite.data["files"]) - names):
        yield f"file {name}: no question uses it"
    folder = suite.folder / "files"
    for name, file in suite.data["files"].items():
        try:
            body = suite.body(name)
        except ValueError:
            yield f"file {name}: not base64"
            continue
        found = hashlib.sha256(body).hexdigest()
        if found != file["sha256"] or len(body) != file["length"] or not found.startswith(name):
            yield f"file {name}: its bytes are not those of its digest"
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            text = None
        if "base64" in file and file.get("text") != text:
            yield f"file {name}: its text is not that of its bytes"
        if folder.is_dir() and read(folder / name) != body:
            yield f"files/{name}: differs from suite.json"
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in suite.data["files"]:
            yield f"files/{path.name}: suite.json does not have it"


def escaped(text, also):
    return "".join(f"\\x{ord(c):02X}" if c in also or ord(c) < 32 or 127 <= ord(c) < 160 else c for c in text)


def table(suite):
    """Yields the first line in which verdicts.tsv differs from suite.json."""
    rows = ["id\tdocument\tlevel\treadings\tneeds\tagents\turl\tdecision\tline\tfile"]
    for test in suite.data["tests"]:
        if test["kind"] != "verdict":
            continue
        ask = test["ask"]
        agents = ",".join(escaped(agent, "\\,") for agent in ask["agents"])
        for expected in test["expect"]:
            for document, demand in sorted(expected["documents"].items()):
                cells = [
                    test["id"], document, demand["level"], ",".join(expected["readings"]), ",".join(sorted(test["needs"])), agents,
                    escaped(ask["target"] or "", "\\"), expected["answer"]["decision"], str(expected["answer"]["line"]), ask["file"],
                ]
                rows.append("\t".join(cells))
    text = read(suite.folder / "verdicts.tsv")
    if isinstance(text, str):
        yield text
        return
    found, wanted = text.split(b"\n"), [row.encode() for row in [*rows, ""]]
    for number, (one, other) in enumerate(zip(found, wanted), 1):
        if one != other:
            yield f"verdicts.tsv: line {number} differs from suite.json"
            return
    if len(found) != len(wanted):
        yield f"verdicts.tsv: {len(found) - 1} lines instead of {len(wanted) - 1}"


def ledger(suite):
    """Returns the columns of `ids.tsv` by id, and its problems by None."""
    out, wrong = {}, []
    text = read(suite.folder / "ids.tsv")
    if isinstance(text, str):
        return {None: [text]}
    head, *rows = text.decode("utf-8", "replace").removesuffix("\n").split("\n")
    if head != "id\tsince\tretired\twhy\tdigest\tname":
        return {None: ["ids.tsv: not the columns id, since, retired, why, digest, name"]}

    def number(version):
        return [int(part) for part in version.split(".")] if re.fullmatch(r"[0-9]{4}\.[0-9]{2}\.[0-9]+", version) else None

    own = number(suite.version)
    for row in rows:
        columns = row.split("\t")
        if len(columns) != 6:
            wrong.append(f"ids.tsv: not six columns: {row}")
            continue
        identity, since, retired, why, _, _ = columns
        if identity in out:
            wrong.append(f"ids.tsv: {identity} is used twice")
        if bool(retired) != bool(why):
            wrong.append(f"ids.tsv: {identity} is retired without a reason, or the other way round")
        for version in filter(None, (since, retired)):
            if number(version) is None or number(version) > own:
                wrong.append(f"ids.tsv: {identity}: {version} is not a version up to this one")
        out[identity] = columns
    return {**out, None: wrong}


def place(suite, test):
    """Returns the place of the table of a test."""
    document, table, _ = (*test["names"][0].split("/", 2), "", "")[:3]
    return suite.documents.index(document) if document in suite.documents else -1, table + ".toml"


def of_test(suite, test, rows):
    """Yields what is wrong with a test."""
    kind, ask = test["kind"], test["ask"]
    if kind not in ANSWERS:
        yield f"the kind {kind} is not known"
        return
    if test["id"][1:] != digest([kind, ask], 9):
        yield "the id is not that of the question"
    cited = sorted({cite for expected in test["expect"] for demand in expected["documents"].values() for cite in demand["cites"]})
    for cite in cited:
        if cite not in suite.statements:
            yield f"{cite} is not a statement"
            return
    row = rows.get(test["id"])
    if row is None or row[2]:
        yield "ids.tsv does not have it, or has it as retired"
    elif row[4] != digest([test, [suite.statements[cite] for cite in cited]], 16):
        yield "it differs from what ids.tsv records: its answers, levels, needs, or the sentences that it cites"
    elif row[5] != test["names"][0]:
        yield "ids.tsv has another name"
    for name in used(ask):
        if name not in suite.data["files"]:
            yield f"the file {name} is missing"
            return
        try:
            suite.body(name)
        except ValueError:
            # Reported with the files.
            return
    yield from of_needs(suite, test)
    if kind == "verdict":
        path = ask.get("path", "")
        target = ask.get("url", suite.data["defaults"]["origin"] + path if path.startswith("/") else None)
        if ask["target"] != target:
            yield "the target is not that of its path or URL"
    answers = collections.defaultdict(list)
    for expected in test["expect"]:
        for reading in expected["readings"]:
            if not any(reading == known["id"] for known in suite.data["readings"]):
                yield f"{reading} is not a reading"
        for document, demand in expected["documents"].items():
            yield from of_demand(suite, document, demand, expected["readings"])
            answers[document].append(expected["answer"])
        of = [expected["answer"], *({**expected["answer"], **other} for other in expected.get("accept", []))]
        for answer in of:
            yield from of_answer(suite, test, answer)
        if kind == "verdict" and len({answer["decision"] for answer in of}) > 1:
            yield "both decisions are right, so that it shows nothing"
    for document, of in answers.items():
        for one in of[1:]:
            for key in one:
                if key != "decisions" and key in of[0] and one[key] != of[0][key]:
                    yield f"two answers under {document}"


def of_demand(suite, document, demand, readings):
    if document not in suite.documents:
        yield f"{document} is not a document"
    for cite in demand["cites"]:
        if suite.statements[cite]["document"] != document:
            yield f"{cite} is not of {document}"
    if not demand["cites"] and not readings:
        yield f"it cites nothing for {document}"
    level = level_of(suite.statements[demand["cites"][0]]) if demand["cites"] else "NONE"
    if demand["level"] != level:
        yield f"its level under {document} is {demand['level']}, but the sentence says {level}"


def of_needs(suite, test):
    """Yields needs that are not known, or do not follow from the question."""
    kind, ask = test["kind"], test["ask"]
    for need in test["needs"]:
        if need not in NEEDS:
            yield f"the need {need} is not known"
    wanted = {}
    if "file" in ask:
        body = suite.body(ask["file"])
        try:
            wanted["bytes"] = body.decode("utf-8") is None
        except UnicodeDecodeError:
            wanted["bytes"] = True
        wanted["nul"], wanted["byte-order-mark"] = b"\0" in body, body.startswith(b"\xef\xbb\xbf")
        wanted["size-limit"] = len(body) > 500 << 10
        wanted["long-line"] = any(len(line) > 16 << 10 for line in body.split(b"\n"))
    if kind in ("verdict", "selection", "page"):
        agents = ask["agents"]
        wanted["several-agents"] = len(agents) > 1
        wanted["odd-agent"] = not all(re.fullmatch("[A-Za-z_-]*", agent) for agent in agents)
        wanted["groups-together"], wanted["no-wildcard"] = ask.get("together") is True, ask.get("ignores_wildcard") is True
    if kind == "verdict":
        wanted["url"] = "url" in ask
        written = ask.get("url", ask.get("path", ""))
        wanted["unencoded-url"] = not all("!" <= c <= "~" and c not in '"<>\\^`{|}' for c in written)
        if ask["target"] is None:
            wanted["odd-url"] = True
    if kind == "page":
        wanted.update({"fields": bool(ask["fields"]), "html": "html" in ask, "rendered": "rendered" in ask, "clock": "now" in ask})
        wanted.update({"not-modified": bool(ask.get("not_modified")), "robots-txt": "file" in ask})
    if kind in ("exchange", "timeline"):
        wanted.update({"http": True, "clock": kind == "timeline", "cross-origin-knowledge": "disallowed" in ask})
    for need, is_wanted in wanted.items():
        if is_wanted != (need in test["needs"]):
            yield f"the question {'has' if is_wanted else 'does not have'} the need {need}"


def of_answer(suite, test, answer):
    """Yields words of an answer that are not known, and parts that contradict each other."""
    kind, ask = test["kind"], test["ask"]
    if kind == "timeline":
        if len(answer.get("steps", [])) != len(ask["steps"]):
            yield "the question and the answer have different numbers of steps"
        for step in answer.get("steps", []):
            yield from of_words(ANSWERS[kind], step)
            yield from of_access(step)
        return
    if not answer:
        yield "an answer is empty"
    yield from of_words(ANSWERS[kind], answer)
    if kind == "exchange":
        yield from of_access(answer)
    if kind == "verdict":
        lines = len(re.split(b"\r\n|\r|\n", suite.body(ask["file"])))
        if answer["line"] > lines:
            yield f"line {answer['line']} is beyond the end of the file"
    if kind == "page":
        for use, value in answer["answers"].items():
            if use not in USES or not re.fullmatch(USES[use], value):
                yield f"{use}: {value} is not an answer about a page"
            elif PAGE.get(use) == value and use != "available":
                yield f"{use}: {value} is the answer of a page that says nothing"


def of_words(known, answer):
    for key, value in answer.items():
        form = known.get(key)
        fits = form is not None and (
            isinstance(value, str) and re.fullmatch(form, value) is not None if isinstance(form, str) else type(value) is form
        )
        if not fits:
            yield f"{key}: {value} is not an answer to this kind of question"


def of_access(answer):
    """Yields decisions that contradict the access."""
    opposite = {"everything": "disallow", "nothing": "allow"}.get(answer.get("access"))
    for decision in answer.get("decisions", []):
        words = decision.split(" ")
        if words[0] not in ("allow", "disallow") or len(words) < 2:
            yield f"{decision} is not a decision"
        elif words[0] == opposite and words[1] != "/robots.txt":
            yield f"{decision} contradicts the access to {answer['access']}"
