//! `robots lint`: mistakes in robots.txt files.

mod arguments;
mod baseline;
mod checked_file;
mod configuration;
mod fingerprint;
mod github;
mod human;
mod json;
mod not_made;
mod sarif;
mod settings;
mod totals;
mod wanted;

use std::ffi::OsStr;

use robots_match::lint::Lint;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::baseline::{Baseline, Known};
use self::checked_file::Checked;
use self::configuration::Configuration;
pub(crate) use self::json::Output;
use self::settings::Settings;
use self::totals::Totals;
use crate::arguments::{is_url, origin};
use crate::failure::{Failure, Result, status};
use crate::output::{self, Failures, Printable, Style, TextLines};
use crate::source::require_one_standard_input;
use crate::text::{Text, input_name};

/// Returns the number of settings in the content of a configuration file.
pub(crate) fn count_settings(bytes: &[u8]) -> Result<usize> {
    let read = Configuration::of_bytes(OsStr::new("robots-lint.toml"), bytes)?;
    Ok(read.ignore.len() + read.select.map_or(0, |select| select.len()))
}

/// Returns the number of findings in the content of a baseline.
pub(crate) fn count_known(bytes: &[u8]) -> Result<usize> {
    Baseline::count(bytes)
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    if arguments.list {
        return list();
    }
    if arguments.fix && arguments.files.iter().any(|file| file == "-") {
        return Err(Failure::new("standard input can't be corrected; name a file"));
    }
    if arguments.fix && arguments.files.iter().any(|file| is_url(file)) {
        return Err(Failure::new("the file of a site can't be corrected; name a local file"));
    }
    if let Some(url) = &arguments.url {
        // A URL without an origin would be compared with no other URL, and mistakes in it would not be seen.
        origin(OsStr::new(url))?;
    }
    if let Some(path) = &arguments.write_baseline {
        baseline::require_writable(path, &arguments.files)?;
    }
    require_one_standard_input(arguments.files.iter().chain(&arguments.urls))?;
    let settings = Settings::new(arguments)?;
    let mut checked = Vec::new();
    let mut is_denied = false;
    let mut totals = Totals::default();
    let mut not_made = Vec::new();
    let mut failed = Failures::default();
    for (problem, list) in settings.pages.problems.iter().zip(arguments.urls.iter().cycle()) {
        failed.note(Text(list.as_encoded_bytes()).to_string(), Failure::new(problem))?;
    }
    if let (Some(list), skipped @ 1..) = (&arguments.urls, settings.pages.skipped) {
        let note = format!("{}: lines without a URL: {skipped}", input_name(list));
        output::complain("note", Style::Note, &note);
    }
    for path in &arguments.files {
        let file = Checked::of(path, arguments, &settings);
        let Some(file) = failed.read(path, file)? else { continue };
        is_denied |= settings.is_denied(&file.report);
        totals.add(&file.report);
        not_made.extend(file.not_made.clone());
        checked.push(file);
        // Formats that are read line by line are written file by file.
        if matches!(arguments.format, Format::Human | Format::Github) && arguments.write_baseline.is_none() {
            let mut text = Printable::default();
            for file in &checked {
                match arguments.format {
                    Format::Human => text.append(human::human(file)),
                    _ => text.append(github::github(file)),
                }
            }
            match output::print(text) {
                Ok(()) | Err(Failure::Closed) => checked.clear(),
                Err(failure) => return Err(failure),
            }
        }
    }
    if let Some(path) = &arguments.write_baseline {
        let shown = Text(path.as_encoded_bytes());
        // The findings of a file that could not be read would be missing, and reported as new ones by the next run.
        if let Some(first) = failed.iter().next() {
            return Err(Failure::new(format!(
                "{shown} was not written, because {} could not be checked; correct the arguments and try again",
                first.input
            )));
        }
        let known = checked.iter();
        let known = known.map(|file| Known { place: file.place(), report: &file.report, body: &file.body });
        baseline::write(path, &known.collect::<Vec<_>>())?;
        output::complain("note", Style::Note, &format!("{totals}; written to {shown}"));
        return Ok(0);
    }
    let printed = match arguments.format {
        // Where no file could be read, the errors say all.
        Format::Human if totals.is_empty() => Ok(()),
        Format::Human => output::print(TextLines::one(totals)),
        Format::Github => Ok(()),
        Format::Json => output::json::print(&Output {
            version: 1,
            profile: arguments.profile.name,
            files: checked.iter().map(json::json).collect(),
            failed: &failed,
            urls: arguments.urls.as_ref().map(|_| json::UrlsDocument {
                read: settings.pages.urls.len(),
                skipped: settings.pages.skipped,
            }),
            totals,
        }),
        Format::Sarif => output::json::print(&sarif::sarif(&checked, &failed)),
    };
    for note in &not_made {
        output::complain("note", Style::Note, note);
    }
    output::ended(printed, status(!failed.is_empty(), is_denied))
}

fn explain(name: &OsStr) -> Result<u8> {
    if let Some(problem) = name.to_str().and_then(robots_fetch::page::Problem::find) {
        let effect = if problem.has_no_effect() {
            "Crawlers of the document act as if this were not there."
        } else {
            "Some crawlers understand it all the same."
        };
        let page = format!(
            "# {}\n\n{}\n\nAbout pages, not about robots.txt (`robots page`, `robots audit --pages`). {effect}\n\nHelp: {problem}\n",
            problem.code(),
            problem.description()
        );
        return output::print(TextLines::of_program(&page)).map(|()| 0);
    }
    let lint = name.to_str().and_then(Lint::from_name).ok_or_else(|| {
        let about = name.to_str().map(codes_about).unwrap_or_default();
        let name = Text(name.as_encoded_bytes());
        match &*about {
            [] => Failure::new(format!("unknown code `{name}`; `robots lint --list` lists the codes")),
            codes => {
                Failure::new(format!("unknown code `{name}`; about it is the page of {}", codes.join(", ")))
            }
        }
    })?;
    output::print(TextLines::of_program(lint.page()))?;
    Ok(0)
}

/// Returns the codes whose title or page has a word, at most three: first those with a title or a name that has it.
fn codes_about(word: &str) -> Vec<String> {
    const SHORTEST: usize = 4;
    let word = word.to_ascii_lowercase();
    let has = |text: &str| word.len() >= SHORTEST && text.to_ascii_lowercase().contains(&word);
    let of_title = Lint::ALL.iter().filter(|lint| has(lint.name()) || has(lint.title()));
    let of_page = Lint::ALL.iter().filter(|lint| has(lint.page()) && !has(lint.name()) && !has(lint.title()));
    of_title.chain(of_page).take(3).map(|lint| format!("`{}`", lint.name())).collect()
}

fn list() -> Result<u8> {
    let mut text = TextLines::new();
    for lint in Lint::ALL {
        let off = if lint.is_on_by_default() { "" } else { " (off by default)" };
        text.add(format_args!("{:<22} {:<8} {}{off}", lint.name(), lint.severity().name(), lint.title()));
    }
    output::print(text)?;
    Ok(0)
}
