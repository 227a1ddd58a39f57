//! `cargo xtask peers`, and the step `suite` of `cargo xtask ci`: programs that are asked the questions of the suite.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::test;
use crate::help::ending;
use crate::process::{Ended, Outcome, cargo, found, printed, skipped, succeeds};
use crate::workspace::{root, target};

/// Writes PEERS.md: the results of other implementations with the questions of the suite.
///
/// Downloads the other implementations, in the versions that robots-conformance/suite/wrappers pins.
/// Needs python3; robots-parser and the newest CPython, which npm has as pyodide, are skipped if node or
/// npm is missing, that in Perl without its module WWW::RobotRules. Google's parser is asked if its source is given; it needs a C++ compiler and
/// the development files of Abseil. So is crawler-commons; it needs a JDK, and the jars of slf4j and
/// commons-io in /usr/share/java. So are grobotstxt and temoto/robotstxt, which need go, and
/// spatie/robots-txt, which needs php. For the rules of pages, StormCrawler's RobotsTags needs a JDK and
/// the jar of jsoup in /usr/share/java.
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

/// What PEERS.md says before the tables about rules of pages.
const PAGES_PREFACE: &str = "
## Rules of pages

The same for rules of pages: `X-Robots-Tag` and `Robots-Tag`, meta elements. A question holds if a program gives the right
answer for each use of a page that it knows: spatie/robots-txt index and follow, StormCrawler's `RobotsTags` also archive. Questions
about other uses are not asked. No text of the pages of search engines is stored here, so the statements about them are *unverified*.
Neither program names a document that it follows. Both read `X-Robots-Tag`, so they are compared with the draft about the field and with
Google's page (bold).

Each program is run from its source, which `--spatie` and `--stormcrawler` give. `RobotsTags` gets the fields and the first element
as `JSoupParserBolt` does. The wrapper compares names of fields without case. By its source, which was read and not run, StormCrawler itself
does not: its clients keep names in lower case, and `RobotsTags` looks for `X-Robots-Tag`. crawler-commons has no reader of such
rules; only its class `RobotsExtension` names some, for lines of robots.txt.

";

/// The crates that `wrappers/rust` answers for.
const CRATES: [&str; 5] = ["robotxt", "texting_robots", "robotstxt", "robotparser", "cylon"];

/// Python packages that `wrappers/python.py` answers for, beside the parser of the standard library.
const PACKAGES: [&str; 2] = ["protego", "robotspy"];

/// What PEERS.md says before its tables.
const PREFACE: &str = "\
# Other implementations

Written by `cargo xtask peers`; do not edit. The verdict questions of the [suite](robots-conformance/suite/README.md) are asked
of other implementations from package registries, in the versions that `robots-conformance/suite/wrappers` pins, and of those whose
sources are given: Google's parser, crawler-commons, grobotstxt and temoto/robotstxt (Go), spatie/robots-txt (PHP). Each is used as
its own documentation says. A question does not hold after a crash, an exception, an error, or 5 seconds without an answer.

The first table has the sentences of each document without a difference, and in parentheses the tests that hold. **Bold**:
documents that an implementation claims to follow; only there a difference is an error. spatie/robots-txt names none, so it is
compared with Google's page, which has what it has. Permissions (MAY) are not scored, and
choices of this project, where the words are unclear, are counted apart. The authors of this project wrote the questions from the
words of the documents, and most of them ask about details in which parsers differ. So a share does not measure how often an
implementation is wrong on files of the web.

The second table has the sentences on which an implementation differs from a document that it claims to follow, with one question
each. `python3 -m robots_txt_suite show ID` prints a question with its file and the words of the document.

";

