"""Which crawlers do the sites of an archive disallow? With PySpark: ``spark.py WARC...``.

Each task reads WARC files as streams, and decides about all captures for all agents in one call.
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from robots_exclusion_arrow import Captures, decide

AGENTS = ["GPTBot", "CCBot", "ExampleBot"]
SCHEMA = "file string, agent string, allowed boolean, line long, basis string, html boolean, accidental_group boolean, damage string"


def decisions(batches):
    """Returns a row for each capture and agent, and a row for each damaged record, of the files that the batches name."""
    schema = pa.schema(
        [
            ("file", pa.string()),
            ("agent", pa.string()),
            ("allowed", pa.bool_()),
            ("line", pa.int64()),
            ("basis", pa.string()),
            ("html", pa.bool_()),
            ("accidental_group", pa.bool_()),
            ("damage", pa.string()),
        ]
    )
    for batch in batches:
        for file in batch["file"].to_pylist():
            for captures in map(pa.record_batch, Captures(file)):
                captures = pa.table(captures)
                good = pc.equal(pc.divide(captures["status"], 100), 2).fill_null(False)
                found = pa.table(pa.record_batch(decide(captures["body"].filter(good), AGENTS, ["/"])))
                found = found.append_column("file", pa.array([file] * len(found), pa.string()))
                found = found.append_column("damage", pa.nulls(len(found), pa.string()))
                yield from found.select(schema.names).cast(schema).to_batches()
                damaged = captures.filter(captures["damage"].is_valid())
                rows = [{"file": file, "damage": text} for text in damaged["damage"].to_pylist()]
                yield from pa.Table.from_pylist(rows, schema).to_batches()


def shares(spark, files):
    """Returns how many captures disallow each agent, and how many records are damaged."""
    partitions = max(1, min(len(files), 1000))
    named = spark.createDataFrame([(file,) for file in files], "file string").repartition(partitions)
    found = named.mapInArrow(decisions, SCHEMA)
    return found.groupBy("agent").agg(
        F.count("allowed").alias("captures"),
        F.count_if(~F.col("allowed")).alias("disallowed"),
        F.count_if(~F.col("allowed") & F.col("accidental_group")).alias("by_accident"),
        F.count("damage").alias("damaged"),
    )


if __name__ == "__main__":
    session = SparkSession.builder.appName("robots.txt").getOrCreate()
    shares(session, sys.argv[1:]).orderBy("agent").show()
