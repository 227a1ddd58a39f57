//! Which figures are shown, and which give the exit status 1.

use robots_fetch::log::{CrawlerKind, CrawlerReport, LogIdentity, LogReport};
use robots_match::{KnownCrawler, UserAgent};

use super::arguments::{Arguments, Deny};
use crate::arguments::{NamedProfile, catalogue, crawlers};
use crate::failure::{Failure, Result};
use crate::text::Text;

/// Returns the names of crawlers in the texts that name them: of a User-Agent header, its crawler.
///
/// # Errors
///
/// A text has several names. A request has one.
pub(super) fn names(texts: &[String], profile: &NamedProfile) -> Result<Vec<String>> {
    let name = |text: &String| {
        if UserAgent::is_header(text) {
            let named = crawlers(&[text.into()], profile)?;
            let name = named.first().and_then(|named| named.crawler.names().next());
            return Ok(name.unwrap_or(text).to_owned());
        }
        if KnownCrawler::names_in(text).len() > 1 {
            let text = Text(text.as_bytes());
            return Err(Failure::new(format!("`{text}` is several names; give `--agent` for each of them")));
        }
        Ok(text.clone())
    };
    texts.iter().map(name).collect()
}

/// Leaves only the crawlers that were chosen by name or purpose.
///
/// # Errors
///
/// A name is not one of a crawler of the catalogue, and no request has it. Without a word, its crawler would seem to obey.
pub(super) fn retain_chosen(report: &mut LogReport, arguments: &Arguments) -> Result<()> {
    for name in &arguments.agents {
        let mut crawlers = report.hosts.iter().flat_map(|host| &host.crawlers);
        if catalogue().find(name).is_none()
            && !crawlers.any(|crawler| crawler.name.eq_ignore_ascii_case(name))
        {
            let advice = did_you_mean(name);
            return Err(Failure::new(format!(
                "`{}` is not a crawler of the catalogue, and no request has this name{advice}",
                Text(name.as_bytes())
            )));
        }
    }
    let is_chosen = |crawler: &CrawlerReport| {
        let known = catalogue().find(&crawler.name).filter(|_| crawler.kind != CrawlerKind::Unlisted);
        is_chosen(&crawler.name, known, arguments)
    };
    for host in &mut report.hosts {
        host.crawlers.retain(is_chosen);
    }
    Ok(())
}

fn did_you_mean(name: &str) -> String {
    catalogue().suggest(name).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

/// Returns whether a crawler was chosen by its name or purpose, or none was.
pub(super) fn is_chosen(name: &str, known: Option<&KnownCrawler>, arguments: &Arguments) -> bool {
    let has_purpose = |known: &KnownCrawler| arguments.catalogue.has(known.purpose);
    match arguments.catalogue.is_given() {
        true => known.is_some_and(has_purpose) || is_named(name, arguments),
        false => arguments.agents.is_empty() || is_named(name, arguments),
    }
}

fn is_named(name: &str, arguments: &Arguments) -> bool {
    arguments.agents.iter().any(|agent| agent.eq_ignore_ascii_case(name))
}

/// Returns whether a name, or that of a known crawler that it is another name of, is that of a crawler.
pub(super) fn is_of(name: &str, crawler: &CrawlerReport) -> bool {
    let known = catalogue().find(name).map_or(name, |known| known.name);
    known.eq_ignore_ascii_case(&crawler.name)
}

/// Returns the exit status.
pub(super) fn status(report: &LogReport, arguments: &Arguments) -> u8 {
    let crawlers = report.hosts.iter().flat_map(|host| &host.crawlers);
    // People's fetchers may do what people ask for.
    let mut crawlers = crawlers.filter(|crawler| crawler.kind != CrawlerKind::UserTriggered);
    let has_ranges = !arguments.ranges.is_empty() || arguments.dns.is_some();
    let is_denied = |crawler: &CrawlerReport| {
        arguments.deny.iter().any(|deny| match deny {
            Deny::Disallowed if has_ranges => crawler.beyond_grace_verified > 0,
            Deny::Disallowed => crawler.beyond_grace > 0,
            Deny::Claimed if crawler.identity == LogIdentity::Verified => crawler.beyond_grace_verified > 0,
            Deny::Claimed => crawler.beyond_grace > 0,
            Deny::Unread => crawler.unasked.unwrap_or(0) > 0,
            Deny::Delay => crawler.reads_crawl_delay && crawler.short.unwrap_or(0) > 0,
            Deny::Unverified => crawler.unverified > 0,
            Deny::None => false,
        })
    };
    u8::from(crawlers.any(is_denied))
}

/// Checks that a name is that of a known crawler, or `operator:` and that of an operator.
pub(super) fn require_crawler(name: &str) -> Result<()> {
    let shown = Text(name.as_bytes());
    if let Some(operator) = name.strip_prefix("operator:") {
        let mut operators = catalogue().crawlers().iter().filter_map(|known| known.operator);
        return match operators.any(|known| known.eq_ignore_ascii_case(operator)) {
            true => Ok(()),
            false => Err(Failure::new(format!(
                "no crawler of the catalogue has the {shown}; `robots crawlers --format csv` lists them"
            ))),
        };
    }
    match catalogue().find(name) {
        Some(_) => Ok(()),
        None => {
            let advice = did_you_mean(name);
            Err(Failure::new(format!("`{shown}` is not a crawler of the catalogue{advice}")))
        }
    }
}

/// Returns whether a name only occurs in files: the crawler sends the header of another one.
pub(super) fn is_only_in_files(name: &str) -> bool {
    ["Google-Extended", "Applebot-Extended", "Webzio-Extended"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}
