use alloc::format;

use robots_groups::syntax::Key;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem, is_whole};
use crate::lint::text::shown;

lint! {
    code: "draft-key",
    severity: warning,
    title: "The line is from a draft or another place, and crawlers do not obey it as it is meant",
    check: Key(check),
    /// `DisallowAITraining`, `AI-Train`, `LLMs` and `tdm-reservation` look like rules about AI, but no crawler is known to read them
    /// in robots.txt files. `X-Robots-Tag`, `canonical` and others belong into headers or pages.
    ///
    /// Google's parser reads only the beginning of a name: to it, `DisallowAITraining: /` is `Disallow: /`, which blocks the whole
    /// site from Google's crawlers of the group. Other crawlers ignore the line.
    ///
    /// Remove the line. The advice of each finding says what has the effect that is meant.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// DisallowAITraining: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: GPTBot
    /// User-agent: ClaudeBot
    /// Disallow: /
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Draft { written, value, vocabulary, read_as } = &problem.fault else { return };
    let name = shown(written.bytes());
    let from = match vocabulary {
        Some(vocabulary) => {
            format!("`{name}` is from {}; no crawler is known to obey it here", vocabulary.from)
        }
        None => format!("crawlers do not know `{name}`"),
    };
    let (message, severity) = match read_as {
        Some(Key::Disallow) if is_whole(value.bytes()) && !value.is_empty() => (
            format!(
                "{from}, but Google's parser reads it as `Disallow`, which blocks the whole site from Google's crawlers of this group"
            ),
            Severity::Error,
        ),
        Some(key) => (
            format!(
                "{from}, but Google's parser reads it as `{}`, with all that follows from it",
                spelling(*key)
            ),
            Severity::Warning,
        ),
        None => (from, Severity::Warning),
    };
    let help = match (vocabulary, read_as) {
        (Some(vocabulary), Some(_)) => format!("remove the line; {}", vocabulary.instead),
        (Some(vocabulary), None) => vocabulary.instead.into(),
        (None, _) => "remove the line, or write the rule that is meant for each crawler".into(),
    };
    drafts.add(Draft::new(problem.line, written.span(), message).help(help).severity(severity));
}

/// A key as it is usually written.
const fn spelling(key: Key) -> &'static str {
    match key {
        Key::UserAgent => "User-agent",
        Key::Allow => "Allow",
        Key::Disallow => "Disallow",
        _ => "Sitemap",
    }
}
