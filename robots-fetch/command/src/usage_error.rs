//! Mistakes in arguments, each as a message of one line that says what to do.

use core::error::Error as _;
use std::ffi::{OsStr, OsString};

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::arguments::is_url;
use crate::failure::Failure;
use crate::text::Text;

/// Returns the failure for a mistake in `arguments`, which begin with the name of a command of `root`.
pub(crate) fn failure(error: &Error, root: &Command, arguments: &[OsString]) -> Failure {
    let mut help = root.get_name().to_owned();
    let mut command = root;
    for argument in arguments {
        let Some(found) = argument.to_str().and_then(|name| command.find_subcommand(name)) else { break };
        help = format!("{help} {}", found.get_name());
        command = found;
    }
    let of_others = |option: &str| {
        let has =
            |command: &&Command| command.get_arguments().any(|argument| argument.get_long() == Some(option));
        root.get_subcommands().filter(has).map(|command| command.get_name().to_owned()).collect()
    };
    Failure::new(message(error, &format!("{help} --help"), command, of_others))
}

/// Returns the first example in the help of a command.
fn example(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let (_, examples) = help.split_once("\nExamples:\n")?;
    examples.lines().next().map(|line| line.trim().to_owned())
}

/// Returns whether an example has an argument. All examples have the values without an option.
fn has(example: &str, argument: &str) -> bool {
    let name = argument.split(' ').next().unwrap_or_default();
    !name.starts_with('-') || example.split(' ').any(|word| word == name)
}

/// Options of other programs: the name, the option that does the same here, and how it is written.
const OF_OTHERS: [(&str, &str, &str); 12] = [
    ("--useragent", "agent", "--agent"),
    ("--ua", "agent", "--agent"),
    ("--bot", "agent", "--agent"),
    ("--crawler", "agent", "--agent"),
    ("--file", "robots", "--robots"),
    ("--robots-txt", "robots", "--robots"),
    ("--input", "robots", "--robots"),
    ("--json", "format", "--format json"),
    ("--csv", "format", "--format csv"),
    ("--html", "format", "--format html"),
    ("--sarif", "format", "--format sarif"),
    ("--junit", "format", "--format junit"),
];

/// Options with which other programs take what is a value without an option here.
const OF_VALUES: [&str; 5] = ["--robots", "--robots-txt", "--file", "--input", "--url"];

/// The message about a command line of `command`; `help` is the command line that prints its help, and `of_others` returns the commands
/// that have an option.
fn message(error: &Error, help: &str, command: &Command, of_others: impl Fn(&str) -> Vec<String>) -> String {
    let has_option =
        |option: &str| command.get_arguments().any(|argument| argument.get_long() == Some(option));
    let argument = texts(error, ContextKind::InvalidArg);
    let value = texts(error, ContextKind::InvalidValue).concat();
    let valid = texts(error, ContextKind::ValidValue).join(", ");
    let named = quoted(&argument);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let written = argument.first().map(String::as_str).unwrap_or_default();
            let other = OF_OTHERS.iter().find(|(name, option, _)| *name == written && has_option(option));
            if let Some((.., option)) = other {
                return format!("unexpected argument {named}; did you mean `{option}`?");
            }
            if OF_VALUES.contains(&written)
                && command.get_positionals().next().is_some()
                && let Some(example) = example(command)
            {
                return format!(
                    "unexpected argument {named}; write its value without an option, as in `{example}`"
                );
            }
            // `write` has no values without an option.
            if !written.starts_with('-') && has_option("into") && has_option("block") {
                let option = if written.contains(['.', '/', ':']) { "--into" } else { "--block" };
                return format!("unexpected argument {named}; did you mean `{option} {written}`?");
            }
            let suggested = texts(error, ContextKind::SuggestedArg);
            // A much shorter option is not a misspelt one, and neither is one such as `--jobs` for `--robots`.
            let is_similar = |option: &&String| {
                option.len() * 2 > written.len() && option.as_bytes().get(2) == written.as_bytes().get(2)
            };
            let next = match suggested.first().filter(is_similar) {
                Some(option) => format!("did you mean `{option}`?"),
                None => format!("`{help}` lists the arguments"),
            };
            let option = argument.first().and_then(|argument| argument.strip_prefix("--"));
            let others = option.map(of_others).unwrap_or_default();
            match others.split_last() {
                Some((last, [])) => format!("unexpected argument {named}, which `robots {last}` has; {next}"),
                Some((last, first)) if first.len() < MOST_OTHERS => {
                    format!("unexpected argument {named}, which {} and {last} have; {next}", first.join(", "))
                }
                _ => format!("unexpected argument {named}; {next}"),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let written = texts(error, ContextKind::InvalidSubcommand);
            let unknown = quoted(&written);
            if let Some(url) = written.first().filter(|written| is_url(OsStr::new(written))) {
                return format!(
                    "{unknown} is a URL, and the command comes before it, as in `robots crawlers {}`; `{help}` lists the commands",
                    Text(url.as_bytes())
                );
            }
            let next = match texts(error, ContextKind::SuggestedSubcommand) {
                suggested if suggested.is_empty() => format!("`{help}` lists the commands"),
                suggested => format!("did you mean {}?", quoted(&suggested)),
            };
            format!("unknown command {unknown}; {next}")
        }
        ErrorKind::MissingSubcommand => format!("missing command; `{help}` lists the commands"),
        ErrorKind::MissingRequiredArgument => {
            let example =
                example(command).filter(|example| argument.iter().any(|missing| has(example, missing)));
            let as_in = example.map(|example| format!(", as in `{example}`")).unwrap_or_default();
            format!("missing {named}{as_in}; `{help}` describes the arguments")
        }
        ErrorKind::InvalidValue if value.is_empty() && valid.is_empty() => format!("{named} needs a value"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{named} needs a value: one of {valid}"),
        ErrorKind::InvalidValue => format!("invalid value `{value}` for {named}; possible values: {valid}"),
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("invalid value `{value}` for {named}: {}", Text(why.as_bytes()))
        }
        ErrorKind::TooManyValues => format!("unexpected value `{value}` for {named}, which takes none"),
        ErrorKind::ArgumentConflict if !argument.is_empty() => {
            match quoted(&texts(error, ContextKind::PriorArg)) {
                other if other == named => format!("{named} is given twice"),
                other => format!("{named} can't be used with {other}"),
            }
        }
        kind => {
            let what = kind.as_str().unwrap_or("the arguments can't be used");
            format!("{what}; `{help}` describes the arguments")
        }
    }
}

/// The most commands that a message lists.
const MOST_OTHERS: usize = 4;

/// The texts that the error has of this kind, safe to show.
fn texts(error: &Error, kind: ContextKind) -> Vec<String> {
    let shown = |text: &String| Text(text.as_bytes()).to_string();
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![shown(text)],
        Some(ContextValue::Strings(texts)) => texts.iter().map(shown).collect(),
        _ => Vec::new(),
    }
}

/// As `a`, `b` and `c`.
fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => "an argument".to_owned(),
    }
}
