//! `robots write`: rules that block or allow kinds of crawlers, in a file whose other lines stay.

mod arguments;
mod preferences;
mod report;
mod stances;

use std::ffi::OsStr;

use robots_match::syntax::BodyKind;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
pub(crate) use self::report::Output;
use self::report::Report;
use crate::arguments::is_url;
use crate::body::joined_notes;
use crate::failure::{Failure, Result};
use crate::names::FileGroups;
use crate::network::Network;
use crate::output::{self, Style};
use crate::replace_file::replace_file;
use crate::source;
use crate::subject::{Subject, sites_of};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let subject = match arguments.into.as_deref() {
        Some(into) => read(into, arguments)?,
        None => Subject::of_bytes(OsStr::new(""), b"", &arguments.profile),
    };
    let original = subject.robots.body().to_vec();
    let subject = preferences::with_preferences(subject, arguments)?;
    let choice = stances::choice(arguments, FileGroups::new(&subject.robots).named())?;
    let plan = stances::plan(&subject, &arguments.profile, &choice)?;
    let input = arguments.into.as_ref().map(|_| &*subject.name);
    let report = Report {
        profile: arguments.profile.name,
        input,
        choice: &choice,
        plan: &plan,
        original: &original,
        before: &subject.robots,
    };
    if let Some(path) = arguments.into.as_deref().filter(|_| arguments.in_place)
        && plan.body != original
    {
        replace_file(path, &plan.body)?;
    }
    let printed = match arguments.format {
        Format::Json => output::json::print(&report.json()),
        Format::Text => {
            for line in report.lines() {
                output::complain("note", Style::Note, &line);
            }
            if arguments.in_place { Ok(()) } else { output::print_bytes(&plan.body) }
        }
    };
    output::ended(printed, 0)
}

/// Reads the file into which rules are written, if it is one.
fn read(into: &OsStr, arguments: &Arguments) -> Result<Subject> {
    source::require_name(into)?;
    if arguments.in_place && (is_url(into) || into == "-" || into.as_encoded_bytes().starts_with(b"git:")) {
        return Err(Failure::new(
            "`--in-place` replaces a file; leave it out, and write the output to a file",
        ));
    }
    let network = Network::without_cache(&arguments.requests);
    let subject = Subject::read(into, source::Admitted::Any, &arguments.profile, || {
        sites_of(&network, &arguments.profile)
    })?;
    let failed = |why: &str| Failure::new(format!("can't write rules into {}: {why}", subject.name));
    if subject.is_unknown() || subject.is_refused() {
        return Err(failed(&subject.note().unwrap_or_default()));
    }
    if subject.answer.is_some() {
        // Without a file, rules are written into a new one.
        let note = subject.note().unwrap_or_default();
        output::complain("note", Style::Note, &format!("{}: {note}; a new file is written", subject.name));
        return Ok(Subject::of_bytes(into, b"", &arguments.profile));
    }
    match subject.kind {
        BodyKind::Rules | BodyKind::NoGroup => {}
        BodyKind::Empty => {
            output::complain("note", Style::Note, &format!("{}: the file is empty", subject.name));
        }
        kind => return Err(failed(&format!("this is {kind}, not a robots.txt file"))),
    }
    for note in joined_notes(&subject.robots) {
        output::complain("note", Style::Note, &format!("{}: {note}", subject.name));
    }
    let most = arguments.profile.rules.syntax.max_size.unwrap_or(usize::MAX);
    if subject.robots.body().len() >= most {
        return Err(failed(&format!(
            "lines after the first {most} bytes are not read, so new groups would not be"
        )));
    }
    if let Some(note) = subject.cut_note() {
        output::complain("note", Style::Note, &format!("{}: {note}", subject.name));
    }
    Ok(subject)
}
