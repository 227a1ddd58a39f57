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
