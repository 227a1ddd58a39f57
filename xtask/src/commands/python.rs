//! `cargo xtask python`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use clap::Args;

use super::notices::Program;
use super::test;
use crate::help::ending;
use crate::process::{Ended, Outcome, cargo, found, printed, say, skipped, succeeds};
use crate::workspace::{empty_folder, root, target, text};

/// Builds the Python packages of robots-fetch/python, and runs their tests.
///
/// Makes a virtual environment in target/python with the packages that requirements.txt pins, among
/// them Scrapy, PySpark, DuckDB, Polars and Protego; downloads the source distributions whose tests
/// are run; builds wheels and source distributions with maturin, and installs and tests the wheels.
/// Then prints what crawls get with the middleware for Scrapy, and with the one of Scrapy; without
/// --quick, also the sizes and the files of wheels and source distributions.
/// Also tests the wheels with the oldest and the newest CPython that are found. Prints what is
/// skipped, and why: everything if python3 is missing, the tests that need a package that can't be
/// downloaded, Spark without Java, and the corpus if it is absent. Parts can be left out: `spark`;
/// `versions`, the tests with other versions of CPython; `free-threaded`, the wheels for
/// free-threaded CPython 3.14; and `musl`, the wheels for Linux systems with musl.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("python --figures"))]
pub(crate) struct Python {
    /// Run only tests whose names match this expression of pytest
    #[arg(long, value_name = "EXPRESSION")]
    only: Option<String>,
    /// Leave out this part; may be repeated
    #[arg(long, value_name = "PART", value_parser = PARTS)]
    except: Vec<String>,
    /// Build in minutes: wheels for this machine, hardly optimized; the command without a wheel
    #[arg(long, conflicts_with = "figures")]
    quick: bool,
    /// Use the wheels of the last run
    #[arg(long)]
    keep_wheels: bool,
    /// Print speed, sizes, and memory for an archive, after the tests
    #[arg(long)]
    figures: bool,
}

/// The packages, in the order in which they are built.
const PACKAGES: [&str; 4] = ["core", "sites", "arrow", "command"];

/// The packages that contain an extension module.
const MODULES: [&str; 3] = ["core", "sites", "arrow"];

/// The parts that can be left out.
const PARTS: [&str; 4] = ["spark", "versions", "free-threaded", "musl"];

/// The free-threaded CPython that wheels are built for. Without the interpreter, maturin knows how it was configured.
const FREE_THREADED: &str = "python3.14t";

/// The packages without which nothing can be built or tested.
const NEEDED: [&str; 2] = ["maturin==", "pytest=="];

/// The package that links the wheels of a release.
const LINKER: &str = "ziglang==";

/// Options of pytest: a test that takes more than five minutes ends the run.
const LIMIT: [&str; 4] = ["-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true"];

/// The projects whose own tests are run.
const TESTED: [&str; 3] = ["protego", "robotspy", "scrapy"];

impl Python {
    /// The options of the step of `cargo xtask ci`.
    pub(crate) const fn of_ci() -> Self {
        Self { only: None, except: Vec::new(), quick: true, keep_wheels: false, figures: false }
    }
}

