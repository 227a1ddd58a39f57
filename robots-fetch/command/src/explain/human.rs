//! An explanation for people: the lines of the file with marks, and notes below.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use robots_match::Span;
use robots_match::explain::{Explanation, GroupStatus, MatchedRule, RuleOutcome};

use super::notes::DocumentVerdict;
use super::notes::SHOWN;
use super::page::Page;
use crate::output::TextLines;
use crate::text::{Text, with_host};

impl Page<'_> {
    pub(super) fn human(
        &self,
        explained: &Explanation<'_>,
        verdicts: &[DocumentVerdict],
        written: Option<&str>,
    ) -> TextLines {
        let shown = |text: &str| Text(text.as_bytes()).to_string();
        let level = if self.is_allowed(explained) {
            Level::NOTE.with_name("allowed")
        } else {
            Level::ERROR.with_name("disallowed")
        };
        let title = format!("{} for {}", with_host(explained.url), self.given());
        let mut report = Group::with_title(level.primary_title(shown(&title)));
        let marks = self.marks(explained);
        if !marks.is_empty() {
            let part = self.view.part(marks.iter().map(|mark| mark.span));
            let name = self.name.as_bytes();
            let path = if self.site.is_some() { with_host(name) } else { Text(name).to_string() };
            let annotations: Vec<_> = marks
                .into_iter()
                .map(|mark| mark.kind.span(self.view.range(part, mark.span)).label(shown(&mark.label)))
                .collect();
            let snippet = Snippet::source(part.text).line_start(part.line).path(path);
            report = report.element(snippet.annotations(annotations));
        }
        for note in written.map(str::to_owned).into_iter().chain(self.notes(explained, verdicts)) {
            report = report.element(Level::NOTE.no_name().message(shown(&note)));
        }
        TextLines::drawn(&Renderer::styled().render(&[report]))
    }

    /// The places to show in the file.
    fn marks(&self, explained: &Explanation<'_>) -> Vec<Mark> {
        let mut marks = Vec::new();
        for rule in explained.matched.iter().take(SHOWN + 1) {
            let decides = rule.outcome == RuleOutcome::Decides;
            let kind = if decides { AnnotationKind::Primary } else { AnnotationKind::Context };
            marks.push(Mark { kind, span: rule.span, label: self.outcome(rule, explained) });
        }
        let taken = explained.groups.iter().filter(|group| group.status.applies());
        for group in taken.take(SHOWN) {
            let (agent, label) = match group.status {
                GroupStatus::Named { agent, token } => (agent, format!("names `{}`", self.name(token))),
                GroupStatus::General { agent } => {
                    (agent, "applies to every crawler that no group names".to_owned())
                }
                _ => continue,
            };
            if let Some(agent) = group.agents.get(agent) {
                marks.push(Mark { kind: AnnotationKind::Context, span: agent.span(), label });
            }
        }
        marks
    }

    fn outcome(&self, rule: &MatchedRule<'_>, explained: &Explanation<'_>) -> String {
        let winner = explained.winner();
        let line = winner.map_or(0, |winner| winner.line);
        match rule.outcome {
            RuleOutcome::Decides if rule.pattern.is_empty() => {
                "matches every path and disallows nothing".to_owned()
            }
            RuleOutcome::Decides if explained.matched.len() == 1 => {
                "decides: the only rule that matches".to_owned()
            }
            RuleOutcome::Decides => match self.robots.profile().matching.precedence {
                robots_match::Precedence::First => "decides: the first rule that matches".to_owned(),
                _ => format!("decides: the longest rule that matches ({} bytes)", rule.pattern.len()),
            },
            RuleOutcome::Shorter => {
                format!("matches, but is shorter ({}); the longest rule decides", bytes(rule.pattern.len()))
            }
            RuleOutcome::OtherKind => {
                format!("matches and is as long, but among equals an Allow rule decides (line {line})")
            }
            RuleOutcome::Later => {
                format!("matches, but line {line} comes first; the first rule that matches decides")
            }
            RuleOutcome::Duplicate => format!("is the same rule as line {line}"),
            _ => String::new(),
        }
    }
}

struct Mark {
    kind: AnnotationKind,
    span: Span,
    label: String,
}

/// As `1 byte`, `2 bytes`.
fn bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
