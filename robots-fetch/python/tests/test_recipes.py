"""The recipes for PySpark, DuckDB and Polars give the counts of the command."""

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
