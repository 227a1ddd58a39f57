//! What is read of a body, for people and programs.

use alloc::borrow::Cow;

use robots_fetch::{Cause, Entry, FailureKind};
use robots_match::lint::{Finding, HiddenAgents, Lint, LintContext, Severity};
use robots_match::records::{RecordKind, Records};
use robots_match::syntax::BodyKind;
use robots_match::{AccessResult, Profile, Reason, Robots, Verdict};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::text::{Text, with_host};

/// What kind of thing a body is, and what was read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    groups: usize,
    /// The rules in groups. Rules without a path count.
    rules: usize,
    has_strays: bool,
}

impl Body {
    pub(crate) fn of(robots: &Robots) -> Self {
        let groups = robots.groups();
        Self {
            kind: BodyKind::of(robots.body(), &robots.profile().syntax),
            groups: groups.len(),
            rules: groups.iter().map(|group| group.rules().len()).sum(),
            has_strays: !groups.strays().is_empty(),
        }
    }

    /// Returns what is wrong with the body as a whole, and what it means for crawlers.
    pub(crate) fn note(&self) -> Option<String> {
        let has_only_strays = self.groups == 0 && self.has_strays;
        match self.kind {
            BodyKind::Rules | BodyKind::NoGroup if has_only_strays => {
                Some("the file has rules but no group, so crawlers may access everything".to_owned())
            }
            kind if has_only_strays => {
                Some(format!("this is {kind}, with rules but no group, so crawlers may access everything"))
            }
            kind => body_note(kind),
        }
    }

    /// Returns a note on the first line that crawlers read as something else than was meant. It is for verdicts that
    /// [no rule decides](is_undecided).
    pub(crate) fn mistake_note(&self, robots: &Robots) -> Option<String> {
        // Lints take more memory than verdicts, and one document reads files of any size.
        const MOST_BYTES: usize = 1 << 19;
        if self.note().is_some() || robots.body().len() > MOST_BYTES {
            return None;
        }
        let groups = robots.groups();
        let records = Records::new(robots, &groups);
        let mut context = LintContext::default();
        context.profile = *robots.profile();
        let report = context.lint(robots.body());
        let is_about_rules = |line: usize| {
            let place = records.all().binary_search_by_key(&line, |record| record.line).ok();
            let record = place.and_then(|place| records.all().get(place));
            record.is_none_or(|record| record.kind == RecordKind::Unknown)
        };
        // Crawlers read these lines as something else, or not at all. How much is read is said elsewhere.
        let is_mistake = |finding: &&Finding| match finding.lint {
            Lint::ForeignCharacter
            | Lint::UnreadableLine
            | Lint::AgentCharacters
            | Lint::AgentIsProduct
            | Lint::AgentMisspelt
            | Lint::RegularExpression
            | Lint::NotUtf8 => finding.severity != Severity::Note,
            Lint::TooLarge => false,
            // With a byte order mark in it, a line is not read. With a control character, a pattern matches no path.
            Lint::ControlCharacter => true,
            Lint::UnknownKey => finding.fix.is_some(),
            _ => finding.severity == Severity::Error,
        };
        let mut mistakes = report.findings.iter().filter(is_mistake);
        let found = mistakes.find(|finding| is_about_rules(finding.line))?;
        Some(format!(
            "no rule decides, but line {} may not say what was meant: {}; `robots lint` shows more",
            found.line, found.message
        ))
    }

    /// Returns what was read, such as `2 groups with 5 rules`.
    pub(crate) fn counts(&self) -> String {
        let plural =
            |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        match self.groups {
            0 => "no group, so no rules".to_owned(),
            groups => format!("{} with {}", plural(groups, "group"), plural(self.rules, "rule")),
        }
    }
}

/// Returns whether a file has no rule for a URL.
pub(crate) fn is_undecided(verdict: &Verdict) -> bool {
    matches!(verdict.reason(), Reason::NoRule | Reason::NoGroup)
}

/// Writes the kind, the kind for people, and the numbers of groups and rules.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Body")]
struct BodyDocument {
    /// The kind, such as `rules` or `html`.
    kind: &'static str,
    /// The kind for people.
    text: String,
    groups: usize,
    /// The rules in groups. Rules without a path count.
    rules: usize,
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, groups, rules, .. } = *self;
        BodyDocument { kind: kind.name(), text: kind.to_string(), groups, rules }.serialize(serializer)
    }
}

