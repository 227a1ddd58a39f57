//! The `robots` command: verdicts on robots.txt files for people and for programs.
//!
//! One file for each command; what they share stands in `args`, `failure`, `show` and `source`.

extern crate alloc;

mod arguments;
mod batch;
mod check;
mod explain;
mod failure;
mod fetch;
mod json;
mod lint;
mod network;
mod output;
mod source;
mod text;
mod text_view;

use std::process::ExitCode;

use lexopt::Arg;

use crate::failure::{Failure, Result};
use crate::output::Style;

/// The exit status of a command that failed; its answer has those below.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        // Who reads has enough: there is nobody to tell.
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Told(message)) => {
            output::complain("error", Style::Error, &message);
            ExitCode::from(FAILED)
        }
    }
}

fn run() -> Result<u8> {
    let mut parser = lexopt::Parser::from_env();
    match parser.next()? {
        None => {
            output::complain("error", Style::Error, "no command is given; `robots --help` lists them");
            Ok(FAILED)
        }
        Some(Arg::Short('h') | Arg::Long("help")) => help(HELP),
        Some(Arg::Short('V') | Arg::Long("version")) => version(),
        Some(Arg::Value(name)) => match name.as_encoded_bytes() {
            b"check" => check::run(parser),
            b"batch" => batch::run(parser),
            b"explain" => explain::run(parser),
            b"fetch" => fetch::run(parser),
            b"lint" => lint::run(parser),
            b"help" => match parser.next()? {
                None => help(HELP),
                Some(Arg::Value(name)) => match name.as_encoded_bytes() {
                    b"check" => help(check::HELP),
                    b"batch" => help(batch::HELP),
                    b"explain" => help(explain::HELP),
                    b"fetch" => help(fetch::HELP),
                    b"lint" => help(lint::HELP),
                    other => Err(unknown(other)),
                },
                Some(other) => Err(other.unexpected().into()),
            },
            other => Err(unknown(other)),
        },
        Some(other) => Err(other.unexpected().into()),
    }
}

fn unknown(command: &[u8]) -> Failure {
    Failure::told(format!("there is no command `{}`; `robots --help` lists them", text::Text(command)))
}

/// Prints the help of a command.
fn help(text: &str) -> Result<u8> {
    output::print(text)?;
    Ok(0)
}

fn version() -> Result<u8> {
    output::print(concat!("robots ", env!("CARGO_PKG_VERSION"), "\n"))?;
    Ok(0)
}

const HELP: &str = "\
May a crawler access a URL, and which line of the robots.txt says so?

Usage: robots COMMAND [OPTION]...

Commands:
  check     verdicts on URLs for one crawler, by the robots.txt of their sites or by a file
  explain   why: what the site answers, the groups taken, the rules that lost, what others would answer
  fetch     what a site answers for its robots.txt, what that means and how long it holds
  lint      what in files, or in what sites answer, is most likely not as it was meant
  batch     verdicts on many files, crawlers and URLs, line by line

Options:
  -h, --help      this help; `robots COMMAND --help` for that of a command
  -V, --version   the version

Examples:
  robots check --agent ExampleBot https://example.com/private
  robots fetch https://example.com
  robots check --robots robots.txt --agent ExampleBot https://example.com/private
  robots explain --agent ExampleBot https://example.com/private
  robots lint robots.txt https://example.com
  robots batch --profile google < rows.tsv
";