pub(crate) fn python(options: &Python) -> Outcome {
    let Some(python) = found(&["python3", "python"]) else {
        skipped("python", "python3 is not installed");
        return Ok(Ended::Well);
    };
    let place = Place::new(options.quick);
    fs::create_dir_all(&place.target).map_err(|error| format!("{}: {error}", place.target.display()))?;
    let venv = match place.venv(&python) {
        Ok(venv) => venv,
        Err(why) => {
            skipped("python", &why);
            return Ok(Ended::Well);
        }
    };
    let leaves_out = |part: &str| options.except.iter().any(|name| name == part);
    for part in &options.except {
        skipped(part, "left out by --except");
    }
    let packages = if options.quick { &MODULES[..] } else { &PACKAGES[..] };
    if !options.keep_wheels {
        place.fetch()?;
        place.build(&venv, packages)?;
        if !options.quick {
            if !leaves_out("free-threaded") {
                place.build_free_threaded(&venv)?;
            }
            if !leaves_out("musl") {
                place.build_musl(&venv);
            }
            place.source_distributions(&venv)?;
        }
    }
    place.install(&venv, packages)?;
    if options.quick {
        skipped("wheels", "with --quick, they are not those of a release, and the command has none");
        copy_command(&venv)?;
    }
    place.sources(&venv);
    let spark = leaves_out("spark").then_some("not spark");
    let names: Vec<String> =
        options.only.as_deref().into_iter().chain(spark).map(|name| format!("({name})")).collect();
    let mut passed = place.test(&venv, &names.join(" and "))?;
    if options.only.is_none() && !leaves_out("versions") {
        for interpreter in oldest_and_newest() {
            passed &= place.test_with(&interpreter, packages)?;
        }
    }
    if options.only.is_none() && !options.quick && !leaves_out("free-threaded") {
        match found(&[FREE_THREADED]) {
            Some(interpreter) => passed &= place.test_with(&interpreter, &MODULES)?,
            None => {
                skipped(
                    "the tests of the free-threaded wheels",
                    &format!("{FREE_THREADED} is not installed"),
                );
            }
        }
    }
    if options.only.is_none() {
        passed &= place.table(&venv);
    }
    if !options.quick && !options.figures {
        let script = place.folder.join("tests").join("figures.py");
        passed &= place.run(&venv).arg(script).arg("sizes").status().is_ok_and(|status| status.success());
    }
    if options.figures {
        let script = place.folder.join("tests").join("figures.py");
        passed &= place.run(&venv).arg(script).status().is_ok_and(|status| status.success());
    }
    Ok(if passed { Ended::Well } else { Ended::Badly })
}

/// The folders of the packages.
struct Place {
    folder: PathBuf,
    target: PathBuf,
    is_quick: bool,
}

impl Place {
    fn new(is_quick: bool) -> Self {
        let folder = root().join("robots-fetch").join("python");
        Self { folder, target: target().join("python"), is_quick }
    }

    fn wheels(&self) -> PathBuf {
        self.target.join(if self.is_quick { "wheels-quick" } else { "wheels" })
    }

    /// Makes the virtual environment, and returns its interpreter. A package that can't be installed is an error only if nothing
    /// can be built or tested without it.
    fn venv(&self, python: &Path) -> Result<PathBuf, String> {
        let interpreter = environment(python, &self.target.join("venv"))?;
        let requirements = text(&self.folder.join("requirements.txt"))?;
        let is_pin = |line: &&str| line.contains("==") && !(self.is_quick && line.starts_with(LINKER));
        let pins: Vec<&str> = requirements.lines().filter(is_pin).collect();
        if succeeds(pip(&interpreter, "install").args(&pins)).is_ok() {
            return Ok(interpreter);
        }
        for pin in pins {
            if let Err(why) = succeeds(pip(&interpreter, "install").arg(pin)) {
                if NEEDED.iter().any(|name| pin.starts_with(name)) {
                    return Err(format!("{pin} could not be installed: {why}"));
                }
                skipped(&format!("the tests that need {pin}"), &format!("it could not be installed: {why}"));
            }
        }
        Ok(interpreter)
    }

    /// Downloads the crates that the packages need.
    fn fetch(&self) -> Result<(), String> {
        let mut fetch = Command::new(cargo());
        fetch.args(["fetch", "--quiet", "--locked"]).current_dir(&self.folder);
        succeeds(&mut fetch).map_err(|why| {
            format!(
                "{why}; if the lock file is old, run `cargo update --workspace` in {}",
                self.folder.display()
            )
        })
    }

    /// Builds the wheels. On Linux, zig links them with the symbols of manylinux2014 if it can.
    fn build(&self, interpreter: &Path, packages: &[&str]) -> Result<(), String> {
        empty_folder(&self.wheels())?;
        if !self.is_quick {
            self.notices(packages)?;
        }
        for package in packages {
            let build = |arguments: &[&str]| self.maturin(interpreter, package, arguments);
            if self.is_quick {
                build(&["--profile", "dev"])?;
                continue;
            }
            if cfg!(target_os = "linux") {
                match build(&["--zig", "--compatibility", "manylinux2014"]) {
                    Ok(()) => continue,
                    Err(why) => skipped(&format!("manylinux2014 for {package}"), &why),
                }
            }
            build(&[])?;
        }
        Ok(())
    }

