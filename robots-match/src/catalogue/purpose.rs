//! The purposes of crawlers.

use core::fmt;

/// The purpose of a crawler, as its operator describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Search engines.
    Search,
    /// Search that is part of an AI product.
    AiSearch,
    /// Data for training models.
    AiTraining,
    /// Data that others use for AI products.
    AiData,
    /// Pages that a person asks an assistant about.
    AiAssistant,
    /// Agents that act for a person.
    AiAgent,
    /// Other uses by AI products.
    AiOther,
    /// Tools for search engine optimization.
    Seo,
    /// Advertising.
    Ads,
    /// Archives.
    Archive,
    /// Previews in social networks and messengers.
    Social,
    /// Other purposes.
    Other,
    /// The purpose is not known.
    Unknown,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 13] = [
        Self::Search,
        Self::AiSearch,
        Self::AiTraining,
        Self::AiData,
        Self::AiAssistant,
        Self::AiAgent,
        Self::AiOther,
        Self::Seo,
        Self::Ads,
        Self::Archive,
        Self::Social,
        Self::Other,
        Self::Unknown,
    ];

    /// Returns the name, such as `search` or `ai-training`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiSearch => "ai-search",
            Self::AiTraining => "ai-training",
            Self::AiData => "ai-data",
            Self::AiAssistant => "ai-assistant",
            Self::AiAgent => "ai-agent",
            Self::AiOther => "ai-other",
            Self::Seo => "seo",
            Self::Ads => "ads",
            Self::Archive => "archive",
            Self::Social => "social",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }

    /// Returns whether the crawler serves AI products. Search engines do not count.
    #[must_use]
    pub fn is_ai(self) -> bool {
        self.name().starts_with("ai-")
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
