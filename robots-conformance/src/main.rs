//! The runner of the tables: `cargo xtask conformance`, and the commands that need the tables as well.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here is for a target without a standard library"
)]

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use regex_lite::Regex;
use robots_conformance::agree::agree;
use robots_conformance::compare::{Candidate, compare};
use robots_conformance::{
    DOCUMENTS, Filter, Outcome, Profile, Report, Suite, coverage, dialects, run, unnoticed,
};

const USAGE: &str = "\
usage: robots-conformance COMMAND
  conformance [--document D] [--profile P] [--table T] [--case C] [--format human|json|junit] [--html FILE]
              [--tables DIR]
  coverage [--check] [--tables DIR]
  dialects [--check] [--tables DIR]
  agree --corpus DIR
  compare [--profile P] [--allowed REGEX] [--disallowed REGEX] [--timeout SECONDS] [--tables DIR] -- PROGRAM ARGS...
     in ARGS, %robots% is the path of a file, %agent% and %url% who asks about what; status 0 allows, 1 disallows,
     or the pattern in its output decides";

fn main() -> ExitCode {
    let arguments: Vec<String> = match env::args_os().skip(1).map(std::ffi::OsString::into_string).collect() {
        Ok(arguments) => arguments,
        Err(argument) => return refuse(&format!("{} is not UTF-8", argument.to_string_lossy())),
    };
    let outcome = match arguments.split_first() {
        Some((command, arguments)) => match &**command {
            "conformance" => conformance(arguments),
            "coverage" => generated(arguments, "COVERAGE.md", "coverage", coverage),
            "dialects" => generated(arguments, "DIALECTS.md", "dialects", dialects),
            "agree" => agreement(arguments),
            "compare" => comparison(arguments),
            "help" | "--help" | "-h" => said(USAGE).map(|()| true),
            other => Err(format!("there is no command `{other}`; `help` lists those there are")),
        },
        None => Err("no command is given; `help` lists those there are".to_owned()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => refuse(&what),
    }
}

#[expect(clippy::print_stderr, reason = "errors go to standard error")]
fn refuse(what: &str) -> ExitCode {
    eprintln!("error: {what}");
    ExitCode::from(2)
}

fn said(what: impl Display) -> Result<(), String> {
    finished(writeln!(io::stdout(), "{what}"))
}

/// A reader that goes away early is no error.
fn finished(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// The options of a command: `--name VALUE`, `--name=VALUE`, or `--name` alone for a switch.
struct Options<'a> {
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    fn read(arguments: &'a [String], valued: &[&str], switches: &[&str]) -> Result<Self, String> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, value) =
                argument.split_once('=').map_or((&**argument, None), |(name, value)| (name, Some(value)));
            let value = match value {
                _ if switches.contains(&name) && value.is_none() => "",
                Some(value) if valued.contains(&name) => value,
                None if valued.contains(&name) => {
                    rest.next().ok_or_else(|| format!("{name} needs a value"))?
                }
                _ => {
                    let known = [valued, switches].concat().join(", ");
                    return Err(format!("there is no option `{argument}` here: {known} are"));
                }
            };
            if given.iter().any(|(other, _)| *other == name) {
                return Err(format!("{name} is given twice"));
            }
            given.push((name, value));
        }
        Ok(Self { given })
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == name).map(|&(_, value)| value)
    }

    fn profile(&self) -> Result<Option<&'a str>, String> {
        named(self.get("--profile"), "profile", &Profile::NAMED.map(|(name, _)| name))
    }

    fn folder(&self) -> Result<PathBuf, String> {
        let folder = self.get("--tables").map_or_else(Suite::folder, PathBuf::from);
        if folder.is_dir() { Ok(folder) } else { Err(format!("{} is no folder", folder.display())) }
    }
}

/// A name that is among those that there are.
fn named<'a>(name: Option<&'a str>, what: &str, names: &[&str]) -> Result<Option<&'a str>, String> {
    match name {
        Some(name) if !names.contains(&name) => {
            Err(format!("there is no {what} `{name}`: {} are", names.join(", ")))
        }
        name => Ok(name),
    }
}