    /// Writes the licences of what each package contains to its folder, from which wheels and source distributions have them.
    fn notices(&self, packages: &[&str]) -> Result<(), String> {
        for package in packages {
            let name = distribution(package);
            let program = Program { name: "The Python package", package: &name, folder: &self.folder };
            let collected = program.notices()?;
            for missing in &collected.missing {
                say(&format!("{name}: no licence text: {missing}"));
            }
            collected.write(&self.folder.join(package).join("THIRD-PARTY.txt"))?;
        }
        Ok(())
    }

    /// Builds the wheels for Linux systems with musl, such as Alpine, if the target is installed.
    fn build_musl(&self, interpreter: &Path) {
        let target = format!("{}-unknown-linux-musl", env::consts::ARCH);
        if !cfg!(target_os = "linux") {
            return skipped("the wheels for musl", "they are built on Linux only");
        }
        for package in PACKAGES {
            let arguments = ["--zig", "--compatibility", "musllinux_1_2", "--target", &target];
            if let Err(why) = self.maturin(interpreter, package, &arguments) {
                let why = format!("{why}; `rustup target add {target}` installs the target");
                return skipped(&format!("the wheels for musl from {package} on"), &why);
            }
        }
    }

    /// Writes the source distributions, from which pip builds where there is no wheel.
    fn source_distributions(&self, interpreter: &Path) -> Result<(), String> {
        let folder = self.target.join("sdists");
        empty_folder(&folder)?;
        for package in PACKAGES {
            let mut maturin = Command::new(interpreter);
            maturin.args(["-m", "maturin", "sdist", "--out"]).arg(&folder);
            maturin.current_dir(self.folder.join(package));
            succeeds(&mut maturin)?;
        }
        Ok(())
    }

    /// Builds the wheels for free-threaded CPython, which has no stable ABI before 3.15. Only zig can link them without the
    /// interpreter.
    fn build_free_threaded(&self, interpreter: &Path) -> Result<(), String> {
        if !cfg!(target_os = "linux") {
            if found(&[FREE_THREADED]).is_none() {
                skipped("the free-threaded wheels", &format!("{FREE_THREADED} is not installed"));
                return Ok(());
            }
            return MODULES
                .iter()
                .try_for_each(|package| self.maturin(interpreter, package, &["-i", FREE_THREADED]));
        }
        let target = format!("{}-unknown-linux-gnu", env::consts::ARCH);
        for package in MODULES {
            let arguments =
                ["--zig", "--compatibility", "manylinux2014", "-i", FREE_THREADED, "--target", &target];
            self.maturin(interpreter, package, &arguments)?;
        }
        Ok(())
    }

    fn maturin(&self, interpreter: &Path, package: &str, arguments: &[&str]) -> Result<(), String> {
        let mut maturin = Command::new(interpreter);
        maturin.args(["-m", "maturin", "build", "--quiet", "--locked", "--out"]).arg(self.wheels());
        maturin.args(arguments).current_dir(self.folder.join(package));
        maturin.env("CARGO_TARGET_DIR", &self.target);
        if !self.is_quick {
            maturin.env("RUSTFLAGS", without_paths(arguments));
        }
        // `python -m ziglang` is found next to the interpreter.
        maturin.env("PATH", joined(interpreter.parent(), env::var_os("PATH")));
        succeeds(&mut maturin)
    }

    /// Installs the wheels of packages.
    fn install(&self, interpreter: &Path, packages: &[&str]) -> Result<(), String> {
        let names = packages.iter().map(|package| distribution(package));
        let mut install = pip(interpreter, "install");
        install.args(["--force-reinstall", "--no-deps", "--no-index", "--find-links"]).arg(self.wheels());
        succeeds(install.args(names))
    }

