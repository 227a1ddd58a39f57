//! Access results of statuses.

pub(crate) use robots_match::AccessResult;

use crate::policy::AccessPolicy;

/// The access results of statuses: first and last status of each range, and the access result.
pub(crate) type Statuses = &'static [(u16, u16, AccessResult)];

/// # Access results of statuses
///
/// Values of [`Self::statuses`] and [`Self::ftp_replies`].
impl AccessPolicy {
    /// 2xx success, 3xx redirect, 4xx unavailable (RFC 9309, sections 2.3.1.1 to 2.3.1.3); all others unreachable.
    pub const CLASSES: Statuses = &[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (400, 499, AccessResult::Unavailable),
    ];

    /// As [`Self::CLASSES`], except that 429 (Too Many Requests) is unreachable.
    pub const TOO_MANY_REQUESTS_UNREACHABLE: Statuses = &[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (429, 429, AccessResult::Unreachable),
        (400, 499, AccessResult::Unavailable),
    ];

    /// As [`Self::CLASSES`], except that 429 (Too Many Requests) is throttled.
    pub const TOO_MANY_REQUESTS_THROTTLED: Statuses = &[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (429, 429, AccessResult::Throttled),
        (400, 499, AccessResult::Unavailable),
    ];

    /// 2xx success, 3xx redirect, 401 and 403 restricted, 404 unavailable (draft of 1996, section 3.1); all others
    /// unreachable.
    pub const RESTRICTIONS: Statuses = &[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (401, 401, AccessResult::Restricted),
        (403, 403, AccessResult::Restricted),
        (404, 404, AccessResult::Unavailable),
    ];

    /// FTP replies (RFC 959, section 4.2): 125, 150 (the file follows) and 2xx success, 550 (no such file) unavailable; all
    /// others unreachable.
    pub const FTP_REPLIES: Statuses = &[
        (125, 125, AccessResult::Success),
        (150, 150, AccessResult::Success),
        (200, 299, AccessResult::Success),
        (550, 550, AccessResult::Unavailable),
    ];

    /// Returns the access result of an HTTP status.
    #[must_use]
    pub fn status_result(&self, status: u16) -> AccessResult {
        result(self.statuses, status)
    }

    /// Returns the access result of an FTP reply.
    #[must_use]
    pub fn ftp_result(&self, reply: u16) -> AccessResult {
        result(self.ftp_replies, reply)
    }
}

/// Returns the access result of the first range that contains `status`.
fn result(ranges: Statuses, status: u16) -> AccessResult {
    let range = ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&status));
    range.map_or(AccessResult::Unreachable, |&(_, _, class)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_matching_range_counts_and_other_statuses_are_unreachable() {
        for (status, rfc, google, koster) in [
            (0, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (100, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (204, AccessResult::Success, AccessResult::Success, AccessResult::Success),
            (308, AccessResult::Redirect, AccessResult::Redirect, AccessResult::Redirect),
            (401, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Restricted),
            (404, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Unavailable),
            (410, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Unreachable),
            (429, AccessResult::Throttled, AccessResult::Unreachable, AccessResult::Unreachable),
            (500, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (600, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (u16::MAX, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
        ] {
            assert_eq!(AccessPolicy::RFC9309.status_result(status), rfc, "{status}");
            let draft = if status == 429 { AccessResult::Unavailable } else { rfc };
            assert_eq!(AccessPolicy::DRAFT_KOSTER_REP_00.status_result(status), draft, "{status}");
            assert_eq!(AccessPolicy::GOOGLE.status_result(status), google, "{status}");
            assert_eq!(AccessPolicy::KOSTER_1996.status_result(status), koster, "{status}");
        }
    }
}
