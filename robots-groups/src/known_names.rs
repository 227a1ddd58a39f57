//! Names of known crawlers.

/// Names of known crawlers, which are looked up without regard to case.
///
/// `robots_match::known_names` has those of the catalogue.
///
/// ```
/// use robots_groups::KnownNames;
///
/// const KNOWN: KnownNames<'static> = KnownNames::new(&["ExampleBot", "Other Bot"]);
/// assert_eq!(KNOWN.find(b"examplebot"), Some(0));
/// assert_eq!(KNOWN.find(b"example"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownNames<'n> {
    names: &'n [&'n str],
    /// Where the names of each class of first bytes begin, and where the last class ends.
    starts: [u16; CLASSES + 1],
}

/// Digits and other bytes, and each letter.
const CLASSES: usize = 27;

impl<'n> KnownNames<'n> {
    /// No known name.
    pub const NONE: Self = Self { names: &[], starts: [0; CLASSES + 1] };

    /// Creates a table of names. A name that occurs more than once is found where it occurs first.
    ///
    /// # Panics
    ///
    /// The names are not ordered by their first bytes: digits and other bytes, then letters without regard to case.
    #[must_use]
    pub const fn new(names: &'n [&'n str]) -> Self {
        assert!(names.len() < u16::MAX as usize, "there are at most 65,534 names");
        let mut starts = [0; CLASSES + 1];
        let mut at = 0;
        let mut class = 0;
        while class < CLASSES {
            #[expect(clippy::indexing_slicing, reason = "`class` is smaller than CLASSES")]
            {
                starts[class] = count(at);
            }
            #[expect(clippy::indexing_slicing, reason = "`at` is smaller than the length")]
            while at < names.len() && class_of(first(names[at])) == class {
                at += 1;
            }
            class += 1;
        }
        assert!(at == names.len(), "names are ordered by their first bytes");
        starts[CLASSES] = count(at);
        Self { names, starts }
    }

    /// Returns the names.
    #[must_use]
    pub const fn names(&self) -> &'n [&'n str] {
        self.names
    }

    /// Returns the index of a name.
    ///
    /// # Complexity
    ///
    /// Compares `name` with the names of its length that have its first letter.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let class = class_of(*name.first()?);
        let start = usize::from(*self.starts.get(class)?);
        let end = usize::from(*self.starts.get(class + 1)?);
        let mut names = self.names.get(start..end)?.iter();
        let is_name = |known: &&str| known.len() == name.len() && known.as_bytes().eq_ignore_ascii_case(name);
        names.position(is_name).map(|at| start + at)
    }
}

const fn first(name: &str) -> u8 {
    match name.as_bytes() {
        [first, ..] => *first,
        [] => 0,
    }
}

const fn class_of(first: u8) -> usize {
    match first.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => (letter - b'a') as usize + 1,
        _ => 0,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "`new` limits the number of names")]
const fn count(at: usize) -> u16 {
    at as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_their_case_is() {
        const KNOWN: KnownNames<'static> = KnownNames::new(&["008", "360Spider", "aa", "AB", "a", "zz top"]);
        for (index, name) in KNOWN.names().iter().enumerate() {
            assert_eq!(KNOWN.find(name.as_bytes()), Some(index));
            assert_eq!(KNOWN.find(name.to_ascii_uppercase().as_bytes()), Some(index));
        }
        for other in ["", "b", "aaa", "zz", "00", "{"] {
            assert_eq!(KNOWN.find(other.as_bytes()), None, "{other}");
        }
        assert_eq!(KnownNames::NONE.find(b"a"), None);
    }
}
