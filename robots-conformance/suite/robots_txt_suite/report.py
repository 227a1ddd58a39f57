"""Results of several programs side by side, by the sentences of the documents."""

import collections
import html as escaping
import json

from . import PAGE, SCORED
from . import run as runs


def name(result):
    me = result["implementation"]
    return f"{me['name']} {me['version']}".strip()


def by_sentence(suite, results):
    """Returns {(document, statement): [{"held", "asked", "tests": {id: answer}} for each result]}."""
    table = collections.OrderedDict()
    for index, result in enumerate(results):
        rows = {row["id"]: row for row in result["results"]}
        for test, document, level, statement, readings, held, _ in runs.judge(suite, result):
            if readings or statement is None or level not in SCORED:
                continue
            cells = table.setdefault((document, statement), [None] * len(results))
            if cells[index] is None:
                cells[index] = {"held": 0, "asked": 0, "differs": {}}
            if held is not None:
                cells[index]["asked"] += 1
                cells[index]["held"] += held
                if not held:
                    cells[index]["differs"][test["id"]] = said(rows[test["id"]])
    order = {statement: number for number, statement in enumerate(suite.statements)}
    return dict(sorted(table.items(), key=lambda item: (suite.documents.index(item[0][0]), order[item[0][1]])))


def page(answers):
    """Returns answers about a page in words: those that are not the default."""
    return ", ".join(f"{use}: {value}" for use, value in answers.items() if value != PAGE.get(use)) or "nothing"


def said(row):
    """Returns an answer in words."""
    if row["outcome"] == "answer" and "answers" in row:
        return page(row["answers"])
    if row["outcome"] == "answer":
        return ("allow" if row["allow"] else "disallow") + (f" (line {row['line']})" if row.get("line") else "")
    if row["outcome"] == "skip":
        return "nothing, though it meets the needs: " + row["why"]
    return row["outcome"] + (f": {row['why']}" if row.get("why") else "")


def right_words(answer):
    return answer["decision"] if "decision" in answer else page(answer["answers"])


def failure(suite, row, documents):
    """Returns a question that is not held on one line: what was answered, and what the documents expect."""
    test = suite.tests[row["id"]]
    right = {
        right_words(answer) + (f" (line {answer['line']})" if answer.get("line") else "")
        for document, _, _, _, answers in suite.judged(test)
        if document in documents
        for answer in answers
    }
    text = f"{test['id']} {test['names'][0]}: answered {said(row)}; expected {' or '.join(sorted(right))}"
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def claims(result):
    return result["implementation"].get("documents") or []


def scores_asked(suite, result):
    """Yields (document, {level: (sentences held, sentences, tests held, tests)}) of each document that was asked about."""
    counts = runs.tally(suite, result)
    for document in suite.documents:
        scores = {level: tuple(counts[document][level][:4]) for level in (*SCORED, "choices") if level in counts[document]}
        if any(tests for _, _, _, tests in scores.values()):
            yield document, scores


def as_json(suite, results):
    out = []
    for result in results:
        scores = dict(scores_asked(suite, result))
        out.append({"implementation": result["implementation"], "scores": scores})
    return json.dumps({"suite": suite.version, "results": out}, indent=1) + "\n"


def disagreements(suite, results):
    """Yields (document, statement, cells) for sentences on which programs that claim the document differ, most first."""
    found = []
    for (document, statement), cells in by_sentence(suite, results).items():
        wrong = [
            index
            for index, cell in enumerate(cells)
            if cell and cell["differs"] and document in claims(results[index])
        ]
        if wrong:
            found.append((len(wrong), document, statement, cells))
    found.sort(key=lambda row: -row[0])
    for _, document, statement, cells in found:
        yield document, statement, cells


