//! The runner of the tables: `cargo xtask conformance`, and the other commands that need the tables.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here is for a target without a standard library"
)]

mod arguments;

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use arguments::{Agree, Arguments, Command, Compare, Conformance, Format, Generated, Quotes};
use clap::Parser as _;
use robots_conformance::agree::agree;
use robots_conformance::compare::{Candidate, compare};
use robots_conformance::{
    Filter, Outcome, Report, Suite, coverage, coverage_summary, dialects, run, unnoticed,
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
        Command::Compare(arguments) => comparison(arguments),
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

fn comparison(arguments: Compare) -> Result<bool, String> {
    let command = arguments.command;
    for placeholder in ["%robots%", "%url%"] {
        if !command.iter().any(|argument| argument.contains(placeholder)) {
            return Err(format!(
                "the arguments of the program lack {placeholder}; add it where the program expects it"
            ));
        }
    }
    let mut candidate = Candidate::new(command);
    candidate.allowed = arguments.allowed;
    candidate.disallowed = arguments.disallowed;
    candidate.timeout = arguments.timeout;
    let suite = arguments.tables.load();
    let found = compare(&suite, &arguments.profile, &candidate)?;
    print(&found)?;
    Ok(found.departures.is_empty() && found.asked > 0)
}
