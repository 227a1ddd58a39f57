//! Lines that are not what was meant, so that findings about their parts would mislead.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Line, Lines, Record, Span};

use crate::lint::code::Lint;
use crate::lint::context::Facts;
use crate::lint::subject::extent::{Extent, RuleBlocks};
use crate::lint::subject::joined::{Joined, Live, joined};
use crate::lint::subject::placeholder::{Placeholder, ValueKind, placeholder};
use crate::lint::subject::repair::{Meant, Problem, Repair, repair};
use crate::lint::subject::residue::Residue;

/// A line that is not what was meant. Only the lint of its damage reports about it.
pub(crate) struct Damaged<'a> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The line without its end.
    pub(crate) content: Span,
    /// The bytes that end lines of this file.
    pub(crate) line_end: &'a [u8],
    pub(crate) body: &'a [u8],
    pub(crate) damage: Damage,
    /// How much of the site the line closes if it is corrected.
    pub(crate) closes: Option<Extent>,
}

/// The damage of a line.
pub(crate) enum Damage {
    /// A template was not filled in.
    Template(Placeholder),
    /// Several records ran together.
    Joined(Joined),
    /// A character looks like another one, or can't be seen.
    Repair(Repair),
}

impl Damage {
    /// Returns the lint that reports the damage.
    pub(crate) const fn lint(&self) -> Lint {
        match self {
            Self::Template(_) => Lint::TemplateLeftover,
            Self::Joined(_) => Lint::JoinedRecords,
            Self::Repair(_) => Lint::ForeignCharacter,
        }
    }
}

/// Returns the lines of a file in which records ran together, with their numbers.
pub(crate) fn joined_lines(body: &[u8], facts: &Facts<'_>) -> impl Iterator<Item = (usize, Joined)> {
    let live = live(body, facts);
    Lines::new(body, &facts.profile.syntax).filter_map(move |line| {
        match template_or_joined(&line, live, body, facts)? {
            Damage::Joined(joined) => Some((line.number, joined)),
            _ => None,
        }
    })
}

/// Returns whether a file has lines with crawlers and with rules.
fn live(body: &[u8], facts: &Facts<'_>) -> Live {
    let mut live = Live::default();
    for line in Lines::new(body, &facts.profile.syntax) {
        match line.record {
            Record::UserAgent(_) => live.has_agent = true,
            Record::Rule(_) => live.has_rule = true,
            _ => {}
        }
        if live.has_agent && live.has_rule {
            break;
        }
    }
    live
}

/// Returns the template or the records that ran together in a line.
fn template_or_joined(line: &Line<'_>, live: Live, body: &[u8], facts: &Facts<'_>) -> Option<Damage> {
    let content = line.content();
    let value = match line.record {
        Record::UserAgent(value) => Some((value, ValueKind::Agent)),
        Record::Rule(rule) => Some((rule.pattern, ValueKind::Pattern)),
        Record::Other { value, .. } => Some((value, ValueKind::Other)),
        Record::Unreadable => Some((content, ValueKind::Line)),
        _ => None,
    };
    let template = value.and_then(|(value, kind)| {
        let start = value.span().start();
        Some(placeholder(value.bytes(), kind)?.moved(start))
    });
    let template = template.or_else(|| cut_off(value?.0, content.span().end(), body));
    // Lines of other files, such as `RewriteCond %{HTTP_HOST}`, have a finding of their own.
    let template = template.filter(|_| Residue::of(content.bytes()).is_none());
    template.map(Damage::Template).or_else(|| {
        let live = Live { ends_names: ends_names(line, body, facts), ..live };
        joined(content.bytes(), live).map(Damage::Joined)
    })
}