pub(crate) fn peers(options: &Peers) -> Outcome {
    let folder = target().join("peers");
    let Some(python) = python() else { return Err("python3 is not installed; install it".to_owned()) };
    let mut export = Command::new(cargo());
    export.args(["run", "--quiet", "--package", "robots-conformance", "--bin", "robots-conformance", "--"]);
    let suite = exported(&mut export)?;
    let wrappers = root().join("robots-conformance/suite/wrappers");
    let mut results = Vec::new();
    let mut ask = |name: &str, command: Vec<OsString>| -> Result<(), String> {
        let out = folder.join(format!("{name}.json"));
        // Differences are what is looked for, so only an implementation that could not be asked is a failure.
        let status = of_suite(&python, &suite)
            .args(["run".as_ref(), "--out".as_ref(), out.as_os_str(), "--".as_ref()])
            .args(command)
            .status()
            .map_err(|error| format!("{}: {error}", python.display()))?;
        match status.code() {
            Some(0 | 1) => {
                let _: () = results.push(out);
                Ok(())
            }
            _ => Err(format!("{name} could not be asked")),
        }
    };
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let manifest = wrappers.join("rust/Cargo.toml");
    let mut build = Command::new(cargo());
    build.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]).arg(manifest);
    succeeds(build.arg("--target-dir").arg(&folder))?;
    for name in CRATES {
        let program = folder.join("release").join(format!("suite-wrapper{}", std::env::consts::EXE_SUFFIX));
        ask(name, vec![program.into(), name.into()])?;
    }
    let script = wrappers.join("python.py");
    ask("urllib", vec![python.clone().into(), script.clone().into(), "urllib".into()])?;
    match venv(&python, &wrappers, &folder) {
        Ok(python) => {
            for name in PACKAGES {
                ask(name, vec![python.clone().into(), script.clone().into(), name.into()])?;
            }
        }
        Err(why) => skipped(&PACKAGES.join(", "), &why),
    }
    match modules(&wrappers, &folder) {
        Ok((node, modules)) => {
            let script = wrappers.join("node/robots-parser.js");
            ask("robots-parser", vec![node.clone().into(), script.into(), modules.clone().into()])?;
            let cpython = wrappers.join("node/cpython.mjs");
            let command = [node, cpython, modules, wrappers.join("python.py"), "urllib".into()];
            ask("urllib-newest", command.map(OsString::from).to_vec())?;
        }
        Err(why) => skipped("robots-parser", &why),
    }
    let in_lines = |name: &str, version: &str, language: &str, document: &str, command: Vec<OsString>| {
        let mut words = vec![python.clone().into(), script.clone().into(), "lines".into()];
        words.extend([name, version, language, document].map(OsString::from));
        words.extend(command);
        words
    };
    let perl = wrappers.join("perl/robotrules.pl");
    match found(&["perl"])
        .and_then(|path| printed(&path.to_string_lossy(), &[&perl.to_string_lossy(), "version"]))
    {
        Some(version) => {
            let command = vec!["perl".into(), perl.into()];
            ask("robotrules", in_lines("WWW::RobotRules", version.trim(), "Perl", "koster-1996", command))?;
        }
        None => skipped("WWW::RobotRules", "Perl or the module is not installed"),
    }
    match &options.google {
        Some(source) => {
            let (program, version) = google(source, &wrappers, &folder)?;
            ask("google", in_lines("google/robotstxt", &version, "C++", "google", vec![program.into()]))?;
        }
        None => skipped("Google's parser", "its source is not given (--google FOLDER)"),
    }
    match &options.crawler_commons {
        Some(source) => {
            let (command, version) = crawler_commons(source, &wrappers, &folder)?;
            ask("crawler-commons", in_lines("crawler-commons", &version, "Java", "rfc9309", command))?;
        }
        None => skipped("crawler-commons", "its source is not given (--crawler-commons FOLDER)"),
    }
    match &options.gopath {
        Some(gopath) => {
            let program = go(gopath, &wrappers, &folder)?;
            for (name, source) in [("grobotstxt", "jimsmart/grobotstxt"), ("temoto", "temoto/robotstxt")] {
                let version = date(&gopath.join("src/github.com").join(source));
                ask(
                    name,
                    in_lines(source, &version, "Go", "google", vec![program.clone().into(), name.into()]),
                )?;
            }
        }
        None => skipped("the parsers in Go", "their source is not given (--gopath FOLDER)"),
    }
    match spatie(options, &wrappers, "rules") {
        Ok((command, version)) => {
            ask("spatie", in_lines("spatie/robots-txt", &version, "PHP", "google", command))?;
        }
        Err(why) => skipped("spatie/robots-txt", why),
    }
    let tables = tables(&python, &suite, &folder, "peers", results)?;
    let pages = about_pages(options, &python, &suite, &wrappers, &folder)?;
    let pages = match pages.is_empty() {
        true => String::new(),
        false => format!("{PAGES_PREFACE}{}", self::tables(&python, &suite, &folder, "peers-pages", pages)?),
    };
    let out = root().join("PEERS.md");
    fs::write(&out, format!("{PREFACE}{tables}{pages}"))
        .map_err(|error| format!("{}: {error}", out.display()))?;
    Ok(Ended::Well)
}

