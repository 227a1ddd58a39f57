//! The verdicts of all documents, side by side.

use alloc::vec::Vec;

use robots_groups::{Crawler, SelectionBasis};

use crate::document::Document;
use crate::profile::Profile;
use crate::rule_set::RuleSet;
use crate::verdict::Verdict;

/// The verdict of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentVerdict {
    /// The document.
    pub document: Document,
    /// Whether access is allowed, and why.
    pub verdict: Verdict,
    /// Why groups apply.
    pub basis: SelectionBasis,
}

/// Returns the verdict of each document, in the order of [`Document::ALL`], on a URL that is given as text.
///
/// The crawler has these names, the preferred one first. A name that is not a crawler's name under a document is ignored
/// there; without a name that is left, the crawler is [`Crawler::unnamed`].
///
/// # Complexity
///
/// One pass over `body` for each document.
///
/// ```
/// use robots_match::explain::verdicts_by_document;
///
/// let body = b"User-agent: *\nDisallow: /\nAllow: /page\n";
/// let verdicts = verdicts_by_document(body, &["ExampleBot"], b"/page");
/// let allowed: Vec<bool> = verdicts.iter().map(|one| one.verdict.is_allowed()).collect();
/// assert_eq!(allowed, [true, true, true, false]);
/// ```
#[must_use]
pub fn verdicts_by_document(body: &[u8], names: &[&str], url: &[u8]) -> Vec<DocumentVerdict> {
    let verdict = |document| {
        let profile = Profile::from(document);
        let is_name = |name: &&&str| Crawler::with_names([name], &profile.groups).is_ok();
        let crawler = Crawler::with_names(names.iter().filter(is_name), &profile.groups);
        let crawler = crawler.unwrap_or_else(|_| Crawler::unnamed());
        let rules = RuleSet::parse(body, &crawler, &profile);
        DocumentVerdict { document, verdict: rules.check_text(url), basis: rules.basis() }
    };
    Document::ALL.into_iter().map(verdict).collect()
}
