//! The catalogue of crawlers: `table.rs` has what `crawlers.toml` says, and the entries make sense.

#![cfg(feature = "catalogue")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

extern crate alloc;

use alloc::collections::BTreeMap;
use core::fmt::Write as _;
use std::fs;
use std::path::Path;

use robots_match::{Crawler, KNOWN_NAMES, KnownCrawler, Purpose, Trigger};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    sources: BTreeMap<String, Source>,
    crawler: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    title: String,
    url: String,
    date: String,
    verified: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    name: String,
    tokens: Option<Vec<String>>,
    operator: Option<String>,
    purpose: String,
    respects: String,
    trigger: Option<String>,
    obeys_wildcard: Option<bool>,
    reads_crawl_delay: Option<String>,
    differences: Option<String>,
    domains: Option<Vec<String>>,
    source: String,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join("catalogue")
}

fn catalogue() -> Catalogue {
    toml::from_str(&fs::read_to_string(folder().join("crawlers.toml")).unwrap()).unwrap()
}

fn rust(catalogue: &Catalogue) -> String {
    let mut text = "//! The entries of `crawlers.toml`. The test `catalogue` writes this file.\n\nuse crate::catalogue::known_crawler::{KnownCrawler, Trigger};\nuse crate::catalogue::purpose::Purpose;\n\n\
         #[rustfmt::skip]\nimpl KnownCrawler {\n    /// All known crawlers, sorted by name without regard to case.\n    \
         pub const ALL: &[Self] = &[\n"
        .to_owned();
    for entry in &catalogue.crawler {
        let tokens = entry.tokens.clone().unwrap_or_else(|| vec![entry.name.clone()]);
        let purpose = Purpose::ALL.into_iter().find(|purpose| purpose.name() == entry.purpose).unwrap();
        let respects = match &*entry.respects {
            "yes" => Some(true),
            "no" => Some(false),
            "unknown" => None,
            other => panic!("{other}"),
        };
        let reads_crawl_delay = match entry.reads_crawl_delay.as_deref() {
            None => None,
            Some("yes") => Some(true),
            Some("no") => Some(false),
            Some(other) => panic!("{other}"),
        };
        let trigger = match entry.trigger.as_deref() {
            None => "Automatic",
            Some("user") => "User",
            Some(other) => panic!("{other}"),
        };
        writeln!(
            text,
            "        Self {{ name: {:?}, tokens: &{tokens:?}, operator: {:?}, purpose: Purpose::{purpose:?}, respects: \
             {respects:?}, trigger: Trigger::{trigger}, obeys_wildcard: {}, reads_crawl_delay: {reads_crawl_delay:?}, differences: {:?}, source: {:?}, date: {:?} }},",
            entry.name,
            entry.operator,
            entry.obeys_wildcard.unwrap_or(true),
            entry.differences,
            entry.source,
            catalogue.sources[&entry.source].date,
        )
        .unwrap();
    }
    text += "    ];\n\n    /// The domains of the names of addresses, by the names of crawlers.\n    \
             pub(super) const DOMAINS: &[(&str, &[&str])] = &[\n";
    for entry in &catalogue.crawler {
        if let Some(domains) = &entry.domains {
            writeln!(text, "        ({:?}, &{domains:?}),", entry.name).unwrap();
        }
    }
    text + "    ];\n}\n"
}

/// The names by themselves, which are there without the feature.
fn names(catalogue: &Catalogue) -> String {
    let mut text = "//! The names of the crawlers in `catalogue/crawlers.toml`. The test `catalogue` writes this file.\n\n\
         use robots_groups::KnownNames;\n\n\
         /// The names of all crawlers of the catalogue, for [`robots_groups::UserAgent`]. They do not depend on a feature.\n\
         #[rustfmt::skip]\npub static KNOWN_NAMES: KnownNames<'static> = KnownNames::new(&[\n"
        .to_owned();
    for entry in &catalogue.crawler {
        writeln!(text, "    {:?},", entry.name).unwrap();
    }
    text + "]);\n"
}

#[test]
fn the_tables_have_what_the_data_say() {
    let catalogue = catalogue();
    let tables = [
        (folder().join("table.rs"), rust(&catalogue)),
        (folder().join("../known_names.rs"), names(&catalogue)),
    ];
    for (path, fresh) in tables {
        if std::env::var_os("UPDATE_CATALOGUE").is_some() {
            fs::write(&path, fresh).unwrap();
        } else {
            assert_eq!(fs::read_to_string(path).unwrap(), fresh);
        }
    }
}

