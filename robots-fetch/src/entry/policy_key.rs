//! The key of the access policy and size limit that an entry depends on.

use core::time::Duration;

use serde::Serialize;

use crate::policy::Statuses;
use crate::policy::{AccessPolicy, OutageAccess, Outages};
use crate::profile::SiteProfile;
use robots_match::AccessResult;

/// The parts of a profile that an entry depends on, in postcard's wire format. A new field, or another value of one, makes
/// another key; entries with the old key then count as absent.
#[derive(Serialize)]
struct Parts {
    statuses: Vec<(u16, u16, &'static str)>,
    ftp_replies: Vec<(u16, u16, &'static str)>,
    max_redirects: u8,
    too_many_redirects: &'static str,
    invalid_redirect: &'static str,
    redirect_to_disallowed: Option<&'static str>,
    failure: &'static str,
    outage: Vec<(Duration, &'static str)>,
    default_lifetime: Duration,
    default_lifetime_without_file: Duration,
    max_lifetime_by_expires: Option<Duration>,
    max_lifetime_by_max_age: Option<Duration>,
    min_lifetime: Duration,
    stale_while_revalidate: Duration,
    max_stale_age: Option<Duration>,
    keep_after_unavailable: Option<Duration>,
    keep_while_throttled: Option<Duration>,
    first_retry: Duration,
    max_retry: Duration,
    first_retry_503: Duration,
    max_retry_503: Duration,
    first_retry_throttled: Duration,
    max_retry_throttled: Duration,
    max_retry_after: Duration,
    conditional_requests: bool,
    html: Option<&'static str>,
    error_page_may_be_404: bool,
    max_body: usize,
    max_size: usize,
}

impl SiteProfile {
    /// Returns a key of the access policy and the size limit. Entries of profiles with the same key say the same about an
    /// answer, so they can share a store; entries of other profiles must be kept apart. The key is the same on every machine,
    /// and changes with a version of this crate whose policies have another field.
    #[must_use]
    pub fn key(&self) -> u64 {
        policy_key(self)
    }
}

/// Returns the FNV-1a hash of the serialized access policy and size limit of `profile`. It is the same for every version
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
    let parts = Parts {
        statuses: table(statuses),
        ftp_replies: table(ftp_replies),
        max_redirects,
        too_many_redirects: too_many_redirects.name(),
        invalid_redirect: invalid_redirect.name(),
        redirect_to_disallowed: redirect_to_disallowed.map(AccessResult::name),
        failure: failure.name(),
        outage: schedule(outage),
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
        html: html.map(AccessResult::name),
        error_page_may_be_404,
        max_body,
        max_size: profile.max_size(),
    };
    let bytes = postcard::to_allocvec(&parts).expect("memory that grows takes all that these types hold");
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn table(table: Statuses) -> Vec<(u16, u16, &'static str)> {
    table.rows().map(|(first, last, result)| (first, last, result.name())).collect()
}

fn schedule(schedule: Outages) -> Vec<(Duration, &'static str)> {
    let name = |access| match access {
        OutageAccess::Nothing => "nothing",
        OutageAccess::FileOrNothing => "file-or-nothing",
        OutageAccess::FileOrEverything => "file-or-everything",
        OutageAccess::Everything => "everything",
        OutageAccess::EverythingIfSiteAnswers => "everything-if-site-answers",
    };
    schedule.rows().map(|(from, access)| (from, name(access))).collect()
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
        assert_eq!(keys, ["e7b7157c2ee9ece6", "8ec1530224a84ebb", "d1e45584533c5519", "9bceabf891874dcc"]);
    }
}