    /// Downloads and unpacks the source distributions whose tests are run, in the versions of requirements.txt.
    fn sources(&self, interpreter: &Path) {
        let folder = self.target.join("sources");
        let pins = text(&self.folder.join("requirements.txt")).unwrap_or_default();
        for name in TESTED {
            let pin = pins.lines().find(|line| line.starts_with(&format!("{name}=="))).unwrap_or(name);
            let unpacked = folder.join(pin.replace("==", "-"));
            if unpacked.exists() {
                continue;
            }
            let mut download = pip(interpreter, "download");
            download.args(["--no-deps", "--no-binary", ":all:", "--dest"]).arg(&folder).arg(pin);
            let archive = folder.join(format!("{}.tar.gz", pin.replace("==", "-")));
            let mut unpack = Command::new(interpreter);
            unpack.args(["-m", "tarfile", "-e"]).arg(&archive).arg(&folder);
            if let Err(why) = succeeds(&mut download).and_then(|()| succeeds(&mut unpack)) {
                skipped(&format!("the tests of {name}"), &why);
            }
        }
    }

    /// Runs the tests whose names match an expression of pytest; all if it is empty.
    fn test(&self, interpreter: &Path, names: &str) -> Result<bool, String> {
        let mut pytest = self.run(interpreter);
        pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:asyncio"]).args(LIMIT);
        pytest.arg(self.folder.join("tests"));
        if !names.is_empty() {
            pytest.args(["-k", names]);
        }
        let status = pytest.status().map_err(|error| format!("could not start pytest: {error}"))?;
        Ok(status.success())
    }

    /// Prints the table of the README: items of crawls with the middleware of this project, and with the one of Scrapy.
    fn table(&self, interpreter: &Path) -> bool {
        if !self.run(interpreter).args(["-c", "import scrapy"]).status().is_ok_and(|status| status.success())
        {
            skipped("the table of the README", "Scrapy is not installed");
            return true;
        }
        let script = self.folder.join("tests").join("scrapy_table.py");
        self.run(interpreter).arg(script).status().is_ok_and(|status| status.success())
    }

    /// Tests the wheels with another interpreter, but not under Scrapy and Spark.
    fn test_with(&self, python: &Path, packages: &[&str]) -> Result<bool, String> {
        let version = version(python).unwrap_or_default();
        say(&format!("CPython {version}: {}", python.display()));
        let interpreter = environment(python, &self.target.join(format!("venv-{version}")))?;
        if let Err(why) = succeeds(pip(&interpreter, "install").arg("pytest")) {
            skipped(&format!("CPython {version}"), &why);
            return Ok(true);
        }
        // The pinned version may need a later CPython.
        if let Err(why) = succeeds(pip(&interpreter, "install").args(["--only-binary", ":all:", "pyarrow"])) {
            skipped(&format!("archives with CPython {version}"), &why);
        }
        self.install(&interpreter, packages)?;
        let mut pytest = self.run(&interpreter);
        pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-k", "not large_archive"]);
        for name in [
            "test_module.py",
            "test_coding.py",
            "test_sites.py",
            "test_arrow.py",
            "test_command.py",
            // The tests of urllib.robotparser of this version.
            "test_replacements.py",
        ] {
            pytest.arg(self.folder.join("tests").join(name));
        }
        let status = pytest.status().map_err(|error| format!("could not start pytest: {error}"))?;
        Ok(status.success())
    }

    /// Prepares a run of an interpreter with what tests need to know.
    fn run(&self, interpreter: &Path) -> Command {
        let mut command = Command::new(interpreter);
        command.env("ROBOTS_SOURCES", self.target.join("sources")).env("ROBOTS_WHEELS", self.wheels());
        command.env("ROBOTS_SDISTS", self.target.join("sdists"));
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", self.folder.join("tests"));
        command.stdin(Stdio::null());
        command
    }
}

/// Returns the name under which the package of a folder is published. It is that of its crate, too.
fn distribution(package: &str) -> String {
    match package {
        "core" => "robots-exclusion".to_owned(),
        other => format!("robots-exclusion-{other}"),
    }
}

