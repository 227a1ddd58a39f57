"""Which crawlers do the sites of an archive disallow? With DuckDB: ``duck.py WARC``."""

import sys

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from robots_exclusion_arrow import Captures, decide

AGENTS = ["GPTBot", "CCBot", "ExampleBot"]


def batches(file):
    """Returns decisions as a stream, so that memory does not grow with the archive."""
    for captures in map(pa.record_batch, Captures(file)):
        good = pc.equal(pc.divide(captures["status"], 100), 2).fill_null(False)
        yield pa.record_batch(decide(captures["body"].filter(good), AGENTS, ["/"]))


def shares(file):
    """Returns for each agent: agent, captures, disallowed captures."""
    stream = batches(file)
    first = next(stream, None)
    if first is None:
        return []
    rest = (batch for part in ([first], stream) for batch in part)
    decisions = pa.RecordBatchReader.from_batches(first.schema, rest)
    connection = duckdb.connect()
    connection.register("decisions", decisions)
    return connection.sql(
        "SELECT agent::VARCHAR AS agent, count(*), count(*) FILTER (NOT allowed) FROM decisions GROUP BY 1 ORDER BY 1"
    ).fetchall()


if __name__ == "__main__":
    for row in shares(sys.argv[1]):
        print(*row, sep="\t")
