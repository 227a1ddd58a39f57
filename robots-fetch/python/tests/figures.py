"""Prints the figures of the README: `figures.py [sizes] [speed] [facts] [columns] [archive] [spark]`. `cargo xtask python --figures` runs it."""

import gc
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.robotparser
import zipfile
from pathlib import Path

import archives

from robots_exclusion import Robots
from robots_exclusion.__main__ import command

CORPUS = Path(os.environ.get("ROBOTS_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))


#: Memory may grow by this many MiB, because batches differ.
GROWTH = 16


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
    """Compares reading a file up to the first answer for one crawler, and further answers, in time of the processor."""
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
                started = time.process_time()
                for source in sources:
                    ask(parse(source), urls[0])
                return (time.process_time() - started) / len(sources)

            parsed = [parse(source) for source in sources]
            for robots in parsed:
                ask(robots, urls[0])

            def asking():
                started = time.process_time()
                for robots in parsed:
                    for url in urls:
                        ask(robots, url)
                return (time.process_time() - started) / len(parsed) / len(urls)

            found[name] = median(reading), median(asking)
        gc.enable()
        for name, times in found.items():
            reading, asking = (f"{1e6 * time:9.2f} us" for time in times)
            factors = [other / own for own, other in zip(found["robots-exclusion"], times)]
            print(f"gc {'on ' if collecting else 'off'} {name:17} parse and first answer {reading} ({factors[0]:5.1f}x)"
                  f"  can_fetch {asking} ({factors[1]:5.1f}x)")


def facts():
    """Compares what is asked again and again, in nanoseconds of the processor."""
    from protego import Protego

    from robots_exclusion.protego import Protego as Replacement

    body = "User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/5\nDisallow: /x\nSitemap: https://example.com/a\n"
    robots, protego, replacement = Robots(body), Protego.parse(body), Replacement.parse(body)
    agent, names = "ExampleBot", [f"Bot{chr(97 + index)}" for index in range(20)]
    ways = {
        "Robots.crawl_delay": lambda: robots.crawl_delay(agent),
        "Robots.request_rate": lambda: robots.request_rate(agent),
        "Robots.sitemaps": lambda: robots.sitemaps,
        "Robots.groups": lambda: robots.groups,
        "Robots.can_fetch": lambda: robots.can_fetch(agent, "/xyz"),
        "replacement crawl_delay": lambda: replacement.crawl_delay(agent),
        "Protego.crawl_delay": lambda: protego.crawl_delay(agent),
        "Protego.sitemaps": lambda: list(protego.sitemaps),
    }
    for name, ask in ways.items():
        calls = 100_000

        def asking():
            started = time.process_time()
            for _ in range(calls):
                ask()
            return (time.process_time() - started) / calls

        ask()
        print(f"{name:24} {1e9 * median(asking):6.0f} ns")

    def of_many():
        started = time.process_time()
        for _ in range(1000):
            for name in names:
                robots.can_fetch(name, "/xyz")
        return (time.process_time() - started) / 1000 / len(names)

    print(f"can_fetch, 20 crawlers   {1e9 * median(of_many):6.0f} ns")


def columns():
    """Compares `decide` with a loop over `Robots` and with Protego, and two threads with one, in time of the processor."""
    import threading

    import pyarrow as pa

    from robots_exclusion_arrow import decide

    raw = bodies()
    column, agents, paths = pa.array(raw, pa.binary()), ["GPTBot", "CCBot", "Googlebot", "ExampleBot"], ["/", "/private/page"]

    def loop():
        for body in raw:
            robots = Robots(body)
            for agent in agents:
                for path in paths:
                    robots.can_fetch(agent, path)

    def in_threads():
        half = len(column) // 2
        parts = [column.slice(0, half), column.slice(half)]
        threads = [threading.Thread(target=decide, args=[part, agents, paths]) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def of(ask):
        def measured():
            started = time.process_time()
            ask()
            return time.process_time() - started

        return median(measured)

    one, two, looped = of(lambda: decide(column, agents, paths)), of(in_threads), of(loop)
    print(f"decide: {1e6 * one / len(raw):.1f} us for a body, 4 agents and 2 paths; a loop over Robots: {looped / one:.2f} times as long; "
          f"two threads: {two / one:.2f} times the time of the processor")


def sizes():
    folders = [Path(os.environ.get("ROBOTS_WHEELS", "wheels")), Path(os.environ.get("ROBOTS_SDISTS", "sdists"))]
    for path in sorted(path for folder in folders for path in folder.glob("robots*")):
        print(f"{path.stat().st_size / 1e6:6.2f} MB  {path.name}")
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                files = {info.filename: info.file_size for info in wheel.infolist()}
        else:
            with tarfile.open(path) as archive:
                files = {member.name.split("/", 1)[1]: member.size for member in archive.getmembers() if member.isfile()}
        # The crates in a source distribution, in one line each.
        parts = {}
        for name, size in files.items():
            is_alone = path.suffix == ".whl" or name.count("/") < 2
            part = name if is_alone or name.startswith("python/") else "/".join(name.split("/")[:-1][:2]) + "/"
            count, before = parts.get(part, (0, 0))
            parts[part] = count + 1, before + size
        for part, (count, size) in sorted(parts.items()):
            print(f"           {size / 1e3:9.1f} kB  {part}{f' ({count} files)' if part.endswith('/') else ''}")


def memory():
    """Returns the memory in use in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)


#: Runs a command and prints its peak memory. A process of its own does this, because that of a new process includes what its
#: parent uses when it starts.
MEASURED = (
    "import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, file=sys.stderr); sys.exit(status)"
)


def counted_by_command(path):
    """Returns the numbers of allowed, disallowed and damaged captures as the command finds them, and its peak memory in MiB."""
    found = [0, 0, 0]
    arguments = [sys.executable, "-S", "-c", MEASURED, command(), "batch", "--agent", "GPTBot", "--warc", path]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in process.stdout:
            fields = line.split("\t")
            found[2 if fields[0] == "error" else int(fields[3] == "disallowed")] += 1
        status = process.wait()
        errors.seek(0)
        lines = errors.read().splitlines()
    if status != (2 if found[2] else 0):
        sys.exit("\n".join([*lines, "error: the command failed"]))
    return found, float(lines[-1])


def archive(captures=100_000):
    """Decides about an archive in Python and with the command, prints time and memory, and checks that counts are equal and that
    memory does not grow with the archive."""
    import pyarrow as pa

    from robots_exclusion_arrow import Captures, decide

    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "archive.warc.gz", Path(folder) / "small.warc.gz"
        archives.write_archive(path, captures)
        archives.write_archive(small, captures // 10)
        print(f"archive: {captures} records, {path.stat().st_size / 1e6:.1f} MB")
        started, counts, used = time.perf_counter(), [0, 0, 0], []
        for number, batch in enumerate(map(pa.record_batch, Captures(path))):
            counts[2] += batch.num_rows - batch["damage"].null_count
            good = [status is not None and status // 100 == 2 for status in batch["status"].to_pylist()]
            allowed = pa.record_batch(decide(batch["body"].filter(pa.array(good)), ["GPTBot"], ["/"]))["allowed"]
            counts[0] += allowed.true_count
            counts[1] += allowed.false_count
            if number % 20 == 9:
                used.append(memory())
        print(f"python:  allowed, disallowed, damaged: {counts}, {time.perf_counter() - started:.2f} s")
        print(f"python:  memory in MiB after 10, 30, ... batches: {[round(value) for value in used]}")
        if len(used) < 2 or max(used) > used[0] + GROWTH:
            sys.exit("error: memory grows with the archive")
        if command() is None:
            print("skipped: the robots command is not installed")
            return
        started = time.perf_counter()
        found, peak = counted_by_command(path)
        print(f"command: allowed, disallowed, damaged: {found}, {time.perf_counter() - started:.2f} s")
        before = counted_by_command(small)[1]
        print(f"command: peak memory in MiB for a tenth of the archive, and for all: {before:.0f}, {peak:.0f}")
        if peak > before + GROWTH:
            sys.exit("error: memory of the command grows with the archive")
        if found != counts:
            sys.exit("error: the counts differ")


def spark(captures=50_000):
    """Compares Spark jobs with this project, with Protego, and with a function that does nothing: over a column of bodies, and over
    WARC files, which both read with ``Captures``. With fewer captures, the figures are those of how Spark starts tasks."""
    import pyarrow as pa
    from pyspark.sql import SparkSession

    from robots_exclusion_arrow import Captures, decide

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000").getOrCreate()
    )  # fmt: skip
    agents = ["GPTBot", "CCBot", "Googlebot", "ExampleBot"]

    def nothing(bodies):
        return 0

    def ours(bodies):
        return pa.record_batch(decide(bodies, agents, ["/"]))["allowed"].false_count

    def protego(bodies):
        from protego import Protego

        count = 0
        for body in bodies.to_pylist():
            robots = Protego.parse(body.decode("utf-8", "replace"))
            count += sum(not robots.can_fetch("https://example.com/", agent) for agent in agents)
        return count

    def of_column(function):
        def job(batches):
            for batch in batches:
                yield pa.record_batch({"disallowed": pa.array([function(batch["body"])], pa.int64())})

        return job

    def of_files(function):
        def job(batches):
            for batch in batches:
                files = batch["file"].to_pylist() if function is not nothing else []
                counts = [function(pa.record_batch(captures)["body"]) for file in files for captures in Captures(file)]
                yield pa.record_batch({"disallowed": pa.array(counts, pa.int64())})

        return job

    def compare(what, frame, wrapped):
        def seconds_of(function):
            started = time.perf_counter()
            rows = frame.mapInArrow(wrapped(function), "disallowed long").agg({"disallowed": "sum"}).collect()
            sums[function.__name__] = rows[0][0]
            return time.perf_counter() - started

        functions, sums = (nothing, ours, protego), {}
        for function in (nothing, ours):
            # Python's processes start.
            seconds_of(function)
        # One after the other in each round, because the load of the machine changes.
        rounds = [[seconds_of(function) for function in functions] for _ in range(3)]
        nothing_s, ours_s, protego_s = map(statistics.median, zip(*rounds))
        factor = (protego_s - nothing_s) / max(ours_s - nothing_s, 0.001)
        print(f"spark, {captures} captures {what}: nothing {nothing_s:.2f} s, ours {ours_s:.2f} s, protego {protego_s:.2f} s; without "
              f"the job itself: {factor:.1f}x; disallowed: {sums}")

    known = bodies()
    source = [known[index % len(known)] for index in range(captures)]
    frame = session.createDataFrame([(body,) for body in source], "body binary").repartition(8).cache()
    frame.count()
    compare("in a column", frame, of_column)
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{index}.warc.gz") for index in range(8)]
        for index, file in enumerate(files):
            with open(file, "wb") as out:
                for body in source[index::8]:
                    out.write(gzip.compress(archives.record("https://example.com/robots.txt", 200, body), 6))
        frame = session.createDataFrame([(file,) for file in files], "file string").repartition(8)
        compare("in WARC files", frame, of_files)
    session.stop()


if __name__ == "__main__":
    for name in sys.argv[1:] or ["sizes", "speed", "facts", "columns", "archive", "spark"]:
        {"speed": speed, "facts": facts, "columns": columns, "sizes": sizes, "archive": archive, "spark": spark}[name]()