/// Writes the results of programs as a page and as JSON, and returns the tables for PEERS.md.
fn tables(
    python: &Path,
    suite: &Path,
    folder: &Path,
    name: &str,
    results: Vec<PathBuf>,
) -> Result<String, String> {
    let tables = folder.join(format!("{name}.md"));
    let mut report = of_suite(python, suite);
    report.args(["report".as_ref(), "--html".as_ref(), folder.join(format!("{name}.html")).as_os_str()]);
    report.args(["--json".as_ref(), folder.join(format!("{name}.json")).as_os_str()]);
    succeeds(report.args(["--markdown".as_ref(), tables.as_os_str()]).args(results))?;
    fs::read_to_string(&tables).map_err(|error| format!("{}: {error}", tables.display()))
}

/// Asks programs about rules of pages, and returns the files with their results.
fn about_pages(
    options: &Peers,
    python: &Path,
    suite: &Path,
    wrappers: &Path,
    folder: &Path,
) -> Result<Vec<PathBuf>, String> {
    let script = wrappers.join("python.py");
    let mut results = Vec::new();
    let mut ask =
        |[name, version, language, uses]: [&str; 4], command: Vec<OsString>| -> Result<(), String> {
            let out = folder.join(format!("{}.json", name.replace('/', "-")));
            let mut run = of_suite(python, suite);
            run.args(["run".as_ref(), "--out".as_ref(), out.as_os_str(), "--".as_ref(), python.as_os_str()]);
            run.arg(&script).args(["pages", name, version, language, PAGES, uses]).args(command);
            match run.status().map_err(|error| format!("{}: {error}", python.display()))?.code() {
                Some(0 | 1) => {
                    let _: () = results.push(out);
                    Ok(())
                }
                _ => Err(format!("{name} could not be asked")),
            }
        };
    match spatie(options, wrappers, "pages") {
        Ok((command, version)) => ask(["spatie/robots-txt", &version, "PHP", "index,follow"], command)?,
        Err(why) => skipped("spatie/robots-txt", why),
    }
    match &options.stormcrawler {
        Some(source) => {
            let classes = folder.join("stormcrawler");
            let own = wrappers.join("java/stormcrawler");
            let mut compile = Command::new(found(&["javac"]).ok_or("no JDK is installed")?);
            compile.args(["-nowarn", "-d"]).arg(&classes).args(["-cp", JSOUP]);
            compile.arg(source.join("core/src/main/java/org/apache/stormcrawler/util/RobotsTags.java"));
            compile.arg(own.join("Metadata.java")).arg(own.join("StormCrawler.java"));
            succeeds(&mut compile)?;
            let mut path = classes.into_os_string();
            path.push(":");
            path.push(JSOUP);
            let java = found(&["java"]).ok_or("no JDK is installed")?;
            let command = vec![java.into(), "-cp".into(), path, "StormCrawler".into()];
            let name = ["StormCrawler RobotsTags", &date(source), "Java", "index,follow,archive"];
            ask(name, command)?;
        }
        None => skipped("StormCrawler", "its source is not given (--stormcrawler FOLDER)"),
    }
    Ok(results)
}

/// Checks the suite as somebody would use it: the release, its own checks, this implementation as one of the programs, and
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

