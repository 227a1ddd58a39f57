use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault, ListSeparator};
use crate::lint::text::shown;

lint! {
    code: "agent-list",
    severity: error,
    title: "A user-agent line has a list of names",
    corrects: true,
    check: Agent(check),
    /// A user-agent line names one crawler. When it has a list, crawlers read only the first name, or none of them. Names of known
    /// crawlers with spaces or semicolons between them are a list, too, with a warning: some names consist of several words.
    ///
    /// Write one user-agent line for each crawler, one below the other.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot, OtherBot
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// User-agent: OtherBot
    /// Disallow: /private
    /// ```
}

/// The advice, which says what parsers of today read: the letters at the start.
fn help(names: &[&[u8]]) -> String {
    let first = names.first().copied().unwrap_or_default();
    let len =
        first.iter().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')).count();
    match first.get(..len) {
        Some(read) if len > 0 => format!(
            "write one user-agent line for each crawler, one below the other; most crawlers read only `{}`, old ones none of the names",
            shown(read)
        ),
        _ => String::from("write one user-agent line for each crawler, one below the other"),
    }
}

/// The most names that a message lists.
const MOST_NAMES: usize = 5;

/// The most names for which a correction is made. It repeats the key for each name, so it is much longer than the line.
const MOST_CORRECTED: usize = 1_000;

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    let AgentFault::List(separator) = agent.fault else { return };
    let (value, span) = (agent.value.bytes(), agent.value.span());
    let names: Vec<&[u8]> = separator.names(value).collect();
    let end = if agent.line_end.is_empty() { b"\n" } else { agent.line_end };
    let (severity, message) = match separator {
        ListSeparator::Comma => {
            (Severity::Error, format!("`{}` is a list, but a line can name only one crawler", shown(value)))
        }
        ListSeparator::Other => {
            let listed: Vec<String> =
                names.iter().take(MOST_NAMES).map(|name| format!("`{}`", shown(name))).collect();
            let more = if names.len() > MOST_NAMES { ", ..." } else { "" };
            let message =
                format!("this line names {}{more}, but a line can name only one crawler", listed.join(", "));
            (Severity::Warning, message)
        }
    };
    let draft = Draft::new(agent.line, span, message).severity(severity).help(help(&names));
    if names.contains(&&b"*"[..]) {
        drafts.add(
            draft.help("write one user-agent line for each crawler, or only `*` if all crawlers are meant"),
        );
        return;
    }
    drafts.add(match names.len() {
        0..=MOST_CORRECTED => draft.fix(span, names.join(&[end, b"User-agent: "].concat()[..])),
        _ => draft,
    });
}

#[cfg(test)]
mod tests {
    use crate::lint::{Lint, LintContext};

    #[test]
    fn corrections_of_very_long_lists_are_not_made() {
        let has_fix = |names: usize| {
            let body = alloc::format!("User-agent: {}\nDisallow: /\n", "a,".repeat(names));
            let report = LintContext::default().lint(body.as_bytes());
            let finding = report.findings.iter().find(|finding| finding.lint == Lint::AgentList).unwrap();
            finding.fix.is_some()
        };
        assert!(has_fix(super::MOST_CORRECTED) && !has_fix(super::MOST_CORRECTED + 1));
    }
}
