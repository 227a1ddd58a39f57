//! `cargo xtask peers`, and the step `suite` of `cargo xtask ci`: programs that are asked the questions of the suite.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::python::{environment, pip};
use super::test;
use crate::help::ending;
use crate::process::{Ended, Outcome, cargo, ended, found, printed, skipped, succeeds};
use crate::workspace::{root, target, text, write};

/// Writes PEERS.md: the results of other implementations with the questions of the suite.
///
/// Downloads the other implementations, in the versions that robots-conformance/suite/wrappers pins.
/// Needs python3. robots-parser and the newest CPython, which npm has as pyodide, are skipped if node or
/// npm is missing, and the parser in Perl if its module WWW::RobotRules is. These are asked if their
/// source is given: Google's parser, which needs a C++ compiler and the development files of Abseil;
/// crawler-commons, which needs a JDK, and the jars of slf4j and commons-io in /usr/share/java;
/// grobotstxt and temoto/robotstxt, which need go; spatie/robots-txt, which needs php; for the rules of
/// pages, StormCrawler's RobotsTags, which needs a JDK and the jar of jsoup in /usr/share/java.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("peers"))]
pub(crate) struct Peers {
    /// The folder of Google's parser, a checkout of google/robotstxt
    #[arg(long, value_name = "FOLDER")]
    google: Option<PathBuf>,

    /// The folder of crawler-commons, a checkout of crawler-commons/crawler-commons
    #[arg(long, value_name = "FOLDER")]
    crawler_commons: Option<PathBuf>,

    /// The folder with the parsers in Go, as GOPATH has it: checkouts of jimsmart/grobotstxt and
    /// temoto/robotstxt in src/github.com
    #[arg(long, value_name = "FOLDER")]
    gopath: Option<PathBuf>,

    /// The folder of spatie/robots-txt, a checkout
    #[arg(long, value_name = "FOLDER")]
    spatie: Option<PathBuf>,

    /// The folder of StormCrawler, a checkout of apache/stormcrawler
    #[arg(long, value_name = "FOLDER")]
    stormcrawler: Option<PathBuf>,
}

/// Where Linux distributions put the jars that crawler-commons needs.
const JARS: &str =
    "/usr/share/java/slf4j-api.jar:/usr/share/java/slf4j-nop.jar:/usr/share/java/commons-io.jar";

/// Where Linux distributions put the jar that the wrapper of StormCrawler needs.
const JSOUP: &str = "/usr/share/java/jsoup.jar";

/// Where Linux distributions put the clock of a client whose time is set.
const FAKETIME: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
];

/// The documents with which programs are compared that read rules of pages and name no document.
const PAGES: &str = "repext-03,google-pages";

/// The crates that `wrappers/rust` answers for.
const CRATES: [&str; 5] = ["robotxt", "texting_robots", "robotstxt", "robotparser", "cylon"];

/// Python packages that `wrappers/python.py` answers for, beside the parser of the standard library.
const PACKAGES: [&str; 2] = ["protego", "robotspy"];

pub(crate) fn peers(options: &Peers) -> Outcome {
    let Some(python) = python() else { return Err("python3 is not installed; install it".to_owned()) };
    let mut export = Command::new(cargo());
    export.args(["run", "--quiet", "--package", "robots-conformance", "--bin", "robots-conformance", "--"]);
    let suite = exported(&mut export)?;
    let folder = target().join("peers");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let peers = Asking { python, suite, wrappers: root().join("robots-conformance/suite/wrappers"), folder };
    let tables = peers.tables("peers", peers.about_files(options)?)?;
    let about_pages = peers.about_pages(options)?;
    let pages = match about_pages.is_empty() {
        true => String::new(),
        false => format!("{}{}", include_str!("peers_pages.md"), peers.tables("peers-pages", about_pages)?),
    };
    write(&root().join("PEERS.md"), &format!("{}{tables}{pages}", include_str!("peers.md")))?;
    Ok(Ended::Well)
}