/// Builds the program that asks Google's parser, and returns it with the version.
fn google(source: &Path, wrappers: &Path, folder: &Path) -> Result<(PathBuf, String), String> {
    let compiler = found(&["c++", "g++", "clang++"]).ok_or("no C++ compiler is installed")?;
    let program = folder.join("google");
    let mut compile = Command::new(compiler);
    compile.args(["-O2", "-std=c++17", "-I"]).arg(source).arg("-o").arg(&program);
    compile.arg(wrappers.join("google/google.cc")).arg(source.join("robots.cc"));
    let flags =
        printed("pkg-config", &["--libs", "absl_strings"]).ok_or("pkg-config does not find absl_strings")?;
    succeeds(compile.args(flags.split_whitespace()))?;
    Ok((program, date(source)))
}

/// Builds the program that asks crawler-commons, and returns its command with the version.
fn crawler_commons(source: &Path, wrappers: &Path, folder: &Path) -> Result<(Vec<OsString>, String), String> {
    let compiler = found(&["javac"]).ok_or("no JDK is installed")?;
    let java = found(&["java"]).ok_or("no JDK is installed")?;
    let classes = folder.join("java");
    let mut compile = Command::new(compiler);
    compile.args(["-nowarn", "-d"]).arg(&classes).args(["-cp", JARS, "-sourcepath"]);
    compile.arg(source.join("src/main/java")).arg(wrappers.join("java/CrawlerCommons.java"));
    succeeds(&mut compile)?;
    let mut path = classes.into_os_string();
    path.push(":");
    path.push(JARS);
    Ok((vec![java.into(), "-cp".into(), path, "CrawlerCommons".into()], date(source)))
}

/// Builds the program that asks the parsers in Go.
fn go(gopath: &Path, wrappers: &Path, folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("go");
    let gopath = gopath.canonicalize().map_err(|error| format!("{}: {error}", gopath.display()))?;
    let mut build = Command::new(found(&["go"]).ok_or("go is not installed")?);
    build.args(["build".as_ref(), "-o".as_ref(), program.as_os_str()]).arg(wrappers.join("go/main.go"));
    succeeds(build.env("GO111MODULE", "off").env("GOPATH", gopath))?;
    Ok(program)
}

/// Returns the command that asks spatie/robots-txt about rules or pages, and the version.
fn spatie(options: &Peers, wrappers: &Path, what: &str) -> Result<(Vec<OsString>, String), &'static str> {
    let source = options.spatie.as_ref().ok_or("its source is not given (--spatie FOLDER)")?;
    let php = found(&["php"]).ok_or("php is not installed")?;
    let command = vec![php.into(), wrappers.join("php/spatie.php").into(), what.into(), source.into()];
    Ok((command, date(source)))
}

/// Returns the date of the last commit of a checkout.
fn date(source: &Path) -> String {
    let version = printed("git", &["-C", &source.to_string_lossy(), "log", "-1", "--format=%cs"]);
    version
        .map(|version| version.trim().to_owned())
        .filter(|version| !version.is_empty())
        .unwrap_or_else(|| "of an unknown date".to_owned())
}

/// Makes a virtual environment with the packages that `requirements.txt` pins, and returns its interpreter.
fn venv(python: &Path, wrappers: &Path, folder: &Path) -> Result<PathBuf, String> {
    let venv = folder.join("venv");
    let interpreter =
        if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") };
    if !interpreter.exists() {
        succeeds(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
    }
    let mut pip = Command::new(&interpreter);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
    succeeds(pip.arg("--requirement").arg(wrappers.join("requirements.txt")))?;
    Ok(interpreter)
}

/// Makes a folder with the packages that `package-lock.json` pins, and returns it with the program that runs them.
fn modules(wrappers: &Path, folder: &Path) -> Result<(PathBuf, PathBuf), String> {
    let node = found(&["node"]).ok_or("node is not installed")?;
    let npm = found(if cfg!(windows) { &["npm.cmd"] } else { &["npm"] }).ok_or("npm is not installed")?;
    let modules = folder.join("node");
    fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let from = wrappers.join("node").join(name);
        fs::copy(&from, modules.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    succeeds(Command::new(npm).args(["ci", "--silent"]).current_dir(&modules))?;
    Ok((node, modules))
}
