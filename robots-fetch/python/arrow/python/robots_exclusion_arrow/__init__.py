"""Decides about whole archives of robots.txt files over Arrow.

>>> import pyarrow as pa
>>> from robots_exclusion_arrow import decide
>>> bodies = pa.array([b"User-agent: *\\nDisallow: /private\\n", b"<html>"])
>>> table = pa.record_batch(decide(bodies, ["ExampleBot"], ["/private"]))
>>> table.select(["body", "allowed", "line", "html"]).to_pylist()
[{'body': 0, 'allowed': False, 'line': 2, 'html': False}, {'body': 1, 'allowed': True, 'line': None, 'html': True}]
"""

from ._arrow import Captures, decide

__all__ = ["Captures", "decide"]
