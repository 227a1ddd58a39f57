//! The `robots` command: verdicts on robots.txt files for people and for programs.
//!
//! Programs use the library robots-fetch. This one is the command: [`main`] runs it, and [`answer`] is the part of
//! `robots batch` that benchmarks and fuzz targets measure.
//!
//! Each command has a folder. `arguments` and `network` hold the options that several commands have; the other files are
//! what they all use for input and output.

extern crate alloc;

mod arguments;
mod body;
mod extent;
mod failure;
mod in_order;
mod inputs;
mod names;
mod network;
mod other_lines;
mod output;
mod replace_file;
mod rule_counts;
mod sarif;
mod schemas;
mod source;
mod subject;
mod table;
mod text;
mod text_view;
mod toml_text;
mod url_list;
mod usage_error;
mod verdict;

mod audit;
mod batch;
mod check;
mod crawlers;
mod diff;
mod expect;
mod explain;
mod fetch;
mod generate;
mod lint;
mod log;
mod page;
mod watch;
mod write;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use crate::batch::answer::{Broken, LONGEST_LINE, Reading, answer, answer_on};
use crate::failure::{FAILED, Failure, Result};
pub use crate::inputs::{InputKind, read_input};
use crate::output::{Style, TextLines};
pub use crate::schemas::schemas;

/// May a crawler access a URL, and which line of the robots.txt says so?
#[derive(Debug, Parser)]
#[command(
    name = "robots",
    version,
    after_help = HELP,
    term_width = 80,
    // The last of several equal options counts, so that an alias can be overridden.
    args_override_self = true,
    arg_required_else_help = false,
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Explain(explain::Arguments),
    Fetch(fetch::Arguments),
    Lint(lint::Arguments),
    Crawlers(crawlers::Arguments),
    Diff(diff::Arguments),
    Audit(audit::Arguments),
    Expect(expect::Arguments),
    Log(log::Arguments),
    Write(write::Arguments),
    Watch(watch::Arguments),
    Page(page::Arguments),
    Batch(batch::Arguments),
    #[command(hide = true)]
    Generate(generate::Arguments),
}

const HELP: &str = "\
Exit status:
  0  URLs are allowed, or nothing was found or changed
  1  a URL is disallowed, or something was found or changed
  2  an error occurred, or a site gave no answer
The help of each command has the details.

Examples:
  robots check --agent ExampleBot https://example.com/private
  robots check --robots robots.txt --agent ExampleBot /private
  robots explain --agent ExampleBot https://example.com/private
  robots fetch https://example.com
  robots lint robots.txt https://example.com
  robots crawlers robots.txt
  robots diff git:HEAD:robots.txt robots.txt
  robots audit --agent Googlebot sites/ https://example.com
  robots expect --environment production robots.txt
  robots log --robots robots.txt access.log
  robots write --block ai-training --into robots.txt
  robots watch history https://example.com
  robots page https://example.com/page
  robots batch --profile google < rows.tsv
";

/// Runs the command with the arguments of the process, and returns its exit status.
pub fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        // The reader of the output has read enough.
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            output::complain("error", Style::Error, &message);
            ExitCode::from(FAILED)
        }
    }
}

/// Checks that no option that names the input of a command is given twice. The last one of other options counts, but here the
/// answer would be about one input, and look as if it were about all.
fn require_one_input() -> Result<()> {
    // Versions of a file are several.
    if env::args_os().nth(1).is_some_and(|command| command == "log") {
        return Ok(());
    }
    for option in ["--robots", "--urls"] {
        let is_option = |argument: &OsString| {
            let rest = argument.as_encoded_bytes().strip_prefix(option.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
        };
        let options = env::args_os().take_while(|argument| argument != "--");
        if options.filter(is_option).count() > 1 {
            return Err(Failure::new(format!("`{option}` is given twice; run the command for each of them")));
        }
    }
    Ok(())
}

fn run() -> Result<u8> {
    require_one_input()?;
    let mut command = CommandLine::command();
    let parsed = command.try_get_matches_from_mut(env::args_os()).and_then(|matches| {
        let command_line = CommandLine::from_arg_matches(&matches)?;
        Ok((command_line, network::given_options(&command, &matches)))
    });
    let (command_line, for_sites) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::print(TextLines::of_program(&error.render().to_string()))?;
            return Ok(0);
        }
        Err(error) => {
            let names: Vec<_> = env::args_os().skip(1).collect();
            return Err(usage_error::failure(&error, &CommandLine::command(), &names));
        }
    };
    let status = match command_line.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Fetch(arguments) => fetch::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Crawlers(arguments) => crawlers::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Expect(arguments) => expect::run(&arguments),
        Command::Log(arguments) => log::run(&arguments),
        Command::Write(arguments) => write::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Page(arguments) => page::run(&arguments),
        Command::Batch(arguments) => batch::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments, CommandLine::command()),
    };
    if status.is_ok() {
        network::note_without_effect(&for_sites);
    }
    status
}