/// The folders and the interpreter with which programs are asked.
struct Asking {
    python: PathBuf,
    suite: PathBuf,
    wrappers: PathBuf,
    folder: PathBuf,
}

impl Asking {
    /// Asks a program, and returns the file with its results.
    fn ask(&self, name: &str, command: Vec<OsString>) -> Result<PathBuf, String> {
        let out = self.folder.join(format!("{}.json", name.replace('/', "-")));
        let mut run = of_suite(&self.python, &self.suite);
        run.args(["run".as_ref(), "--out".as_ref(), out.as_os_str(), "--".as_ref()]).args(command);
        // Differences are what is looked for, so only an implementation that could not be asked is a failure.
        match ended(&mut run)? {
            Ended::Well | Ended::With(1) => Ok(out),
            _ => Err(format!("{name} could not be asked")),
        }
    }

    /// Returns the command of `wrappers/python.py` with these arguments and those of another program.
    fn script(&self, words: &[&str], command: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let script = [self.python.clone().into(), self.wrappers.join("python.py").into()];
        script.into_iter().chain(words.iter().map(OsString::from)).chain(command).collect()
    }

    /// Asks programs about verdicts, and returns the files with their results.
    fn about_files(&self, options: &Peers) -> Result<Vec<PathBuf>, String> {
        let Self { wrappers, folder, .. } = self;
        let mut results = Vec::new();
        let mut build = Command::new(cargo());
        build
            .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
            .arg(wrappers.join("rust/Cargo.toml"));
        succeeds(build.arg("--target-dir").arg(folder))?;
        let program = folder.join("release").join(format!("suite-wrapper{}", std::env::consts::EXE_SUFFIX));
        for name in CRATES {
            results.push(self.ask(name, vec![program.clone().into(), name.into()])?);
        }
        results.push(self.ask("urllib", self.script(&["urllib"], []))?);
        match self.venv() {
            Ok(python) => {
                for name in PACKAGES {
                    let script = wrappers.join("python.py");
                    results.push(self.ask(name, vec![python.clone().into(), script.into(), name.into()])?);
                }
            }
            Err(why) => skipped(&PACKAGES.join(", "), &why),
        }
        match self.modules() {
            Ok((node, modules)) => {
                let script = wrappers.join("node/robots-parser.js");
                let command = [&node, &script, &modules].map(OsString::from).to_vec();
                results.push(self.ask("robots-parser", command)?);
                let (cpython, script) = (wrappers.join("node/cpython.mjs"), wrappers.join("python.py"));
                let command = [node, cpython, modules, script, "urllib".into()].map(OsString::from);
                results.push(self.ask("urllib-newest", command.to_vec())?);
            }
            Err(why) => skipped("robots-parser", &why),
        }
        let mut in_lines = |name: &str, of: [&str; 4], command: Vec<OsString>| -> Result<(), String> {
            results.push(self.ask(name, self.script(&[&["lines"], &of[..]].concat(), command))?);
            Ok(())
        };
        let perl = wrappers.join("perl/robotrules.pl");
        match printed("perl", &[&perl.to_string_lossy(), "version"]) {
            Some(version) => {
                let of = ["WWW::RobotRules", version.trim(), "Perl", "koster-1996"];
                in_lines("robotrules", of, vec!["perl".into(), perl.into()])?;
            }
            None => skipped("WWW::RobotRules", "Perl or the module is not installed"),
        }
        match &options.google {
            Some(source) => {
                let program = self.google(source)?;
                let of = ["google/robotstxt", &date(source), "C++", "google"];
                in_lines("google", of, vec![program.into()])?;
            }
            None => skipped("Google's parser", "its source is not given (--google FOLDER)"),
        }
        match &options.crawler_commons {
            Some(source) => {
                let own = [wrappers.join("java/CrawlerCommons.java")];
                let path = ["-sourcepath".into(), source.join("src/main/java").into()];
                let command = self.java("java", JARS, &path, &own, "CrawlerCommons")?;
                in_lines("crawler-commons", ["crawler-commons", &date(source), "Java", "rfc9309"], command)?;
            }
            None => skipped("crawler-commons", "its source is not given (--crawler-commons FOLDER)"),
        }
        match &options.gopath {
            Some(gopath) => {
                let program = self.go(gopath)?;
                for (name, of) in [("grobotstxt", "jimsmart/grobotstxt"), ("temoto", "temoto/robotstxt")] {
                    let version = date(&gopath.join("src/github.com").join(of));
                    in_lines(
                        name,
                        [of, &version, "Go", "google"],
                        vec![program.clone().into(), name.into()],
                    )?;
                }
            }
            None => skipped("the parsers in Go", "their source is not given (--gopath FOLDER)"),
        }
        match self.spatie(options, "rules") {
            Ok((command, version)) => {
                in_lines("spatie", ["spatie/robots-txt", &version, "PHP", "google"], command)?;
            }
            Err(why) => skipped("spatie/robots-txt", why),
        }
        Ok(results)
    }

