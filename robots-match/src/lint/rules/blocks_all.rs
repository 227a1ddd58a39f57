use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General, is_all};

lint! {
    code: "blocks-all",
    severity: warning,
    title: "Every crawler is blocked from the whole site",
    check: File(check),
    /// The group for `*` disallows `/` without an exception, so crawlers without a group of their own may not fetch
    /// anything. Sites under construction use such a rule, and it is easily forgotten when the site goes live.
    ///
    /// Where another group names a crawler that may fetch something, the finding is a note: the site owner has chosen who may.
    ///
    /// Write `Disallow:` without the slash if crawlers may fetch the site.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow:
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if let General { allow: None, all: Some(rule), .. } = file.general {
        let draft = |message: &str| Draft::new(rule.line(), rule.pattern.span(), message);
        drafts.add(if has_exception(file) {
            draft("this blocks every crawler without a group of its own from the whole site")
                .help("crawlers that are not named may fetch nothing; keep the rule if this is intended")
                .severity(Severity::Note)
        } else {
            draft("this blocks every crawler from the whole site")
                .help("write `Disallow:` without the slash if this is not intended; such a rule is often left over from before a site went live")
        });
    }
}

/// Whether a group names a crawler that may fetch something. Someone who writes such a group knows that others are blocked.
fn has_exception(file: &File<'_>) -> bool {
    let policy = &file.facts.profile;
    file.groups.iter().any(|group| {
        let is_named = group.agents().iter().all(|agent| !policy.groups.is_general(agent.bytes()));
        let is_blocked = group.rules().iter().any(|rule| is_all(rule, &policy.matching));
        is_named && (!is_blocked || group.rules().iter().any(|rule| rule.effect == Effect::Allow))
    })
}
