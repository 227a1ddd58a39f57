//! Runs all lints over a file.

use alloc::vec::Vec;

use robots_groups::syntax::{Line, Lines};

use crate::lint::context::LintContext;
use crate::lint::declaration::Checks;
use crate::lint::draft::Drafts;
use crate::lint::registry::Lint;
use crate::lint::report::LintReport;
use crate::lint::subject::{
    Agent, AgentPairs, AllLines, Bytes, File, Gaps, GroupView, KeyProblem, Pattern, RecordView, rule_pairs,
};
use crate::records::Records;

impl LintContext<'_> {
    /// Runs all lints over `body`, which may be any bytes.
    ///
    /// # Complexity
    ///
    /// Time grows with the number of bytes, and with the logarithm of the number of rules.
    #[must_use]
    pub fn lint(&self, body: &[u8]) -> LintReport {
        lint(body, self)
    }
}

fn lint(body: &[u8], context: &LintContext<'_>) -> LintReport {
    let checks = Checks::new(Lint::ALL.iter().map(|lint| lint.declaration()));
    let mut found = Vec::new();
    found.resize_with(Lint::ALL.len(), Drafts::default);
    let bytes = Bytes::new(body, context);
    run(&checks.bytes, &bytes, &mut found);
    if bytes.has_lines() {
        let last = run_lines(&checks, body, context, &mut found);
        run_file(&checks, &File::new(body, context, last), &mut found);
    }
    LintReport::new(Lint::ALL.iter().copied().zip(found))
}

/// The position of a lint in the list, and its function.
type Numbered<S> = (usize, fn(&S, &mut Drafts));

/// Runs the lints that look at `subject`.
fn run<S>(checks: &[Numbered<S>], subject: &S, found: &mut [Drafts]) {
    for (index, check) in checks {
        if let Some(drafts) = found.get_mut(*index) {
            check(subject, drafts);
        }
    }
}

/// Runs the lints that look at lines, and returns the last line.
fn run_lines<'a>(
    checks: &Checks,
    body: &'a [u8],
    context: &LintContext<'_>,
    found: &mut [Drafts],
) -> Option<Line<'a>> {
    let mut gaps = Gaps::default();
    let mut last = None;
    for lines in AllLines::new(body, context) {
        run(&checks.line, &lines, found);
        if let Some(key) = KeyProblem::find(&lines) {
            run(&checks.key, &key, found);
        }
        if let Some(agent) = Agent::find(&lines, context) {
            run(&checks.agent, &agent, found);
        }
        if let Some(pattern) = Pattern::find(&lines, context) {
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
fn run_file(checks: &Checks, file: &File<'_>, found: &mut [Drafts]) {
    run(&checks.file, file, found);
    let mut agents = AgentPairs::default();
    for (index, group) in file.groups.iter().enumerate() {
        for agent in group.agents() {
            if let Some(pair) = agents.find(index, *agent, file) {
                run(&checks.agent_pair, &pair, found);
            }
        }
        let view = GroupView { group, file };
        run(&checks.group, &view, found);
        rule_pairs(&view, |pair| run(&checks.rule_pair, pair, found));
    }
    let syntax = &file.context.profile.syntax;
    let records = Records::from_lines(Lines::new(file.body, syntax), &file.groups, syntax);
    for record in records.all().iter().filter_map(|record| RecordView::new(record, file.body)) {
        run(&checks.record, &record, found);
    }
}
