# Counts the questions of a document: python3 read.py FOLDER DOCUMENT
import sys

folder, document = sys.argv[1:]
count = allowed = 0
for line in open(folder + "/verdicts.tsv", encoding="utf-8").read().split("\n")[1:-1]:
    identity, of, level, readings, needs, agents, url, decision, number, file = line.split("\t")
    if of == document and level in ("MUST", "SHOULD", "TEXT") and not readings and not needs:
        body = open(folder + "/files/" + file, "rb").read()  # Ask your parser about `body`, `agents` and `url` here.
        count, allowed = count + 1, allowed + (decision == "allow")
print(document, count, "questions,", allowed, "allowed")
