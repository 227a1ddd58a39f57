//! Explanations: that they say what verdicts say, and what each part contains.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::fs;
use std::path::Path;

use robots_match::explain::{Explanation, GroupStatus, RuleOutcome};
use robots_match::{Crawler, Document, Profile, Robots};

fn robots(body: &str, profile: &str) -> Robots {
    let document: Document = profile.parse().unwrap();
    Robots::new(body, document)
}

fn outcomes(explained: &Explanation<'_>) -> Vec<(usize, RuleOutcome)> {
    explained.matched.iter().map(|rule| (rule.line, rule.outcome)).collect()
}

#[test]
fn every_rule_that_matches_has_an_outcome() {
    let body = "User-agent: *\nDisallow: /p\nAllow: /page\nDisallow: /page\nAllow: /p*ge\nAllow: /pa*e\nAllow: /*ge\n\
                Allow: /page\nDisallow:\n";
    let token = Crawler::new("a").unwrap();
    let of = |profile| outcomes(&robots(body, profile).explain(&token, b"/page"));
    let most_bytes = [
        (3, RuleOutcome::Decides),
        (5, RuleOutcome::Later),
        (6, RuleOutcome::Later),
        (8, RuleOutcome::Duplicate),
        (4, RuleOutcome::OtherKind),
        (7, RuleOutcome::Shorter),
        (2, RuleOutcome::Shorter),
    ];
    assert_eq!(of("rfc9309"), most_bytes);
    assert_eq!(of("google")[..7], most_bytes);
    assert_eq!(of("google")[7..], [(9, RuleOutcome::Shorter)]);
    let first = [
        (2, RuleOutcome::Decides),
        (3, RuleOutcome::Later),
        (4, RuleOutcome::Later),
        (8, RuleOutcome::Later),
    ];
    assert_eq!(of("koster-1996"), first);
}

#[test]
fn groups_have_a_status() {
    let body = "User-agent: *\nDisallow: /a\nUser-agent: b\nUser-agent: x-img\nDisallow: /b\nUser-agent: x\nDisallow: /c\n\
                User-agent: c\nDisallow: /d\nUser-agent: *\nDisallow: /e\n";
    let names = Crawler::with_names(["x-img", "x"]).unwrap();
    let statuses = |crawler: &Crawler, profile| -> Vec<GroupStatus> {
        let robots = robots(body, profile);
        robots.explain(crawler, b"/").groups.iter().map(|group| group.status).collect()
    };
    let both = statuses(&names, "rfc9309");
    let named = GroupStatus::Named { agent: 1, token: 0 };
    let later = GroupStatus::LaterToken { token: 1 };
    assert_eq!(both, [GroupStatus::Replaced, named, later, GroupStatus::Others, GroupStatus::Replaced]);
    let (general, others) = (GroupStatus::General { agent: 0 }, GroupStatus::Others);
    assert_eq!(statuses(&Crawler::unnamed(), "google"), [general, others, others, others, general]);
    assert_eq!(statuses(&Crawler::unnamed(), "draft-koster-rep-00")[4], GroupStatus::NotFirst);
    let ignoring = statuses(&Crawler::unnamed().ignoring_wildcard(), "rfc9309");
    assert_eq!(ignoring[0], GroupStatus::WildcardIgnored);
}

#[test]
fn near_misses_and_rules_of_other_groups_are_reported() {
    let body = "Disallow: /t\nUser-agent: a\nDisallow: /tmp/\nDisallow: /TMP\nDisallow: /x\nUser-agent: *\nDisallow: /tm\n\
                Allow: /y\n";
    let robots = robots(body, "rfc9309");
    let explained = robots.explain(&Crawler::new("a").unwrap(), b"https://example.com/tmp#x");
    assert_eq!((&*explained.path, &*explained.compared), (&b"/tmp"[..], &b"/tmp"[..]));
    let near: Vec<_> = explained.near_misses.iter().map(|near| (near.rule().line(), near.code())).collect();
    assert_eq!(near, [(3, "slash"), (4, "case")]);
    let elsewhere: Vec<_> = explained.other_matches.iter().map(|rule| (rule.line, rule.group)).collect();
    assert_eq!(elsewhere, [(1, None), (7, Some(1))]);
}

