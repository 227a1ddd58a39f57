use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, is_for_robots_txt};

lint! {
    code: "rule-for-robots-txt",
    severity: note,
    default: off,
    title: "A rule is about robots.txt itself",
    check: File(check),
    /// Crawlers may always fetch `/robots.txt` (RFC 9309, section 2.2.2), so the rule has no effect.
    ///
    /// Remove the rule. If it is the only rule of its group, and another group follows, write `Disallow:` instead: without a rule,
    /// both groups would be one.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /robots.txt
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    let groups = file.groups.iter();
    let rules = groups.flat_map(|group| group.rules()).chain(file.groups.strays());
    for rule in rules.filter(|rule| is_for_robots_txt(rule, policy)) {
        let help = match file.is_needed(rule.line()) {
            true => "write `Disallow:` instead; a group needs a rule, or it goes on with the next one",
            false => "remove the rule",
        };
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "this rule has no effect: crawlers may always fetch `/robots.txt`",
            )
            .help(help),
        );
    }
}