#[test]
fn entries_are_sorted_and_different_and_their_tokens_are_names() {
    let key = |known: &KnownCrawler| known.name.to_ascii_lowercase();
    assert!(KnownCrawler::ALL.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])));
    assert!(KnownCrawler::ALL.len() > 200);
    assert!(KnownCrawler::ALL.iter().map(|known| known.name).eq(KNOWN_NAMES.names().iter().copied()));
    for known in KnownCrawler::ALL {
        assert_eq!(known.tokens[0], known.name);
        assert_eq!(KnownCrawler::find(&key(known)), Some(known));
        let crawler = known.crawler();
        assert!(crawler.names().eq(known.tokens.iter().copied()), "{}", known.name);
        assert_eq!(crawler.obeys_wildcard(), known.obeys_wildcard);
    }
    assert_eq!(KnownCrawler::find("bingbot").unwrap().crawler(), Crawler::new("bingbot").unwrap());
}

#[test]
fn domains_are_names_of_hosts_and_those_of_an_entry_are_found() {
    for entry in catalogue().crawler {
        let domains = KnownCrawler::find(&entry.name).unwrap().domains();
        assert_eq!(domains, entry.domains.unwrap_or_default(), "{}", entry.name);
        for domain in domains {
            assert!(domain.contains('.') && domain.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'.')));
        }
    }
    assert!(KnownCrawler::new("ExampleBot", Purpose::Search).domains().is_empty());
}

#[test]
fn sources_are_named_and_dated() {
    let catalogue = catalogue();
    for (name, source) in &catalogue.sources {
        assert!(catalogue.crawler.iter().any(|entry| entry.source == *name), "{name}");
        assert_eq!(source.verified, name != "unverified");
        assert!(!source.title.is_empty() && source.date.len() >= 7);
        assert_eq!(source.url.is_empty(), !source.verified);
    }
    let notice = Path::new(env!("CARGO_MANIFEST_DIR")).join("NOTICE");
    assert!(fs::read_to_string(notice).unwrap().contains("Copyright (c) 2024 ai.robots.txt"));
}

/// Purposes that are easily confused: what the name or the kind of product suggests is not always what the source says.
#[test]
fn purposes_are_those_of_the_sources() {
    for (name, purpose) in [
        ("Amazonbot", Purpose::AiTraining),
        ("Amzn-SearchBot", Purpose::AiSearch),
        ("Amzn-User", Purpose::AiAssistant),
        ("meta-externalagent", Purpose::AiTraining),
        ("meta-externalfetcher", Purpose::AiAssistant),
        ("meta-webindexer", Purpose::AiSearch),
        ("cohere-ai", Purpose::AiAssistant),
        ("cohere-training-data-crawler", Purpose::AiTraining),
        ("PanguBot", Purpose::AiTraining),
        ("LAIONDownloader", Purpose::AiData),
        ("SemrushBot-SWA", Purpose::Seo),
        // No page says what it does, so it is not known to act for people.
        ("Claude-Web", Purpose::AiOther),
    ] {
        assert_eq!(KnownCrawler::find(name).unwrap().purpose, purpose, "{name}");
    }
}

/// A fetcher that a person triggers has what its operator's page says.
#[test]
fn fetchers_that_people_trigger_are_marked() {
    for (name, respects) in [
        ("ChatGPT-User", Some(false)),
        ("Claude-User", Some(true)),
        ("Perplexity-User", Some(false)),
        ("Google-Agent", Some(false)),
        ("Google-GeminiNotebook", Some(false)),
        ("FeedFetcher-Google", Some(false)),
        ("meta-externalfetcher", Some(false)),
    ] {
        let known = KnownCrawler::find(name).unwrap();
        assert_eq!((known.trigger, known.respects), (Trigger::User, respects), "{name}");
        assert_eq!(known.may_ignore_robots_txt(), respects != Some(true), "{name}");
    }
    assert!(!KnownCrawler::find("GPTBot").unwrap().may_ignore_robots_txt());
    assert!(KnownCrawler::find("Bytespider").unwrap().may_ignore_robots_txt());
    for name in ["Applebot", "PetalBot", "Bravebot", "facebookexternalhit", "GoogleOther"] {
        assert!(!KnownCrawler::find(name).unwrap().purpose.is_ai(), "{name}");
    }
}

/// A delay is held against a crawler only if its operator says that it reads delays.
#[test]
fn crawlers_that_read_delays_are_marked() {
    for (name, reads) in [
        ("bingbot", Some(true)),
        ("ClaudeBot", Some(true)),
        ("AhrefsBot", Some(true)),
        ("Googlebot", Some(false)),
        ("YandexBot", Some(false)),
        ("GPTBot", None),
    ] {
        assert_eq!(KnownCrawler::find(name).unwrap().reads_crawl_delay, reads, "{name}");
    }
}

/// Google's table of crawlers: those that are not bound by groups for `*`, and those with several names.
#[test]
fn crawlers_of_google_are_as_in_its_table() {
    for name in ["APIs-Google", "AdsBot-Google-Mobile", "AdsBot-Google", "Mediapartners-Google"] {
        assert!(!KnownCrawler::find(name).unwrap().obeys_wildcard, "{name}");
    }
    for name in ["Googlebot-Image", "Googlebot-Video", "Googlebot-News", "Google-InspectionTool"] {
        assert_eq!(KnownCrawler::find(name).unwrap().tokens, [name, "Googlebot"]);
    }
}
