//! Access that is written into a file.

#![cfg(feature = "catalogue")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use robots_match::{AccessPlan, AccessWish, Crawler, Document, Robots, WantedAccess};

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
