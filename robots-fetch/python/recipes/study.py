"""Which share of sites disallows AI crawlers, and is it on purpose? ``study.py FOLDER_OR_WARC [PLOT]``.

A folder of robots.txt files is packed as an archive first, so that the study is the same as for a crawl. Prints a table in
Markdown, and writes a plot.
"""

import gzip
import sys
import tempfile
import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from robots_exclusion_arrow import Captures, decide

#: The catalogue of crawlers of the repository.
CATALOGUE = Path(__file__).parents[3] / "robots-match" / "src" / "catalogue" / "crawlers.toml"
#: The crawlers of the catalogue that collect data for artificial intelligence, or fetch pages for it.
CRAWLERS = [
    entry["name"]
    for entry in tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))["crawler"]
    if entry["purpose"].startswith("ai-")
]
#: The most crawlers of the plot.
SHOWN = 20
#: Why the root is disallowed.
KINDS = ["named", "everyone", "accident"]


def pack(folder, path):
    """Writes the files of a folder as a WARC file, one gzip member for each."""
    with open(path, "wb") as out:
        for file in sorted(Path(folder).iterdir()):
            body = file.read_bytes()
            fields = f"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://{file.name}/robots.txt\r\n"
            out.write(gzip.compress(f"{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n", 1))


def study(warc):
    """Returns the number of files, that of HTML pages among them, and for each crawler the number of files by kind."""
    files, pages, found = 0, 0, {crawler: dict.fromkeys(KINDS, 0) for crawler in CRAWLERS}
    for captures in map(pa.record_batch, Captures(warc)):
        bodies = captures["body"].drop_null()
        decisions = pa.table(pa.record_batch(decide(bodies, CRAWLERS, ["/"])))
        files += len(bodies)
        pages += pc.sum(decisions["html"]).as_py() // len(CRAWLERS)
        for row in decisions.filter(pc.invert(decisions["allowed"])).to_pylist():
            named = "named" if row["basis"] == "named" else "everyone"
            found[row["agent"]]["accident" if row["accidental_group"] else named] += 1
    return files, pages, found


def table(files, found):
    lines = ["| crawler | a group names it | a group for all | an accidental group | together |", "| --- | --- | --- | --- | --- |"]
    for crawler, kinds in sorted(found.items(), key=lambda item: -sum(item[1].values())):
        shares = [f"{100 * count / files:.2f} %" for count in [*kinds.values(), sum(kinds.values())]]
        lines.append(f"| {crawler} | {' | '.join(shares)} |")
    return "\n".join(lines)


def plot(files, found, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "robots", "svg.fonttype": "none", "font.size": 9})
    import matplotlib.pyplot as plt

    order = sorted(found, key=lambda crawler: sum(found[crawler].values()))[-SHOWN:]
    figure, axes = plt.subplots(figsize=(7, 5))
    left = [0.0] * len(order)
    labels = ["by a group that names it", "by a group for all crawlers", "by an accidental group"]
    for kind, label, color in zip(KINDS, labels, ["#1f4e79", "#8fb4d9", "#d9822b"]):
        widths = [100 * found[crawler][kind] / files for crawler in order]
        axes.barh(order, widths, left=left, label=label, color=color)
        left = [start + width for start, width in zip(left, widths)]
    axes.set_xlabel(f"% of {files} robots.txt files that disallow /")
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(source, target=None):
    with tempfile.TemporaryDirectory() as folder:
        warc = source
        if Path(source).is_dir():
            warc = Path(folder) / "archive.warc.gz"
            pack(source, warc)
        files, pages, found = study(warc)
    print(f"{files} files, {pages} of them HTML pages\n")
    print(table(files, found))
    if target:
        plot(files, found, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