/// Returns the damaged lines of a file.
pub(crate) fn damaged<'a>(body: &'a [u8], facts: &Facts<'_>) -> Vec<Damaged<'a>> {
    let live = live(body, facts);
    let line_end = line_end(body);
    let mut is_change = None;
    let rules = RuleBlocks::new(body, facts.profile.matching);
    let lines = Lines::new(body, &facts.profile.syntax).filter_map(|line| {
        let content = line.content();
        let damage = match template_or_joined(&line, live, body, facts) {
            Some(damage) => damage,
            None => {
                let mut repair = repair(content.bytes())?;
                if has_mark(content.bytes(), b"-", &repair) && *is_change.get_or_insert_with(|| is_diff(body))
                {
                    repair = Repair { problem: Problem::Removed, meant: Meant::Unclear, ..repair };
                }
                Damage::Repair(repair)
            }
        };
        let closes = match &damage {
            Damage::Repair(Repair { meant: Meant::Line(text) | Meant::Off(text), .. }) => {
                rules.closed_by(text.as_bytes(), line.number)
            }
            Damage::Joined(joined) => rules.closed_by(&joined.records.join(&b'\n'), line.number),
            _ => None,
        };
        Some(Damaged { line: line.number, content: content.span(), line_end, body, damage, closes })
    });
    lines.collect()
}

/// Returns whether a user-agent line with a comment is the last one before another record than a rule or a user-agent line, or before
/// the next group.
fn ends_names(line: &Line<'_>, body: &[u8], facts: &Facts<'_>) -> bool {
    let is_agent = matches!(line.record, Record::UserAgent(_));
    if !is_agent || !line.content().bytes().contains(&b'#') {
        return false;
    }
    let after = body.get(line.span().end()..).unwrap_or_default();
    let next = Lines::new(after, &facts.profile.syntax)
        .find(|line| !matches!(line.record, Record::Blank | Record::Comment));
    !next.is_some_and(|line| matches!(line.record, Record::Rule(_)))
}

/// Returns whether a line begins with this sign, and a record follows without a space, as in the output of `diff`.
fn has_mark(line: &[u8], sign: &[u8], repair: &Repair) -> bool {
    let is_glued = line.strip_prefix(sign).and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic);
    is_glued && repair.problem == Problem::Mark && repair.place.start() == 0
}

/// Returns whether a body is the output of `diff`: it has a line that a change added, or the numbers of changed lines.
fn is_diff(body: &[u8]) -> bool {
    body.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| {
        let is_added = || repair(line).is_some_and(|repair| has_mark(line, b"+", &repair));
        line.starts_with(b"@@ -") || line.starts_with(b"+") && is_added()
    })
}

/// The placeholder of a template that a number sign cuts off, because it begins a comment: `#{name}`, `{{#if name}}`, `{#name}` and
/// `<!--#echo var="name" -->`.
fn cut_off(value: Field<'_>, end: usize, body: &[u8]) -> Option<Placeholder> {
    let rest = body.get(value.span().end()..end)?;
    let sign = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let after = rest.get(sign..)?.strip_prefix(b"#")?;
    let text = value.bytes();
    let (open, close): (usize, &[u8]) = if after.starts_with(b"{") {
        (0, b"}")
    } else if sign > 0 {
        return None;
    } else if text.ends_with(b"{{") {
        (2, b"}}")
    } else if text.ends_with(b"{") {
        (1, b"}")
    } else if text.ends_with(b"<!--") {
        (4, b"-->")
    } else {
        return None;
    };
    let len = memchr::memmem::find(after, close)?;
    let start = value.span().end() + sign - open;
    Some(Placeholder::Template(Span::new(start, start + open + 1 + len + close.len())))
}

/// The lines about which only one lint reports, each with this lint.
pub(crate) fn claims(damaged: &[Damaged<'_>]) -> BTreeMap<usize, Lint> {
    damaged.iter().map(|damaged| (damaged.line, damaged.damage.lint())).collect()
}

/// The bytes that end the first line, which most likely end the others, too: LF in a file of one line.
pub(crate) fn line_end(body: &[u8]) -> &[u8] {
    let Some(at) = memchr::memchr2(b'\n', b'\r', body) else { return b"\n" };
    let len = if body.get(at..at + 2) == Some(b"\r\n") { 2 } else { 1 };
    body.get(at..at + len).unwrap_or_default()
}
