//! The findings of an audit about one input.

use robots_match::Verdict;

use crate::extent::Extent;

/// The access that an input gives to crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The rules of a file decide.
    Rules,
    /// The site has no robots.txt: everything is allowed.
    Everything,
    /// The robots.txt is unreachable or restricted: nothing is allowed.
    Nothing,
    /// The input could not be read.
    Failed,
}

impl Status {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Everything => "everything",
            Self::Nothing => "nothing",
            Self::Failed => "failed",
        }
    }
}

/// The findings about one input.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The name of the input, safe to show.
    pub(super) name: String,
    /// The robots.txt as a URI reference.
    pub(super) uri: String,
    pub(super) status: Status,
    /// The answer of a site without rules, or why the input could not be read.
    pub(super) note: Option<String>,
    pub(super) rows: Vec<Row>,
    /// Whether no URL of the list belongs to the input.
    pub(super) is_unchecked: bool,
    /// The number of verdicts about URLs of sitemaps.
    pub(super) submitted: usize,
    /// Sitemaps that could not be read, and limits that were reached.
    pub(super) problems: Vec<String>,
}

/// Why an input is not checked with a list.
pub(super) const UNCHECKED: &str = "no URL of the list belongs to this site";

/// A verdict for a crawler.
#[derive(Debug)]
pub(super) struct Row {
    /// The position of the crawler.
    pub(super) crawler: usize,
    /// The URL; without one, the row is about the whole site.
    pub(super) url: Option<Vec<u8>>,
    /// How much of the site is allowed, if the row is about the whole site.
    pub(super) extent: Option<Extent>,
    pub(super) verdict: Verdict,
    /// The deciding line, for people.
    pub(super) decides: String,
    /// Whether a sitemap has the URL.
    pub(super) submitted: bool,
}
