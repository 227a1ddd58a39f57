//! Runs all lints over a file.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Line, Lines, Record};

use crate::lint::code::Lint;
use crate::lint::context::Facts;
use crate::lint::context::LintContext;
use crate::lint::declaration::Checks;
use crate::lint::draft::{Drafts, IgnoredLines, Settings};
use crate::lint::edit::Edit;
use crate::lint::finding::Finding;
use crate::lint::ignored::Ignored;
use crate::lint::report::LintReport;
use crate::lint::severity::Severity;
use crate::lint::subject::{
    Agent, AgentPairs, AllLines, Bytes, File, Gaps, GroupView, KeyProblem, Pattern, RecordView, RuleBlocks,
    claims, damaged, rule_pairs,
};

impl LintContext<'_> {
    /// Runs all lints over `body`, which may be any bytes.
    ///
    /// # Complexity
    ///
    /// Time grows with the number of bytes, and with the logarithm of the number of rules. Known paths are sorted.
    #[must_use]
    pub fn lint(&self, body: &[u8]) -> LintReport {
        let mut report = lint(body, self, LintReport::MAX_PER_LINT, false);
        for finding in &mut report.findings {
            let Some(edit) = finding.suggestion.as_ref() else { continue };
            // A suggestion must not be the next mistake.
            if let Some(message) = mistake_of(body, edit, self) {
                finding.suggestion = None;
                finding.help = Some(format!(
                    "correct the whole line; with this corrected, it has another mistake: {message}"
                ));
            }
        }
        report
    }
}

/// The longest lines that are looked at after a correction.
const MOST_BYTES: usize = 2_000;

/// Returns what is wrong with the lines that a correction touches, after it, by themselves.
fn mistake_of(body: &[u8], edit: &Edit, context: &LintContext<'_>) -> Option<String> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = body.get(..edit.span.start())?;
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let after = body.get(edit.span.end()..)?;
    let len = after.iter().position(is_end).unwrap_or(after.len());
    let lines = [before.get(start..)?, &edit.replacement, after.get(..len)?].concat();
    if lines.len() > MOST_BYTES || lines.trim_ascii().is_empty() {
        return None;
    }
    // A rule needs a group, and a group needs a rule, about a path that no other rule has. Beside an Allow, an empty Disallow is right.
    let mut records = Lines::new(&lines, &context.profile.syntax).map(|line| line.record);
    let (above, below) = match records.find(|record| !matches!(record, Record::Blank | Record::Comment)) {
        Some(Record::UserAgent(_)) => (&b""[..], &b"\nAllow: /~/-/\n"[..]),
        _ => (&b"User-agent: *\nAllow: /~/-/\n"[..], &b"\n"[..]),
    };
    let file = [above, &lines, below].concat();
    let own = above.len()..above.len() + lines.len();
    let context = LintContext { profile: context.profile, ..LintContext::default() };
    let report = lint(&file, &context, LintReport::MAX_PER_LINT, false);
    let mut findings = report.findings.into_iter();
    let found =
        findings.find(|finding| finding.severity > Severity::Note && own.contains(&finding.span.start()))?;
    Some(found.message)
}

/// Returns the findings that have a correction, at most `max` of each lint.
pub(crate) fn lint_for_fixes(body: &[u8], context: &LintContext<'_>, max: usize) -> Vec<Finding> {
    lint(body, context, max, true).findings
}

fn lint(body: &[u8], context: &LintContext<'_>, max: usize, only_fixes: bool) -> LintReport {
    let checks = Checks::new(Lint::ALL.iter().map(|lint| lint.declaration()));
    let ignored = Ignored::new(body, context);
    let facts = Facts {
        profile: context.profile,
        url: context.url,
        content_type: context.content_type,
        missing: context.missing,
        paths: context.paths,
    };
    let bytes = Bytes::new(body, &facts);
    let damaged = if bytes.has_lines() { damaged(body, &facts) } else { Vec::new() };
    let settings = Rc::new(Settings {
        parsers: context.parsers,
        all: context.all,
        claims: claims(&damaged),
        only_fixes,
        max,
    });
    // One finding is enough for the lines of a page.
    let is_of_page = |lint| {
        bytes.has_page
            && matches!(
                lint,
                Lint::UnreadableLine | Lint::UnknownKey | Lint::LineTooLong | Lint::TemplateLeftover
            )
    };
    let lines = |lint| if is_of_page(lint) { IgnoredLines::All } else { ignored.lines(lint) };
    let drafts = |lint: &Lint| Drafts::new(*lint, lines(*lint), Rc::clone(&settings));
    let mut found: Vec<Drafts<'_>> = Lint::ALL.iter().map(drafts).collect();
    run(&checks.bytes, &bytes, &mut found);
    if bytes.has_lines() {
        for word in &ignored.unknown {
            run(&checks.unknown_word, word, &mut found);
        }
        for damaged in &damaged {
            run(&checks.damaged, damaged, &mut found);
        }
        let last = run_lines(&checks, body, &facts, &mut found);
        run_file(&checks, &File::new(body, &facts, last), &mut found);
    }
    LintReport::new(Lint::ALL.iter().copied().zip(found), context)
}

