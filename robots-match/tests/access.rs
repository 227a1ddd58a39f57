//! Access that is written into a file.

#![cfg(feature = "catalogue")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

use robots_match::records::Records;
use robots_match::{
    AccessPlan, AccessPlanError, AccessWish, Crawler, Document, Profile, Robots, WantedAccess,
};

/// A wish for a crawler without a name is one for all that no group names.
#[test]
fn the_group_for_all_can_be_closed_and_opened() {
    let robots = |text: &str| Robots::new(text.as_bytes(), Document::Rfc9309);
    let (all, search, other) =
        (Crawler::unnamed(), Crawler::new("bingbot").unwrap(), Crawler::new("Other").unwrap());
    let plan = |file: &Robots, wanted: WantedAccess| {
        let wishes = [
            AccessWish { crawler: &all, wanted },
            AccessWish { crawler: &search, wanted: WantedAccess::Site },
        ];
        AccessPlan::new(file, &wishes, |_| *file.profile()).unwrap()
    };
    let file = robots("User-agent: *\nUser-agent: Other\nDisallow: /cart\n");
    let closed = plan(&file, WantedAccess::Nothing);
    let after = Robots::new(&closed.body[..], Document::Rfc9309);
    assert!(!after.check(&all, "/a").is_allowed() && after.check(&search, "/a").is_allowed());
    assert!(!after.check(&search, "/cart").is_allowed() && after.check(&other, "/a").is_allowed());
    assert_eq!((closed.blocked, closed.unchanged), (vec![0], 1));
    let opened = plan(&robots("User-agent: *\nDisallow: /\nDisallow: /cart\n"), WantedAccess::Site);
    assert_eq!(opened.body, b"User-agent: *\nUser-agent: bingbot\nDisallow: /cart\n");
}

/// A crawler that was kept out gets what all others have, and not more.
#[test]
fn a_crawler_that_is_let_in_obeys_the_rules_for_all() {
    let crawler = Crawler::new("GPTBot").unwrap();
    let ignoring = Crawler::new("GPTBot").unwrap().ignoring_wildcard();
    let closed = "\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n";
    for (general, asked, after) in [
        ("User-agent: *\nDisallow: /cart # never\nCrawl-delay: 5\n", &crawler, "Disallow: /cart # never\n"),
        ("User-agent: *\nDisallow: /\nAllow: /a\nDisallow: /a/b\n", &crawler, "Allow: /a\nDisallow: /a/b\n"),
        ("User-agent: *\nDisallow: /\n", &crawler, "Disallow:\n"),
        ("User-agent: *\nDisallow: /cart\n", &ignoring, "Disallow:\n"),
        ("User-agent: Other\nDisallow: /cart\n", &crawler, "Disallow:\n"),
    ] {
        let file = Robots::new([general, closed].concat(), Document::Rfc9309);
        let wishes = [AccessWish { crawler: asked, wanted: WantedAccess::Site }];
        let plan = AccessPlan::new(&file, &wishes, |_| *file.profile()).unwrap();
        let body = String::from_utf8(plan.body).unwrap();
        let expected = format!("{general}\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: GPTBot\n{after}");
        assert_eq!((body, plan.opened), (expected, vec![0]));
    }
}

/// A crawler that is blocked by a group of its own keeps what was refused to it, and nothing that was granted.
#[test]
fn what_signals_refuse_is_still_refused_to_a_crawler_that_is_blocked() {
    let crawler = Crawler::new("GPTBot").unwrap();
    for (before, after) in [
        (
            "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /a\n",
            "User-agent: GPTBot\nContent-Signal: ai-train=no\nDisallow: /\n",
        ),
        (
            "User-agent: GPTBot\nUser-agent: CCBot\ncontent-usage: /b train-ai=n, search=y;q=1\nDisallow: /a\n",
            "User-agent: GPTBot\ncontent-usage: /b train-ai=n\nDisallow: /\n",
        ),
        ("User-agent: *\nContent-Signal: search=yes\nDisallow: /a\n", "User-agent: GPTBot\nDisallow: /\n"),
    ] {
        let file = Robots::new(before, Document::Rfc9309);
        let wishes = [AccessWish { crawler: &crawler, wanted: WantedAccess::Nothing }];
        let plan = AccessPlan::new(&file, &wishes, |_| *file.profile()).unwrap();
        let body = String::from_utf8(plan.body).unwrap();
        assert!(body.ends_with(&format!("\n\n{after}")), "{body}");
    }
}

/// Whatever lines a file has, other crawlers keep their delay and what is said to them about the use of pages.
#[test]
fn a_group_that_is_taken_apart_leaves_no_record_to_others() {
    const LINES: [&str; 6] = [
        "User-agent: *",
        "User-agent: a",
        "User-agent: b",
        "Content-Signal: ai-train=no",
        "Crawl-delay: 3",
        "Disallow: /x",
    ];
    let crawlers = ["a", "b", "c"].map(|name| Crawler::new(name).unwrap());
    let said = |robots: &Robots, crawler: &Crawler| -> Vec<(Vec<u8>, Vec<u8>)> {
        let groups = robots.groups();
        let selection = groups.select(crawler);
        let records = Records::new(robots, &groups);
        let of_crawler = records.all().iter().filter(|record| {
            record.group.is_some() && selection.indices().any(|group| record.concerns_group(group))
        });
        of_crawler.map(|record| (record.key.bytes().to_vec(), record.raw.bytes().to_vec())).collect()
    };
    let wanted = [WantedAccess::Nothing, WantedAccess::Present, WantedAccess::Present];
    let wishes: Vec<AccessWish<'_>> =
        crawlers.iter().zip(wanted).map(|(crawler, wanted)| AccessWish { crawler, wanted }).collect();
    for number in 0..2 * LINES.len().pow(4) {
        let mut rest = number / 2;
        let mut file = ["", "User-agent: *\nDisallow: /y\n"][number % 2].to_owned();
        for _ in 0..4 {
            file = file + LINES[rest % LINES.len()] + "\n";
            rest /= LINES.len();
        }
        let before = Robots::new(file.as_bytes(), Document::Rfc9309);
        let plan = AccessPlan::new(&before, &wishes, |_| *before.profile()).unwrap();
        let after = Robots::new(&plan.body[..], Document::Rfc9309);
        for crawler in &crawlers[1..] {
            let (is, was) = (said(&after, crawler), said(&before, crawler));
            assert_eq!(is, was, "{file}\n{}", String::from_utf8_lossy(&plan.body));
        }
    }
}

/// Groups after the part that parsers have to read would not count.
#[test]
fn a_file_does_not_become_longer_than_what_is_read() {
    let crawler = Crawler::new("GPTBot").unwrap();
    let wishes = [AccessWish { crawler: &crawler, wanted: WantedAccess::Nothing }];
    let rules = "User-agent: *\nDisallow: /a\n";
    let most = Profile::RFC9309.syntax.max_size.unwrap();
    let added = "\nUser-agent: GPTBot\nDisallow: /\n".len();
    for (bytes, expected) in [(most - added, Ok(most)), (most - added + 1, Err(AccessPlanError::TooLong))] {
        let comment = "#".repeat(bytes - rules.len() - 1);
        let file = Robots::new(format!("{comment}\n{rules}"), Document::Rfc9309);
        let plan = AccessPlan::new(&file, &wishes, |_| *file.profile());
        assert_eq!(plan.map(|plan| plan.body.len()), expected);
    }
}
