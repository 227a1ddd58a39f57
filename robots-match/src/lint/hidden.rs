//! Names of crawlers in lines in which records ran together.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::context::Facts;
use crate::lint::subject::{Live, MARK, joined, joined_lines, letters};
use crate::profile::Profile;

/// A line in which records ran together, so that crawlers do not read all of them.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenAgents {
    /// The number of the line, from 1.
    pub line: usize,
    /// The names in user-agent records of the line, in order, each once. Bytes that are not UTF-8 are replaced.
    pub names: Vec<String>,
}

impl HiddenAgents {
    /// Returns the lines of a file in which records for crawlers ran together.
    ///
    /// ```
    /// use robots_match::Profile;
    /// use robots_match::lint::HiddenAgents;
    ///
    /// let file = b"User-agent: ExampleBot Disallow: / User-agent: OtherBot Disallow: /\n";
    /// let found = HiddenAgents::find(file, &Profile::RFC9309);
    /// assert_eq!((found[0].line, found[0].names.join(", ")), (1, "ExampleBot, OtherBot".to_owned()));
    /// ```
    ///
    /// # Complexity
    ///
    /// Linear in the length of the file.
    #[must_use]
    pub fn find(body: &[u8], profile: &Profile) -> Vec<Self> {
        let facts = Facts { profile: *profile, url: None, content_type: None, missing: None, paths: &[] };
        let lines = joined_lines(body, &facts).filter_map(|(line, joined)| {
            let mut known = BTreeSet::new();
            let mut names: Vec<String> = joined.records.iter().filter_map(|record| agent(record)).collect();
            names.retain(|name| known.insert(name.to_ascii_lowercase()));
            (!names.is_empty()).then_some(Self { line, names })
        });
        lines.collect()
    }
}

/// Returns the name in a record, if it is one that names a crawler, with any spelling of its key.
fn agent(record: &[u8]) -> Option<String> {
    let colon = memchr::memchr(b':', record)?;
    let (key, value) = record.split_at_checked(colon)?;
    let value = value.get(1..)?.trim_ascii();
    (letters(key).eq(*b"useragent") && !value.is_empty()).then(|| String::from_utf8_lossy(value).into_owned())
}

/// Returns whether a line has a user-agent record that crawlers do not read, because it ran together with another record or comes after
/// a byte order mark.
pub(crate) fn hides_agent(line: &[u8]) -> bool {
    let live = Live { has_agent: true, has_rule: true, ends_names: false };
    let marked = line.strip_prefix(MARK).is_some_and(|rest| agent(rest).is_some());
    marked
        || joined(line, live)
            .is_some_and(|joined| joined.records.iter().any(|record| agent(record).is_some()))
}