    /// Asks programs about rules of pages, and returns the files with their results.
    fn about_pages(&self, options: &Peers) -> Result<Vec<PathBuf>, String> {
        let mut results = Vec::new();
        let mut ask = |[name, version, language, uses]: [&str; 4], command: Vec<OsString>| {
            let script = self.script(&["pages", name, version, language, PAGES, uses], command);
            results.push(self.ask(name, script)?);
            Ok::<(), String>(())
        };
        match self.spatie(options, "pages") {
            Ok((command, version)) => ask(["spatie/robots-txt", &version, "PHP", "index,follow"], command)?,
            Err(why) => skipped("spatie/robots-txt", why),
        }
        match &options.stormcrawler {
            Some(source) => {
                let own = self.wrappers.join("java/stormcrawler");
                let tags = source.join("core/src/main/java/org/apache/stormcrawler/util/RobotsTags.java");
                let sources = [tags, own.join("Metadata.java"), own.join("StormCrawler.java")];
                let command = self.java("stormcrawler", JSOUP, &[], &sources, "StormCrawler")?;
                ask(["StormCrawler RobotsTags", &date(source), "Java", "index,follow,archive"], command)?;
            }
            None => skipped("StormCrawler", "its source is not given (--stormcrawler FOLDER)"),
        }
        Ok(results)
    }

    /// Writes the results of programs as a page and as JSON, and returns the tables for PEERS.md.
    fn tables(&self, name: &str, results: Vec<PathBuf>) -> Result<String, String> {
        let out = |ending: &str| self.folder.join(format!("{name}.{ending}"));
        let mut report = of_suite(&self.python, &self.suite);
        report.arg("report").arg("--html").arg(out("html")).arg("--json").arg(out("json"));
        succeeds(report.arg("--markdown").arg(out("md")).args(results))?;
        text(&out("md"))
    }

    /// Builds the program that asks Google's parser.
    fn google(&self, source: &Path) -> Result<PathBuf, String> {
        let compiler = found(&["c++", "g++", "clang++"]).ok_or("no C++ compiler is installed")?;
        let program = self.folder.join("google");
        let mut compile = Command::new(compiler);
        compile.args(["-O2", "-std=c++17", "-I"]).arg(source).arg("-o").arg(&program);
        compile.arg(self.wrappers.join("google/google.cc")).arg(source.join("robots.cc"));
        let flags = printed("pkg-config", &["--libs", "absl_strings"])
            .ok_or("pkg-config does not find absl_strings")?;
        succeeds(compile.args(flags.split_whitespace()))?;
        Ok(program)
    }

