//! The result of the comparison of two robots.txt.

use robots_match::Verdict;

use super::arguments::Arguments;
use super::compare::Direction;
use super::compare::{Compared, pairs};
use crate::arguments::{NamedCrawler, is_url};
use crate::failure::FAILED;
use crate::subject::Subject;
use crate::url_list::{UrlList, path_in};

/// The exit status if no change was found, and the search for one reached its limit.
const UNDECIDED: u8 = 3;

/// Two robots.txt, the crawlers, and what differs.
pub(super) struct Report<'r> {
    pub(super) arguments: &'r Arguments,
    pub(super) old: Subject,
    pub(super) new: Subject,
    pub(super) crawlers: Vec<NamedCrawler>,
    pub(super) compared: Compared,
    pub(super) urls: Option<Urls>,
}

/// The URLs of a list whose verdicts change.
pub(super) struct Urls {
    pub(super) list: UrlList,
    /// URL, crawler, and the verdicts before and after.
    pub(super) changes: Vec<(usize, usize, Verdict, Verdict)>,
}

impl Urls {
    pub(super) fn new(list: UrlList, old: &Subject, new: &Subject, crawlers: &[NamedCrawler]) -> Self {
        let mut changes = Vec::new();
        let shared = [old, new].map(|subject| subject.rules_for(crawlers.iter().map(|named| &named.crawler)));
        let pairs = pairs(&shared, crawlers.len());
        for ([before, after], members) in pairs {
            let [one, other] = &shared;
            let (before, after) = (one.rules(before), other.rules(after));
            for (index, url) in list.urls.iter().enumerate() {
                let (before, after) =
                    (old.verdict(before.check(path_in(url))), new.verdict(after.check(path_in(url))));
                if before.is_allowed() != after.is_allowed() {
                    changes.extend(members.iter().map(|&crawler| (index, crawler, before, after)));
                }
            }
        }
        changes.sort_by_key(|&(url, crawler, ..)| (crawler, url));
        Self { list, changes }
    }
}

impl Report<'_> {
    /// Returns whether a change in this direction makes the command fail.
    pub(super) fn denies(&self, direction: Direction) -> bool {
        let denied = &self.arguments.deny;
        denied.is_empty() || denied.iter().flatten().any(|&denied| denied == direction)
    }

    pub(super) fn status(&self) -> u8 {
        let has_no_answer = self.old.is_unanswered() || self.new.is_unanswered();
        if has_no_answer || self.urls.as_ref().is_some_and(|urls| !urls.list.problems.is_empty()) {
            return FAILED;
        }
        let of_url = |after: &Verdict| match after.is_allowed() {
            true => Direction::NewlyAllowed,
            false => Direction::NewlyDisallowed,
        };
        let changes = self.compared.changes().map(|change| change.found.direction);
        let urls = self.urls.iter().flat_map(|urls| &urls.changes).map(|(.., after)| of_url(after));
        if changes.chain(urls).any(|direction| self.denies(direction)) {
            return 1;
        }
        let is_undecided = self.compared.undecided.iter().any(|(_, direction)| self.denies(*direction));
        if is_undecided { UNDECIDED } else { 0 }
    }

    pub(super) fn name(&self, crawler: usize) -> &str {
        self.crawlers.get(crawler).map_or("", |named| &named.name)
    }

    /// Returns whether this is about one file that two profiles read.
    pub(super) fn is_of_profiles(&self) -> bool {
        self.arguments.new.is_none() && !is_url(&self.arguments.old)
    }
}