#[test]
fn only_the_parser_of_google_does_not_read_digits() {
    let body = b"User-agent: MJ12bot\nDisallow: /\n";
    let bot = Crawler::new("MJ12bot").unwrap();
    let allowed = Document::ALL.map(|document| Robots::new(body, document).check(&bot, "/").is_allowed());
    assert_eq!(allowed, [false, false, true, false]);
}

/// Over real files, where they lie beside the project: the explanation decides as the rule set does.
#[test]
fn explanations_agree_with_verdicts() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(files) = fs::read_dir(sites) else {
        println!("skipped: no files at ../shared/corpus/sites");
        return;
    };
    let token = Crawler::new("Googlebot").unwrap();
    for (index, file) in files.enumerate() {
        let body = fs::read(file.unwrap().path()).unwrap();
        if index % 23 != 0 || body.len() > 64 * 1024 {
            continue;
        }
        for profile in Document::ALL.map(Profile::from) {
            let robots = Robots::new(&body[..], profile);
            let rules = robots.rules(&token);
            let mut urls = vec![b"/".to_vec(), b"/robots.txt".to_vec(), b"/a/b.html?q=1&x=%7e".to_vec()];
            urls.extend(rules.compiled_rules().iter().step_by(9).take(6).map(|rule| rule.pattern.to_vec()));
            for url in urls {
                let (verdict, explained) = (rules.check(&url), robots.explain(&token, &url));
                assert_eq!(explained.is_allowed(), verdict.is_allowed());
                assert_eq!(explained.verdict, verdict);
                let winner = explained.winner().map(|rule| (rule.line, rule.span));
                assert_eq!(winner, verdict.rule().map(|rule| (rule.line, rule.span)));
            }
        }
    }
}

/// The names that programs see, as the schema of `robots explain --format json` has them.
#[test]
fn codes_match_the_schema() {
    let outcomes = [
        RuleOutcome::Decides,
        RuleOutcome::Shorter,
        RuleOutcome::OtherKind,
        RuleOutcome::Later,
        RuleOutcome::Duplicate,
        RuleOutcome::NotApplied,
    ];
    let codes = ["decides", "shorter", "other-kind", "later", "duplicate", "not-asked"];
    assert_eq!(outcomes.map(RuleOutcome::code), codes);
    let body = "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: c\nDisallow: /d\n\
                User-agent: x-img\nDisallow: /\nUser-agent: x-img\nDisallow: /\n";
    let names = Crawler::with_names(["x-img", "x"]).unwrap();
    let codes = |crawler: &Crawler, profile| -> Vec<&'static str> {
        let robots = robots(body, profile);
        robots.explain(crawler, b"/").groups.iter().map(|group| group.status.code()).collect()
    };
    let named = ["replaced", "later-token", "others", "named", "named"];
    assert_eq!(codes(&names, "rfc9309"), named);
    let first = ["replaced", "later-token", "others", "named", "not-first"];
    assert_eq!(codes(&names, "koster-1996"), first);
    let general = ["wildcard", "others", "others", "others", "others"];
    assert_eq!(codes(&Crawler::unnamed(), "rfc9309"), general);
    assert_eq!(codes(&Crawler::unnamed().ignoring_wildcard(), "rfc9309")[0], "wildcard-ignored");
}

#[test]
fn the_winner_decides_and_rules_without_effect_are_not_reported() {
    let body =
        "User-agent: a\nDisallow: /x\nAllow: /xy\nDisallow:\nUser-agent: b\nDisallow:\nDisallow: /xy\n";
    let token = Crawler::new("a").unwrap();
    for (path, winner, allowed) in [("/x", Some(2), false), ("/xy", Some(3), true), ("/z", Some(4), true)] {
        let google = robots(body, "google");
        let explained = google.explain(&token, path.as_bytes());
        assert_eq!(explained.winner().map(|rule| rule.line), winner, "{path}");
        assert_eq!(explained.is_allowed(), allowed, "{path}");
        // The rule in line 6 matches everything, and disallows nothing.
        let elsewhere: Vec<usize> = explained.other_matches.iter().map(|rule| rule.line).collect();
        assert_eq!(elsewhere, if path == "/xy" { vec![7] } else { vec![] }, "{path}");
    }
    // Where a rule without a pattern matches nothing, none decides.
    let rfc = robots(body, "rfc9309");
    assert_eq!(rfc.explain(&token, b"/z").winner(), None);
}
