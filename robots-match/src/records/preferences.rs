//! Preferences about uses of content (draft-ietf-aipref-vocab-07).

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::structured_field::{BareItem, Member, dictionary as read};

/// Preferences about uses of content, by the labels of the uses.
///
/// A preference is `Some(true)` if the use is allowed (`y`), `Some(false)` if it is disallowed (`n`), and `None` if nothing
/// is known. Any label is kept, so that labels of later vocabularies work like `train-ai` and `search` of vocab-07.
///
/// ```
/// use robots_match::records::Preferences;
///
/// let preferences = Preferences::parse(b"train-ai=n, search=y;since=2026, cook=y").unwrap();
/// assert_eq!(preferences.train_ai(), Some(false));
/// assert_eq!(preferences.search(), Some(true));
/// assert_eq!(preferences.get("cook"), Some(true));
/// assert_eq!(preferences.get("sing"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Preferences {
    labels: BTreeMap<String, Option<bool>>,
}

impl Preferences {
    /// Parses a dictionary. Parameters are ignored, the last of several equal labels counts, and values other than the
    /// tokens `y` and `n` are unknown. Returns `None` if `dictionary` is not a dictionary of RFC 9651.
    ///
    /// # Complexity
    ///
    /// O(*n* log *n*) for *n* bytes.
    #[must_use]
    pub fn parse(dictionary: &[u8]) -> Option<Self> {
        let label = |member: &Member<'_>| String::from_utf8_lossy(member.key).into_owned();
        let members = read(dictionary)?;
        Some(Self { labels: members.iter().map(|member| (label(member), preference(member))).collect() })
    }

    /// Returns the preference for the use with this label. Labels are case-sensitive.
    #[must_use]
    pub fn get(&self, label: &str) -> Option<bool> {
        self.labels.get(label).copied().flatten()
    }

    /// Returns whether AI models may be trained with the content.
    #[must_use]
    pub fn train_ai(&self) -> Option<bool> {
        self.get("train-ai")
    }

    /// Returns whether the content may be shown in search results.
    #[must_use]
    pub fn search(&self) -> Option<bool> {
        self.get("search")
    }

    /// Iterates over the labels in the order of their bytes, each with its preference.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<bool>)> {
        self.labels.iter().map(|(label, preference)| (label.as_str(), *preference))
    }

    /// Combines two sets of preferences. For each label, the most restrictive preference is taken (vocab-07, section 5.1).
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (label, theirs) in other.labels {
            let mine = self.labels.entry(label).or_default();
            *mine = match (*mine, theirs) {
                (Some(mine), Some(theirs)) => Some(mine && theirs),
                (mine, theirs) => mine.or(theirs),
            };
        }
        self
    }
}

/// Returns the preference that a member states (vocab-07, section 6.5).
fn preference(member: &Member<'_>) -> Option<bool> {
    match member.item? {
        BareItem::Token(b"y") => Some(true),
        BareItem::Token(b"n") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const ALLOW: Option<bool> = Some(true);
    const DISALLOW: Option<bool> = Some(false);

    #[test]
    fn dictionaries_of_the_vocabulary() {
        for (value, train_ai, search) in [
            ("train-ai=y, search=n", ALLOW, DISALLOW),
            ("train-ai=y, train-ai, search=n, search=\"n\"", None, None),
            ("train-ai;allow=n, train-ai=y", ALLOW, None),
            ("train-ai=y;allow=n", ALLOW, None),
            ("train-ai=Y, search=(y)", None, None),
            ("Train-AI=y", None, None),
            ("", None, None),
        ] {
            let found = Preferences::parse(value.as_bytes()).unwrap_or_default();
            assert_eq!((found.train_ai(), found.search()), (train_ai, search), "{value}");
        }
        assert_eq!(Preferences::parse(b"train-ai;has;parameters=\"?\";"), None);
        assert_eq!(Preferences::parse(b"search=y, train-ai=n \xFF"), None);
    }

    #[test]
    fn the_most_restrictive_preference_prevails() {
        let read = |value: &str| Preferences::parse(value.as_bytes()).unwrap();
        let both = read("a=y, b=y, c=1").and(read("a=n, c=1, d=y"));
        let all: Vec<_> = both.iter().collect();
        assert_eq!(all, [("a", DISALLOW), ("b", ALLOW), ("c", None), ("d", ALLOW)]);
    }
}
