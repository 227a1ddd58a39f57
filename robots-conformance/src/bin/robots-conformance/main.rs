//! The runner of the tables: `cargo xtask conformance`, and the other commands that need the tables.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here is for a target without a standard library"
)]

mod arguments;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead as _, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use arguments::{Agree, Answer, Arguments, Command, Conformance, Format, Generated, Quotes, Release};
use clap::Parser as _;
use robots_conformance::agree::agree;
use robots_conformance::{
    Filter, Outcome, Report, Suite, coverage, coverage_summary, dialects, release, run, unnoticed,
};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Conformance(arguments) => conformance(arguments),
        Command::Coverage(arguments) => {
            generated(arguments, "COVERAGE.md", "coverage", coverage, Some(coverage_summary))
        }
        Command::Dialects(arguments) => generated(arguments, "DIALECTS.md", "dialects", dialects, None),
        Command::Agree(arguments) => agreement(&arguments),
        Command::Quotes(arguments) => quotes(arguments),
        Command::Suite(arguments) => suite(arguments),
        Command::Answer(arguments) => answer(&arguments),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => fail(&message),
    }
}

#[expect(clippy::print_stderr, reason = "errors go to standard error")]
fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

fn print(text: impl Display) -> Result<(), String> {
    written(writeln!(io::stdout(), "{text}"))
}

/// Turns the result of a write to standard output into that of a command. A pipe that its reader closed early is not an
/// error.
fn written(result: io::Result<()>) -> Result<(), String> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

