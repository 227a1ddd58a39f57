use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Gap;
use crate::lint::text::documents;

lint! {
    code: "split-agents",
    severity: warning,
    title: "A blank line splits a group",
    check: Gap(check),
    /// Under RFC 9309 a blank line does not end a group. Crawlers that follow the draft of 1996 end the group there:
    /// rules after the blank line are for no crawler, and crawlers named before it have no rules.
    ///
    /// Remove the blank line.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    ///
    /// User-agent: OtherBot
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// User-agent: OtherBot
    /// Disallow: /private
    ///
    /// User-agent: *
    /// Disallow: /tmp
    /// ```
}

fn check(gap: &Gap<'_>, drafts: &mut Drafts<'_>) {
    drafts.add(
        Draft::new(gap.line, gap.span, "some crawlers end the group at this blank line")
            .help("remove the blank line; for these crawlers the lines after it are not in the group")
            .other(gap.agent.span(), "the group")
            .readers(documents(|profile| profile.groups.blank_line_ends_group)),
    );
}
