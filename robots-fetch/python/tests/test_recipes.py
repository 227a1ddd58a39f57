"""The recipes for PySpark, DuckDB and Polars give the counts of the command."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("robots_exclusion_arrow")
from archives import command, write_archive  # noqa: E402

RECIPES = Path(__file__).parent.parent / "recipes"
sys.path.insert(0, str(RECIPES))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    paths = [folder / f"{index}.warc.gz" for index in range(4)]
    for index, path in enumerate(paths):
        write_archive(path, 500, seed=index)
    return list(map(str, paths))


def expected(files):
    """Returns counts by agent, and the number of damaged records."""
    robots = command()
    if robots is None:
        pytest.skip("the robots command is not installed")
    captures, disallowed, accidents, damaged = Counter(), Counter(), Counter(), 0
    agents = [part for agent in ("GPTBot", "CCBot", "ExampleBot") for part in ("--agent", agent)]
    for line in robots("batch", *agents, "--warc", *files):
        fields = line.split("\t")
        if fields[0] == "error":
            damaged += 1
            continue
        agent, is_disallowed = fields[1], fields[3] == "disallowed"
        captures[agent] += 1
        disallowed[agent] += is_disallowed
        accidents[agent] += is_disallowed and "accidental-group" in fields[7]
    return captures, disallowed, accidents, damaged


def test_duckdb(files):
    pytest.importorskip("duckdb")
    import duck

    captures, disallowed, _, _ = expected(files[:1])
    assert duck.shares(files[0]) == [(agent, captures[agent], disallowed[agent]) for agent in sorted(captures)]


def test_polars(files):
    pytest.importorskip("polars")
    import frame

    captures, disallowed, _, _ = expected(files[:1])
    assert frame.shares(files[0]).rows() == [(agent, captures[agent], disallowed[agent]) for agent in sorted(captures)]


@pytest.fixture(scope="module")
def spark():
    pytest.importorskip("pyspark.sql")
    import pyspark

    java = shutil.which("java", path=os.path.join(os.environ["JAVA_HOME"], "bin") if "JAVA_HOME" in os.environ else None)
    if java is None:
        pytest.skip("Java is not installed")
    version = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    if int((re.findall(r'version "(?:1\.)?(\d+)', version) or ["0"])[0]) < 17:
        pytest.skip(f"Java is older than version 17, which PySpark needs: {version!r}")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([str(RECIPES), os.environ.get("PYTHONPATH", "")])
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    session = (
        pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    yield session
    session.stop()


def test_pyspark_with_two_workers(spark, files):
    from spark import shares

    found = {row["agent"]: row for row in shares(spark, files).collect()}
    captures, disallowed, accidents, damaged = expected(files)
    assert found.pop(None)["damaged"] == damaged > 0
    assert {agent: row["captures"] for agent, row in found.items()} == dict(captures)
    assert {agent: row["disallowed"] for agent, row in found.items()} == dict(disallowed)
    assert {agent: row["by_accident"] for agent, row in found.items()} == {agent: accidents[agent] for agent in found}


def test_the_command_under_the_pipe_of_spark(spark, files):
    """Each task pipes questions to `robots batch`, as people without Python on the workers do."""
    from robots_exclusion.__main__ import command as path_of_command

    path = path_of_command()
    if path is None:
        pytest.skip("the robots command is not installed")
    script = f"sh -c 'xargs {path} batch --agent GPTBot --warc'"
    lines = spark.sparkContext.parallelize(files, 4).pipe(script).collect()
    found = Counter(line.split("\t")[3] for line in lines if not line.startswith("error\t"))
    captures, disallowed, _, damaged = expected(files)
    assert sum(line.startswith("error\t") for line in lines) == damaged
    assert found["disallowed"] == disallowed["GPTBot"] and sum(found.values()) == captures["GPTBot"]


def test_figures_of_logs_are_those_of_the_command(spark, tmp_path):
    """Lines in Parquet on two workers, in parts of any order, have the figures of `robots log`."""
    pytest.importorskip("robots_exclusion_arrow")
    from robots_exclusion.__main__ import command as path_of_command
    from spark_logs import figures

    path = path_of_command()
    if path is None:
        pytest.skip("the robots command is not installed")
    headers = {
        "GPTBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "ClaudeBot": "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
        "AhrefsBot": "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
        "": "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0",
    }
    paths = ["/robots.txt", "/a", "/private/x?q=1", "/b/c", "/private/y", "*"]
    lines = []
    for number in range(3000):
        second = number * 61
        agent = list(headers.values())[number * 7 % 11 % 4]
        lines.append(
            f"192.0.2.{number % 9} - - [{10 + second // 86400}/Nov/2025:{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02} +0000] "
            f'"GET {paths[number * 5 % 13 % 6]} HTTP/1.1" {[200, 200, 304, 301, 404, 503][number % 6]} 12 "-" "{agent}"'
        )
    robots, log = tmp_path / "robots.txt", tmp_path / "access.log"
    robots.write_text("User-agent: GPTBot\nDisallow: /private/\nUser-agent: *\nDisallow: /b/\n")
    log.write_text("\n".join(lines) + "\n")
    args = [str(path), "log", "--robots", str(robots), "--format", "json", "--deny", "none", str(log)]
    report = json.loads(subprocess.run(args, capture_output=True, text=True, check=True).stdout)
    expected = {crawler["name"]: crawler for host in report["hosts"] for crawler in host["crawlers"]}
    # Not in their order.
    frame = spark.createDataFrame([(line,) for line in lines[::2] + lines[1::2]], "line string")
    frame.repartition(4).write.parquet(str(tmp_path / "lines"))
    frame = spark.read.parquet(str(tmp_path / "lines"))
    found = {row["crawler"]: row for row in figures(frame, [(None, None, robots.read_bytes())]).collect()}
    assert set(found) == set(expected) == set(headers) - {""}
    for name, row in found.items():
        for figure in ["requests", "checked", "disallowed", "read", "gaps", "median_gap", "share", "reads_per_day"]:
            # An excused request is disallowed by the file, too.
            more = expected[name]["excused"] if figure == "disallowed" else 0
            if figure == "share":
                assert row["share"] == pytest.approx(row["disallowed"] / row["checked"])
            else:
                assert row[figure] == pytest.approx(expected[name][figure] + more), (name, figure)


def test_the_study_distinguishes_purpose_and_accident(tmp_path):
    pytest.importorskip("pyarrow")
    import study

    folder = tmp_path / "sites"
    folder.mkdir()
    for name, body in {
        "named.example": "User-agent: GPTBot\nDisallow: /\n",
        "everyone.example": "User-agent: *\nDisallow: /\n",
        "accident.example": "User-agent: *\nSitemap: /map.xml\nUser-agent: GPTBot\nDisallow: /\n",
        "none.example": "User-agent: *\nDisallow: /private\n",
        "page.example": "<html></html>",
    }.items():
        (folder / name).write_text(body)
    archive = tmp_path / "archive.warc.gz"
    study.pack(folder, archive)
    files, pages, found = study.study(archive)
    assert (files, pages) == (5, 1)
    assert found["GPTBot"] == {"named": 2, "everyone": 1, "accident": 0}
    assert found["CCBot"] == {"named": 0, "everyone": 1, "accident": 1}
    pytest.importorskip("matplotlib")
    study.plot(files, found, tmp_path / "plot.svg")
    assert "GPTBot" in (tmp_path / "plot.svg").read_text()
