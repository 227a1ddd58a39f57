//! How a line departs from the grammar.

use core::fmt;

use crate::grammar;
use crate::line::{Line, Record};
use crate::lines::Split;
use crate::policy::Policy;
use crate::spelling::Key;

macro_rules! deviations {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $code:literal;)*) => {
        /// One way in which a line departs from the grammar it is held against.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Deviation { $($(#[$doc])* $name,)* }

        impl Deviation {
            /// All there are, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// A short name for programs, in lower case with hyphens.
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
    /// The file ends where the line end should stand.
    NoLineEnd = "the file ends within this line", "no-line-end";
    /// The line ends in a way the grammar does not have (a lone CR or LF in the 1996 draft).
    LineEnd = "the grammar has no such line end", "line-end";
    /// A blank stands where the colon should.
    NoColon = "a colon is missing", "no-colon";
    /// The key is read as one that it does not spell.
    Misspelt = "the key is misspelt", "misspelt";
    /// The grammar has no such key, or no white space where it stands.
    Key = "the grammar has no such key", "key";
    /// The grammar does not have this value after this key.
    Value = "the grammar has no such value", "value";
    /// The comment holds octets that no comment may hold.
    Comment = "the comment holds octets that the grammar has not", "comment";
    /// The line is longer than is read.
    LineTooLong = "the line is too long and was cut", "line-too-long";
    /// The line is no record at all.
    Unreadable = "the line is no record", "unreadable";
}

/// A set of [`Deviation`]s.
///
/// ```
/// use robots_syntax::{Policy, lines};
/// let policy = Policy::GOOGLE;
/// let line = lines(b"disalow /private\n", &policy).next().unwrap();
/// assert_eq!(format!("{:?}", line.deviations(&policy)), "{NoColon, Misspelt}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Deviations(u16);

impl Deviations {
    /// None.
    pub const NONE: Self = Self(0);

    /// These and `deviation`.
    #[must_use]
    pub const fn with(self, deviation: Deviation) -> Self {
        Self(self.0 | 1 << deviation as u8)
    }

    /// Whether `deviation` is among them.
    #[must_use]
    pub const fn contains(self, deviation: Deviation) -> bool {
        self.0 & 1 << deviation as u8 != 0
    }

    /// Whether there are none: the line is as the grammar has it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in the order of [`Deviation::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.iter().copied().filter(move |&deviation| self.contains(deviation))
    }
}

impl fmt::Debug for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> Line<'a> {
    /// How the line departs from the grammar of `policy`, with which it was read.
    ///
    /// The line is held against the grammar anew: ask only where the answer is wanted. Time grows with its length.
    #[must_use]
    pub fn deviations(&self, policy: &Policy) -> Deviations {
        let cut = policy.max_line.is_some_and(|max| self.split_end().0.len() > max);
        let is_other = matches!(self.record, Record::Other { .. });
        let (content, end) = self.split_end();
        if !cut && grammar::derives_line(policy.grammar, self.octets(), is_other) {
            // The grammar has other records of any key: to it a misspelt sitemap is one of them.
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
        if self.comment().is_some_and(|comment| !grammar::is_comment(policy.grammar, comment.octets())) {
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
        // What the grammar rejects and nothing above explains, such as a form feed round a value.
        if found.is_empty() { found.with(Deviation::Value) } else { found }
    }

    fn record_deviations(&self, split: Split<'a>, policy: &Policy, mut found: Deviations) -> Deviations {
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
        // After a key that the grammar has not, there is no value to hold against it.
        let has_values = key.is_some() || grammar::has_other_records(policy.grammar);
        if has_values && !grammar::is_value(policy.grammar, key, split.value) {
            found = found.with(Deviation::Value);
        }
        found
    }
}
