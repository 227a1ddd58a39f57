//! Facts about a file besides its bytes.

use crate::profile::Profile;

/// Facts about a file besides its bytes. All of them are optional.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LintContext<'c> {
    /// How the file is read, where a lint does not compare the profiles.
    pub profile: Profile,
    /// The URL of the file.
    pub url: Option<&'c str>,
    /// The value of the `Content-Type` field with which the file was served.
    pub content_type: Option<&'c str>,
}
