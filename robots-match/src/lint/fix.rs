//! Makes corrections.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Record, Span};

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
    /// Time grows with the bytes of the file, once more for each correction that is not made, at most 2,000 times. At most
    /// 16 rounds are made, each with at most 10,000 corrections of each lint.
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
        let (mut body, mut count, mut comparisons) = (body.to_vec(), 0, MOST_COMPARISONS);
        for _ in 0..MOST_ROUNDS {
            let findings = lint_for_fixes(&body, &context, MOST_PER_LINT);
            let edits = findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
            let (after, made) = corrected(&body, edits, &mut comparisons);
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
/// The most corrections of one lint in a round.
const MOST_PER_LINT: usize = 10_000;
/// How often the whole file is compared at most.
const MOST_COMPARISONS: usize = 2_000;

/// Makes those of `edits` that change no verdict, and returns how many these are.
fn corrected(body: &[u8], mut edits: Vec<&Edit>, comparisons: &mut usize) -> (Vec<u8>, usize) {
    edits.retain(|edit| is_harmless_by_itself(body, edit));
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
    let mut made = Vec::new();
    if !edits.is_empty() {
        keep_harmless(body, &Meaning::of_all(body), &edits, &mut made, comparisons);
    }
    (edited(body, &made), made.len())
}

/// Whether the lines of an edit, taken by themselves, mean the same with and without it. This check is cheap, and leaves
/// few edits for which the whole file has to be compared.
fn is_harmless_by_itself(body: &[u8], edit: &Edit) -> bool {
    let before = body.get(..edit.span.start()).unwrap_or_default();
    let after = body.get(edit.span.end()..).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let ends_line = after.is_empty() || matches!(edit.span.of(body).last(), Some(b'\n' | b'\r'));
    if edit.replacement.is_empty() && start == edit.span.start() && !edit.span.is_empty() && ends_line {
        // Whole lines that repeat others.
        return true;
    }
    let end = edit.span.end() + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
    let rest: &[u8] = if end < body.len() { b"\nAllow: /" } else { b"" };
    let group =
        |[head, edited, tail]: [&[u8]; 3]| [&b"User-agent: a\n"[..], head, edited, tail, rest].concat();
    let (head, tail) =
        (Span::new(start, edit.span.start()).of(body), Span::new(edit.span.end(), end).of(body));
    Meaning::of_all(&group([head, &edit.replacement, tail]))
        == Meaning::of_all(&group([head, edit.span.of(body), tail]))
}

/// Adds to `made` those of `edits` that do not change the meaning of the file. All of `edits` come after those in `made`.
fn keep_harmless<'e>(
    body: &[u8],
    meaning: &[Meaning],
    edits: &[&'e Edit],
    made: &mut Vec<&'e Edit>,
    comparisons: &mut usize,
) {
    if edits.is_empty() || *comparisons == 0 {
        return;
    }
    *comparisons -= 1;
    let before = made.len();
    made.extend(edits);
    if Meaning::of_all(&edited(body, made)) == meaning {
        return;
    }
    made.truncate(before);
    if edits.len() > 1 {
        let (first, second) = edits.split_at(edits.len() / 2);
        keep_harmless(body, meaning, first, made, comparisons);
        keep_harmless(body, meaning, second, made, comparisons);
    }
}

fn edited(body: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 1);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(body.get(at..edit.span.start()).unwrap_or_default());
        out.extend_from_slice(&edit.replacement);
        at = edit.span.end();
    }
    out.extend_from_slice(body.get(at..).unwrap_or_default());
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
