//! Which groups are a crawler's, document by document, and what its names may be.

use robots_groups::{Alphabet, Basis, Crawler, Groups, Policy, ProductToken, syntax};

const POLICIES: [(&str, Policy); 4] = [
    ("rfc9309", Policy::RFC9309),
    ("draft-koster-rep-00", Policy::DRAFT_KOSTER_REP_00),
    ("google", Policy::GOOGLE),
    ("koster-1996", Policy::KOSTER_1996),
];

/// The indices of the groups that are taken under each policy, and why.
fn taken(file: &[u8], crawler: Crawler<'_>) -> [(Vec<usize>, &'static str); 4] {
    POLICIES.map(|(_, policy)| {
        let groups = Groups::read(file, &syntax::SyntaxPolicy::RFC9309, &policy);
        let selection = groups.select(crawler);
        (selection.indices().collect(), selection.basis().name())
    })
}

#[test]
fn groups_are_merged_or_the_first_is_taken() {
    let token = ProductToken::new("foo").unwrap();
    let crawler = Crawler::from(&token);
    let file =
        b"user-agent: foo\nallow: /1\n\nuser-agent: *\nallow: /2\n\nuser-agent: FOO/1.0\nallow: /3\n\n\
                 user-agent: foobar\nallow: /4\n\nuser-agent: Foo\nallow: /5\n\nuser-agent: *\nallow: /6\n";
    let named = "named";
    // Google and RFC 9309 ignore what follows a name; the draft of 1996 takes one record.
    let expected = [(vec![0, 2, 4], named), (vec![0, 4], named), (vec![0, 2, 4], named), (vec![0], named)];
    assert_eq!(taken(file, crawler), expected);
    let all = "wildcard";
    let expected = [(vec![1, 5], all), (vec![1], all), (vec![1, 5], all), (vec![1], all)];
    assert_eq!(taken(file, Crawler::unnamed()), expected);
    let other = ProductToken::new("other").unwrap();
    assert_eq!(taken(file, Crawler::from(&other)), expected);
    let none = [0; 4].map(|_| (Vec::new(), "none"));
    assert_eq!(taken(file, Crawler::from(&other).ignoring_wildcard()), none);
    assert_eq!(taken(b"user-agent: foo\nallow: /\n", Crawler::from(&other)), none);
    assert_eq!([Basis::Named, Basis::Wildcard, Basis::None].map(Basis::name), [named, all, "none"]);
}

#[test]
fn several_names_count_in_order_or_together() {
    let names = ["foo", "bar"].map(|name| ProductToken::new(name).unwrap());
    let file = b"user-agent: bar\nallow: /1\n\nuser-agent: foo\nallow: /2\n";
    let crawler = Crawler::new(&names);
    assert!(!crawler.is_together() && crawler.obeys_wildcard());
    assert!(crawler.together().is_together() && !crawler.ignoring_wildcard().obeys_wildcard());
    let [rfc, .., old] = taken(file, crawler);
    assert_eq!((rfc, old), ((vec![1], "named"), (vec![1], "named")));
    let [rfc, .., old] = taken(file, crawler.together());
    assert_eq!((rfc, old), ((vec![0, 1], "named"), (vec![0], "named")));
}

#[test]
fn a_value_names_a_crawler_or_all() {
    let token = ProductToken::new("foo").unwrap();
    for (value, rfc, draft, google, old) in [
        (&b"foo"[..], true, true, true, true),
        (b"FoO", true, true, true, true),
        (b"foo/1", true, false, true, false),
        (b"foo 1", true, false, true, false),
        (b"foo-", false, false, false, false),
        (b"foobar", false, false, false, false),
        (b"fo", false, false, false, false),
        (b"bar", false, false, false, false),
        (b"", false, false, false, false),
    ] {
        let named = POLICIES.map(|(_, policy)| policy.names(value, token));
        assert_eq!(named, [rfc, draft, google, old], "{}", value.escape_ascii());
    }
    for (value, google, others) in [
        (&b"*"[..], true, true),
        (b"* x", true, false),
        (b"*\tx", true, false),
        (b"*\x0C", true, false),
        (b"*x", false, false),
        (b"**", false, false),
        (b"x*", false, false),
        (b"", false, false),
    ] {
        let general = POLICIES.map(|(_, policy)| policy.is_general(value));
        assert_eq!(general, [others, others, google, others], "{}", value.escape_ascii());
    }
}

