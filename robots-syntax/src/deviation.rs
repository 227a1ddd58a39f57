//! How a line departs from the grammar.

use core::fmt;

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
