//! A robots.txt file.

use robots_match::{Comparer, Crawler, Difference, Document, Robots, named_crawlers};
use tsify::{Ts, Tsify as _};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::catalogue::{all, crawler};
use crate::changes::Changes;
use crate::explanation::{DocumentVerdict, Explanation};
use crate::lints::{Fixed, Report};
use crate::page::PageAnswers;
use crate::rules::Rules;
use crate::verdict::Verdict;
use crate::written::Written;

/// A robots.txt file, and the document by which it is read.
#[wasm_bindgen]
pub struct RobotsTxt {
    robots: Robots,
}

#[wasm_bindgen]
impl RobotsTxt {
    /// Creates a file from its bytes. `profile` is the name of a document; without it, the file is read as RFC 9309 says.
    ///
    /// # Errors
    ///
    /// `profile` is not the name of a document.
    #[wasm_bindgen(constructor)]
    pub fn new(body: Vec<u8>, profile: Option<String>) -> Result<RobotsTxt, JsError> {
        let document: Document = profile.map_or(Ok(Document::Rfc9309), |name| name.parse())?;
        Ok(Self { robots: Robots::from_boxed(body.into(), document) })
    }

    /// Returns whether a crawler may access a URL. `agent` is the name of a crawler, or several names with commas that the
    /// crawler tries in this order, or a `User-Agent` header, or `*`. Known crawlers have the names of the catalogue.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    pub fn check(&self, agent: &str, url: &str) -> Result<Ts<Verdict>, JsError> {
        let verdict = self.robots.check(&self.crawler(agent)?, url.as_bytes());
        Ok(Verdict::new(&verdict, &self.robots).into_ts()?)
    }

    /// Compiles the rules for a crawler, to check many URLs.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    pub fn rules(&self, agent: &str) -> Result<Rules, JsError> {
        Ok(Rules::new(&self.robots, &self.crawler(agent)?))
    }

    /// Explains whether a crawler may access a URL: the groups, the rules that match, and the rules that almost match.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    pub fn explain(&self, agent: &str, url: &str) -> Result<Ts<Explanation>, JsError> {
        let crawler = self.crawler(agent)?;
        Ok(Explanation::new(&self.robots, &self.robots.explain(&crawler, url.as_bytes())).into_ts()?)
    }

    /// Finds the changes from this file to another one for a crawler: a path for each rule that causes a change, at most `most` in each
    /// direction. `maxStates` limits each search; without it, the limit is 200,000.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    pub fn changes(
        &self,
        after: &RobotsTxt,
        agent: &str,
        most: usize,
        #[wasm_bindgen(js_name = maxStates)] max_states: Option<usize>,
    ) -> Result<Ts<Changes>, JsError> {
        let limit = max_states.unwrap_or(Difference::MAX_STATES).min(Difference::MAX_STATES);
        let (one, other) = ([self.crawler(agent)?], [after.crawler(agent)?]);
        let (old, new) = (self.robots.rules_for(&one), after.robots.rules_for(&other));
        let bytes = self.robots.body().len() + after.robots.body().len();
        let found = Comparer::new(Comparer::work_for(bytes)).caused_changes(
            (&old, old.set_of(0)),
            (&new, new.set_of(0)),
            most.min(100),
            limit,
        );
        Ok(Changes::new(found, &self.robots, &after.robots).into_ts()?)
    }

    /// Returns the verdict of each document, in the order of `documents()`.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    #[wasm_bindgen(js_name = verdictsByDocument)]
    pub fn verdicts_by_document(&self, agent: &str, url: &str) -> Result<Vec<Ts<DocumentVerdict>>, JsError> {
        let (body, crawler) = (self.robots.body(), self.crawler(agent)?);
        all(Document::ALL.into_iter().map(|document| DocumentVerdict::new(document, body, &crawler, url)))
    }

    /// Finds mistakes. `url` is the URL of the file, if it is known.
    ///
    /// # Errors
    ///
    /// JavaScript refuses an object.
    pub fn lint(&self, url: Option<String>) -> Result<Ts<Report>, JsError> {
        Ok(Report::new(&self.robots, url.as_deref()).into_ts()?)
    }

    /// Makes those corrections that change no verdict under any document.
    ///
    /// # Errors
    ///
    /// JavaScript refuses an object.
    pub fn fix(&self) -> Result<Ts<Fixed>, JsError> {
        Ok(Fixed::new(&self.robots).into_ts()?)
    }

    /// Returns what a page says to a crawler: `fields` are response fields, one in each line, and `html` is its beginning, at least to the
    /// end of the head. With `now`, in milliseconds since 1970 as `Date.now()` returns them, the answers are those at this time: after
    /// the date of `unavailable_after`, the page may not be in an index. Without it, they do not depend on the time.
    ///
    /// # Errors
    ///
    /// `agent` contains no name.
    pub fn page(
        &self,
        agent: &str,
        url: &str,
        fields: &str,
        html: &str,
        now: Option<f64>,
    ) -> Result<Ts<PageAnswers>, JsError> {
        let crawler = self.crawler(agent)?;
        Ok(PageAnswers::new(&self.robots, &crawler, url, fields, html, now).into_ts()?)
    }

    /// Writes rules that block and allow crawlers into the file, and proves that nothing changes for other known crawlers, for those that
    /// the file names, and for `*`. `block` and `allow` are names and purposes, such as `ai-training`.
    ///
    /// # Errors
    ///
    /// A name is not valid, or what changes can't be proved.
    pub fn write(&self, block: Vec<String>, allow: Vec<String>) -> Result<Ts<Written>, JsError> {
        let written = Written::new(&self.robots, &self.named_crawlers(), &block, &allow);
        Ok(written.map_err(|error| JsError::new(&error))?.into_ts()?)
    }

    /// Returns the names of crawlers in `user-agent` lines, each once, in the order of the file. Lines for every crawler are
    /// left out, and lines without a name that `check` accepts.
    #[wasm_bindgen(js_name = namedCrawlers)]
    #[must_use]
    pub fn named_crawlers(&self) -> Vec<String> {
        let names = named_crawlers(&self.robots.groups()).into_iter();
        names.map(|(name, _)| name.to_owned()).collect()
    }

    fn crawler(&self, agent: &str) -> Result<Crawler, JsError> {
        Ok(crawler(agent, &self.robots.profile().groups)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_in_the_file_are_listed_once_without_the_wildcard() {
        let body = "User-agent: *\nUser-agent: MJ12bot/1.4\nUser-agent: bingbot\nUser-agent: BINGBOT\nUser-agent: (x)\n";
        let file = RobotsTxt { robots: Robots::new(body, Document::Rfc9309) };
        assert_eq!(file.named_crawlers(), ["MJ12bot", "bingbot"]);
    }
}
