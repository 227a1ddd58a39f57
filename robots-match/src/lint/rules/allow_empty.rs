use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;

lint! {
    code: "allow-empty",
    severity: note,
    default: off,
    title: "An Allow rule has no pattern",
    check: File(check),
    /// A rule without a pattern matches nothing. `Disallow:` is the usual way to write that everything is allowed.
    /// `Allow:` has no effect, and is not an exception to `Disallow: /`.
    ///
    /// Write `Allow: /` to allow everything, or remove the line. If it is the only rule of its group, and another group follows, write
    /// `Disallow:`: without a rule, both groups would be one.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /
    /// Allow:
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /a
    /// Allow: /a/b
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let groups = file.groups.iter();
    let rules = groups.flat_map(|group| group.rules()).chain(file.groups.strays());
    for rule in rules.filter(|rule| rule.pattern.is_empty() && rule.effect == Effect::Allow) {
        let help = match file.is_needed(rule.line()) {
            true => {
                "write `Disallow:` to allow everything; a group needs a rule, or it goes on with the next one"
            }
            false => "write `Allow: /` to allow everything, or remove the line",
        };
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), "an Allow without a pattern has no effect")
                .help(help),
        );
    }
}
