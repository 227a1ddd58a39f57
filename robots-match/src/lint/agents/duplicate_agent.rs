//! A group names a crawler twice.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::AgentPair;
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "duplicate-agent",
    severity: Severity::Note,
    title: "A group names a crawler twice",
    check: Check::AgentPair(check),
};

fn check(pair: &AgentPair<'_>, drafts: &mut Drafts<'_>) {
    if !pair.is_one_group {
        return;
    }
    let message = format!("the group names `{}` twice", shown(pair.agent.bytes()));
    let mut draft = Draft::new(pair.line, pair.agent.span(), message).other(pair.first.span(), "here first");
    if let Some(line) = pair.file.index.removable(pair.agent.span()) {
        draft = draft.fix(line, "");
    }
    drafts.add(draft);
}
