//! Preferences about the use of content (draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-07).

use alloc::vec::Vec;

use robots_groups::syntax::Field;

use super::finding::{Finding, Wrong};
use super::scoped;

/// `Content-Usage`: preferences about the use of what lies below a path.
///
/// The preferences are a dictionary of RFC 9651; `preferences` (feature `usage`) reads it.
///
/// ```
/// use robots_match::records::{Records, Value};
/// use robots_match::{Profile, Robots};
///
/// let robots = Robots::new(&b"User-agent: *\nContent-Usage: /open/ train-ai=y\n"[..], Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::of(&robots, &groups);
/// let Some(Value::ContentUsage(usage)) = &records.all()[0].value else { panic!("a usage") };
/// assert_eq!(usage.path().unwrap().bytes(), b"/open/");
/// assert_eq!(usage.dictionary().bytes(), b"train-ai=y");
/// # #[cfg(feature = "usage")]
/// assert_eq!(usage.preferences()?.train_ai(), robots_match::records::Preference::Allow);
/// # #[cfg(feature = "usage")]
/// # Ok::<(), robots_match::records::NoDictionary>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentUsage<'a> {
    path: Option<Field<'a>>,
    dictionary: Field<'a>,
}

impl<'a> ContentUsage<'a> {
    pub(super) fn read(raw: Field<'a>, findings: &mut Vec<Finding>) -> Self {
        let (path, dictionary) = scoped(raw);
        if dictionary.is_empty() {
            findings.push(Finding::new(Wrong::NoPreference, raw.span()));
        }
        Self { path, dictionary }
    }

    /// The pattern of the paths that are meant, as it is written; `None` for all.
    #[must_use]
    pub const fn path(&self) -> Option<Field<'a>> {
        self.path
    }

    /// The preferences, as they are written.
    #[must_use]
    pub const fn dictionary(&self) -> Field<'a> {
        self.dictionary
    }

    /// The preferences.
    ///
    /// # Errors
    ///
    /// They are no dictionary of RFC 9651: whoever obeys them takes all for unknown.
    #[cfg(feature = "usage")]
    pub fn preferences(&self) -> Result<Preferences, NoDictionary> {
        Preferences::read(self.dictionary.bytes())
    }
}

#[cfg(feature = "usage")]
pub use typed::{NoDictionary, Preference, Preferences};

#[cfg(feature = "usage")]
mod typed {
    use alloc::collections::BTreeMap;
    use alloc::string::{String, ToString};
    use core::fmt;

    use sfv::{BareItem, Dictionary, ListEntry, Parser};

    /// What is preferred about one use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    #[expect(clippy::exhaustive_enums, reason = "complete by definition")]
    pub enum Preference {
        /// Nothing is known.
        #[default]
        Unknown,
        /// The use is allowed: `y`.
        Allow,
        /// The use is not allowed: `n`.
        Disallow,
    }

    impl Preference {
        /// Both together: the most restrictive (vocab-07, section 7.1).
        #[must_use]
        pub fn and(self, other: Self) -> Self {
            self.max(other)
        }
    }

    /// Preferences about uses, by the labels of the uses.
    ///
    /// Labels are open: those of a later vocabulary are kept like `train-ai` and `search` of vocab-07.
    ///
    /// ```
    /// use robots_match::records::{Preference, Preferences};
    ///
    /// let preferences = Preferences::read(b"train-ai=n, search=y;since=2026, cook=y")?;
    /// assert_eq!(preferences.train_ai(), Preference::Disallow);
    /// assert_eq!(preferences.search(), Preference::Allow);
    /// assert_eq!(preferences.get("cook"), Preference::Allow);
    /// assert_eq!(preferences.get("sing"), Preference::Unknown);
    /// # Ok::<(), robots_match::records::NoDictionary>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq, Default)]
    pub struct Preferences {
        labels: BTreeMap<String, Preference>,
    }

    impl Preferences {
        /// The preferences of a dictionary. Parameters are ignored, of several equal labels the last counts, and what is
        /// not the token `y` or `n` is unknown. Time grows with the number of octets.
        ///
        /// # Errors
        ///
        /// `dictionary` is no dictionary of RFC 9651.
        pub fn read(dictionary: &[u8]) -> Result<Self, NoDictionary> {
            let parsed: Dictionary =
                Parser::new(dictionary).parse().map_err(|error| NoDictionary { error: error.to_string() })?;
            let labels =
                parsed.iter().map(|(label, entry)| (label.as_str().into(), preference(entry))).collect();
            Ok(Self { labels })
        }

        /// What is preferred about the use of this label. Case counts.
        #[must_use]
        pub fn get(&self, label: &str) -> Preference {
            self.labels.get(label).copied().unwrap_or_default()
        }

        /// Whether models may be trained on it.
        #[must_use]
        pub fn train_ai(&self) -> Preference {
            self.get("train-ai")
        }

        /// Whether it may be shown in search results.
        #[must_use]
        pub fn search(&self) -> Preference {
            self.get("search")
        }

        /// The labels that are mentioned, in the order of their octets, with their preferences.
        pub fn iter(&self) -> impl Iterator<Item = (&str, Preference)> {
            self.labels.iter().map(|(label, preference)| (label.as_str(), *preference))
        }

        /// Both together: of each label the most restrictive (vocab-07, section 7.1).
        #[must_use]
        pub fn and(mut self, other: Self) -> Self {
            for (label, preference) in other.labels {
                let mine = self.labels.entry(label).or_default();
                *mine = mine.and(preference);
            }
            self
        }
    }

    fn preference(entry: &ListEntry) -> Preference {
        let ListEntry::Item(item) = entry else { return Preference::Unknown };
        match &item.bare_item {
            BareItem::Token(token) if token.as_str() == "y" => Preference::Allow,
            BareItem::Token(token) if token.as_str() == "n" => Preference::Disallow,
            _ => Preference::Unknown,
        }
    }

    /// A value that is no dictionary of RFC 9651.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NoDictionary {
        error: String,
    }

    impl fmt::Display for NoDictionary {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the value is no dictionary of structured fields: {}", self.error)
        }
    }

    impl core::error::Error for NoDictionary {}
}

#[cfg(all(test, feature = "usage"))]
mod tests {
    use super::Preference::{Allow, Disallow, Unknown};
    use super::*;

    #[test]
    fn dictionaries_of_the_vocabulary() {
        for (value, train_ai, search) in [
            ("train-ai=y, search=n", Allow, Disallow),
            ("train-ai=y, train-ai, search=n, search=\"n\"", Unknown, Unknown),
            ("train-ai;allow=n, train-ai=y", Allow, Unknown),
            ("train-ai=y;allow=n", Allow, Unknown),
            ("train-ai=Y, search=(y)", Unknown, Unknown),
            ("Train-AI=y", Unknown, Unknown),
            ("", Unknown, Unknown),
        ] {
            let found = Preferences::read(value.as_bytes()).unwrap_or_default();
            assert_eq!((found.train_ai(), found.search()), (train_ai, search), "{value}");
        }
        assert!(Preferences::read(b"train-ai;has;parameters=\"?\";").is_err());
        assert!(Preferences::read(b"search=y, train-ai=n \xFF").is_err());
    }

    #[test]
    fn the_most_restrictive_prevails() {
        let read = |value: &str| Preferences::read(value.as_bytes()).unwrap();
        let both = read("a=y, b=y, c=1").and(read("a=n, c=1, d=y"));
        let all: Vec<_> = both.iter().collect();
        assert_eq!(all, [("a", Disallow), ("b", Allow), ("c", Unknown), ("d", Allow)]);
    }
}
