//! Facts about a file besides its bytes.

use alloc::vec::Vec;

use crate::document::Document;
use crate::lint::code::Lint;
use crate::profile::Profile;

/// Facts about a file besides its bytes. All of them are optional.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LintContext<'c> {
    /// How the file is read, where a lint does not compare the profiles.
    pub profile: Profile,
    /// The URL of the file.
    pub url: Option<&'c str>,
    /// The value of the `Content-Type` field with which the file was served.
    pub content_type: Option<&'c str>,
    /// The answer of a site that has no robots.txt, such as `the site has no robots.txt (status 404)`. The bytes are empty then.
    pub missing: Option<&'c str>,
    /// The paths of known pages of the site, as clients request them, in any order.
    pub paths: &'c [Vec<u8>],
    /// The documents that matter to the site owner. A finding that concerns only others is left out, or a note with
    /// [`all`](Self::all). By default these are RFC 9309 and Google's, which today's crawlers follow.
    pub parsers: &'c [Document],
    /// Whether everything is reported: also the lints that are [off by default](Lint::is_on_by_default), and notes that
    /// concern only other parsers.
    pub all: bool,
    /// The lints that are left out.
    pub ignored: &'c [Lint],
    /// Whether comments of the file, such as `# robots-lint: ignore CODE`, have no effect. Set this to check the file of an author
    /// who may want to hide a finding.
    pub ignores_comments: bool,
}

impl Default for LintContext<'_> {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            url: None,
            content_type: None,
            missing: None,
            paths: &[],
            parsers: &Document::CURRENT,
            all: false,
            ignored: &[],
            ignores_comments: false,
        }
    }
}

/// Facts about a file besides its bytes, as lints see them.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'c> {
    /// How the file is read, where a lint does not compare the profiles.
    pub(crate) profile: Profile,
    /// The URL of the file.
    pub(crate) url: Option<&'c str>,
    /// The value of the `Content-Type` field with which the file was served.
    pub(crate) content_type: Option<&'c str>,
    /// Why the site has no robots.txt.
    pub(crate) missing: Option<&'c str>,
    /// The paths of known pages.
    pub(crate) paths: &'c [Vec<u8>],
}
