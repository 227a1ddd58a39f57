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

#[test]
fn only_limits_can_be_none() {
    let policy = |text: &str| toml::from_str::<robots_fetch::GatePolicy>(text);
    for field in ["default-delay", "min-delay", "address-delay", "first-pause", "robots-retry-pause"] {
        for value in ["'none'", "inf", "1e300", "nan", "-1"] {
            assert!(policy(&format!("{field} = {value}")).is_err(), "{field} = {value}");
        }
        assert!(policy(&format!("{field} = 2.5")).is_ok(), "{field}");
    }
    for field in ["max-delay", "max-pause", "max-stall", "max-wait", "max-retry-after"] {
        assert!(policy(&format!("{field} = 'none'")).is_ok(), "{field}");
    }
    let profile =
        |text: &str| toml::from_str::<robots_fetch::SiteProfile>(text).map_err(|error| error.to_string());
    assert!(profile("[access]\nfirst-retry = 'none'").is_err());
    let error = profile("[access]\nstatuses = [[200, 100, 'success']]").unwrap_err();
    assert!(error.contains("write [100, 200, ...]"), "{error}");
    assert!(profile("[access]\nstatuses = [[100, 200, 'success'], [404, 404, 'unavailable']]").is_ok());
}

#[test]
fn targets_that_can_not_be_followed_have_no_secrets() {
    use robots_fetch::{AwaitingHead, Entry, Head, NextStep, Origin, SiteProfile, Validators};
    use std::time::SystemTime;

    let (profile, now) = (SiteProfile::RFC9309, SystemTime::now());
    let origin = Origin::parse("https://example.com").unwrap();
    for target in
        ["https://user:TOPSECRET@[wrong/?token=TOPSECRET", "ws://user:TOPSECRET@a.example/?TOPSECRET"]
    {
        let step = AwaitingHead::new(&origin, &Validators::default(), &profile, now);
        let NextStep::Done(outcome) = step.head(&Head::new(302).with_field("Location", target), now) else {
            panic!("{target}")
        };
        let entry = Entry::from_outcome(None, outcome, &profile);
        let text = format!("{} {entry:?}", entry.cause().unwrap());
        assert!(!text.contains("TOPSECRET"), "{text}");
    }
}

#[cfg(feature = "blocking")]
#[test]
fn options_show_only_the_names_of_fields() {
    let options = robots_fetch::client::ClientOptions::new("ExampleBot/1.0").unwrap();
    let options = options.with_field("X-Key", "TOPSECRET").unwrap();
    let shown = format!("{options:?}");
    assert!(shown.contains("x-key") && shown.contains("ExampleBot/1.0"), "{shown}");
    assert!(!shown.contains("TOPSECRET"), "{shown}");
}

#[test]
fn documents_and_debug_output_have_no_secrets() {
    use robots_fetch::{AwaitingHead, Entry, Head, NextStep, Origin, SiteProfile, Validators};
    use std::time::SystemTime;

    let (profile, now) = (SiteProfile::RFC9309, SystemTime::now());
    let origin = Origin::parse("https://example.com").unwrap();
    for target in ["https://user:TOPSECRET@example.com/r?token=TOPSECRET", "/robots.txt?token=TOPSECRET"] {
        let mut step = AwaitingHead::new(&origin, &Validators::default(), &profile, now);
        for _ in 0..8 {
            let head = Head::new(301).with_field("Location", target);
            match step.head(&head, now) {
                NextStep::Send(next) => step = next,
                NextStep::Done(outcome) => {
                    assert!(!format!("{outcome:?}").contains("TOPSECRET"), "{outcome:?}");
                    let entry = Entry::from_outcome(None, outcome, &profile);
                    let document = serde_json::to_string(&entry).unwrap();
                    assert!(document.contains("?…") && !document.contains("TOPSECRET"), "{document}");
                    assert!(!format!("{entry:?}").contains("TOPSECRET"), "{entry:?}");
                    break;
                }
                NextStep::Read(_) => panic!("no file"),
            }
        }
        let step = AwaitingHead::new(&origin, &Validators::default(), &profile, now);
        let NextStep::Send(step) = step.head(&Head::new(301).with_field("Location", target), now) else {
            panic!()
        };
        assert!(!format!("{:?}", step.request()).contains("TOPSECRET"), "{:?}", step.request());
        let NextStep::Read(mut reading) = step.head(&Head::new(200), now) else { panic!() };
        assert!(reading.push(b"User-agent: *\nAllow: /\n"));
        let entry = Entry::from_outcome(None, reading.end(now), &profile);
        let document = serde_json::to_string(&entry).unwrap();
        assert!(!document.contains("TOPSECRET") && !format!("{entry:?}").contains("TOPSECRET"), "{document}");
        let validators = entry.validators();
        assert!(
            validators.url.is_some() && !format!("{validators:?}").contains("TOPSECRET"),
            "{validators:?}"
        );
    }
}
