"""Who obeys a robots.txt? With PySpark, over lines of an access log in Parquet: ``spark_logs.py ROBOTS PARQUET...``.

The column ``line`` has the lines. What concerns one request is found in ``mapInArrow``; what concerns the order of requests is a window, which
is exact however the lines are distributed. The figures are those of ``robots log``.
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

from robots_exclusion_arrow import identify, judge, parse_log

SCHEMA = "time timestamp, crawler string, target string, method string, status int, disallowed boolean, line long"
DAY = 86_400


def requests(history, log_format="combined"):
    """Returns a function that makes requests of known crawlers out of batches of lines."""
    schema = pa.schema(
        [
            ("time", pa.timestamp("us", "UTC")),
            ("crawler", pa.string()),
            ("target", pa.string()),
            ("method", pa.string()),
            ("status", pa.int32()),
            ("disallowed", pa.bool_()),
            ("line", pa.int64()),
        ]
    )

    def convert(batches):
        for batch in batches:
            parsed = pa.table(pa.record_batch(parse_log(batch["line"], log_format)))
            crawlers = pa.record_batch(identify(parsed["agent"]))
            parsed = parsed.append_column("crawler", crawlers["crawler"])
            parsed = parsed.filter(pc.equal(crawlers["kind"], "known"))
            crawler = parsed["crawler"].cast(pa.string())
            verdicts = pa.record_batch(judge(crawler, parsed["target"], parsed["time"], history))
            found = pa.table({**{name: parsed[name] for name in ("time", "target", "method", "status")}, "crawler": crawler})
            found = found.append_column("disallowed", verdicts["disallowed"]).append_column("line", verdicts["line"])
            yield from found.select(schema.names).cast(schema).to_batches()

    return convert


def figures(lines, history, log_format="combined"):
    """Returns a row for each crawler: requests, share that breaks the file, reads per day, and gaps."""
    found = lines.select("line").mapInArrow(requests(history, log_format), SCHEMA)
    is_robots = F.col("target") == "/robots.txt"
    is_page = F.col("target").startswith("/") & ~is_robots
    is_read = is_robots & (F.col("method") == "GET") & (F.col("status").between(200, 299) | (F.col("status") == 304))
    seconds = F.unix_millis("time") / 1000
    before = Window.partitionBy("crawler").orderBy("time")
    found = (
        found.withColumn("is_page", F.coalesce(is_page, F.lit(False)))
        .withColumn("is_read", F.coalesce(is_read, F.lit(False)))
        .withColumn("gap", seconds - F.lag(seconds).over(before))
        .withColumn("last_read", F.last(F.when(F.col("is_read"), seconds), True).over(before))
        .withColumn("age", seconds - F.col("last_read"))
    )
    return found.groupBy("crawler").agg(
        F.count("*").alias("requests"),
        F.count_if("is_page").alias("checked"),
        F.count_if(F.col("is_page") & F.col("disallowed")).alias("disallowed"),
        (F.count_if(F.col("is_page") & F.col("disallowed")) / F.count_if("is_page")).alias("share"),
        F.count_if("is_read").alias("read"),
        (F.count_if("is_read") / F.count_distinct(F.to_date("time"))).alias("reads_per_day"),
        F.count_if(F.col("is_page") & (F.col("age") <= DAY)).alias("fresh_of_its_own"),
        F.count("gap").alias("gaps"),
        F.expr("percentile_disc(0.5) WITHIN GROUP (ORDER BY gap)").alias("median_gap"),
    )


if __name__ == "__main__":
    session = SparkSession.builder.appName("robots.txt").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    with open(sys.argv[1], "rb") as file:
        versions = [(None, None, file.read())]
    figures(session.read.parquet(*sys.argv[2:]), versions).orderBy(F.desc("disallowed")).show(50, truncate=False)
