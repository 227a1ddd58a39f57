//! `Content-Usage`: preferences about the use of content (draft-ietf-aipref-attach-05).

use alloc::vec::Vec;

use robots_groups::syntax::Field;

use super::field::scoped;
#[cfg(feature = "usage")]
use super::preferences::Preferences;
use super::problem::{ProblemKind, RecordProblem};

/// The value of `Content-Usage`: preferences about the use of the content below a path.
///
/// The preferences are a dictionary of RFC 9651, which the method `preferences` (feature `usage`) reads.
///
/// ```
/// use robots_match::records::{Records, RecordValue};
/// use robots_match::{Profile, Robots};
///
/// let robots = Robots::new(&b"User-agent: *\nContent-Usage: /open/ train-ai=y\n"[..], Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// let Some(RecordValue::ContentUsage(usage)) = &records.all()[0].value else { panic!("a usage") };
/// assert_eq!(usage.path().unwrap().bytes(), b"/open/");
/// assert_eq!(usage.dictionary().bytes(), b"train-ai=y");
/// # #[cfg(feature = "usage")]
/// assert_eq!(usage.preferences().unwrap().train_ai(), Some(true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentUsage<'a> {
    path: Option<Field<'a>>,
    dictionary: Field<'a>,
}

impl<'a> ContentUsage<'a> {
    pub(super) fn read(raw: Field<'a>, problems: &mut Vec<RecordProblem>) -> Self {
        let (path, dictionary) = scoped(raw);
        if dictionary.is_empty() {
            problems.push(RecordProblem::new(ProblemKind::NoPreference, raw.span()));
        }
        Self { path, dictionary }
    }

    /// Returns the pattern of the paths, as written; `None` for all paths.
    #[must_use]
    pub const fn path(&self) -> Option<Field<'a>> {
        self.path
    }

    /// Returns the preferences as written.
    #[must_use]
    pub const fn dictionary(&self) -> Field<'a> {
        self.dictionary
    }

    /// Reads the preferences. Returns `None` if the value is not a dictionary of RFC 9651: then nothing is known about any
    /// use.
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn preferences(&self) -> Option<Preferences> {
        Preferences::parse(self.dictionary.bytes())
    }
}
