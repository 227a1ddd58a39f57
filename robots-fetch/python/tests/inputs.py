"""Bodies that are not robots.txt files, and texts that are not URLs: those that the tests of the command read."""

import json
from pathlib import Path

_FILE = Path(__file__).parents[2] / "command" / "tests" / "cli" / "inputs.json"
_FOUND = json.loads(_FILE.read_text(encoding="utf-8"))

#: Each body with its kind, and a part of what people read about it.
BODIES = [(body["bytes"].encode("latin-1"), body["kind"], body["shown"]) for body in _FOUND["bodies"]]


def names(decision, kind, shown):
    """Returns whether a decision says what the body is. An empty file is one that opens everything, as its author may want."""
    return decision.allowed and (shown in str(decision) if kind != "empty" else str(decision) == "allowed: no group applies")


TEXTS = _FOUND["texts"]

assert len(BODIES) >= 20 and len(TEXTS) >= 8
