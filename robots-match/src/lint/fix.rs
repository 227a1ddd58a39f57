//! Makes corrections.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Lines, Record, Span};

use crate::document::Document;
use crate::lint::context::LintContext;
use crate::lint::edit::Edit;
use crate::lint::report::LintReport;
use crate::lint::run::lint_for_fixes;
use crate::profile::Profile;
use crate::robots::Robots;
use crate::rule_set::RuleSet;

impl LintReport {
    /// Makes those corrections of this report of `body` that change no verdict for any crawler, URL and named profile,
    /// and no other record. Returns the file after them, and how many were made.
    ///
    /// The meaning of the file under every document is compared before and after the corrections. The corrected file is
    /// checked again, until nothing more can be corrected. Suggestions are not made.
    ///
    /// # Complexity
    ///
    /// Time grows with the bytes of the file. At most 16 rounds are made, each with at most 65,536 corrections of each lint.
    /// Where many corrections can't be made, as in files that are made to take long, some are left out that could be made.
    ///
    /// ```
    /// use robots_match::lint::LintContext;
    /// let body = b"User-agent: *\nDisallow: /a%2fb\nDisallow: /tmp*";
    /// let (fixed, made) = LintContext::default().lint(body).fix(body);
    /// // Without its star the second rule would be shorter, and could lose where it has won.
    /// assert_eq!(fixed, b"User-agent: *\nDisallow: /a%2Fb\nDisallow: /tmp*\n");
    /// assert_eq!(made, 2);
    /// ```
    #[must_use]
    pub fn fix(&self, body: &[u8]) -> (Vec<u8>, usize) {
        let context = LintContext {
            profile: self.profile,
            ignored: &self.ignored,
            ignores_comments: self.ignores_comments,
            all: true,
            ..LintContext::default()
        };
        let mut work = Work(body.len().saturating_mul(MOST_TIMES).saturating_add(SMALL_FILES));
        let (mut body, mut count) = (body.to_vec(), 0);
        for _ in 0..MOST_ROUNDS {
            if !work.spend(LINT * body.len()) {
                break;
            }
            let findings = lint_for_fixes(&body, &context, MOST_PER_LINT);
            let edits = findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
            let (after, made) = corrected(&body, edits, &mut work);
            if made == 0 {
                break;
            }
            (body, count) = (after, count + made);
        }
        (body, count)
    }
}

/// The most rounds in which a file is corrected. A round is needed where a correction makes another one possible.
const MOST_ROUNDS: usize = 16;
/// The most corrections of one lint in a round: more than a file of 500 KiB has lines with a correction.
const MOST_PER_LINT: usize = 1 << 16;
/// How many times the bytes of a file may be compared.
const MOST_TIMES: usize = 12;
/// The bytes that may be compared beyond that, so that small files are compared often enough.
const SMALL_FILES: usize = 4 << 20;
/// How many comparisons of a byte the lints take.
const LINT: usize = 3;
/// The bytes as which the preparation of a comparison counts.
const COMPARISON: usize = 512;

/// The work that is left, in bytes that are compared.
struct Work(usize);

impl Work {
    /// Spends work. Returns whether there was enough of it.
    const fn spend(&mut self, bytes: usize) -> bool {
        let is_enough = bytes <= self.0;
        self.0 = self.0.saturating_sub(bytes);
        is_enough
    }
}

