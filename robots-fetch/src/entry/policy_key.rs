//! The key of the access policy and size limit that an entry depends on.

use core::hash::Hasher as _;
use core::time::Duration;

use fnv::FnvHasher;
use robots_match::AccessResult;

use crate::entry::codec::{Part, Writer};
use crate::policy::{AccessPolicy, OutageAccess};
use crate::profile::SiteProfile;
use crate::table::Table;

impl SiteProfile {
    /// Returns a key of the access policy and the size limit. Entries of profiles with the same key say the same about an
    /// answer, so they can share a store; entries of other profiles must be kept apart. The key is the same on every machine,
    /// and changes with a version of this crate whose policies have another field.
    #[must_use]
    pub fn key(&self) -> u64 {
        policy_key(self)
    }
}

/// Adds each field of a policy to a key.
macro_rules! add_fields {
    ($key:ident, $policy:expr => $($field:ident)*) => {
        // No `..`: a new field has to be added.
        let AccessPolicy { $($field),* } = $policy;
        $($field.add(&mut $key);)*
    };
}

/// Returns the FNV-1a hash of the written access policy and size limit of `profile`. It is the same for every version
/// of Rust and on every machine.
pub(crate) fn policy_key(profile: &SiteProfile) -> u64 {
    let mut key = Writer::default();
    add_fields! { key, profile.access =>
        statuses ftp_replies outage too_many_redirects invalid_redirect redirect_to_disallowed failure html
        default_lifetime default_lifetime_without_file min_lifetime stale_while_revalidate
        first_retry max_retry first_retry_503 max_retry_503 first_retry_throttled max_retry_throttled max_retry_after
        max_lifetime_by_expires max_lifetime_by_max_age max_stale_age keep_after_unavailable keep_while_throttled
        conditional_requests error_page_may_be_404 max_redirects max_body
    }
    profile.max_size().add(&mut key);
    let mut hasher = FnvHasher::default();
    hasher.write(&key.bytes);
    hasher.finish()
}

/// A part of a key.
trait Add {
    fn add(&self, key: &mut Writer);
}

impl<T: Part> Add for T {
    fn add(&self, key: &mut Writer) {
        self.write(key);
    }
}

impl Add for AccessResult {
    fn add(&self, key: &mut Writer) {
        key.text(self.name().as_bytes());
    }
}

impl Add for Option<AccessResult> {
    fn add(&self, key: &mut Writer) {
        key.text(self.map_or("", AccessResult::name).as_bytes());
    }
}

impl<const MOST: usize> Add for Table<(u16, u16, AccessResult), MOST> {
    fn add(&self, key: &mut Writer) {
        self.rows().count().add(key);
        self.rows().for_each(|(first, last, result)| {
            first.add(key);
            last.add(key);
            result.add(key);
        });
    }
}

impl<const MOST: usize> Add for Table<(Duration, OutageAccess), MOST> {
    fn add(&self, key: &mut Writer) {
        self.rows().count().add(key);
        self.rows().for_each(|(from, access)| {
            from.add(key);
            key.text(name(access).as_bytes());
        });
    }
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