/// The position of a lint in the list, and its function.
type Numbered<S> = (usize, fn(&S, &mut Drafts<'_>));

/// Runs the lints that look at `subject`.
fn run<S>(checks: &[Numbered<S>], subject: &S, found: &mut [Drafts<'_>]) {
    for (index, check) in checks {
        if let Some(drafts) = found.get_mut(*index).filter(|drafts| !drafts.is_left_out()) {
            check(subject, drafts);
        }
    }
}

/// Runs the lints that look at lines, and returns the last line.
fn run_lines<'a>(
    checks: &Checks,
    body: &'a [u8],
    facts: &Facts<'_>,
    found: &mut [Drafts<'_>],
) -> Option<Line<'a>> {
    let mut gaps = Gaps::default();
    let mut last = None;
    let rules = RuleBlocks::new(body, facts.profile.matching);
    for lines in AllLines::new(body, facts) {
        run(&checks.line, &lines, found);
        if let Some(key) = KeyProblem::find(&lines, &rules) {
            run(&checks.key, &key, found);
        }
        if let Some(agent) = Agent::find(&lines, facts) {
            run(&checks.agent, &agent, found);
        }
        if let Some(pattern) = Pattern::find(&lines) {
            run(&checks.pattern, &pattern, found);
        }
        if let Some(gap) = gaps.after(&lines.line) {
            run(&checks.gap, &gap, found);
        }
        last = Some(lines.line);
    }
    last
}

/// Runs the lints that look at a file as a whole, at its groups and at its other records.
fn run_file(checks: &Checks, file: &File<'_>, found: &mut [Drafts<'_>]) {
    run(&checks.file, file, found);
    let mut agents = AgentPairs::default();
    for (index, group) in file.groups.iter().enumerate() {
        for agent in group.agents() {
            if let Some(pair) = agents.find(index, *agent, file) {
                run(&checks.agent_pair, &pair, found);
            }
        }
        let view = GroupView::new(group, index, file);
        run(&checks.group, &view, found);
        rule_pairs(&view, |pair| run(&checks.rule_pair, pair, found));
    }
    for record in file.records.all().iter().filter_map(|record| RecordView::new(record, file.body)) {
        run(&checks.record, &record, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::steps_of;

    /// Returns a text that is repeated up to a size in bytes.
    fn repeated(size: usize, text: impl Fn(usize) -> String) -> String {
        let mut all = String::new();
        for number in 0.. {
            let next = text(number);
            if all.len() + next.len() > size {
                break;
            }
            all.push_str(&next);
        }
        all
    }

    #[test]
    fn the_work_of_lints_grows_with_the_file() {
        type Half = fn(usize) -> String;
        let few_letters = |number: usize| -> String {
            (0..12).map(|bit| if number >> bit & 1 == 1 { 'a' } else { 'b' }).collect()
        };
        let cases: [(&str, Half, Half); 6] = [
            ("", |n| format!("user-agent:a{n}\ncrawl-delay:1\n"), |n| format!("disallow:/{n}\n")),
            (
                "user-agent:*\n",
                |n| format!("disallow:/{n}\n"),
                |_| String::from("content-signal:search=no\n"),
            ),
            ("user-agent:*\ndisallow:/*\n", |n| format!("disallow:/{n}\n"), |_| String::from("allow:/\n")),
            (
                "user-agent:*\n",
                |n| format!("disallow:/a/long/prefix/{n}?u=%2F\n"),
                |n| format!("allow:/a/long/prefix/{n}%2Cb\n"),
            ),
            ("user-agent:googlebot\n", |n| format!("disallow:/{n}.css\n"), |n| format!("allow:/*{n}\n")),
            ("user-agent:*\n", |n| format!("noindex:/{n}\n"), |n| format!("disallow:/*{n}\n")),
        ];
        let context = LintContext { all: true, ..LintContext::default() };
        let steps = |file: String| steps_of(|| drop(context.lint(file.as_bytes())));
        for (number, (start, one, other)) in cases.into_iter().enumerate() {
            let of = |size: usize| steps(format!("{start}{}{}", repeated(size, one), repeated(size, other)));
            let (half, whole) = (of(10_000), of(20_000));
            assert!(10 * whole <= 23 * half, "case {number}: {half} steps, and {whole} for twice the file");
        }
        // In the worst case, each pattern is compared with each path, up to a limit for the file.
        let hard = |count: usize| -> String {
            let rule = |number: usize| format!("disallow:/*{0}*{0}\nallow:/x{0}.css\n", few_letters(number));
            format!("user-agent:googlebot\n{}", (0..count).map(rule).collect::<String>())
        };
        assert!(steps(hard(4_000)) < 20_000_000);
    }
}