/// Makes those of `edits` that change no verdict, and returns how many these are.
fn corrected(body: &[u8], mut edits: Vec<&Edit>, work: &mut Work) -> (Vec<u8>, usize) {
    edits.retain(|edit| is_harmless_by_itself(body, edit, work));
    edits.sort_by_key(|edit| (edit.span.start(), edit.span.end()));
    let (mut end, mut removes) = (0, false);
    edits.retain(|edit| {
        // Text that is added after a line has no place where that line is removed.
        let is_apart =
            edit.span.start() > end || edit.span.start() == end && !(removes && edit.span.is_empty());
        if is_apart {
            (end, removes) = (edit.span.end(), edit.replacement.is_empty());
        }
        is_apart
    });
    let whole = Part { body, span: Span::new(0, body.len()) };
    let mut made = Vec::new();
    let mut rest = edits.as_slice();
    for part in parts(body, &edits) {
        let len = rest.iter().take_while(|edit| part.contains(edit)).count();
        let (own, others) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        rest = others;
        if !own.is_empty() && work.spend(part.span.len() + COMPARISON) {
            let mut made_here = Vec::new();
            part.keep_harmless(&part.meaning(&[]), own, &mut made_here, work);
            made.extend(made_here);
        }
    }
    // The parts only save work: what counts is the file as a whole.
    if !made.is_empty() {
        let meaning = whole.meaning(&[]);
        if whole.meaning(&made) != meaning {
            made.clear();
            whole.keep_harmless(&meaning, &edits, &mut made, work);
        }
    }
    (edited(whole, &made), made.len())
}

/// Returns the parts of a file that a correction in another part does not change, as far as it can be seen from the lines: a
/// part begins where a line for an agent follows a rule.
fn parts<'b>(body: &'b [u8], edits: &[&Edit]) -> Vec<Part<'b>> {
    let syntax = Profile::default().syntax;
    let mut spans = edits.iter().map(|edit| edit.span).peekable();
    let mut parts = Vec::new();
    let (mut start, mut rule) = (0, None);
    for line in Lines::new(body, &syntax) {
        match line.record {
            Record::Rule(_) => rule = Some(line.span().start()),
            Record::UserAgent(_) => {
                let Some(from) = rule.take() else { continue };
                // No edit may touch the two lines, or what is between them.
                while spans.next_if(|span| span.end() < from).is_some() {}
                if spans.peek().is_none_or(|span| span.start() > line.span().end()) {
                    parts.push(Part { body, span: Span::new(start, line.span().start()) });
                    start = line.span().start();
                }
            }
            _ => {}
        }
    }
    parts.push(Part { body, span: Span::new(start, body.len()) });
    parts
}

/// A part of a file.
#[derive(Clone, Copy)]
struct Part<'b> {
    body: &'b [u8],
    span: Span,
}

impl Part<'_> {
    fn contains(&self, edit: &Edit) -> bool {
        self.span.start() <= edit.span.start() && edit.span.end() <= self.span.end()
    }

    /// Returns what the part means with these edits.
    fn meaning(self, edits: &[&Edit]) -> Vec<Meaning> {
        Meaning::of_all(&edited(self, edits))
    }

    /// Adds to `made` those of `edits` that do not change the meaning. All of `edits` come after those in `made`.
    fn keep_harmless<'e>(
        self,
        meaning: &[Meaning],
        edits: &[&'e Edit],
        made: &mut Vec<&'e Edit>,
        work: &mut Work,
    ) {
        if edits.is_empty() || !work.spend(self.span.len() + COMPARISON) {
            return;
        }
        let before = made.len();
        made.extend(edits);
        if self.meaning(made) == meaning {
            return;
        }
        made.truncate(before);
        if edits.len() > 1 {
            let (first, second) = edits.split_at(edits.len() / 2);
            self.keep_harmless(meaning, first, made, work);
            self.keep_harmless(meaning, second, made, work);
        }
    }
}

/// Whether the lines of an edit, taken by themselves, mean the same with and without it. This check is cheap, and leaves
/// few edits for which the whole file has to be compared.
fn is_harmless_by_itself(body: &[u8], edit: &Edit, work: &mut Work) -> bool {
    let before = body.get(..edit.span.start()).unwrap_or_default();
    let after = body.get(edit.span.end()..).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let ends_line = after.is_empty() || matches!(edit.span.of(body).last(), Some(b'\n' | b'\r'));
    if edit.replacement.is_empty() && start == edit.span.start() && !edit.span.is_empty() && ends_line {
        // Whole lines that repeat others.
        return true;
    }
    let end = edit.span.end() + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
    if !work.spend(2 * (end - start) + COMPARISON) {
        return false;
    }
    let rest: &[u8] = if end < body.len() { b"\nAllow: /" } else { b"" };
    let group =
        |[head, edited, tail]: [&[u8]; 3]| [&b"User-agent: a\n"[..], head, edited, tail, rest].concat();
    let (head, tail) =
        (Span::new(start, edit.span.start()).of(body), Span::new(edit.span.end(), end).of(body));
    Meaning::of_all(&group([head, &edit.replacement, tail]))
        == Meaning::of_all(&group([head, edit.span.of(body), tail]))
}

