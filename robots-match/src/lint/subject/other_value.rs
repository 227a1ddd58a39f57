//! Words that people write in a rule although they belong elsewhere.

use crate::lint::known_names::is_known;
use crate::lint::text::is_one_of;

/// A word in a rule that is not a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherValue {
    /// The name of a crawler.
    Crawler,
    /// A word of `robots` meta elements.
    OfPages,
    /// A use of pages by AI.
    Use,
}

/// Words of `robots` meta elements, in lower case.
const OF_PAGES: &str = "noindex nofollow noarchive nosnippet noimageindex noai noimageai";

/// Other words of such elements, which are also names of pages: they count in a list with commas, as in `index, follow`.
const LISTED: &str = "index follow archive all";

/// Uses by AI, in lower case.
const USES: &str = "ai-train ai-training train-ai ai-input ai-index aitraining ai_training";

impl OtherValue {
    /// Returns what a text is, if all of its words, with spaces or commas between them, are of one kind.
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        // Some names consist of several words.
        if is_known(text) {
            return Some(Self::Crawler);
        }
        let words = text.split(|byte| matches!(byte, b' ' | b'\t' | b',')).filter(|word| !word.is_empty());
        let has_comma = text.contains(&b',');
        let mut kinds = words.map(|word| {
            // As in `ai-train=no`.
            let name = word.split(|byte| *byte == b'=').next().unwrap_or_default();
            let is_one = |of| is_one_of(name, of);
            match word {
                _ if is_one(OF_PAGES) => Some(Self::OfPages),
                _ if has_comma && is_one(LISTED) => Some(Self::OfPages),
                _ if is_one(USES) => Some(Self::Use),
                _ if is_known(word) => Some(Self::Crawler),
                _ => None,
            }
        });
        let first = kinds.next()??;
        kinds.all(|kind| kind == Some(first)).then_some(first)
    }

    /// Returns where the word belongs, as an advice.
    pub(crate) const fn advice(self) -> &'static str {
        match self {
            Self::Crawler => "write the name in a `User-agent` line, and below it the rules for this crawler",
            Self::OfPages => {
                "put this word into the `X-Robots-Tag` header or a `robots` meta element of the pages"
            }
            Self::Use => {
                "write `Content-Signal: ai-train=no`, or a group with `Disallow: /` for each crawler that collects pages for AI"
            }
        }
    }
}
