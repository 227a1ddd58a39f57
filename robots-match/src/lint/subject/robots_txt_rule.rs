//! Rules about robots.txt itself.

use robots_groups::syntax::Rule;

use crate::lint::form::form;
use crate::policy::MatchPolicy;

/// Whether a rule is about robots.txt itself, which crawlers may always fetch, and about no other path that people use.
pub(crate) fn is_for_robots_txt(rule: &Rule<'_>, policy: &MatchPolicy) -> bool {
    let form = form(rule.pattern.bytes(), policy);
    form.strip_prefix(b"/robots.txt")
        .is_some_and(|rest| rest.strip_suffix(b"$").unwrap_or(rest).iter().all(|&byte| byte == b'*'))
}