/// Returns a part of a file with edits that lie in it.
fn edited(part: Part<'_>, edits: &[&Edit]) -> Vec<u8> {
    let Part { body, span } = part;
    let mut out = Vec::with_capacity(span.len() + 1);
    let mut at = span.start();
    for edit in edits {
        out.extend_from_slice(body.get(at..edit.span.start()).unwrap_or_default());
        out.extend_from_slice(&edit.replacement);
        at = edit.span.end();
    }
    out.extend_from_slice(body.get(at..span.end()).unwrap_or_default());
    out
}

/// Everything that the verdicts and the other records of a file depend on.
#[derive(PartialEq, Eq)]
struct Meaning {
    groups: Vec<GroupMeaning>,
    others: Vec<(Vec<u8>, Vec<u8>)>,
}

#[derive(PartialEq, Eq)]
struct GroupMeaning {
    agents: BTreeSet<Vec<u8>>,
    rules: Vec<(Effect, Box<[u8]>)>,
}

impl Meaning {
    fn of_all(body: &[u8]) -> Vec<Self> {
        Document::ALL.into_iter().map(|document| Self::of(body, &document.into())).collect()
    }

    fn of(body: &[u8], profile: &Profile) -> Self {
        let robots = Robots::new(body, *profile);
        let groups = robots.groups();
        let groups = groups.iter().map(|group| {
            let agents = group.agents().iter().map(|agent| agent.bytes().to_ascii_lowercase()).collect();
            let rules = RuleSet::from_rules(
                group.rules().iter().copied(),
                robots_groups::SelectionBasis::Named,
                &profile.matching,
            );
            // Only the first rule with a pattern has an effect, and an empty pattern has none.
            let mut seen = BTreeSet::new();
            let rulings = rules.compiled_rules();
            let rules = rulings.iter().filter(|rule| !rule.pattern.is_empty() && seen.insert(rule.pattern));
            GroupMeaning { agents, rules: rules.map(|rule| (rule.effect, rule.pattern.into())).collect() }
        });
        let others = robots.lines().filter_map(|line| match line.record {
            Record::Other { key, value } => Some((key.bytes().to_ascii_lowercase(), value.bytes().to_vec())),
            _ => None,
        });
        Self { groups: groups.collect(), others: others.collect() }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn parts_begin_at_groups_whose_lines_no_edit_touches() {
        let body =
            b"User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\nUser-agent: c\n\nDisallow: /z\n";
        let spans = |edits: &[Span]| {
            let edits: Vec<Edit> = edits.iter().map(|&span| Edit { span, replacement: Vec::new() }).collect();
            let starts = parts(body, &edits.iter().collect::<Vec<_>>());
            starts.into_iter().map(|part| part.span.start()).collect::<Vec<_>>()
        };
        assert_eq!(spans(&[]), vec![0, 28, 55]);
        // The first rule, the blank line after it, and the name of the last group.
        assert_eq!(spans(&[Span::new(24, 26)]), vec![0, 55]);
        assert_eq!(spans(&[Span::new(27, 28)]), vec![0, 55]);
        assert_eq!(spans(&[Span::new(67, 68)]), vec![0, 28]);
        // Lines that are in no such place.
        assert_eq!(spans(&[Span::new(5, 6), Span::new(71, 72)]), vec![0, 28, 55]);
    }
}
