"""`python -m robots_exclusion` is the `robots` command."""

import subprocess
import sys

import pytest

from robots_exclusion.__main__ import command


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "robots_exclusion", *arguments], capture_output=True, text=True, **options)


def test_the_command_answers(tmp_path):
    if command() is None:
        pytest.skip("robots-exclusion-command is not installed")
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /private\n")
    done = run("check", "--robots", "robots.txt", "--agent", "ExampleBot", "/private", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (1, "disallowed")
    done = run("batch", input="robots.txt\tExampleBot\t/\n", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "allowed\t0\n")


def test_without_the_command_it_says_how_to_install_it(tmp_path):
    code = "import robots_exclusion.__main__ as m; m.command = lambda: None; raise SystemExit(m.main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install robots-exclusion[command]" in done.stderr
