//! The `robots` command: verdicts on robots.txt files for people and for programs.
//!
//! Each command has a folder. `arguments` and `network` hold the options that several commands have; the other files are
//! what they all use for input and output.

extern crate alloc;

mod arguments;
mod extent;
mod failure;
mod github;
mod html;
mod json;
mod names;
mod network;
mod output;
mod source;
mod subject;
mod table;
mod text;
mod text_view;
mod uri;
mod url_list;
mod usage_error;

mod audit;
mod batch;
mod check;
mod crawlers;
mod diff;
mod explain;
mod fetch;
mod generate;
mod lint;

use std::env;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::failure::{FAILED, Failure, Result};
use crate::output::Style;

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
    Batch(batch::Arguments),
    #[command(hide = true)]
    Generate(generate::Arguments),
}

const HELP: &str = "\
Exit status:
  0  URLs are allowed, or nothing was found or changed
  1  a URL is disallowed, or something was found or changed
  2  an error occurred
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
  robots batch --profile google < rows.tsv
";

fn main() -> ExitCode {
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

fn run() -> Result<u8> {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::print(&error.render().to_string())?;
            return Ok(0);
        }
        Err(error) => {
            let names: Vec<_> = env::args_os().skip(1).collect();
            return Err(usage_error::failure(&error, &CommandLine::command(), &names));
        }
    };
    match command_line.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Fetch(arguments) => fetch::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Crawlers(arguments) => crawlers::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Batch(arguments) => batch::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments, CommandLine::command()),
    }
}
