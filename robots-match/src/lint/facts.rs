//! Facts about a file, as lints see them.

use crate::profile::Profile;

/// Facts about a file besides its bytes, as lints see them.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'c> {
    /// How the file is read, where a lint does not compare the profiles.
    pub(crate) profile: Profile,
    /// The URL of the file.
    pub(crate) url: Option<&'c str>,
    /// The value of the `Content-Type` field with which the file was served.
    pub(crate) content_type: Option<&'c str>,
}
