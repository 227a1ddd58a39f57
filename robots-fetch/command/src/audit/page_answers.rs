//! What the pages of an audit say to crawlers.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use core::time::Duration;
use std::thread;

use robots_fetch::page::{InWords, PageVerdict, Question};
use robots_match::records::CrawlFacts;
use robots_match::{Robots, Target, Verdict};
use url::Url;

use crate::arguments::{NamedCrawler, NamedProfile};
use crate::network::Sites;
use crate::page::{self, Asked, Page, Pages, Remark};
use crate::subject::Subject;
use crate::text::Text;
use crate::verdict::why;

/// The most pages of a site, if the user names no number.
const MOST_PAGES: usize = 500;

/// The pause between two pages of a site without a crawl delay, and the longest one.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The pages without an answer in a row after which no more pages of the site are requested, so that a site that never answers takes
/// a bounded time.
const MOST_UNANSWERED: usize = 3;

/// What is known after a page was asked for.
#[derive(Debug)]
pub(super) enum Found {
    Said(Said),
    /// Why pages could not be asked for.
    Problem(String),
    /// Pages beyond a limit that the user gave.
    LeftOut(String),
}

/// What a page says to a crawler.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) crawler: Arc<str>,
    pub(super) url: Arc<[u8]>,
    pub(super) access: PageAccess,
    /// What decides, for people.
    pub(super) decides: String,
    /// The problems of the page for the crawler.
    pub(super) codes: Vec<&'static str>,
    /// Whether the page says something beside its rules, such as a canonical URL.
    pub(super) has_remarks: bool,
    /// The document by which the crawler reads robots.txt.
    pub(super) profile: NamedProfile,
    /// Whether another row says that robots.txt disallows the URL.
    pub(super) is_reported: bool,
}

/// Whether a page may be in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageAccess {
    Indexable,
    /// A rule of the page prevents it.
    NotIndexable,
    /// The page may not be fetched, so an index can have its URL only.
    UrlOnly,
    /// The page could not be read, or not to its end.
    Unknown,
}

impl PageAccess {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Indexable => "indexable",
            Self::NotIndexable => "not-indexable",
            Self::UrlOnly => "url-only",
            Self::Unknown => "unknown",
        }
    }
}

/// Reads pages of a site.
pub(super) struct PageWork {
    asked: Vec<Asked>,
    profile: NamedProfile,
    most: Option<usize>,
}

impl PageWork {
    pub(super) fn new(crawlers: &[NamedCrawler], profile: &NamedProfile, most: Option<usize>) -> Self {
        let asked = crawlers.iter().map(|named| Asked::new(named.clone(), profile, None)).collect();
        Self { asked, profile: *profile, most }
    }

    /// Reads the pages at URLs of a site one by one, with a pause between them, and gives what they say.
    pub(super) fn read(
        &self,
        subject: &Subject,
        urls: &[Arc<[u8]>],
        names: &[Arc<str>],
        sites: &Sites,
        mut give: impl FnMut(Found),
    ) {
        let Some(origin) = &subject.origin else {
            return give(Found::Problem(
                "pages are read from sites only, and this is a file; give the URL of its site".to_owned(),
            ));
        };
        let most = self.most.unwrap_or(MOST_PAGES);
        if let Some(left) = urls.len().checked_sub(most).filter(|left| *left > 0) {
            let text = format!("{} left out after the limit of {most}; --max-pages raises it", counted(left));
            // The user did not ask for the limit of a default.
            give(if self.most.is_some() { Found::LeftOut(text) } else { Found::Problem(text) });
        }
        let pause = self.pause(subject);
        let (mut was_asked, mut unanswered) = (false, 0);
        for (index, url) in urls.iter().take(most).enumerate() {
            let parsed = match Target::parse(url) {
                // A path is one of this site, also if it begins with `//`.
                Ok(target) if target.is_path() => {
                    Url::parse(&format!("{origin}{}", String::from_utf8_lossy(target.path()))).ok()
                }
                target => target.ok().and_then(|target| target.url()),
            };
            let Some(parsed) = parsed else {
                give(Found::Problem(format!("{} is not a URL, so its page was not read", Text(url).short())));
                continue;
            };
            if was_asked {
                thread::sleep(pause);
            }
            let pages = Pages { sites, profile: &self.profile, asked: &self.asked, look_anyway: false };
            let page = Page::follow(parsed, pages);
            was_asked = page.hops.iter().any(|hop| hop.status.is_some());
            for (index, name) in names.iter().enumerate() {
                give(Found::Said(self.said(&page, subject, index, url, name)));
            }
            let has_no_answer = was_requested(&page) && page.problem.is_some();
            unanswered = if has_no_answer { unanswered + 1 } else { 0 };
            let left = urls.len().min(most) - index - 1;
            if unanswered == MOST_UNANSWERED && left > 0 {
                let text =
                    format!("{MOST_UNANSWERED} pages in a row had no answer, so {} left out", counted(left));
                return give(Found::Problem(text));
            }
        }
    }

