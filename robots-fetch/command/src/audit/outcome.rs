//! The findings of an audit about one input.

use robots_match::Verdict;

use crate::body::body_note;
use crate::extent::Extent;
use robots_fetch::warc::Flags;

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
    /// The properties of the body; `None` if the site has no file.
    pub(super) flags: Option<Flags>,
    pub(super) rows: Vec<Row>,
    /// Whether no URL of the list belongs to the input.
    pub(super) is_unchecked: bool,
    /// The number of verdicts about URLs of sitemaps.
    pub(super) submitted: usize,
    /// Sitemaps that could not be read, and what of them was not checked.
    pub(super) problems: Vec<String>,
    /// Parts of the sitemaps that were not checked: after a limit, and URLs of other sites.
    pub(super) not_checked: Vec<String>,
}

impl Outcome {
    /// Returns the flags of a row, or of the input as a whole, by the names that `robots batch --warc` has.
    pub(super) fn flags(&self, row: Option<&Row>) -> Vec<&'static str> {
        let Some(flags) = self.flags else { return Vec::new() };
        flags.names(row.is_some_and(|row| row.accidental_group)).collect()
    }

    /// Returns why crawlers may read other rules in the file than its owner means.
    pub(super) fn doubts(&self) -> impl Iterator<Item = String> {
        let is = |property: fn(&Flags) -> bool| self.flags.as_ref().is_some_and(property);
        let note = self.flags.and_then(|flags| body_note(flags.kind));
        let all = [
            (is(|flags| flags.not_utf8), "the file is not UTF-8"),
            (is(|flags| flags.cut), "the file was cut at the size limit"),
        ];
        note.into_iter().chain(all.into_iter().filter_map(|(is_set, doubt)| is_set.then(|| doubt.to_owned())))
    }

    /// Returns whether the site has a file, and a rule was read in it.
    pub(super) fn has_rules(&self) -> bool {
        self.flags.is_some_and(|flags| flags.rules > 0)
    }

    /// Returns whether the site has a file that is not a robots.txt file.
    pub(super) fn is_not_robots_txt(&self) -> bool {
        self.flags.is_some_and(|flags| !flags.kind.is_robots_txt())
    }
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
    /// Whether a group applies to the crawler by accident.
    pub(super) accidental_group: bool,
}
