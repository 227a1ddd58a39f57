//! Changes for people and for programs, and the history as a page.

use schemars::JsonSchema;
use serde::Serialize;

use super::records::{Change, Run};
use super::{Watched, name_of};
use crate::output::{Failures, Markup, Style, TextLines, markup};
use crate::text::Text;

/// The most runs of a site that the page shows.
const MOST: usize = 200;

/// The output of `robots watch --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'w> {
    version: u8,
    profile: &'static str,
    sites: Vec<SiteDocument<'w>>,
    /// The sites that could not be asked, or whose folder could not be read or written.
    failed: &'w Failures,
}

/// A site, and what changed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Site")]
struct SiteDocument<'w> {
    site: &'w str,
    /// The address of --resolve that was asked; null if the name of the site was looked up.
    address: Option<String>,
    /// Whether no earlier run is known.
    first: bool,
    #[serde(flatten)]
    run: &'w Run,
}

pub(super) fn json<'w>(profile: &'static str, watched: &'w [Watched], failed: &'w Failures) -> Output<'w> {
    let sites = watched.iter().map(|site| SiteDocument {
        site: site.origin.as_str(),
        address: site.address.map(|address| address.to_string()),
        first: site.before.is_empty(),
        run: &site.run,
    });
    Output { version: 1, profile, sites: sites.collect(), failed }
}

pub(super) fn human(watched: &[Watched]) -> TextLines {
    let mut text = TextLines::new();
    for site in watched {
        let Watched { run, before, .. } = site;
        let what = match before.last() {
            None => "first run".to_owned(),
            Some(last) if run.changes.is_empty() => format!("nothing has changed since {}", last.time),
            Some(last) => format!("changed since {}", last.time),
        };
        let style = if run.severity.name() == "none" { Style::Faint } else { Style::Note };
        text.add(format_args!("{:<8}  {}: {what}", style.paint(run.severity.name()), name_of(site)));
        if let Some(note) = &run.note {
            text.add(format_args!("  {note}"));
        }
        for change in &run.changes {
            text.add(format_args!("  {}", line(change)));
        }
        for change in &run.unlike {
            text.add(format_args!("  differs from the named site: {}", line(change)));
        }
    }
    text
}

/// Returns a change in one line.
fn line(change: &Change) -> String {
    let crawlers: Vec<String> =
        change.crawlers.iter().map(|name| Text(name.as_bytes()).to_string()).collect();
    let shown = |text: &Option<String>| {
        text.as_ref().map(|text| Text(text.as_bytes()).to_string()).unwrap_or_default()
    };
    let what = change.change.replace('-', " ");
    let place = match (&change.path, &*crawlers) {
        (Some(path), _) => format!("{what} for {}: {}", crawlers.join(", "), Text(path.as_bytes()).short()),
        (None, []) => what,
        (None, _) => format!("{what} for {}", crawlers.join(", ")),
    };
    match (&change.before, &change.after) {
        (None, None) => place,
        (before, after) => format!("{place} ({} -> {})", shown(before), shown(after)),
    }
}

pub(super) fn html(watched: &[Watched]) -> Markup {
    let mut body = markup!("<h1>History of robots.txt files</h1>\n");
    for site in watched {
        body.append(markup!("<h2>{}</h2>\n", name_of(site)));
        let count = site.before.len() + 1;
        let rows: Vec<Vec<String>> =
            stretches(site).iter().rev().take(MOST).map(|shown| row(shown, site)).collect();
        let first = site.before.first().unwrap_or(&site.run);
        let last = &site.run.time;
        let text = match count {
            1 => format!("1 run, at {last}."),
            _ => format!(
                "{count} runs, from {} to {last}; runs that found no change are left out.",
                first.time
            ),
        };
        body.append(markup!("<p>{}</p>\n", text));
        for change in &site.run.unlike {
            let text = format!("Differs from the named site: {}", line(change));
            body.append(markup!("<p>{}</p>\n", text));
        }
        body.append(markup::table(
            "Changes, the last one first",
            &["Time", "Severity", "Answer", "Copy", "Changes"],
            &rows,
        ));
    }
    markup::page("History of robots.txt files", &body)
}

/// A run that is shown, and later ones that found the same, in which nothing is known about the site.
struct Stretch<'w> {
    first: &'w Run,
    /// The number of later runs, and the last of them.
    more: usize,
    last: &'w Run,
}

/// Returns the runs that are shown, the first one first. Runs without a change say only that the site was asked, and those of an outage
/// say the same again.
fn stretches(site: &Watched) -> Vec<Stretch<'_>> {
    let mut all: Vec<Stretch<'_>> = Vec::new();
    let mut before: Option<&Run> = None;
    for run in site.before.iter().chain([&site.run]) {
        let is_same = |other: &Run| other.unknown && (other.status, &other.note) == (run.status, &run.note);
        match all.last_mut() {
            Some(last) if run.unknown && run.changes.is_empty() && before.is_some_and(is_same) => {
                last.more += 1;
                last.last = run;
            }
            Some(_) if !run.unknown && run.changes.is_empty() => {}
            _ => all.push(Stretch { first: run, more: 0, last: run }),
        }
        before = Some(run);
    }
    all
}

fn row(stretch: &Stretch<'_>, site: &Watched) -> Vec<String> {
    let Stretch { first: run, more, last } = stretch;
    let size = run.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    let note = run.note.as_deref().unwrap_or_default();
    let answer = match run.status {
        // The note has it.
        Some(status) if note.contains(&format!("(status {status})")) => String::new(),
        Some(status) => format!("status {status}{size}"),
        None => "no answer".to_owned(),
    };
    let separator = if answer.is_empty() || note.is_empty() { "" } else { ": " };
    let again = match more {
        0 => String::new(),
        1 => format!("; the same in the next run, {}", last.time),
        more => format!("; the same in the next {more} runs, until {}", last.time),
    };
    let mut lines: Vec<String> = run.changes.iter().map(line).collect();
    if site.before.first().is_none_or(|first| core::ptr::eq(first, *run)) {
        lines.insert(0, "first run".to_owned());
    }
    let shown = |text: &str| Text(text.as_bytes()).to_string();
    vec![
        shown(&run.time),
        run.severity.name().to_owned(),
        format!("{answer}{separator}{}{}", shown(note), shown(&again)),
        run.file.as_deref().map(shown).unwrap_or_default(),
        lines.join("; "),
    ]
}