    /// Returns the crawl delay of the first crawler, within limits.
    fn pause(&self, subject: &Subject) -> Duration {
        let delay = self.asked.first().and_then(|first| {
            let robots = Robots::new(subject.body(), first.profile.rules);
            CrawlFacts::new(&robots, &first.named.crawler).crawl_delay
        });
        delay.filter(|_| subject.answer.is_none()).unwrap_or(PAUSE).min(LONGEST_PAUSE)
    }

    fn said(&self, page: &Page, subject: &Subject, index: usize, url: &Arc<[u8]>, name: &Arc<str>) -> Said {
        let verdict = page.verdict(&self.asked, index);
        let rules = page.rules_of(&self.asked, index);
        let is_fetched = verdict.access().is_allowed();
        let found = rules.iter().flat_map(|rules| rules.problems(is_fetched));
        let codes: BTreeSet<&'static str> = found.map(|found| found.problem.code()).collect();
        let first = page.hops.first().and_then(|hop| hop.verdicts.get(index));
        let status = page.doubtful_status().map(|status| format!("status {status}"));
        let doubt = page.problem.clone().or(status).or_else(|| page.doubt());
        let (access, decides) = match &verdict {
            PageVerdict::NotFetched(access) if !access.is_allowed() => {
                let hop = page
                    .hops
                    .iter()
                    .skip(1)
                    .find(|hop| hop.verdicts.get(index).is_some_and(|verdict| !verdict.is_allowed()));
                let decides = match hop {
                    Some(hop) => {
                        format!("redirect to {}: {access}", Text(hop.url.as_str().as_bytes()).short())
                    }
                    None => why(access, subject.body(), subject.kind),
                };
                (PageAccess::UrlOnly, decides)
            }
            _ if doubt.is_some() => (PageAccess::Unknown, doubt.unwrap_or_default()),
            PageVerdict::NotFetched(_) => (PageAccess::Unknown, "not fetched".to_owned()),
            PageVerdict::Seen { rules, .. } => {
                let answer = rules.answer(Question::Index);
                let InWords { is_limited, .. } = answer.value;
                let decides = answer.source.map(page::rule);
                match decides {
                    decides if is_limited => (PageAccess::NotIndexable, decides.unwrap_or_default()),
                    _ if !answer.is_complete => {
                        let why = rules.page().incomplete_because().unwrap_or_default();
                        (PageAccess::Unknown, format!("no rule found, but {why}"))
                    }
                    decides => {
                        let decides = decides.unwrap_or_else(|| "no rule prevents it".to_owned());
                        // The index may have another page, or this one in part.
                        let all = core::iter::once(decides).chain(page.remarks.iter().map(Remark::to_string));
                        (PageAccess::Indexable, all.collect::<Vec<_>>().join("; "))
                    }
                }
            }
        };
        Said {
            crawler: Arc::clone(name),
            url: Arc::clone(url),
            access,
            decides,
            codes: codes.into_iter().collect(),
            has_remarks: rules.is_some() && !page.remarks.is_empty(),
            profile: self.asked.get(index).map(|asked| asked.profile).unwrap_or_default(),
            is_reported: first.is_some_and(|first: &Verdict| !first.is_allowed()),
        }
    }
}

impl Said {
    /// Returns whether a site owner may have to change something.
    pub(super) fn is_finding(&self) -> bool {
        matches!(self.access, PageAccess::NotIndexable | PageAccess::UrlOnly) && !self.is_reported
    }
}

/// Returns whether a request was made, with or without an answer.
fn was_requested(page: &Page) -> bool {
    page.hops.last().is_some_and(|hop| hop.verdicts.iter().any(Verdict::is_allowed))
}

fn counted(pages: usize) -> String {
    if pages == 1 { "1 page is".to_owned() } else { format!("{pages} pages are") }
}
