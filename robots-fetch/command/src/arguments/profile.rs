//! The argument `--profile`.

use robots_match::{Document, Profile};

use super::one_of::OneOf;

/// A document and its profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedProfile {
    pub(crate) document: Document,
    pub(crate) name: &'static str,
    /// How files are read and rules are compared.
    pub(crate) rules: Profile,
}

impl Default for NamedProfile {
    fn default() -> Self {
        Self::new(Document::default())
    }
}

impl NamedProfile {
    fn new(document: Document) -> Self {
        Self { document, name: document.name(), rules: document.into() }
    }

    /// The parser of the argument.
    pub(crate) fn parser() -> OneOf<Self> {
        OneOf::new(Document::ALL.map(|document| (document.name(), Self::new(document))))
    }

    /// The name of the profile that is used if none is named.
    pub(crate) fn default_name() -> &'static str {
        Document::default().name()
    }

    /// The profile together with what it says about HTTP answers.
    pub(crate) fn with_access(&self) -> robots_fetch::SiteProfile {
        self.document.into()
    }
}
