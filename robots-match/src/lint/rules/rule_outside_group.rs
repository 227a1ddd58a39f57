use alloc::collections::BTreeSet;
use alloc::string::String;

use robots_groups::syntax::{Line, Lines, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Extent, File, MARK, has_unknown_key, means_agent};

lint! {
    code: "rule-outside-group",
    severity: error,
    title: "A rule is outside of all groups",
    check: File(check),
    /// A rule belongs to the user-agent lines before it. A rule before the first user-agent line is for no crawler,
    /// and crawlers ignore it (RFC 9309, section 2.2.2).
    ///
    /// Add a user-agent line before the rule, or move the rule into a group.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Disallow: /private
    /// User-agent: *
    /// Disallow: /tmp
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Disallow: /tmp
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if file.groups.strays().is_empty() {
        return;
    }
    let lines = file.by_document.each_ref().map(|(document, _, groups)| {
        (*document, groups.strays().iter().map(Rule::line).collect::<BTreeSet<_>>())
    });
    let broken = broken_agent(file);
    let policy = &file.facts.profile.matching;
    let closes = Extent::of_rules(file.groups.strays(), policy);
    for rule in file.groups.strays() {
        // The line above has a finding of its own, and the rule is in its group once it is corrected.
        if broken.is_some_and(|line| line < rule.line()) {
            continue;
        }
        let readers =
            lines.iter().filter(|(_, lines)| lines.contains(&rule.line())).map(|(document, _)| *document);
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "no user-agent line comes before this rule, so crawlers ignore it",
            )
            .help(match closes.filter(|_| Extent::of_rules(&[*rule], policy).is_some()) {
                Some(extent) => extent.in_place_of_a_line("a user-agent line before the rule"),
                None => String::from("add a user-agent line before the rule"),
            })
            .readers(readers.collect()),
        );
    }
}

/// The number of the first line that was meant as a user-agent line, such as `User-agent = ExampleBot`, and that has a finding which
/// shows it as one. A key that is not known has one that says that the rules are lost, and a byte order mark one that says nothing of rules.
fn broken_agent(file: &File<'_>) -> Option<usize> {
    let is_meant = |line: &Line<'_>| {
        means_agent(line) && !line.content().bytes().starts_with(MARK) && !has_unknown_key(line)
    };
    Lines::new(file.body, &file.facts.profile.syntax).find(is_meant).map(|line| line.number)
}
