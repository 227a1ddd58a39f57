"""The wheels and source distributions that `cargo xtask python` has built."""

import email
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

WHEELS = sorted(Path(os.environ.get("ROBOTS_WHEELS", "wheels")).glob("*.whl"))
SDISTS = sorted(Path(os.environ.get("ROBOTS_SDISTS", "sdists")).glob("*.tar.gz"))

LICENCES = {"LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"}

#: Paths that only one machine has.
PATHS = re.compile(rb"/(?:home|root|Users|work)/[\w.-]+/|[A-Z]:\\\\Users\\\\")


def files_of(path):
    """Returns the files of a distribution: the names without its folder, and the contents."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(path) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        return {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in members}


@pytest.mark.parametrize("path", [*WHEELS, *SDISTS], ids=lambda path: path.name)
def test_a_distribution_is_complete(path):
    files = files_of(path)
    names = {name.rsplit("/", 1)[-1] for name in files}
    # With --quick, the licences of others are not collected.
    is_release = "quick" not in str(path.parent)
    assert names >= (LICENCES if is_release else LICENCES - {"THIRD-PARTY.txt"})
    metadata = next(content for name, content in files.items() if name.endswith(("dist-info/METADATA", "PKG-INFO")))
    metadata = email.message_from_bytes(metadata)
    assert metadata["License-Expression"] == "MIT OR Apache-2.0" and metadata["Requires-Python"] == ">=3.9"
    assert len(metadata.get_all("Classifier")) > 10 and metadata["Keywords"]
    assert {url.split(",")[0] for url in metadata.get_all("Project-URL")} >= {"Repository", "Documentation", "Changelog", "Issues"}
    assert len(metadata.get_payload()) > 300
    if is_release:
        third = next(content for name, content in files.items() if name.endswith("THIRD-PARTY.txt"))
        assert b"ai.robots.txt" in third and (b"pyo3" in third or "command" in path.name)
    # No other package installs a script of this name.
    assert not any(name.endswith(("scripts/robots", "scripts/robots.exe")) for name in files)


@pytest.mark.parametrize("path", WHEELS, ids=lambda path: path.name)
def test_a_wheel_has_no_path_of_the_machine_that_built_it(path):
    if "quick" in str(path.parent):
        pytest.skip("the wheels are not those of a release")
    for name, content in files_of(path).items():
        assert not PATHS.findall(content), name


def test_pip_builds_the_source_distribution(tmp_path):
    """With the build requirements of this environment, into one without them."""
    found = [path for path in SDISTS if path.name.startswith("robots_exclusion-")]
    if not found:
        pytest.skip("there are no source distributions")
    pytest.importorskip("maturin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(found[0])]
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ["PATH"]]), "CARGO_TARGET_DIR": str(tmp_path / "target")}
    # Whether it builds does not depend on how well.
    environment |= {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    installed = [*pip, "install", "--no-deps", "--no-index", "--target", str(tmp_path / "site"), str(next(tmp_path.glob("*.whl")))]
    assert subprocess.run(installed).returncode == 0
    code = "import robots_exclusion; print(robots_exclusion.__version__, robots_exclusion.__file__)"
    shown = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path / "site")}, capture_output=True, text=True)
    assert str(tmp_path) in shown.stdout, shown.stderr
