use alloc::collections::BTreeMap;
use alloc::format;

use robots_groups::syntax::{Rule, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, agents_above, closing_rule};
use crate::lint::text::shown;
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "signal-contradiction",
    severity: note,
    title: "A signal about the use of pages contradicts another line",
    check: File(check),
    /// `Content-Signal` says what may be done with pages after a crawler fetched them. In a group that blocks the whole site nothing can be
    /// fetched, so a signal with `yes` permits nothing.
    ///
    /// Two preferences about the same use for the same crawlers, one with `yes` and one with `no`, are a warning, also if one is of a
    /// `Content-Usage` line: `train-ai=y` there means what `ai-train=yes` means in a `Content-Signal`. Keep the one that is meant.
    ///
    /// This concerns the crawlers that the group names. Disallow less if they may use the pages, or write `no`. A signal for a folder, as in
    /// `Content-Signal: /blog/ search=yes`, and a group with an `Allow` are not reported.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    /// Content-Signal: ai-train=yes
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Content-Signal: ai-train=no
    /// Disallow: /
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    with_each_other(file, drafts);
    let policy = &file.facts.profile.matching;
    // The records of a group follow each other.
    let mut closed: Option<(usize, Option<Rule<'_>>)> = None;
    for record in file.records.all() {
        let Some(RecordValue::ContentSignal(signal)) = &record.value else { continue };
        let Some(index) = record.group else { continue };
        let all = match closed {
            Some((of, all)) if of == index => all,
            _ => file.groups.get(index).and_then(|group| closing_rule(group.rules(), policy)),
        };
        closed = Some((index, all));
        let Some(all) = all else { continue };
        let permits = signal.signals().any(|(_, value)| value.bytes().eq_ignore_ascii_case(b"yes"));
        if signal.path().is_some() || !permits {
            continue;
        }
        let message = format!(
            "this signal permits a use of pages, but line {} blocks the whole site for the same crawlers",
            all.line()
        );
        drafts.add(
            Draft::new(record.line, record.raw.span(), message)
                .help("disallow less if these crawlers may use the pages; write `no` if they may not")
                .other(all.pattern.span(), "this rule is about the whole site"),
        );
    }
}

/// Reports preferences for the same crawlers of which one permits a use and another one does not.
fn with_each_other(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let mut stated: BTreeMap<(usize, &str), (bool, usize, Span)> = BTreeMap::new();
    for record in file.records.all() {
        let value = record.raw.bytes();
        let is_preference = matches!(record.kind, RecordKind::ContentSignal | RecordKind::ContentUsage);
        // Those for a part of the site are exceptions.
        if !is_preference || value.starts_with(b"/") {
            continue;
        }
        let Some(block) = agents_above(file, record).first().map(|agent| agent.span().start()) else {
            continue;
        };
        let mut at = record.raw.span().start();
        for term in value.split(|&byte| byte == b',') {
            let span =
                Span::new(at + term.len() - term.trim_ascii_start().len(), at + term.trim_ascii_end().len());
            at += term.len() + 1;
            let Some((topic, permits)) = preference(term) else { continue };
            match stated.get(&(block, topic)) {
                None => {
                    stated.insert((block, topic), (permits, record.line, span));
                }
                Some((other, line, place)) if *other != permits => {
                    let message = format!(
                        "this contradicts `{}` in line {line}, which is for the same crawlers",
                        shown(place.of(file.body))
                    );
                    drafts.add(
                        Draft::new(record.line, span, message)
                            .help("keep the preference that is meant, and remove the other one")
                            .other(*place, "the other preference")
                            .severity(Severity::Warning),
                    );
                }
                Some(_) => {}
            }
        }
    }
}

/// The use that a preference is about, and whether it permits it.
fn preference(term: &[u8]) -> Option<(&'static str, bool)> {
    let mut parts = term.split(|&byte| byte == b'=');
    let (name, value) = (parts.next()?.trim_ascii(), parts.next()?);
    let value = value.split(|&byte| byte == b';').next()?.trim_ascii();
    let is = |word: &[u8], known: &str| word.eq_ignore_ascii_case(known.as_bytes());
    let topic = ["search", "ai-input", "ai-train"].into_iter().find(|known| is(name, known));
    let topic = topic.or_else(|| is(name, "train-ai").then_some("ai-train"))?;
    match value {
        _ if is(value, "yes") || is(value, "y") => Some((topic, true)),
        _ if is(value, "no") || is(value, "n") => Some((topic, false)),
        _ => None,
    }
}
