//! The versions of a robots.txt file.

use alloc::vec::Vec;
use core::fmt;

use crate::robots::Robots;

/// The versions of a robots.txt file with the times from which they were served, in seconds since 1970.
///
/// ```
/// use robots_match::{Document, History, Robots};
///
/// let file = |body: &str| Robots::new(body, Document::Rfc9309);
/// let versions = [(1_000, file("User-agent: *\nDisallow: /")), (0, file(""))];
/// let history = History::new(versions)?;
/// assert_eq!(history.at(999), Some(0));
/// assert_eq!(history.at(1_000), Some(1));
/// assert_eq!(history.at(-1), None);
/// # Ok::<(), robots_match::EqualTimes>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    versions: Vec<(i64, Robots)>,
}

/// The error for two versions of one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EqualTimes {
    /// The time in seconds since 1970.
    pub time: i64,
}

impl fmt::Display for EqualTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two versions were served from the same time")
    }
}

impl core::error::Error for EqualTimes {}

impl History {
    /// The time of a version that was served from the beginning.
    pub const BEGINNING: i64 = i64::MIN;

    /// Creates a history from versions in any order.
    ///
    /// # Errors
    ///
    /// Two versions have the same time.
    pub fn new(versions: impl IntoIterator<Item = (i64, Robots)>) -> Result<Self, EqualTimes> {
        let mut versions: Vec<_> = versions.into_iter().collect();
        versions.sort_by_key(|(time, _)| *time);
        let equal = versions.windows(2).find_map(|pair| match pair {
            [(one, _), (other, _)] if one == other => Some(*one),
            _ => None,
        });
        match equal {
            Some(time) => Err(EqualTimes { time }),
            None => Ok(Self { versions }),
        }
    }

    /// Creates the history of a file that never changed.
    #[must_use]
    pub fn unchanged(robots: Robots) -> Self {
        Self { versions: alloc::vec![(Self::BEGINNING, robots)] }
    }

    /// Returns the version that was in force at a time, counted from 0 in the order of time. `None` before the first one.
    ///
    /// # Complexity
    ///
    /// The logarithm of the number of versions.
    #[must_use]
    pub fn at(&self, time: i64) -> Option<usize> {
        self.versions.partition_point(|(start, _)| *start <= time).checked_sub(1)
    }

    /// Returns a version with the time from which it was served.
    #[must_use]
    pub fn version(&self, index: usize) -> Option<(i64, &Robots)> {
        self.versions.get(index).map(|(time, robots)| (*time, robots))
    }

    /// Returns the number of versions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.versions.len()
    }

    /// Returns whether there is no version.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn versions_have_different_times() {
        let file = |body: &str| Robots::new(body, Document::Rfc9309);
        let error = History::new([(5, file("")), (1, file("")), (5, file("a"))]).unwrap_err();
        assert_eq!(error.time, 5);
        let one = History::unchanged(file(""));
        assert_eq!((one.len(), one.at(i64::MIN), one.at(i64::MAX)), (1, Some(0), Some(0)));
    }
}