fn conformance(arguments: Conformance) -> Result<bool, String> {
    let mut filter = Filter::default();
    filter.document = arguments.document;
    filter.profile = arguments.profile;
    filter.table = arguments.table.map(|table| table.trim_end_matches(".toml").to_owned());
    filter.case = arguments.case;
    filter.part = arguments.part;
    let suite = arguments.tables.load();
    if arguments.list {
        let rows = filter.rows(&suite);
        let lines = rows.map(|(table, row, profile)| format!("{}/{} {profile}\n", table.id(), row.head.name));
        print(lines.collect::<String>().trim_end())?;
        return Ok(true);
    }
    let outcomes: Vec<Outcome<'_>> = run(&suite, &filter);
    if outcomes.is_empty() && !filter.is_all() && !suite.tables.is_empty() {
        return Err("no row matches these filters; leave some out".to_owned());
    }
    // Statements without rows and knobs without witnesses can only be found when all rows are run.
    let (problems, unnoticed) = match filter.is_all() {
        true => (suite.problems.clone(), unnoticed(&suite)),
        false => (Vec::new(), Vec::new()),
    };
    let report = Report::new(&suite, outcomes, problems, unnoticed);
    if let Some(file) = arguments.html {
        write_page(&report, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let write = match arguments.format {
        Format::Human => Report::human,
        Format::Json => Report::json,
        Format::Junit => Report::junit,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    written(write(&report, &mut out).and_then(|()| out.flush()))?;
    Ok(report.failed() == 0)
}

/// Writes a report as an HTML page.
fn write_page(report: &Report<'_>, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(file)?);
    report.html(&mut out)?;
    out.flush()
}

/// Writes a generated document, or checks that it is up to date, and prints its summary if it has one.
fn generated(
    arguments: Generated,
    name: &str,
    command: &str,
    text: fn(&Suite) -> String,
    summary: Option<fn(&Suite) -> String>,
) -> Result<bool, String> {
    let suite = arguments.tables.load();
    if let Some(problem) =
        suite.problems.iter().find(|problem| problem.line == 0 || problem.what.contains("TOML"))
    {
        return Err(problem.to_string());
    }
    if let Some(summary) = summary {
        print(summary(&suite))?;
    }
    let text = text(&suite);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let message = |error: io::Error| format!("{}: {error}", path.display());
    let found = match fs::read_to_string(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(message(error)),
    };
    let same = found == text;
    if !arguments.check {
        if !same {
            fs::write(&path, text).map_err(message)?;
        }
        print(format_args!("{name} {}", if same { "is unchanged" } else { "is written" }))?;
        return Ok(true);
    }
    if same {
        print(format_args!("{name} is up to date"))?;
    } else {
        let line = found.lines().zip(text.lines()).take_while(|(found, text)| found == text).count() + 1;
        print(format_args!("{name} is out of date from line {line}: run `cargo xtask {command}`"))?;
    }
    Ok(same)
}

fn agreement(arguments: &Agree) -> Result<bool, String> {
    let found = agree(&arguments.corpus)?;
    print(&found)?;
    Ok(found.holds())
}

fn quotes(arguments: Quotes) -> Result<bool, String> {
    let suite = arguments.tables.load();
    let quotes = suite.compare_quotes(&arguments.texts);
    for problem in &quotes.problems {
        print(problem)?;
    }
    for file in &quotes.absent {
        print(format_args!("skipped: {file} is not in {}", arguments.texts.display()))?;
    }
    let without = format_args!("{} statements have no quote", quotes.unverified);
    print(format_args!("{} quotes found, {} problems; {without}", quotes.found, quotes.problems.len()))?;
    if quotes.found == 0 {
        return Err(format!("{} has no text of a document; name another folder", arguments.texts.display()));
    }
    Ok(quotes.problems.is_empty())
}

/// Writes the release of the suite, and compares its ids with those of earlier releases.
fn suite(arguments: Release) -> Result<bool, String> {
    let folder = arguments.tables.folder();
    let suite = Suite::load(&folder);
    if let Some(problem) = suite.problems.first() {
        return Err(problem.to_string());
    }
    let own = folder.join("suite");
    let read = |name: &str| {
        let path = own.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let version = read("VERSION")?;
    let release = release::Release::of(&folder, &suite, version.trim());
    for problem in &release.problems {
        print(problem)?;
    }
    let mut ledger = release::Ledger::parse(&read("ids.tsv")?).map_err(|what| format!("ids.tsv: {what}"))?;
    if arguments.record {
        ledger.record(&release.ids, version.trim());
        fs::write(own.join("ids.tsv"), ledger.text()).map_err(|error| format!("ids.tsv: {error}"))?;
    }
    let differences = ledger.compare(&release.ids);
    for difference in &differences {
        print(format_args!("ids.tsv: {difference}"))?;
    }
    if !arguments.check {
        write_release(&release, &own, &ledger, &arguments.out)?;
        print(format_args!(
            "{} questions, {} files in {}",
            release.ids.len(),
            release.files.len(),
            arguments.out.display()
        ))?;
    }
    Ok(release.problems.is_empty() && differences.is_empty())
}

/// Writes all files of a release, and the SHA-256 of each.
fn write_release(
    release: &release::Release,
    own: &Path,
    ledger: &release::Ledger,
    out: &Path,
) -> Result<(), String> {
    let mut files: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    files.insert("suite.json".into(), release.suite.clone().into());
    files.insert("verdicts.tsv".into(), release.verdicts.clone().into());
    files.insert("ids.tsv".into(), ledger.text().into());
    files.extend(release.files.iter().map(|(name, bytes)| (Path::new("files").join(name), bytes.clone())));
    for path in tracked(own)? {
        let name = path.strip_prefix(own).map_err(|error| error.to_string())?.to_owned();
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        files.entry(name).or_insert(bytes);
    }
    let mut sums = String::new();
    for (name, bytes) in &files {
        let name = name.to_string_lossy().replace('\\', "/");
        sums.push_str(&format!("{}  {name}\n", release::sha256(bytes)));
    }
    files.insert("SHA256SUMS".into(), sums.into());
    // Files of an older release in the same folder would be no part of this one.
    let older = fs::read_to_string(out.join("SHA256SUMS")).unwrap_or_default();
    for name in older.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| Path::new(name)) {
        let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
        if is_inside && !files.contains_key(name) {
            let _ = fs::remove_file(out.join(name));
        }
    }
    for (name, bytes) in &files {
        let path = out.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        made.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Returns the files in a folder and its folders, without those that programs leave there.
fn tracked(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if matches!(&*name, "__pycache__" | "node_modules" | "ids.tsv") || name.starts_with('.') {
            continue;
        }
        if path.is_dir() { found.extend(tracked(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Answers questions of the suite with this implementation.
fn answer(arguments: &Answer) -> Result<bool, String> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input: {error}"))?;
        let Some(answer) = release::answer(&line, &arguments.profile)? else { break };
        written(writeln!(out, "{answer}").and_then(|()| out.flush()))?;
    }
    Ok(true)
}
