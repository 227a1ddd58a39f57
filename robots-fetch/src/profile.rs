//! The documents, from an HTTP answer to a verdict.

use robots_match::{Document, Robots, syntax};

use crate::policy::AccessPolicy;

/// The policies of one document: how a robots.txt is read, and how it is retrieved.
///
/// ```
/// use robots_fetch::SiteProfile;
///
/// let mut mine = SiteProfile::GOOGLE;
/// mine.access.conditional_requests = true;
/// assert_eq!(mine.rules, robots_fetch::matching::Profile::GOOGLE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteProfile {
    /// The policies for lines, groups, paths and patterns.
    pub rules: robots_match::Profile,
    /// The policy for answers, caching and outages.
    pub access: AccessPolicy,
}

impl SiteProfile {
    /// RFC 9309, Robots Exclusion Protocol (2022).
    pub const RFC9309: Self = Self { rules: robots_match::Profile::RFC9309, access: AccessPolicy::RFC9309 };

    /// draft-koster-rep-00 (2019).
    pub const DRAFT_KOSTER_REP_00: Self =
        Self { rules: robots_match::Profile::DRAFT_KOSTER_REP_00, access: AccessPolicy::DRAFT_KOSTER_REP_00 };

    /// Google's interpretation of robots.txt, with what its published parser does beyond it.
    pub const GOOGLE: Self = Self { rules: robots_match::Profile::GOOGLE, access: AccessPolicy::GOOGLE };

    /// Koster's draft of 1996, "A Method for Robots Exclusion".
    pub const KOSTER_1996: Self =
        Self { rules: robots_match::Profile::KOSTER_1996, access: AccessPolicy::KOSTER_1996 };

    /// The smallest value of [`Self::max_size`]: 500 KiB (RFC 9309, section 2.5).
    pub const LEAST_MAX_SIZE: usize = 500 * 1024;

    /// Returns the most bytes of a body that are read: [`syntax::SyntaxPolicy::max_size`] or, if that is `None`,
    /// [`AccessPolicy::max_body`]; never less than [`Self::LEAST_MAX_SIZE`].
    #[must_use]
    pub fn max_size(&self) -> usize {
        let limit = self.rules.syntax.max_size.unwrap_or(self.access.max_body);
        limit.clamp(Self::LEAST_MAX_SIZE, syntax::Lines::MAX_BYTES)
    }

    /// Returns the profile by which a body is read: with the limit by which it was retrieved, so that the line that the
    /// limit cuts is dropped even if the syntax policy has no limit.
    pub(crate) fn reading(&self) -> robots_match::Profile {
        let mut rules = self.rules;
        rules.syntax.max_size = Some(self.max_size());
        rules
    }

    /// Returns how many bytes of a body are not read, where `dropped` are those of the line that the limit cuts. If it cuts no
    /// line, only a byte after it says that the body goes on.
    pub(crate) fn unread(body: &[u8], policy: &syntax::SyntaxPolicy, dropped: usize) -> usize {
        dropped.max(body.len().saturating_sub(policy.max_size.unwrap_or(usize::MAX)))
    }

    /// Reads a body that was retrieved under this profile.
    pub(crate) fn read(&self, body: Box<[u8]>) -> Robots {
        Robots::from_boxed(body, self.reading())
    }
}

impl From<Document> for SiteProfile {
    fn from(document: Document) -> Self {
        match document {
            Document::DraftKosterRep00 => Self::DRAFT_KOSTER_REP_00,
            Document::Google => Self::GOOGLE,
            Document::Koster1996 => Self::KOSTER_1996,
            _ => Self::RFC9309,
        }
    }
}

impl Default for SiteProfile {
    fn default() -> Self {
        Self::RFC9309
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_has_a_minimum_and_is_always_set() {
        let mut profile = SiteProfile::RFC9309;
        assert_eq!(profile.max_size(), 512_000);
        profile.rules.syntax.max_size = Some(8);
        assert_eq!(profile.max_size(), 512_000);
        profile.rules.syntax.max_size = Some(1 << 20);
        assert_eq!(profile.max_size(), 1 << 20);
        profile.rules.syntax.max_size = Some(usize::MAX);
        assert_eq!(profile.max_size(), syntax::Lines::MAX_BYTES);
        assert_eq!(SiteProfile::KOSTER_1996.max_size(), 16 << 20);
    }

    #[test]
    fn documents_have_a_profile() {
        for document in Document::ALL {
            assert_eq!(SiteProfile::from(document).rules, document.into());
        }
    }
}
