//! Decisions, entries and rules as documents: the example prints them, and the schemas describe them.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "helpers of tests are tests")]

use robots_conformance::testing::schema;
use robots_fetch::matching::{Crawler, Document, Robots};

#[path = "../examples/documents.rs"]
mod documents;

#[test]
fn documents_follow_their_schemas() {
    let documents = documents::documents().unwrap();
    assert!(documents.len() > 50, "{}", documents.len());
    for (name, document) in documents {
        assert_eq!(schema::against(&format!("{name}.json"), &document), [""; 0], "{document}");
    }
    for name in ["verdict", "refusal", "entry", "rules"] {
        assert!(!schema::against(&format!("{name}.json"), &serde_json::json!({})).is_empty(), "{name}");
    }
}

#[test]
fn a_verdict_has_its_rule() {
    let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
    let bot = Crawler::new("ExampleBot").unwrap();
    let document = |path| serde_json::to_value(robots.check(&bot, path)).unwrap();
    let verdict = document("/private/a");
    assert_eq!(
        verdict.to_string(),
        r#"{"allowed":false,"reason":"rule","rule":{"effect":"disallow","line":2,"column":null,"span":{"start":24,"end":32},"written":null,"pattern":null},"answer":null,"profile":null,"text":"disallowed by line 2"}"#
    );
}

#[test]
fn explanations_and_facts_are_documents() {
    let body = "User-agent: *\nDisallow: /private\nCrawl-delay: 2.5\nSitemap: https://a.example/s.xml\n";
    let robots = Robots::new(body, Document::Rfc9309);
    let bot = Crawler::new("ExampleBot").unwrap();
    let explained = serde_json::to_value(robots.explain(&bot, "/private/a")).unwrap();
    assert_eq!((&explained["path"], &explained["allowed"]), (&"/private/a".into(), &false.into()));
    assert_eq!(explained["matched"][0]["fate"], "decides");
    assert_eq!(explained["groups"][0]["rules"][0]["line"], 2);
    let facts = robots_fetch::matching::records::CrawlFacts::new(&robots, &bot);
    assert_eq!(
        serde_json::to_string(&facts).unwrap(),
        r#"{"crawl_delay":2500,"request_rates":[],"visit_times":[],"sitemaps":["https://a.example/s.xml"]}"#
    );
}

#[cfg(feature = "lint")]
#[test]
fn findings_are_documents() {
    let context = robots_fetch::matching::lint::LintContext::default();
    let report = serde_json::to_value(context.lint(b"User-agent: *\nDisallow: private\n")).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["line"], 2, "{report}");
    assert!(finding["code"].is_string() && finding["span"]["start"].is_number(), "{report}");
    assert_eq!(report["left_out"], serde_json::json!([]));
}