    /// Builds the program that asks the parsers in Go.
    fn go(&self, gopath: &Path) -> Result<PathBuf, String> {
        let program = self.folder.join("go");
        let gopath = gopath.canonicalize().map_err(|error| format!("{}: {error}", gopath.display()))?;
        let mut build = Command::new(found(&["go"]).ok_or("go is not installed")?);
        build.args(["build".as_ref(), "-o".as_ref(), program.as_os_str()]);
        build.arg(self.wrappers.join("go/main.go")).env("GO111MODULE", "off").env("GOPATH", gopath);
        succeeds(&mut build)?;
        Ok(program)
    }

    /// Returns the command that asks spatie/robots-txt about rules or pages, and the version.
    fn spatie(&self, options: &Peers, what: &str) -> Result<(Vec<OsString>, String), &'static str> {
        let source = options.spatie.as_ref().ok_or("its source is not given (--spatie FOLDER)")?;
        let php = found(&["php"]).ok_or("php is not installed")?;
        let command =
            vec![php.into(), self.wrappers.join("php/spatie.php").into(), what.into(), source.into()];
        Ok((command, date(source)))
    }

    /// Builds a program in Java, and returns its command.
    fn java(
        &self,
        classes: &str,
        jars: &str,
        options: &[OsString],
        sources: &[PathBuf],
        main: &str,
    ) -> Result<Vec<OsString>, String> {
        let compiler = found(&["javac"]).ok_or("no JDK is installed")?;
        let java = found(&["java"]).ok_or("no JDK is installed")?;
        let classes = self.folder.join(classes);
        let mut compile = Command::new(compiler);
        compile.args(["-nowarn", "-d"]).arg(&classes).args(["-cp", jars]).args(options).args(sources);
        succeeds(&mut compile)?;
        let mut path = classes.into_os_string();
        path.push(":");
        path.push(jars);
        Ok(vec![java.into(), "-cp".into(), path, main.into()])
    }

    /// Makes a virtual environment with the packages that `requirements.txt` pins, and returns its interpreter.
    fn venv(&self) -> Result<PathBuf, String> {
        let interpreter = environment(&self.python, &self.folder.join("venv"))?;
        let mut install = pip(&interpreter, "install");
        install.args(["--require-hashes", "--requirement"]).arg(self.wrappers.join("requirements.txt"));
        succeeds(&mut install)?;
        Ok(interpreter)
    }

    /// Makes a folder with the packages that `package-lock.json` pins, and returns it with the program that runs them.
    fn modules(&self) -> Result<(PathBuf, PathBuf), String> {
        let node = found(&["node"]).ok_or("node is not installed")?;
        let npm = found(if cfg!(windows) { &["npm.cmd"] } else { &["npm"] }).ok_or("npm is not installed")?;
        let modules = self.folder.join("node");
        for name in ["package.json", "package-lock.json", ".npmrc"] {
            write(&modules.join(name), &text(&self.wrappers.join("node").join(name))?)?;
        }
        succeeds(Command::new(npm).args(["ci", "--silent"]).current_dir(&modules))?;
        Ok((node, modules))
    }
}

/// Checks the suite as its users do: the release, its own checks, this implementation as one of the programs, and
/// the readers in other languages.
pub(crate) fn suite() -> Outcome {
    let Some(python) = python() else {
        skipped("the runner of the suite", "python3 is not installed");
        return Ok(Ended::Well);
    };
    let built = test::build()?;
    let own = built.program("robots-conformance")?;
    let suite = exported(&mut Command::new(own))?;
    succeeds(of_suite(&python, &suite).arg("check"))?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "unittest", "discover", "--start-directory", "tests", "--top-level-directory", "."]);
    succeeds(tests.current_dir(&suite).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    for document in documents(own)? {
        let mut run = of_suite(&python, &suite);
        succeeds(run.arg("run").arg("--").arg(own).args(["answer", "--profile", &document]))?;
    }
    let robots = target().join("debug").join(format!("robots{}", std::env::consts::EXE_SUFFIX));
    if robots.exists() {
        let cache = target().join("suite-cache");
        if cache.exists() {
            fs::remove_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
        }
        let mut serve = of_suite(&python, &suite);
        serve.args(["serve", "--silence", "8", "--jobs", "4"]);
        match FAKETIME.into_iter().find(|library| Path::new(library).exists()) {
            Some(library) => drop(serve.args(["--faketime", library])),
            None => skipped("the timelines of servers", "libfaketime is not installed (package faketime)"),
        }
        serve.arg("--").arg(&python).arg(suite.join("wrappers/get.py")).arg("%url%").arg(robots);
        serve.args(["check", "--timeout", "6", "--agent", "ExampleBot", "--cache"]).arg(cache);
        succeeds(&mut serve)?;
    } else {
        skipped("the answers of servers", "the robots command is not built");
    }
    readers(&suite)
}

