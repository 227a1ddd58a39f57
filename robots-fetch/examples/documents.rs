//! Prints documents of the feature `serde`, one in a line: the name of the schema, a tab, and JSON. `cargo xtask schemas` compares
//! them with the schemas.
//!
//! `cargo run --example documents --features records,serde`
use core::error::Error;
use core::time::Duration;
use std::io::Write as _;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::matching::records::CrawlFacts;
use robots_fetch::{
    Awaited, AwaitingHead, Entry, Failure, FailureKind, Head, NextStep, Origin, Refusal, RefusalReason,
    SiteProfile, SiteRules,
};
use serde_json::{Value, to_value};

const BODY: &[u8] = b"User-agent: *\nDisallow: /private\nCrawl-delay: 2.5\nRequest-rate: 3/10 0600-0845\nVisit-time: 2200-0145\n";

/// The entry after an answer with this status, or without an answer.
fn entry(status: Option<u16>, before: Option<&Entry>, now: SystemTime) -> Result<Entry, Box<dyn Error>> {
    let origin = Origin::parse("https://example.com")?;
    let profile = SiteProfile::RFC9309;
    let awaiting =
        AwaitingHead::new(&origin, &before.map(Entry::validators).unwrap_or_default(), &profile, now);
    let outcome = match status {
        None => awaiting.failure(Failure::new(FailureKind::Timeout, "no answer"), now),
        Some(status) => match awaiting.head(&Head::new(status).with_field("ETag", "\"1\""), now) {
            NextStep::Read(mut reading) => {
                let _ = reading.push(BODY);
                reading.end(now)
            }
            NextStep::Done(outcome) => outcome,
            NextStep::Send(_) => return Err("a redirect".into()),
        },
    };
    Ok(Entry::from_outcome(before, outcome, &profile))
}

/// Returns the name of a schema and a document of it, several times.
///
/// # Errors
///
/// A document can't be made, which is a mistake of this example.
pub fn documents() -> Result<Vec<(&'static str, Value)>, Box<dyn Error>> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let bot = Crawler::new("ExampleBot")?;
    let url: url::Url = "https://me:secret@example.com/private?token=1".parse()?;
    let mut documents = Vec::new();
    let mut before = None;
    for status in [Some(200), None, Some(429), Some(404), Some(304), Some(403)] {
        let entry = entry(status, before.as_ref(), now)?;
        documents.push(("entry", to_value(&entry)?));
        let permission = entry.permission(&bot, now);
        for path in ["/", "/private", "/robots.txt"] {
            let verdict = permission.check(path);
            documents.push(("verdict", to_value(verdict)?));
            let not_now = RefusalReason::NotNow { until: now, verdict: Some(verdict) };
            for reason in [RefusalReason::Disallowed(verdict), not_now] {
                documents.push(("refusal", to_value(Refusal::new(url.clone(), reason))?));
            }
        }
        let rules = SiteRules::new(permission, entry.next_retrieval());
        documents.push(("rules", to_value(&rules)?));
        if let Some(file) = entry.good_file() {
            let facts = CrawlFacts::new(&file.robots, &bot);
            documents.push(("rules", to_value(rules.with_facts(&facts))?));
        }
        before = Some(entry);
    }
    let waited = Duration::from_secs(120);
    let error = Origin::parse("mailto:a@example.com").err().ok_or("mailto has an origin")?;
    let reasons = [
        RefusalReason::Full,
        RefusalReason::Stalled { waited, awaited: Awaited::Answer },
        RefusalReason::TimedOut { waited, awaited: Awaited::Rules },
        RefusalReason::NoTimers,
        RefusalReason::Unsupported(error),
    ];
    for reason in reasons {
        documents.push(("refusal", to_value(Refusal::new(url.clone(), reason))?));
    }
    Ok(documents)
}

#[allow(dead_code, reason = "a test uses the documents only")]
fn main() -> Result<(), Box<dyn Error>> {
    for (schema, document) in documents()? {
        writeln!(std::io::stdout(), "{schema}\t{document}")?;
    }
    Ok(())
}