def markdown(suite, results):
    out = [
        "| implementation | document | MUST | SHOULD | text | unverified | choices of this project |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for result in results:
        for document, scores in scores_asked(suite, result):
            cells = []
            for level in SCORED:
                sentences, of, held, asked = scores.get(level, (0, 0, 0, 0))
                cells.append(f"{sentences} of {of} ({held} of {asked})" if asked else "")
            _, _, held, asked = scores.get("choices", (0, 0, 0, 0))
            mark = "**" if document in claims(result) else ""
            out.append(f"| {name(result)} | {mark}{document}{mark} | {' | '.join(cells)} | {held} of {asked} |")
    out += ["", "| document | sentence | differs | a question | answer |", "| --- | --- | --- | --- | --- |"]
    for document, statement, cells in disagreements(suite, results):
        for index, cell in enumerate(cells):
            if cell and cell["differs"] and document in claims(results[index]):
                identity, answer = next(iter(cell["differs"].items()))
                test = suite.tests[identity]
                question = f"`{identity}` {test['names'][0]}"
                out.append(f"| {document} | {statement} | {name(results[index])}, {len(cell['differs'])} of {cell['asked']} | {question} | {answer.replace('|', ' ')} |")
    return "\n".join(out) + "\n"


STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
blockquote { margin: .3rem 0; padding-left: .8rem; border-left: 3px solid; }
.yes::before { content: "✓ "; } .no::before { content: "✗ "; } .claimed { font-weight: 600; }
code { overflow-wrap: anywhere; } pre { overflow-x: auto; }
"""


def html(suite, results):
    e = escaping.escape
    out = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>robots.txt implementations by sentences</title><style>{STYLE}</style>",
        "<h1>robots.txt implementations by sentences</h1>",
        f"<p>Suite {e(suite.version)}. A sentence is held (✓) if no question that shows it is answered otherwise. Questions "
        "that show only a permission (MAY), and choices of the suite where words are unclear, are not scored. "
        "Documents that an implementation claims to follow are bold.</p>",
        "<h2>Scores</h2><table><thead><tr><th scope=col>implementation<th scope=col>document"
        "<th scope=col>MUST<th scope=col>SHOULD<th scope=col>text<th scope=col>unverified<th scope=col>choices</thead><tbody>",
    ]
    for result in results:
        for document, scores in scores_asked(suite, result):
            mark = " class=claimed" if document in claims(result) else ""
            out.append(f"<tr><th scope=row>{e(name(result))}<td{mark}>{e(document)}")
            for level in SCORED:
                sentences, of, held, asked = scores.get(level, (0, 0, 0, 0))
                out.append(f"<td class=n>{sentences} of {of} sentences<br>{held} of {asked} tests")
            _, _, held, asked = scores.get("choices", (0, 0, 0, 0))
            out.append(f"<td class=n>{held} of {asked}")
    out.append("</tbody></table><h2>Disagreements</h2>")
    for document, statement, cells in disagreements(suite, results):
        text = suite.statements[statement]
        out.append(f"<h3>{e(document)}, {e(statement.split('/')[1])} {e(text['keyword'])}</h3>")
        out.append(f"<blockquote>{e(text.get('quote', text['says']))}</blockquote><ul>")
        for index, cell in enumerate(cells):
            if not cell or not cell["differs"] or document not in claims(results[index]):
                continue
            identity, answer = next(iter(cell["differs"].items()))
            test = suite.tests[identity]
            ask = test["ask"]
            body = "\n".join(f"{field}: {value}" for field, value in ask.get("fields", []))
            body += "".join(suite.body(ask[key])[:400].decode("utf-8", "backslashreplace") for key in runs.BODIES if key in ask)
            right = sorted({right_words(answer) for doc, _, _, _, answers in suite.judged(test) if doc == document for answer in answers})
            agents = e(", ".join(ask["agents"])) or "a crawler"
            question = f"what does this page ask of {agents}?" if test["kind"] == "page" else f"may {agents} access <code>{e(str(ask['target']))}</code>?"
            out.append(
                f"<li>{e(name(results[index]))}: {len(cell['differs'])} of {cell['asked']} tests differ. For example "
                f"<code>{identity}</code>: {question} "
                f"It says {e(answer)}, the document {e(' or '.join(right))}.<pre>{e(body)}</pre>"
            )
        out.append("</ul>")
    out.append("<h2>All sentences</h2><table><thead><tr><th scope=col>sentence<th scope=col>words")
    out += [f"<th scope=col>{e(name(result))}" for result in results]
    out.append("</thead><tbody>")
    for (document, statement), cells in by_sentence(suite, results).items():
        text = suite.statements[statement]
        out.append(f"<tr><th scope=row>{e(statement)}<td>{e(text['keyword'])} {e(text.get('quote', text['says']))}")
        for cell in cells:
            if not cell or not cell["asked"]:
                out.append("<td>not asked")
            else:
                mark = "yes" if cell["held"] == cell["asked"] else "no"
                out.append(f"<td class={mark}>{cell['held']} of {cell['asked']}")
    out.append("</tbody></table></html>\n")
    return "\n".join(out)
