//! The verdicts of all documents, side by side.

use robots_match::{Crawler, Document, Profile, RuleSet, SelectionBasis, Verdict};

/// The verdict of one document.
pub(super) struct DocumentVerdict {
    pub(super) document: Document,
    pub(super) verdict: Verdict,
    pub(super) basis: SelectionBasis,
}

/// Returns the verdict of each document on a path.
pub(super) fn verdicts_by_document(body: &[u8], crawler: &Crawler, path: &[u8]) -> Vec<DocumentVerdict> {
    let verdict = |document| {
        let rules = RuleSet::parse(body, crawler, &Profile::from(document));
        DocumentVerdict { document, verdict: rules.check(path), basis: rules.basis() }
    };
    Document::ALL.into_iter().map(verdict).collect()
}
