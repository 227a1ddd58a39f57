use core::time::Duration;
use robots_match::Document;
use robots_match::syntax::BodyKind;

use super::*;
use crate::entry::Entry;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;
const START: &str = "https://example.com/robots.txt";

fn begin(profile: &SiteProfile) -> AwaitingHead {
    let origin = Origin::parse("https://example.com").unwrap();
    AwaitingHead::new(&origin, &Validators::default(), profile, NOW)
}

fn moved(awaiting: AwaitingHead, location: &str) -> NextStep {
    awaiting.head(&Head::new(302).with_field("location", location), NOW)
}

fn done(step: NextStep) -> Outcome {
    match step {
        NextStep::Done(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

fn sent(step: NextStep) -> (String, AwaitingHead) {
    match step {
        NextStep::Send(awaiting) => (awaiting.request().url.clone().into(), awaiting),
        other => panic!("{other:?}"),
    }
}

fn read(step: NextStep) -> ReadingBody {
    match step {
        NextStep::Read(reading) => reading,
        other => panic!("{other:?}"),
    }
}

fn cause(outcome: &Outcome) -> (AccessResult, String) {
    match &outcome.result {
        RetrievalResult::None(class, cause) => (*class, cause.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_status_has_the_access_result_of_its_class() {
    for name in Document::ALL {
        let profile = SiteProfile::from(name);
        for status in (0..1000).chain([u16::MAX]) {
            let step = begin(&profile).head(&Head::new(status), NOW);
            match (step, profile.access.status_result(status)) {
                (NextStep::Read(_), AccessResult::Success) => {
                    assert!((200..300).contains(&status), "{name} {status}");
                }
                (NextStep::Done(outcome), class) => {
                    // A redirect without a location, and a part without a range.
                    let is_unusable = class == AccessResult::Redirect || status == 206;
                    let expected = if is_unusable { AccessResult::Unreachable } else { class };
                    assert_eq!(cause(&outcome).0, expected, "{name} {status}");
                    assert_eq!(outcome.status(), Some(status));
                    assert_eq!(outcome.url().unwrap().as_str(), START);
                }
                (step, class) => panic!("{name} {status}: {step:?} {class}"),
            }
        }
    }
}

#[test]
fn locations_are_resolved_and_stripped() {
    for (location, expected) in [
        ("/a", "https://example.com/a"),
        ("a", "https://example.com/a"),
        ("?a", "https://example.com/robots.txt?a"),
        ("//www.example.com/robots.txt", "https://www.example.com/robots.txt"),
        ("http://example.com/robots.txt", "http://example.com/robots.txt"),
        ("HTTPS://Example.ORG:443/x#y", "https://example.org/x"),
        ("https://me:secret@example.org/", "https://example.org/"),
        ("ftp://example.com/robots.txt", "ftp://example.com/robots.txt"),
        ("https://exämple.com/ä", "https://xn--exmple-cua.com/%C3%A4"),
    ] {
        let (url, _) = sent(moved(begin(&SiteProfile::RFC9309), location));
        assert_eq!(url, expected, "{location}");
    }
}

#[test]
fn invalid_locations_do_not_allow_access() {
    for location in [
        "",
        "https://",
        "https://a b/",
        "http://[::1",
        "http://example.com:99999/",
        "mailto:me@example.com",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/plain,User-agent:*",
        "gopher://example.com/",
    ] {
        for name in Document::ALL {
            let profile = SiteProfile::from(name);
            let outcome = done(moved(begin(&profile), location));
            let (class, cause) = cause(&outcome);
            assert_eq!(class, AccessResult::Unreachable, "{name} {location}");
            assert!(cause.starts_with("redirect 302 that can't be followed: "), "{cause}");
        }
    }
    let two = Head::new(301).with_field("location", "/a").with_field("location", "/b");
    let (_, cause) = cause(&done(begin(&SiteProfile::RFC9309).head(&two, NOW)));
    assert_eq!(cause, "redirect 301 that can't be followed: several `Location` fields that differ");
}

#[test]
fn five_redirects_are_followed_and_the_sixth_is_not() {
    let mut awaiting = begin(&SiteProfile::RFC9309);
    for hop in 1..=5 {
        (_, awaiting) = sent(moved(awaiting, &format!("https://{hop}.example.org/robots.txt")));
    }
    let outcome = done(moved(awaiting, "https://6.example.org/robots.txt"));
    assert_eq!(cause(&outcome), (AccessResult::Unavailable, "6 redirects in a row".to_owned()));
    assert_eq!(outcome.hops.len(), 6);
    assert_eq!(outcome.hops[5], Hop::new("https://5.example.org/robots.txt".parse().unwrap(), Some(302)));
}

#[test]
fn a_file_after_five_redirects_is_read() {
    let mut awaiting = begin(&SiteProfile::RFC9309);
    for hop in 1..=5 {
        (_, awaiting) = sent(moved(awaiting, &format!("/{hop}")));
    }
    let mut reading = read(awaiting.head(&Head::new(200), NOW));
    assert!(reading.push(b"User-agent: *\nDisallow: /a\n"));
    let outcome = reading.end(NOW);
    assert_eq!((outcome.hops.len(), outcome.body_bytes), (6, 27));
    assert!(matches!(outcome.result, RetrievalResult::File { .. }));
}

#[test]
fn loops_end_at_once_whatever_their_length_and_fragment() {
    for (chain, class) in [
        (&["/robots.txt"][..], AccessResult::Unavailable),
        (&["#a"], AccessResult::Unavailable),
        (&["/a", "/robots.txt#b"], AccessResult::Unavailable),
        (&["/a", "/b", "https://EXAMPLE.com:443/a"], AccessResult::Unavailable),
    ] {
        let mut awaiting = begin(&SiteProfile::RFC9309);
        let (last, before) = chain.split_last().unwrap();
        for location in before {
            (_, awaiting) = sent(moved(awaiting, location));
        }
        let outcome = done(moved(awaiting, last));
        assert_eq!(cause(&outcome).0, class, "{chain:?}");
        assert!(cause(&outcome).1.starts_with("redirect loop at https://example.com/"), "{chain:?}");
        assert_eq!(outcome.hops.len(), chain.len());
    }
    let outcome = done(moved(begin(&SiteProfile::KOSTER_1996), "/robots.txt"));
    assert_eq!(cause(&outcome).0, AccessResult::Unreachable);
}

#[test]
fn memory_is_bounded_and_one_byte_more_than_the_limit_is_kept() {
    let limit = SiteProfile::RFC9309.max_size();
    let line = b"Disallow: /0123456789\n";
    let mut whole = line.repeat(limit / line.len() + 2);
    for (len, cut) in [(limit - 1, false), (limit, false), (limit + 1, true), (whole.len(), true)] {
        let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
        let mut more = true;
        for part in whole[..len].chunks(1000) {
            more = reading.push(part);
        }
        assert_eq!(more, len <= limit);
        assert!(cut || reading.wanted() > 0);
        let outcome = reading.end(NOW);
        assert_eq!(outcome.body_bytes, len.min(limit + 1));
        let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
        let file = entry.good_file().unwrap();
        assert_eq!(file.dropped() > 0, cut, "{len}");
        assert!(file.robots.lines().count() <= limit / line.len() + 1);
    }
    // A line that ends with the limit is whole: the byte beyond shows it.
    whole.truncate(limit);
    whole[limit - 3..].copy_from_slice(b"x/a");
    whole.extend_from_slice(b"\nDisallow: /b\n");
    let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
    assert!(!reading.push(&whole));
    assert!(!reading.push(b"more"));
    let entry = Entry::from_outcome(None, reading.end(NOW), &SiteProfile::RFC9309);
    let file = entry.good_file().unwrap();
    assert_eq!(file.dropped(), 0);
    assert!(file.robots.body().ends_with(b"x/a\n"));
}

#[test]
fn a_cut_line_is_dropped_where_lines_have_no_limit() {
    let mut profile = SiteProfile::KOSTER_1996;
    profile.access.max_body = 0;
    assert_eq!(profile.max_size(), 512_000);
    let mut file = vec![b'#'; 511_985];
    file.extend_from_slice(b"\nAllow: /private");
    let mut reading = read(begin(&profile).head(&Head::new(200), NOW));
    assert!(!reading.push(&file));
    let entry = Entry::from_outcome(None, reading.end(NOW), &profile);
    assert_eq!(entry.good_file().unwrap().robots.lines().count(), 1);
}

#[test]
fn an_incomplete_body_is_not_a_file_unless_it_reached_the_limit() {
    for &kind in FailureKind::ALL {
        let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
        assert!(reading.push(b"User-agent: *\n"));
        let outcome = reading.failure(Failure::new(kind, "x"), NOW);
        assert_eq!(cause(&outcome).0, AccessResult::Unreachable);
        assert_eq!(outcome.body_bytes, 14);
        let outcome = begin(&SiteProfile::RFC9309).failure(Failure::new(kind, "x"), NOW);
        assert_eq!((cause(&outcome).0, outcome.status()), (AccessResult::Unreachable, None));
    }
    let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
    assert!(!reading.push(&vec![b'\n'; 600_000]));
    let outcome = reading.failure(Failure::new(FailureKind::Reset, ""), NOW);
    assert!(matches!(outcome.result, RetrievalResult::File { .. }));
}

#[test]
fn a_part_is_not_accepted_as_a_file() {
    let part = Head::new(206).with_field("content-range", "bytes 0-9/100");
    let outcome = done(begin(&SiteProfile::RFC9309).head(&part, NOW));
    let expected = "incomplete body: status 206 with a part of the file";
    assert_eq!(cause(&outcome), (AccessResult::Unreachable, expected.to_owned()));
    let whole = Head::new(206).with_field("content-range", "bytes 0-9/10");
    assert!(matches!(
        read(begin(&SiteProfile::RFC9309).head(&whole, NOW)).end(NOW).result,
        RetrievalResult::File { .. }
    ));
}

#[test]
fn validators_are_sent_only_to_the_url_that_sent_them() {
    let origin = Origin::parse("https://example.com").unwrap();
    let validators = |url: &str| Validators {
        url: Some(url.parse().unwrap()),
        etag: Some("\"1\"".to_owned()),
        last_modified: None,
    };
    let awaiting = AwaitingHead::new(&origin, &validators(START), &SiteProfile::RFC9309, NOW);
    assert_eq!(awaiting.request().fields().collect::<Vec<_>>(), [("if-none-match", "\"1\"")]);
    assert_eq!(done(awaiting.head(&Head::new(304), NOW)).result, RetrievalResult::NotModified);

    let elsewhere = validators("https://www.example.com/robots.txt");
    let awaiting = AwaitingHead::new(&origin, &elsewhere, &SiteProfile::RFC9309, NOW);
    assert!(awaiting.request().validators.is_empty());
    let (_, awaiting) = sent(moved(awaiting, "https://www.example.com/robots.txt"));
    assert!(!awaiting.request().validators.is_empty());
    assert_eq!(done(awaiting.head(&Head::new(304), NOW)).result, RetrievalResult::NotModified);

    let awaiting = AwaitingHead::new(&origin, &validators(START), &SiteProfile::GOOGLE, NOW);
    assert!(awaiting.request().validators.is_empty());
    let outcome = done(awaiting.head(&Head::new(304), NOW));
    assert_eq!(
        cause(&outcome),
        (AccessResult::Unreachable, "status 304 to an unconditional request".to_owned())
    );
}

#[test]
fn a_server_error_that_says_not_found_is_read_only_where_the_policy_says_so() {
    let mut profile = SiteProfile::GOOGLE;
    profile.access.error_page_may_be_404 = true;
    let page = |text: &[u8]| {
        let mut reading = read(begin(&profile).head(&Head::new(500), NOW));
        let _ = reading.push(text);
        reading
    };
    assert_eq!(cause(&page(b"<h1>Not Found</h1>").end(NOW)).0, AccessResult::Unavailable);
    assert_eq!(cause(&page(b"<h1>Oops</h1>").end(NOW)), (AccessResult::Unreachable, "status 500".to_owned()));
    let broken = page(b"Not Found").failure(Failure::new(FailureKind::Reset, ""), NOW);
    assert_eq!(cause(&broken), (AccessResult::Unreachable, "status 500".to_owned()));
    let mut long = vec![b' '; ERROR_PAGE];
    long.extend_from_slice(b"not found");
    assert_eq!(cause(&page(&long).end(NOW)).0, AccessResult::Unreachable);
    // 429 counts as a server error, and its page is that of no missing file.
    assert_eq!(cause(&done(begin(&profile).head(&Head::new(429), NOW))).0, AccessResult::Unreachable);
}

#[test]
fn replies_of_ftp_are_not_statuses_of_http() {
    let origin = Origin::parse("ftp://example.com").unwrap();
    let reply = |reply: u16| {
        AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, NOW)
            .head(&Head::new(reply), NOW)
    };
    assert!(matches!(read(reply(150)).end(NOW).result, RetrievalResult::File { .. }));
    assert_eq!(cause(&done(reply(550))).0, AccessResult::Unavailable);
    for code in [100, 304, 331, 421, 425, 426, 450, 500, 530, 551] {
        assert_eq!(cause(&done(reply(code))).0, AccessResult::Unreachable, "{code}");
    }
}

#[test]
fn html_is_reported_and_can_count_as_unavailable() {
    let page = |profile: &SiteProfile, body: &[u8]| {
        let mut reading = read(begin(profile).head(&Head::new(200), NOW));
        assert!(reading.push(body));
        Entry::from_outcome(None, reading.end(NOW), profile)
    };
    let (rules, none) = (&b"<!DOCTYPE html>\nUser-agent: *\nDisallow: /\n"[..], &b"<!doctypehtml>\n"[..]);
    let mut strict = SiteProfile::GOOGLE;
    strict.access.html = Some(AccessResult::Unreachable);
    for (profile, body, kind, access) in [
        (&SiteProfile::GOOGLE, rules, BodyKind::HtmlWithRules, "rules"),
        (&SiteProfile::GOOGLE, none, BodyKind::Html, "rules"),
        (&strict, rules, BodyKind::HtmlWithRules, "rules"),
        (&strict, none, BodyKind::Html, "nothing"),
    ] {
        let entry = page(profile, body);
        assert_eq!((entry.body_kind(), entry.access(NOW).name()), (Some(kind), access));
    }
}

#[test]
fn freshness_starts_at_the_last_request() {
    let at = |seconds| NOW + Duration::from_secs(seconds);
    let step = begin(&SiteProfile::RFC9309).head(&Head::new(302).with_field("location", "/a"), at(5));
    let (_, awaiting) = sent(step);
    let outcome = read(awaiting.head(&Head::new(200), at(7))).end(at(9));
    assert_eq!((outcome.sent, outcome.received), (at(5), at(9)));
}

#[test]
fn a_redirect_is_checked_before_it_is_followed_where_the_policy_says_so() {
    let url = |profile: &SiteProfile, location| {
        let (_, awaiting) = sent(moved(begin(profile), location));
        awaiting.url_to_check().map(ToString::to_string)
    };
    let google = SiteProfile::GOOGLE;
    assert!(begin(&google).url_to_check().is_none());
    for (location, expected) in [
        ("https://www.example.com/a?b#c", Some("https://www.example.com/a?b")),
        ("http://example.com/rules.txt", Some("http://example.com/rules.txt")),
        ("https://example.org/robots.txt?a", Some("https://example.org/robots.txt?a")),
        // The file of another origin, and a file of the origin itself.
        ("https://example.org/robots.txt", None),
        ("/rules.txt", None),
        ("https://EXAMPLE.com:443/rules.txt", None),
    ] {
        assert_eq!(url(&google, location).as_deref(), expected, "{location}");
        assert_eq!(url(&SiteProfile::RFC9309, location), None, "{location}");
    }
    let (_, awaiting) = sent(moved(begin(&google), "https://example.org/a"));
    let outcome = awaiting.disallowed(NOW);
    assert_eq!(outcome.hops.len(), 1);
    assert_eq!(
        cause(&outcome),
        (
            AccessResult::Unavailable,
            "redirect to https://example.org/a, which its own robots.txt disallows".to_owned()
        )
    );
}
