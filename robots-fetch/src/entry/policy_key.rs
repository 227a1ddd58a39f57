//! The key of the access policy and size limit that an entry depends on.

use robots_match::AccessResult;

use crate::entry::codec::{Part as _, Writer};
use crate::policy::{AccessPolicy, OutageAccess};
use crate::profile::SiteProfile;

impl SiteProfile {
    /// Returns a key of the access policy and the size limit. Entries of profiles with the same key say the same about an
    /// answer, so they can share a store; entries of other profiles must be kept apart. The key is the same on every machine,
    /// and changes with a version of this crate whose policies have another field.
    #[must_use]
    pub fn key(&self) -> u64 {
        policy_key(self)
    }
}

/// Returns the FNV-1a hash of the written access policy and size limit of `profile`. It is the same for every version
/// of Rust and on every machine.
pub(crate) fn policy_key(profile: &SiteProfile) -> u64 {
    // No `..`: a new field has to be added here.
    let AccessPolicy {
        statuses,
        ftp_replies,
        max_redirects,
        too_many_redirects,
        invalid_redirect,
        redirect_to_disallowed,
        failure,
        outage,
        default_lifetime,
        default_lifetime_without_file,
        max_lifetime_by_expires,
        max_lifetime_by_max_age,
        min_lifetime,
        stale_while_revalidate,
        max_stale_age,
        keep_after_unavailable,
        keep_while_throttled,
        first_retry,
        max_retry,
        first_retry_503,
        max_retry_503,
        first_retry_throttled,
        max_retry_throttled,
        max_retry_after,
        conditional_requests,
        html,
        error_page_may_be_404,
        max_body,
    } = profile.access;
    let mut key = Writer::default();
    for table in [statuses, ftp_replies] {
        table.rows().count().write(&mut key);
        for (first, last, result) in table.rows() {
            first.write(&mut key);
            last.write(&mut key);
            key.text(result.name().as_bytes());
        }
    }
    outage.rows().count().write(&mut key);
    for (from, access) in outage.rows() {
        from.write(&mut key);
        key.text(name(access).as_bytes());
    }
    let names = [
        too_many_redirects.name(),
        invalid_redirect.name(),
        redirect_to_disallowed.map_or("", AccessResult::name),
        failure.name(),
        html.map_or("", AccessResult::name),
    ];
    for name in names {
        key.text(name.as_bytes());
    }
    let durations = [
        default_lifetime,
        default_lifetime_without_file,
        min_lifetime,
        stale_while_revalidate,
        first_retry,
        max_retry,
        first_retry_503,
        max_retry_503,
        first_retry_throttled,
        max_retry_throttled,
        max_retry_after,
    ];
    for duration in durations {
        duration.write(&mut key);
    }
    let limits = [
        max_lifetime_by_expires,
        max_lifetime_by_max_age,
        max_stale_age,
        keep_after_unavailable,
        keep_while_throttled,
    ];
    for limit in limits {
        limit.write(&mut key);
    }
    for is_so in [conditional_requests, error_page_may_be_404] {
        is_so.write(&mut key);
    }
    for most in [usize::from(max_redirects), max_body, profile.max_size()] {
        most.write(&mut key);
    }
    key.bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

const fn name(access: OutageAccess) -> &'static str {
    match access {
        OutageAccess::Nothing => "nothing",
        OutageAccess::FileOrNothing => "file-or-nothing",
        OutageAccess::FileOrEverything => "file-or-everything",
        OutageAccess::Everything => "everything",
        OutageAccess::EverythingIfSiteAnswers => "everything-if-site-answers",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_match::Document;

    #[test]
    fn another_policy_or_limit_makes_another_key_and_other_rules_do_not() {
        let mut keys: Vec<_> =
            Document::ALL.into_iter().map(|document| policy_key(&document.into())).collect();
        let mut capped = SiteProfile::RFC9309;
        capped.access.outage = AccessPolicy::GOOGLE_LATER;
        keys.push(policy_key(&capped));
        capped.rules.syntax.max_size = Some(1 << 20);
        keys.push(policy_key(&capped));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 6);
        let mut reading = SiteProfile::RFC9309;
        reading.rules = robots_match::Profile::GOOGLE;
        assert_eq!(policy_key(&reading), policy_key(&SiteProfile::RFC9309));
    }

    /// Keys are in files. If one of these changes, all entries that were stored under it are retrieved again.
    #[test]
    fn stored_keys_do_not_change() {
        let keys = Document::ALL.map(|document| format!("{:016x}", policy_key(&document.into())));
        assert_eq!(keys, ["9b91ac550af10e5d", "a5db8055e7e60997", "8fa15aa108933681", "1a2c18b02e5ec8ae"]);
    }
}
