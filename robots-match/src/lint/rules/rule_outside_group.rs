use alloc::collections::BTreeSet;
use alloc::format;
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
    /// and crawlers ignore it (RFC 9309, section 2.2.2). Rules in lines that follow each other are one finding.
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
    let extent = |rule: &Rule<'_>| closes.filter(|_| Extent::of_rules(&[*rule], policy).is_some());
    let mut last = None;
    for (index, rule) in file.groups.strays().iter().enumerate() {
        // The line above has a finding of its own, and the rule is in its group once it is corrected.
        if broken.is_some_and(|line| line < rule.line()) {
            continue;
        }
        let extent_of_rule = extent(rule);
        // One finding is enough for rules in lines that follow each other.
        let is_next = extent_of_rule.is_none() && last == Some(rule.line() - 1);
        last = extent_of_rule.is_none().then_some(rule.line());
        if is_next {
            continue;
        }
        let after = file.groups.strays().iter().skip(index + 1).zip(rule.line() + 1..);
        let more = after.take_while(|(next, line)| next.line() == *line && extent(next).is_none()).count();
        let readers =
            lines.iter().filter(|(_, lines)| lines.contains(&rule.line())).map(|(document, _)| *document);
        let message = match more {
            0 => String::from("no user-agent line comes before this rule, so crawlers ignore it"),
            _ => {
                format!("no user-agent line comes before this rule and {more} more, so crawlers ignore them")
            }
        };
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), message)
                .help(match extent_of_rule {
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