/// Runs the readers in `readers/` whose compilers are installed, and compares what they print.
fn readers(suite: &Path) -> Outcome {
    let readers = suite.join("readers");
    let built = target().join("suite-reader");
    let mut commands: Vec<(&str, Option<PathBuf>, Vec<OsString>)> = vec![
        ("Python", python(), vec![readers.join("read.py").into()]),
        ("JavaScript", found(&["node"]), vec![readers.join("read.js").into()]),
        // `java` compiles the file itself, if a JDK is installed.
        ("Java", found(&["javac"]).and(found(&["java"])), vec![readers.join("Read.java").into()]),
        ("Go", found(&["go"]), vec!["run".into(), readers.join("read.go").into()]),
    ];
    match found(&["c++", "g++", "clang++"]) {
        Some(compiler) => {
            let mut compile = Command::new(compiler);
            succeeds(compile.arg("-std=c++17").arg(readers.join("read.cpp")).arg("-o").arg(&built))?;
            commands.push(("C++", Some(built), Vec::new()));
        }
        None => skipped("the reader in C++", "no compiler is installed"),
    }
    let mut first: Option<Vec<u8>> = None;
    for (language, program, arguments) in commands {
        let Some(program) = program else {
            skipped(&format!("the reader in {language}"), "its compiler is not installed");
            continue;
        };
        let output = Command::new(&program)
            .args(arguments)
            .arg(suite)
            .arg("rfc9309")
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!(
                "the reader in {language} fails: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            ));
        }
        let expected = first.get_or_insert_with(|| output.stdout.clone());
        if *expected != output.stdout {
            return Err(format!("the reader in {language} counts other questions than that in Python"));
        }
    }
    Ok(Ended::Well)
}

fn python() -> Option<PathBuf> {
    found(&["python3", "python"])
}

/// Writes the suite to `target/suite` with the runner of the tables, and returns the folder.
fn exported(runner: &mut Command) -> Result<PathBuf, String> {
    let out = target().join("suite");
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    succeeds(runner.args(["suite", "--out"]).arg(&out).current_dir(root()))?;
    Ok(out)
}

/// Returns the names of the documents by which the runner answers: those that its help lists.
fn documents(runner: &Path) -> Result<Vec<String>, String> {
    let help = printed(&runner.to_string_lossy(), &["answer", "--help"]).unwrap_or_default();
    let names = help.split_once("[possible values: ").and_then(|(_, names)| names.split_once(']'));
    let names = names.ok_or_else(|| format!("the help of {} lists no profiles", runner.display()))?.0;
    Ok(names.split(',').map(|name| name.trim().to_owned()).collect())
}

/// Returns the command that starts the runner of a release.
fn of_suite(python: &Path, suite: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "robots_txt_suite"]).env("PYTHONPATH", suite).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Returns the date of the last commit of a checkout.
fn date(source: &Path) -> String {
    let version = printed("git", &["-C", &source.to_string_lossy(), "log", "-1", "--format=%cs"]);
    version
        .map(|version| version.trim().to_owned())
        .filter(|version| !version.is_empty())
        .unwrap_or_else(|| "of an unknown date".to_owned())
}
