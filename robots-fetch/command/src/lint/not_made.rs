//! Why `--fix` has not made some corrections.

use robots_match::lint::{Edit, LintReport};
use robots_match::{Change, Crawler, Document, Effect, Profile, Robots, RuleSet, Span};

/// The most states of a comparison of one line. One that needs more counts as a difference.
const MOST_STATES: usize = 1_000;

/// Returns why corrections that the findings of a corrected file show were not made, if there are any. `name` is the file.
pub(super) fn reasons(report: &LintReport, body: &[u8], name: &str) -> Option<String> {
    let fixes: Vec<&Edit> = report.findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
    let suggestions =
        report.findings.iter().filter(|finding| finding.fix.is_none() && finding.suggestion.is_some());
    let suggestions = suggestions.count();
    let mut sentences = Vec::new();
    if !fixes.is_empty() {
        let effects: Vec<Effects> = fixes.iter().map(|edit| Effects::of(body, edit)).collect();
        let is_changed =
            |document: &Document| effects.iter().any(|effects| effects.verdicts.contains(document));
        let named = Document::ALL.into_iter().filter(is_changed).map(Document::name).collect::<Vec<_>>();
        let mut changed = Vec::new();
        if !named.is_empty() {
            changed.push(format!("verdicts under {}", named.join(", ")));
        }
        if effects.iter().any(|effects| effects.rank) {
            changed.push("which rule decides where several match".to_owned());
        }
        if effects.iter().any(|effects| effects.verdicts.is_empty() && !effects.rank) {
            changed.push("the meaning of other lines".to_owned());
        }
        let changed = changed.join(", or ");
        let they = if fixes.len() == 1 { "it" } else { "they" };
        let corrections = not_made(fixes.len(), "correction");
        sentences.push(format!("{corrections}, because {they} could change {changed}"));
    }
    if suggestions > 0 {
        sentences
            .push(format!("{}, because only you know what is meant", not_made(suggestions, "suggestion")));
    }
    let lines = if fixes.len() + suggestions == 1 { "the line" } else { "these lines" };
    (!sentences.is_empty()).then(|| format!("{name}: {}; edit {lines} by hand", sentences.join("; ")))
}

/// As `1 correction was not made`.
fn not_made(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what} was not made"),
        _ => format!("{count} {what}s were not made"),
    }
}

/// The effects of an edit on its own line. An edit without any was not made because of other lines, as the removal of a line is.
#[derive(Default)]
struct Effects {
    /// The documents under which the line by itself gives other verdicts.
    verdicts: Vec<Document>,
    /// Whether the pattern changes under another document, and with it the length that decides where several rules match.
    rank: bool,
}

impl Effects {
    fn of(body: &[u8], edit: &Edit) -> Self {
        let mut effects = Self::default();
        let before = body.get(..edit.span.start()).unwrap_or_default();
        let after = body.get(edit.span.end()..).unwrap_or_default();
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        let end = edit.span.end() + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
        let (head, tail) = (Span::new(start, edit.span.start()), Span::new(edit.span.end(), end));
        if edit.replacement.is_empty() && head.of(body).is_empty() {
            return effects;
        }
        let lines = [edit.span.of(body), &edit.replacement]
            .map(|edited| [head.of(body), edited, tail.of(body)].concat());
        for document in Document::ALL {
            // Among rules that all allow, or all disallow, no change would be seen.
            let others = [&b"Allow: /"[..], b"Disallow: /"];
            let sets = others.map(|other| lines.each_ref().map(|line| rules(line, other, document)));
            if sets.iter().any(|[old, new]| !is_same(old, new)) {
                effects.verdicts.push(document);
            } else if sets.iter().any(|[old, new]| patterns(old) != patterns(new)) {
                effects.rank = true;
            }
        }
        effects
    }
}

/// Returns the rules of a line that another one follows.
fn rules(line: &[u8], other: &[u8], document: Document) -> RuleSet {
    let body = [b"User-agent: *\n", line, b"\n", other, b"\n"].concat();
    Robots::new(body, Profile::from(document)).rules(&Crawler::unnamed())
}

/// Returns whether it is proved that two rule sets give the same verdicts.
fn is_same(old: &RuleSet, new: &RuleSet) -> bool {
    let difference = old.difference(new, MOST_STATES);
    [difference.newly_allowed, difference.newly_disallowed].iter().all(|change| *change == Change::Nothing)
}

fn patterns(rules: &RuleSet) -> Vec<(Effect, Vec<u8>)> {
    rules.compiled_rules().iter().map(|rule| (rule.effect, rule.pattern.to_vec())).collect()
}
