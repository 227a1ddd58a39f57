//! Lines that are not rules and say something to a crawler: how long to wait, which parameters of URLs to leave out, and for what it may
//! use pages.

use std::collections::HashMap;

use core::time::Duration;
use robots_match::groups::{Groups, Selection};
use robots_match::lint::obeys_record;
use robots_match::records::{RecordKind, RecordValue, Records};
use robots_match::syntax::Field;
use robots_match::{Crawler, Robots};
use schemars::JsonSchema;
use serde::Serialize;

use crate::text::Text;

/// The delays of the groups of a file, and its parameters.
pub(crate) struct OtherLines {
    /// The longest delay of each group, and its line.
    delays: HashMap<usize, (Duration, usize)>,
    params: Vec<CleanParam>,
    /// The preferences of each group, with the bytes that they have together.
    preferences: HashMap<usize, Vec<Preference>>,
}

/// For what pages may be used, as a Content-Signal or Content-Usage line says.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Preference {
    /// `Content-Signal` or `Content-Usage`, as it is written.
    key: String,
    /// The value as it is written.
    value: String,
    line: usize,
}

/// The most preferences of a group.
const MOST_PREFERENCES: usize = 20;

/// The time that a crawler is asked to wait between requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CrawlDelay {
    seconds: f64,
    line: usize,
    /// Whether the crawler obeys the line, as its operator says; null if nothing is known.
    obeyed: Option<bool>,
}

/// Parameters that do not change what a page shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CleanParam {
    /// The value as it is written.
    value: String,
    line: usize,
}

/// The lines for one crawler.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ForCrawler {
    pub(crate) delay: Option<CrawlDelay>,
    /// Empty for crawlers that are not known to obey the lines.
    pub(crate) params: Vec<CleanParam>,
    pub(crate) preferences: Vec<Preference>,
}

impl OtherLines {
    pub(crate) fn new(robots: &Robots, groups: &Groups<'_>) -> Self {
        let (mut delays, mut params) = (HashMap::new(), Vec::new());
        let mut preferences: HashMap<usize, Vec<Preference>> = HashMap::new();
        for record in Records::new(robots, groups).all() {
            match (&record.value, record.group) {
                (Some(RecordValue::CrawlDelay(delay)), Some(group)) => {
                    // No document says which of several counts.
                    let longest = delays.entry(group).or_insert((*delay, record.line));
                    if *delay > longest.0 {
                        *longest = (*delay, record.line);
                    }
                }
                (Some(RecordValue::CleanParam { .. }), _) => {
                    let value = Text(record.raw.bytes()).short();
                    params.push(CleanParam { value, line: record.line });
                }
                (Some(RecordValue::ContentSignal(_) | RecordValue::ContentUsage(_)), Some(group)) => {
                    let of_group = preferences.entry(group).or_default();
                    if of_group.len() < MOST_PREFERENCES {
                        let shown = |field: &Field<'_>| Text(field.bytes()).short();
                        let (key, value) = (shown(&record.key), shown(&record.raw));
                        of_group.push(Preference { key, value, line: record.line });
                    }
                }
                _ => {}
            }
        }
        Self { delays, params, preferences }
    }

    /// Returns the lines for a crawler, to which the groups of the selection apply.
    pub(crate) fn for_crawler(&self, selection: &Selection<'_, '_>, crawler: &Crawler) -> ForCrawler {
        let obeys = |kind| crawler.names().find_map(|name| obeys_record(kind, name));
        let of_groups = selection.indices().filter_map(|group| self.delays.get(&group));
        let delay = of_groups.max_by_key(|(delay, _)| *delay).map(|&(delay, line)| CrawlDelay {
            seconds: delay.as_secs_f64(),
            line,
            obeyed: obeys(RecordKind::CrawlDelay),
        });
        let params = match obeys(RecordKind::CleanParam) {
            Some(true) => self.params.clone(),
            _ => Vec::new(),
        };
        let own = selection.indices().filter_map(|group| self.preferences.get(&group));
        let preferences = own.flatten().take(MOST_PREFERENCES).cloned().collect();
        ForCrawler { delay, params, preferences }
    }
}

impl CrawlDelay {
    /// Returns the delay for people, such as `5 s (ignored)`.
    pub(crate) fn shown(self) -> String {
        let obeyed = match self.obeyed {
            Some(true) => "",
            Some(false) => " (ignored)",
            None => " (if obeyed)",
        };
        format!("{} s{obeyed}", self.seconds)
    }

    /// Returns the seconds, and `yes`, `no` or `unknown` for whether the crawler obeys them.
    pub(crate) fn cells(self) -> [String; 2] {
        let obeyed = match self.obeyed {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        [self.seconds.to_string(), obeyed.to_owned()]
    }

    /// Returns a sentence about the delay.
    pub(crate) fn sentence(self) -> String {
        let Self { seconds, line, obeyed } = self;
        let unit = if (seconds - 1.0).abs() < f64::EPSILON { "second" } else { "seconds" };
        let obeyed = match obeyed {
            Some(true) => "it obeys that",
            Some(false) => "it ignores that",
            None => "it is not known whether it obeys that",
        };
        format!(
            "line {line} asks the crawler to wait {seconds} {unit} between requests (Crawl-delay); {obeyed}"
        )
    }
}

impl Preference {
    /// Returns the line as it is written.
    pub(crate) fn shown(&self) -> String {
        format!("{}: {}", self.key, self.value)
    }

    /// Returns a sentence about the line.
    pub(crate) fn sentence(&self) -> String {
        format!("line {} states for what the crawler may use pages: {}", self.line, self.shown())
    }
}

impl CleanParam {
    /// Returns the value and the line, such as `sid /shop/ (line 4)`.
    pub(crate) fn shown(&self) -> String {
        format!("{} (line {})", self.value, self.line)
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use robots_match::Profile;

    use super::*;

    #[test]
    fn delays_are_of_groups_and_parameters_of_the_file() {
        let file = "User-agent: bingbot\nUser-agent: Googlebot\nDisallow:\nCrawl-delay: 5\nCrawl-delay: 2\n\
                    User-agent: *\nDisallow:\nCrawl-delay: 1.5\nClean-param: sid /shop/\n";
        let robots = Robots::new(file, Profile::RFC9309);
        let groups = robots.groups();
        let lines = OtherLines::new(&robots, &groups);
        let of = |name: &str| {
            let crawler = Crawler::new(name).unwrap();
            let found = lines.for_crawler(&groups.select(&crawler), &crawler);
            (found.delay.map(CrawlDelay::shown).unwrap_or_default(), found.params.len())
        };
        assert_eq!(of("bingbot"), ("5 s".to_owned(), 0));
        assert_eq!(of("Googlebot"), ("5 s (ignored)".to_owned(), 0));
        assert_eq!(of("ExampleBot"), ("1.5 s (if obeyed)".to_owned(), 0));
        assert_eq!(of("Yandex"), ("1.5 s (ignored)".to_owned(), 1));
    }
}
