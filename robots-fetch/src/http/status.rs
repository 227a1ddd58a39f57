//! What statuses mean.

use core::fmt;

/// What an answer says about the robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// It is there (RFC 9309, section 2.3.1.1).
    Success,
    /// It is elsewhere (section 2.3.1.2).
    Redirect,
    /// There is none: everything may be accessed (section 2.3.1.3).
    Unavailable,
    /// Nobody knows: nothing may be accessed, for a time (section 2.3.1.4).
    Unreachable,
    /// Robots are not wanted: nothing may be accessed (draft of 1996, section 3.1).
    Restricted,
}

impl Class {
    /// `success`, `redirect`, `unavailable`, `unreachable` or `restricted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Redirect => "redirect",
            Self::Unavailable => "unavailable",
            Self::Unreachable => "unreachable",
            Self::Restricted => "restricted",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What statuses mean: ranges, of which the first that fits counts. A status that no range holds is undefined, and the
/// robots.txt unreachable (draft-koster-rep-00, section 2.3.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatusTable(&'static [(u16, u16, Class)]);

impl StatusTable {
    /// 2xx, 3xx, 4xx (RFC 9309, sections 2.3.1.1 to 2.3.1.3). All else is unreachable.
    pub const CLASSES: Self =
        Self(&[(200, 299, Class::Success), (300, 399, Class::Redirect), (400, 499, Class::Unavailable)]);

    /// The same, but that 429, Too Many Requests, is a server error.
    pub const BUT_TOO_MANY_REQUESTS: Self = Self(&[
        (200, 299, Class::Success),
        (300, 399, Class::Redirect),
        (429, 429, Class::Unreachable),
        (400, 499, Class::Unavailable),
    ]);

    /// 404 alone says that there is none; 401 and 403 restrict (draft of 1996, section 3.1). All else defers visits.
    pub const RESTRICTIONS: Self = Self(&[
        (200, 299, Class::Success),
        (300, 399, Class::Redirect),
        (401, 401, Class::Restricted),
        (403, 403, Class::Restricted),
        (404, 404, Class::Unavailable),
    ]);

    /// Replies of FTP (RFC 959, section 4.2): 125 and 150, after which the file comes, and 2xx are success, 550 says that
    /// there is no such file.
    pub const FTP: Self = Self(&[
        (125, 125, Class::Success),
        (150, 150, Class::Success),
        (200, 299, Class::Success),
        (550, 550, Class::Unavailable),
    ]);

    /// A table of one's own: first and last status of each range, and what it means.
    #[must_use]
    pub const fn new(ranges: &'static [(u16, u16, Class)]) -> Self {
        Self(ranges)
    }

    /// What `status` means.
    #[must_use]
    pub fn class(self, status: u16) -> Class {
        let range = self.0.iter().find(|(first, last, _)| (*first..=*last).contains(&status));
        range.map_or(Class::Unreachable, |&(_, _, class)| class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn the_first_range_counts_and_none_is_unreachable() {
        for (status, rfc, google, koster) in [
            (0, Class::Unreachable, Class::Unreachable, Class::Unreachable),
            (100, Class::Unreachable, Class::Unreachable, Class::Unreachable),
            (204, Class::Success, Class::Success, Class::Success),
            (308, Class::Redirect, Class::Redirect, Class::Redirect),
            (401, Class::Unavailable, Class::Unavailable, Class::Restricted),
            (404, Class::Unavailable, Class::Unavailable, Class::Unavailable),
            (410, Class::Unavailable, Class::Unavailable, Class::Unreachable),
            (429, Class::Unavailable, Class::Unreachable, Class::Unreachable),
            (500, Class::Unreachable, Class::Unreachable, Class::Unreachable),
            (600, Class::Unreachable, Class::Unreachable, Class::Unreachable),
            (u16::MAX, Class::Unreachable, Class::Unreachable, Class::Unreachable),
        ] {
            assert_eq!(Policy::RFC9309.statuses.class(status), rfc, "{status}");
            assert_eq!(Policy::DRAFT_KOSTER_REP_00.statuses.class(status), rfc, "{status}");
            assert_eq!(Policy::GOOGLE.statuses.class(status), google, "{status}");
            assert_eq!(Policy::KOSTER_1996.statuses.class(status), koster, "{status}");
        }
    }
}
