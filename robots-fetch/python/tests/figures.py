"""Prints the figures of the README: `figures.py [speed] [sizes] [archive]`. `cargo xtask python --figures` runs it."""

import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.robotparser
from pathlib import Path

import archives

from robots_exclusion import Robots
from robots_exclusion.__main__ import command

CORPUS = Path(os.environ.get("ROBOTS_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))


def median(measure, runs=7):
    return statistics.median(measure() for _ in range(runs))


def bodies():
    """Returns files of the corpus, or files like them."""
    folder = CORPUS / "sites"
    if folder.is_dir():
        return [path.read_bytes() for path in sorted(folder.iterdir())[::4]]
    import random

    source = archives.bodies(random.Random(1))
    return [next(source) for _ in range(500)]


def speed():
    """Compares reading a file up to the first answer for one crawler, and further answers."""
    from protego import Protego

    raw = bodies()
    texts = [body.decode("utf-8", "replace") for body in raw]
    lines = [text.splitlines() for text in texts]

    def of_urllib(lines):
        parser = urllib.robotparser.RobotFileParser()
        parser.parse(lines)
        return parser

    ways = {
        "robots-exclusion": (raw, Robots, lambda robots, url: robots.can_fetch("ExampleBot", url)),
        "protego": (texts, Protego.parse, lambda robots, url: robots.can_fetch(url, "ExampleBot")),
        "urllib": (lines, of_urllib, lambda robots, url: robots.can_fetch("ExampleBot", url)),
    }
    urls = [f"https://example.com/{path}" for path in ("", "search?q=1", "a/b/c.html", "images/x.gif", "private/page")]
    print(f"files: {len(raw)}, bytes: {sum(map(len, raw))}")
    for collecting in (True, False):
        (gc.enable if collecting else gc.disable)()
        found = {}
        for name, (sources, parse, ask) in ways.items():

            def reading():
                started = time.perf_counter()
                for source in sources:
                    ask(parse(source), urls[0])
                return (time.perf_counter() - started) / len(sources)

            parsed = [parse(source) for source in sources]
            for robots in parsed:
                ask(robots, urls[0])

            def asking():
                started = time.perf_counter()
                for robots in parsed:
                    for url in urls:
                        ask(robots, url)
                return (time.perf_counter() - started) / len(parsed) / len(urls)

            found[name] = median(reading), median(asking)
        gc.enable()
        for name, times in found.items():
            reading, asking = (f"{1e6 * time:9.2f} us" for time in times)
            factors = [other / own for own, other in zip(found["robots-exclusion"], times)]
            print(f"gc {'on ' if collecting else 'off'} {name:17} parse and first answer {reading} ({factors[0]:5.1f}x)"
                  f"  can_fetch {asking} ({factors[1]:5.1f}x)")


def sizes():
    for wheel in sorted(Path(os.environ.get("ROBOTS_WHEELS", "wheels")).glob("*.whl")):
        print(f"{wheel.stat().st_size / 1e6:6.2f} MB  {wheel.name}")


def archive(captures=100_000):
    """Decides about an archive in Python and with the command, compares counts, and prints time and memory."""
    import pyarrow as pa

    from robots_exclusion_arrow import Captures, decide

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.warc.gz"
        archives.write_archive(path, captures)
        print(f"archive: {captures} records, {path.stat().st_size / 1e6:.1f} MB")
        started, counts, peaks = time.perf_counter(), [0, 0, 0], []
        for number, batch in enumerate(map(pa.record_batch, Captures(path))):
            counts[2] += batch.num_rows - batch["damage"].null_count
            good = [status is not None and status // 100 == 2 for status in batch["status"].to_pylist()]
            allowed = pa.record_batch(decide(batch["body"].filter(pa.array(good)), ["GPTBot"], ["/"]))["allowed"]
            counts[0] += allowed.true_count
            counts[1] += allowed.false_count
            if number % 20 == 9:
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        print(f"python:  allowed, disallowed, damaged: {counts}, {time.perf_counter() - started:.2f} s")
        print(f"python:  peak memory in MiB after 10, 30, ... batches: {[round(peak) for peak in peaks]}")
        robots = command()
        if robots is None:
            print("skipped: the robots command is not installed")
            return
        started, found = time.perf_counter(), [0, 0, 0]
        process = subprocess.Popen([robots, "batch", "--agent", "GPTBot", "--warc", path], stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            fields = line.split("\t")
            found[2 if fields[0] == "error" else int(fields[3] == "disallowed")] += 1
        _, status, usage = os.wait4(process.pid, 0)
        print(f"command: allowed, disallowed, damaged: {found}, {time.perf_counter() - started:.2f} s, "
              f"peak memory {usage.ru_maxrss / 1024:.0f} MiB")
        if found != counts or status:
            sys.exit("error: the counts differ")


def spark(captures=20_000):
    """Compares Spark jobs over an archive: this project, Protego, and a function that does nothing."""
    import pyarrow as pa
    from pyspark.sql import SparkSession

    from robots_exclusion_arrow import Captures, decide

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000").getOrCreate()
    )  # fmt: skip
    source = [body for _ in range(1 + captures // 523) for body in bodies()][:captures]
    frame = session.createDataFrame([(body,) for body in source], "body binary").repartition(8).cache()
    frame.count()
    agents = ["GPTBot", "CCBot", "Googlebot", "ExampleBot"]

    def nothing(batches):
        for batch in batches:
            yield pa.record_batch({"disallowed": pa.array([len(batch)], pa.int64())})

    def ours(batches):
        for batch in batches:
            allowed = pa.record_batch(decide(batch["body"], agents, ["/"]))["allowed"]
            yield pa.record_batch({"disallowed": pa.array([allowed.false_count], pa.int64())})

    def protego(batches):
        from protego import Protego

        for batch in batches:
            count = 0
            for body in batch["body"].to_pylist():
                robots = Protego.parse(body.decode("utf-8", "replace"))
                count += sum(not robots.can_fetch("https://example.com/", agent) for agent in agents)
            yield pa.record_batch({"disallowed": pa.array([count], pa.int64())})

    times = {}
    for function in (nothing, ours, protego):

        def job():
            started = time.perf_counter()
            frame.mapInArrow(function, "disallowed long").agg({"disallowed": "sum"}).collect()
            return time.perf_counter() - started

        job()
        times[function.__name__] = median(job, 3)
    session.stop()
    own, other = times["ours"] - times["nothing"], times["protego"] - times["nothing"]
    print(f"spark, {captures} captures, seconds: {times}; without the job itself: {other / own:.1f}x")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["sizes", "speed", "archive", "spark"]:
        {"speed": speed, "sizes": sizes, "archive": archive, "spark": spark}[name]()
