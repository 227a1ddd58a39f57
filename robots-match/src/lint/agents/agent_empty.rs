use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::GroupView;

lint! {
    code: "agent-empty",
    severity: error,
    title: "A user-agent line names no crawler",
    check: Group(check),
    /// A user-agent line without a name is for no crawler. It does not mean all crawlers: that is `User-agent: *`.
    /// Crawlers ignore the rules below it.
    ///
    /// Write the name of a crawler, or `*` for all crawlers. `*` is not advised for a group that blocks much of the site.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent:
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    for agent in view.group.agents().iter().filter(|agent| agent.bytes().is_empty()) {
        let line = view.file.index.line_of(agent.span());
        let draft = Draft::new(line, agent.span(), "the line names no crawler");
        drafts.add(match view.closes() {
            Some(extent) => draft.help(extent.in_place_of_a_star()),
            None => draft.help("write the name of a crawler, or `*` for all crawlers"),
        });
    }
}