/// The draft of 1996: records end with a blank line (section 3.2), and its tokens have digits (section 3.3).
#[test]
fn blank_lines_and_digits_count_in_the_draft_of_1996() {
    let file = b"user-agent: a\n\nuser-agent: b\nallow: /\n\nallow: /b\n";
    let counts = POLICIES.map(|(_, policy)| {
        let groups = Groups::read(file, &syntax::SyntaxPolicy::RFC9309, &policy);
        (groups.len(), groups.strays().len(), ProductToken::admitted("MJ12bot", &policy).is_ok())
    });
    let one = (1, 0, false);
    assert_eq!(counts, [one, one, one, (2, 1, true)]);
}

/// RFC 9309, section 2.2.1: letters, `_` and `-`. RFC 1945, section 2.2: characters but CTLs and tspecials.
#[test]
fn tokens_are_of_an_alphabet() {
    let specials = b"()<>@,;:\\\"/[]?={}#";
    for octet in 0..=u8::MAX {
        let letter =
            octet.is_ascii_lowercase() || octet.is_ascii_uppercase() || octet == b'_' || octet == b'-';
        assert_eq!(Alphabet::Letters.contains(octet), letter, "{octet}");
        let more = letter || octet.is_ascii_digit() || octet == b'.';
        assert_eq!(Alphabet::DigitsAndDots.contains(octet), more, "{octet}");
        let of_1945 = (0x21..0x7F).contains(&octet) && !specials.contains(&octet);
        assert_eq!(Alphabet::Rfc1945Token.contains(octet), of_1945, "{octet}");
    }
}

#[test]
fn tokens_are_found_in_what_a_crawler_sends() {
    let token = ProductToken::new("Foo-Bot").unwrap();
    assert_eq!(token.to_string(), "Foo-Bot");
    assert!(token.is_substring_of("a foo-bot/1"));
    assert!(
        !token.is_substring_of("a foobot/1") && !token.is_substring_of("foo") && !token.is_substring_of("")
    );
    for (header, expected) in [
        ("Mozilla/5.0 (compatible; Foo/1; +https://a.test)", Some("Foo")),
        ("Mozilla/5.0 (x; Bar/x; y/1; compatible; Foo/1)", Some("Foo")),
        ("Mozilla/5.0 (x; Bar/1)", Some("Bar")),
        ("Mozilla/5.0 (x; Bar/x) Foo/1", Some("Foo")),
        ("Mozilla/5.0 (compatible; MSIE/9; Foo)", Some("Foo")),
        ("Mozilla/5.0 (Safari/5; Foo/1)", Some("Foo")),
        ("Mozilla/5.0", None),
        ("", None),
    ] {
        let found = ProductToken::of_user_agent(header, &Policy::RFC9309);
        assert_eq!(found.map(ProductToken::as_str), expected, "{header}");
    }
}

#[test]
fn a_name_that_is_no_token_is_told_as_far_as_a_line_has_room() {
    let message = |name: &str| ProductToken::new(name).unwrap_err().to_string();
    assert_eq!(
        message(&"1".repeat(48)),
        format!("`{}` is no product token: `1` may not stand in one", "1".repeat(48))
    );
    assert_eq!(message(&"1".repeat(99)), message(&"1".repeat(48)));
    // A character that the 48th octet would cut is left away.
    let cut = format!("{}ä", "1".repeat(47));
    assert_eq!(message(&cut), format!("`{}` is no product token: `1` may not stand in one", "1".repeat(47)));
    assert_eq!(message("*"), "`*` is no product token: it stands for every crawler");
    assert_eq!(message(""), "an empty name is no product token");
}
