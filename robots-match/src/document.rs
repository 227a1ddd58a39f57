//! The documents that define how robots.txt is read.

use alloc::string::{String, ToString as _};
use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A document that defines how robots.txt is read.
///
/// Each document has a [`Profile`](crate::Profile). Its name is what commands, formats and bindings take:
///
/// ```
/// use robots_match::{Document, Profile};
///
/// let document: Document = "google".parse()?;
/// assert_eq!(document, Document::Google);
/// assert_eq!(Profile::from(document), Profile::GOOGLE);
/// assert_eq!(Document::ALL.map(Document::name), ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"]);
/// # Ok::<(), robots_match::UnknownDocument>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Document {
    /// RFC 9309, Robots Exclusion Protocol (2022).
    #[default]
    Rfc9309,
    /// draft-koster-rep-00, the draft of 2019.
    DraftKosterRep00,
    /// Google's interpretation of robots.txt, with what its published parser does beyond the text.
    Google,
    /// Koster's draft of 1996, "A Method for Robots Exclusion".
    Koster1996,
}

impl Document {
    /// All documents, the default first.
    pub const ALL: [Self; 4] = [Self::Rfc9309, Self::DraftKosterRep00, Self::Google, Self::Koster1996];

    /// The documents that today's crawlers follow.
    pub const CURRENT: [Self; 2] = [Self::Rfc9309, Self::Google];

    /// The document that one operator has for its crawlers, besides the standard that all others follow: Google's.
    #[doc(hidden)]
    pub const OF_ONE_OPERATOR: Self = Self::Google;

    /// Returns `rfc9309`, `draft-koster-rep-00`, `google` or `koster-1996`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc9309 => "rfc9309",
            Self::DraftKosterRep00 => "draft-koster-rep-00",
            Self::Google => "google",
            Self::Koster1996 => "koster-1996",
        }
    }

    /// Returns a description of the crawlers that follow the document, for people who do not know the documents.
    ///
    /// ```
    /// use robots_match::Document;
    /// assert_eq!(Document::Google.followers(), "Google's crawlers");
    /// ```
    #[must_use]
    pub const fn followers(self) -> &'static str {
        match self {
            Self::Rfc9309 => "crawlers that follow today's standard",
            Self::DraftKosterRep00 => "crawlers that follow the draft of 2019",
            Self::Google => "Google's crawlers",
            Self::Koster1996 => "old software that follows the draft of 1996",
        }
    }
}

/// The names, for messages.
const NAMES: [&str; 4] = {
    let [a, b, c, d] = Document::ALL;
    [a.name(), b.name(), c.name(), d.name()]
};

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Document {
    type Err = UnknownDocument;

    /// Returns the document of this name; case counts.
    ///
    /// # Errors
    ///
    /// No document has this name.
    fn from_str(name: &str) -> Result<Self, UnknownDocument> {
        Self::ALL
            .into_iter()
            .find(|document| document.name() == name)
            .ok_or_else(|| UnknownDocument::new(name, &NAMES))
    }
}

/// The error of a text that is not the name of a [`Document`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDocument {
    name: String,
    /// The names that there are.
    known: &'static [&'static str],
}

impl UnknownDocument {
    /// Creates the error for a name that is not one of `known`.
    #[doc(hidden)]
    #[must_use]
    pub fn new(name: &str, known: &'static [&'static str]) -> Self {
        Self { name: name.to_string(), known }
    }
}

impl fmt::Display for UnknownDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages stay short whatever the text.
        const SHOWN: usize = 48;
        let shown: String = self.name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        let (last, others) = self.known.split_last().unwrap_or((&"", &[]));
        write!(f, "`{shown}` is not a known name; the names are {} and {last}", others.join(", "))
    }
}

impl Error for UnknownDocument {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_into_documents_and_displayed_again() {
        for document in Document::ALL {
            assert_eq!(document.to_string().parse(), Ok(document));
        }
        assert_eq!(NAMES, Document::ALL.map(Document::name));
        assert_eq!(
            "RFC9309".parse::<Document>().unwrap_err().to_string(),
            "`RFC9309` is not a known name; the names are rfc9309, draft-koster-rep-00, google and koster-1996",
        );
    }
}