fn conformance(arguments: &[String]) -> Result<bool, String> {
    let valued = ["--document", "--profile", "--table", "--case", "--format", "--html", "--tables"];
    let options = Options::read(arguments, &valued, &[])?;
    let mut filter = Filter::default();
    filter.document = named(options.get("--document"), "document", &DOCUMENTS)?.map(str::to_owned);
    filter.profile = options.profile()?.map(str::to_owned);
    filter.table = options.get("--table").map(|table| table.trim_end_matches(".toml").to_owned());
    filter.case = options.get("--case").map(str::to_owned);
    let write = match options.get("--format").unwrap_or("human") {
        "human" => Report::human,
        "json" => Report::json,
        "junit" => Report::junit,
        other => return Err(format!("there is no format `{other}`: human, json, junit are")),
    };
    let suite = Suite::load(&options.folder()?);
    let outcomes: Vec<Outcome<'_>> = run(&suite, &filter);
    if outcomes.is_empty() && !filter.is_all() && !suite.tables.is_empty() {
        return Err("no row fits all that is asked for".to_owned());
    }
    // Knobs and statements are a matter of all rows together.
    let (problems, unnoticed) = match filter.is_all() {
        true => (suite.problems.clone(), unnoticed(&suite)),
        false => (Vec::new(), Vec::new()),
    };
    let report = Report::new(&suite, outcomes, problems, unnoticed);
    if let Some(file) = options.get("--html") {
        page(&report, Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    finished(write(&report, &mut out).and_then(|()| out.flush()))?;
    Ok(report.failed() == 0)
}

/// Writes the page of a report.
fn page(report: &Report<'_>, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(file)?);
    report.html(&mut out)?;
    out.flush()
}

/// Writes a generated document, or checks that it is as it would be written.
fn generated(
    arguments: &[String],
    name: &str,
    command: &str,
    text: fn(&Suite) -> String,
) -> Result<bool, String> {
    let options = Options::read(arguments, &["--tables"], &["--check"])?;
    let suite = Suite::load(&options.folder()?);
    if let Some(problem) =
        suite.problems.iter().find(|problem| problem.line == 0 || problem.what.contains("TOML"))
    {
        return Err(problem.to_string());
    }
    let text = text(&suite);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let told = |error: io::Error| format!("{}: {error}", path.display());
    let found = match fs::read_to_string(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(told(error)),
    };
    let same = found == text;
    if options.get("--check").is_none() {
        if !same {
            fs::write(&path, text).map_err(told)?;
        }
        said(format_args!("{name} {}", if same { "is as it was" } else { "is written" }))?;
        return Ok(true);
    }
    if same {
        said(format_args!("{name} is up to date"))?;
    } else {
        let line = found.lines().zip(text.lines()).take_while(|(found, text)| found == text).count() + 1;
        said(format_args!("{name} is out of date from line {line}: run `cargo xtask {command}`"))?;
    }
    Ok(same)
}

fn agreement(arguments: &[String]) -> Result<bool, String> {
    let options = Options::read(arguments, &["--corpus"], &[])?;
    let folder = options.get("--corpus").ok_or("--corpus DIR is missing")?;
    let found = agree(Path::new(folder))?;
    said(&found)?;
    Ok(found.holds())
}

fn comparison(arguments: &[String]) -> Result<bool, String> {
    let at = arguments.iter().position(|argument| argument == "--");
    let (options, command) = arguments.split_at(at.ok_or("`-- PROGRAM ARGS...` is missing")?);
    let valued = ["--profile", "--allowed", "--disallowed", "--timeout", "--tables"];
    let options = Options::read(options, &valued, &[])?;
    let regex = |name: &str| match options.get(name) {
        Some(pattern) => Regex::new(pattern).map(Some).map_err(|error| format!("{name}: {error}")),
        None => Ok(None),
    };
    let command: Vec<String> = command.iter().skip(1).cloned().collect();
    if command.is_empty() {
        return Err("no program is named behind `--`".to_owned());
    }
    if !["%robots%", "%url%"].iter().all(|word| command.iter().any(|argument| argument.contains(word))) {
        return Err("the arguments of the program hold no %robots% or no %url%".to_owned());
    }
    let mut candidate = Candidate::new(command);
    candidate.allowed = regex("--allowed")?;
    candidate.disallowed = regex("--disallowed")?;
    if let Some(seconds) = options.get("--timeout") {
        let parsed = seconds.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        candidate.timeout = parsed.ok_or_else(|| format!("`{seconds}` is no number of seconds"))?;
    }
    let suite = Suite::load(&options.folder()?);
    let profile = options.profile()?.unwrap_or("rfc9309");
    let found = compare(&suite, profile, &candidate)?;
    said(&found)?;
    Ok(found.departures.is_empty() && found.asked > 0)
}
