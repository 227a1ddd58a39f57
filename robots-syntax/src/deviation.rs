//! Deviations: the ways in which a line departs from the grammar.

use core::fmt;

use crate::grammar;
use crate::line::{Line, Record};
use crate::lines::Split;
use crate::policy::SyntaxPolicy;
use crate::spelling::Key;

macro_rules! deviations {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $code:literal;)*) => {
        /// A way in which a line departs from the grammar of its policy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Deviation { $($(#[$doc])* $name,)* }

        impl Deviation {
            /// All deviations, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns a short name for programs, in lower case with hyphens.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }
        }

        impl fmt::Display for Deviation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

deviations! {
    /// The file ends before the line end.
    NoLineEnd = "the line end is missing at the end of the file", "no-line-end";
    /// The grammar does not allow this line end (only CR or only LF in the draft of 1996).
    LineEnd = "the grammar does not allow this line end", "line-end";
    /// A space or tab separates key and value instead of a colon.
    NoColon = "the colon after the key is missing", "no-colon";
    /// The key is read as a known key, but spelled differently.
    Misspelt = "the key is misspelled", "misspelt";
    /// The grammar does not allow this key, or not the white space around it.
    Key = "the grammar does not allow this key", "key";
    /// The grammar does not allow this value after this key.
    Value = "the grammar does not allow this value", "value";
    /// The comment contains bytes that the grammar does not allow in comments.
    Comment = "the comment contains bytes that the grammar does not allow", "comment";
    /// The line is longer than the policy allows; the rest is not read.
    LineTooLong = "the line is too long; the rest is ignored", "line-too-long";
    /// The line is not a valid record.
    Unreadable = "the line is not valid; crawlers ignore it", "unreadable";
}

/// A set of deviations.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Deviations(u16);

impl Deviations {
    const NONE: Self = Self(0);

    /// Returns the set with `deviation` added.
    const fn with(self, deviation: Deviation) -> Self {
        Self(self.0 | 1 << deviation as u8)
    }

    const fn contains(self, deviation: Deviation) -> bool {
        self.0 & 1 << deviation as u8 != 0
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the deviations, in the order of [`Deviation::ALL`].
    fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.iter().copied().filter(move |&deviation| self.contains(deviation))
    }
}

impl<'a> Line<'a> {
    /// Compares the line with the grammar of `policy`, which has to be the policy that the line was read with. Returns each
    /// deviation once, in the order of [`Deviation::ALL`]; none if the line conforms to the grammar.
    ///
    /// # Complexity
    ///
    /// O(*n*) for a line of *n* bytes. The grammar parses the line again; iterating over lines does not include
    /// this cost.
    ///
    /// ```
    /// use robots_syntax::{Deviation, Lines, SyntaxPolicy};
    /// let policy = SyntaxPolicy::GOOGLE;
    /// let line = Lines::new(b"disalow /private\n", &policy).next().unwrap();
    /// assert_eq!(line.deviations(&policy).collect::<Vec<_>>(), [Deviation::NoColon, Deviation::Misspelt]);
    /// ```
    pub fn deviations(&self, policy: &SyntaxPolicy) -> impl Iterator<Item = Deviation> + use<> {
        self.deviation_set(policy).iter()
    }

    fn deviation_set(&self, policy: &SyntaxPolicy) -> Deviations {
        let cut = policy.max_line.is_some_and(|max| self.split_end().0.len() > max);
        let is_other = matches!(self.record, Record::Other { .. });
        let (content, end) = self.split_end();
        if !cut && grammar::derives_line(policy.grammar, self.bytes(), is_other) {
            // The grammar allows other records with any key, and a misspelled `sitemap` is such a key.
            let spelt = is_other.then(|| Split::of(content, policy).key);
            return match spelt {
                Some(key) if policy.spelling(key).is_some_and(|known| !known.key.is_spelt(key)) => {
                    Deviations::NONE.with(Deviation::Misspelt)
                }
                _ => Deviations::NONE,
            };
        }
        let mut found = Deviations::NONE;
        if end.is_empty() {
            found = found.with(Deviation::NoLineEnd);
        } else if !grammar::is_line_end(policy.grammar, end) {
            found = found.with(Deviation::LineEnd);
        }
        if cut {
            found = found.with(Deviation::LineTooLong);
        }
        if self.comment().is_some_and(|comment| !grammar::is_comment(policy.grammar, comment.bytes())) {
            found = found.with(Deviation::Comment);
        }
        found = match self.record {
            Record::Unreadable => found.with(Deviation::Unreadable),
            Record::Blank | Record::Comment => {
                if found.is_empty() {
                    found.with(Deviation::Unreadable)
                } else {
                    found
                }
            }
            Record::UserAgent(_) | Record::Rule(_) | Record::Other { .. } => {
                self.record_deviations(Split::of(content, policy), policy, found)
            }
        };
        // The grammar rejects the line and nothing above explains why, such as a form feed around a value.
        if found.is_empty() { found.with(Deviation::Value) } else { found }
    }

    fn record_deviations(
        &self,
        split: Split<'a>,
        policy: &SyntaxPolicy,
        mut found: Deviations,
    ) -> Deviations {
        if !split.colon {
            found = found.with(Deviation::NoColon);
        }
        let spelt = policy.spelling(split.key).map(|spelling| spelling.key);
        let is_misspelt = spelt.is_some_and(|key| !key.is_spelt(split.key));
        if is_misspelt {
            found = found.with(Deviation::Misspelt);
        }
        let key = spelt.filter(|&key| key != Key::Sitemap);
        if !is_misspelt && !grammar::is_key(policy.grammar, split.written_key, key.is_some()) {
            found = found.with(Deviation::Key);
        }
        // After a key that the grammar does not have, no value can be compared.
        let has_values = key.is_some() || grammar::has_other_records(policy.grammar);
        if has_values && !grammar::is_value(policy.grammar, key, split.value) {
            found = found.with(Deviation::Value);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_a_set() {
        assert!(Deviations::NONE.is_empty());
        for &one in Deviation::ALL {
            let set = Deviations::NONE.with(one);
            assert!(!set.is_empty());
            assert!(set.with(one) == set);
            for &other in Deviation::ALL {
                assert_eq!(set.contains(other), other == one);
                let both = set.with(other);
                assert!(both.contains(one) && both.contains(other));
                assert_eq!(both.iter().count(), if other == one { 1 } else { 2 });
            }
        }
    }
}