impl JsonSchema for Body {
    fn schema_name() -> Cow<'static, str> {
        BodyDocument::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BodyDocument::json_schema(generator)
    }
}

/// Returns what a body of this kind means for crawlers, if it is not a robots.txt file.
pub(crate) fn body_note(kind: BodyKind) -> Option<String> {
    match kind {
        BodyKind::Rules | BodyKind::NoGroup => None,
        BodyKind::HtmlWithRules => Some("this is an HTML page; the rules in it are read".to_owned()),
        BodyKind::Empty => Some("the file is empty, so crawlers may access everything".to_owned()),
        kind => Some(format!(
            "this is {kind}, not a robots.txt file: it has no rules, so crawlers may access everything"
        )),
    }
}

/// The flag of a file that has lines in which records for crawlers ran together.
pub(crate) const JOINED_RECORDS: &str = "joined-records";

/// Returns a note on each of the first lines in which records for crawlers ran together, so that crawlers do not read all of them.
pub(crate) fn joined_notes(robots: &Robots) -> Vec<String> {
    const MOST: usize = 5;
    let found = HiddenAgents::find(robots.body(), robots.profile());
    let note = |hidden: &HiddenAgents| {
        let names: Vec<String> = hidden
            .names
            .iter()
            .take(MOST)
            .map(|name| format!("`{}`", Text(name.as_bytes()).short()))
            .collect();
        let more = match hidden.names.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "line {} has records for {}{more} that ran together, so crawlers do not read all of them; `robots lint` shows the lines",
            hidden.line,
            names.join(", ")
        )
    };
    found.iter().take(MOST).map(note).collect()
}

/// Returns a note about a file of a site that is over the size limit, or that its server announced as shorter than it is.
pub(crate) fn cut_note(entry: &Entry) -> Option<String> {
    let file = entry.good_file()?;
    if file.dropped() > 0 {
        return Some(over_limit(file.robots.body().len() - file.robots.lines().dropped_len()));
    }
    file.has_excess.then(|| {
        "the server sends more than its Content-Length says: clients do not read the rest, so the last lines may be missing; correct the \
         length on the server"
            .to_owned()
    })
}

/// Returns a note about a file that a profile does not read to its end.
pub(crate) fn cut_file_note(bytes: &[u8], profile: &Profile) -> Option<String> {
    profile.syntax.max_size.filter(|&most| bytes.len() > most).map(over_limit)
}

fn over_limit(kept: usize) -> String {
    format!("the file is over the size limit: lines after the first {kept} bytes are not read")
}

/// Returns what else there is to say about an answer that brought no file: what it means if the server refuses access, what is
/// wrong with an answer that is not valid, and where a redirect led to a failure.
pub(crate) fn answer_note(entry: &Entry) -> Option<String> {
    refusal_note(entry).or_else(|| match entry.cause()? {
        Cause::Failure(failure) => {
            let says_more = matches!(
                failure.kind(),
                FailureKind::Tls
                    | FailureKind::InvalidResponse
                    | FailureKind::HeadTooLarge
                    | FailureKind::Chunking
                    | FailureKind::UnknownCoding
                    | FailureKind::Decoding
            );
            let detail = (says_more && !failure.text().is_empty()).then(|| failure.to_string());
            match entry.hops() {
                [_, .., last] => {
                    let url = with_host(last.url.as_str().as_bytes());
                    Some(format!("{failure}; a redirect led to {url}"))
                }
                _ => detail,
            }
        }
        // The verdict has the status.
        Cause::Status(_) => None,
        cause => Some(cause.to_string()),
    })
}

/// Returns what an answer means by which a server refuses access to its robots.txt, and what to try.
pub(crate) fn refusal_note(entry: &Entry) -> Option<String> {
    let refusal = refusal(entry.access_result(), entry.status())?;
    Some(format!("{refusal}: try `--user-agent` with the header of a crawler"))
}

/// Returns what a status means by which a server refuses access to its robots.txt, also for readers who do not run the command.
pub(crate) fn refusal(result: AccessResult, status: Option<u16>) -> Option<String> {
    let status = status.filter(|_| result.is_refusal(status))?;
    Some(format!(
        "the server refused access to robots.txt (status {status}), and crawlers read that as if the site had none; it may refuse \
         only this program"
    ))
}
