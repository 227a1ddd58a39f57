use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::AgentPair;
use crate::lint::text::shown;

lint! {
    code: "duplicate-agent",
    severity: note,
    default: off,
    title: "A group names a crawler twice",
    corrects: true,
    check: AgentPair(check),
    /// The second line has no effect. Crawler names are not case-sensitive.
    ///
    /// Remove the second line.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    /// User-agent: examplebot
    /// Disallow: /a
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// User-agent: OtherBot
    /// Disallow: /a
    /// ```
}

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
