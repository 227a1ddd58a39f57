//! The robots.txt that an explanation is about.

use robots_fetch::{AccessResult, Cause, Entry, Origin};
use robots_match::explain::Explanation;
use robots_match::{Crawler, Document, Robots, Verdict};

use crate::arguments::NamedProfile;
use crate::other_lines::{ForCrawler, OtherLines};
use crate::text::Text;
use crate::text_view::View;
use crate::verdict::is_unanswered;

/// The site that was asked, and its verdict on one URL.
pub(super) struct Site<'p> {
    pub(super) origin: &'p Origin,
    pub(super) entry: &'p Entry,
    /// Whether the rules of a file apply.
    pub(super) has_rules: bool,
    pub(super) verdict: Verdict,
    /// Why no rules apply, if that decides.
    pub(super) cause: Option<&'p Cause>,
}

impl Site<'_> {
    /// Returns what the status of the last answer means under each profile, if the status decides.
    pub(super) fn access_results(&self) -> Vec<(Document, AccessResult)> {
        let Some(Cause::Status(status)) = self.cause else { return Vec::new() };
        let is_ftp = self.entry.hops().last().is_some_and(|hop| hop.url.scheme() == "ftp");
        let result = |profile: &robots_fetch::SiteProfile| {
            if is_ftp { profile.access.ftp_result(*status) } else { profile.access.status_result(*status) }
        };
        Document::ALL.into_iter().map(|document| (document, result(&document.into()))).collect()
    }
}

/// The subject of an explanation: a robots.txt, or the lack of one.
pub(super) struct Page<'p> {
    /// The crawler as it was given.
    pub(super) agent: &'p str,
    pub(super) crawler: &'p Crawler,
    /// The profile by which the crawler is read.
    pub(super) profile: NamedProfile,
    pub(super) robots: &'p Robots,
    pub(super) view: &'p View<'p>,
    /// The name of the file.
    pub(super) name: &'p str,
    /// The site, if one was asked.
    pub(super) site: Option<Site<'p>>,
}

impl Page<'_> {
    /// Returns why no rules apply, if that decides.
    pub(super) fn cause(&self) -> Option<&Cause> {
        self.site.as_ref().and_then(|site| site.cause)
    }

    pub(super) fn is_allowed(&self, explained: &Explanation<'_>) -> bool {
        self.site.as_ref().map_or_else(|| explained.is_allowed(), |site| site.verdict.is_allowed())
    }

    /// Returns whether the site gave no answer that says whether the URL may be accessed.
    pub(super) fn is_unanswered(&self) -> bool {
        self.site.as_ref().is_some_and(|site| is_unanswered(&site.verdict.reason()))
    }

    /// Returns the body that all documents are asked about. The rest of a file that a site sent was not retrieved beyond the
    /// size limit, so the line that the limit cuts would be read as another line by a document without a limit.
    pub(super) fn whole_lines(&self) -> &[u8] {
        let body = self.robots.body();
        let end = if self.site.is_some() { self.robots.lines().dropped().start() } else { body.len() };
        body.get(..end).unwrap_or(body)
    }

    /// Returns the delay and the parameters for the crawler.
    pub(super) fn other_lines(&self) -> ForCrawler {
        let groups = self.robots.groups();
        OtherLines::new(self.robots, &groups).for_crawler(&groups.select(self.crawler), self.crawler)
    }

    /// Returns the name of the crawler at this position.
    pub(super) fn name(&self, index: usize) -> &str {
        self.crawler.names().nth(index).unwrap_or_default()
    }

    /// Returns the crawler as it was given.
    pub(super) fn given(&self) -> String {
        format!("`{}`", Text(self.agent.as_bytes()))
    }
}