/// Returns the flags with which no path of this machine is in what is built.
fn without_paths(arguments: &[&str]) -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let home = home.map(|home| format!("--remap-path-prefix={}=cargo ", home.display())).unwrap_or_default();
    // Extension modules load the musl of the interpreter.
    let is_musl = arguments.iter().any(|argument| argument.ends_with("-musl"));
    let musl = if is_musl { " -Ctarget-feature=-crt-static" } else { "" };
    format!("{home}--remap-path-prefix={}=robots{musl}", root().display())
}

/// Copies the command that the tests have built to where an interpreter installs scripts.
fn copy_command(interpreter: &Path) -> Result<(), String> {
    let built = test::build()?;
    let robots = built.program("robots")?;
    let name = format!("robots-exclusion{}", env::consts::EXE_SUFFIX);
    let copied = fs::copy(robots, interpreter.with_file_name(name));
    copied.map(|_| ()).map_err(|error| format!("{}: {error}", robots.display()))
}

/// Makes a virtual environment unless it exists and works, and returns its interpreter.
pub(super) fn environment(python: &Path, venv: &Path) -> Result<PathBuf, String> {
    let interpreter =
        if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") };
    // One without pip remains if a part of the standard library was missing, or if the system's interpreter was replaced.
    let works = interpreter.to_str().is_some_and(|path| printed(path, &["-m", "pip", "--version"]).is_some());
    if !works {
        succeeds(Command::new(python).args(["-m", "venv", "--clear"]).arg(venv))?;
    }
    Ok(interpreter)
}

pub(super) fn pip(interpreter: &Path, action: &str) -> Command {
    let mut pip = Command::new(interpreter);
    pip.args(["-m", "pip", action, "--quiet", "--disable-pip-version-check", "--retries", "2"]);
    pip
}

/// Returns a search path that begins with `first`.
fn joined(first: Option<&Path>, rest: Option<impl AsRef<OsStr>>) -> std::ffi::OsString {
    let rest = rest.map(|rest| env::split_paths(rest.as_ref()).collect::<Vec<_>>()).unwrap_or_default();
    env::join_paths(first.map(Path::to_owned).into_iter().chain(rest)).unwrap_or_default()
}

/// Returns the oldest and the newest CPython, from 3.9 on, of those in the search path and those of pyenv.
fn oldest_and_newest() -> Vec<PathBuf> {
    let mut candidates: Vec<PathBuf> =
        (9..=20).map(|minor| PathBuf::from(format!("python3.{minor}"))).collect();
    let home = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".pyenv")));
    if let Some(installed) = home.and_then(|home| fs::read_dir(home.join("versions")).ok()) {
        candidates.extend(installed.flatten().map(|entry| entry.path().join("bin").join("python3")));
    }
    let mut found: Vec<(u32, PathBuf)> =
        candidates.into_iter().filter_map(|path| Some((minor(&version(&path)?)?, path))).collect();
    found.retain(|(minor, _)| *minor >= 9);
    found.sort();
    found.dedup_by_key(|(minor, _)| *minor);
    let mut ends: Vec<PathBuf> = Vec::new();
    if found.first().is_none_or(|(minor, _)| *minor > 9) {
        skipped("CPython 3.9", "it is not installed");
    }
    ends.extend(found.first().map(|(_, path)| path.clone()));
    ends.extend(found.last().filter(|_| found.len() > 1).map(|(_, path)| path.clone()));
    ends
}

/// Returns the version of a CPython, such as `3.9.18`.
fn version(python: &Path) -> Option<String> {
    let program = python.to_str()?;
    let code = "import platform, sys; print(platform.python_version() if sys.implementation.name == 'cpython' else '')";
    printed(program, &["-c", code]).map(|text| text.trim().to_owned()).filter(|version| !version.is_empty())
}

/// Returns the second number of a version of Python 3.
fn minor(version: &str) -> Option<u32> {
    version.strip_prefix("3.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(minor("3.9.18"), Some(9));
        assert_eq!(minor("3.13.0"), Some(13));
        assert_eq!(minor("2.7.18"), None);
    }

    #[test]
    fn packages_are_the_folders() {
        let folder = Place::new(true).folder;
        for package in PACKAGES {
            let project = text(&folder.join(package).join("pyproject.toml")).unwrap();
            assert!(project.contains("name = \"robots-exclusion"), "{package}");
        }
    }
}
