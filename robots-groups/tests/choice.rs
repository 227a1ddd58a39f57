//! Which groups apply to a crawler, document by document.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use robots_groups::{Alphabet, Crawler, GroupPolicy, Groups, SelectionBasis, syntax};

const POLICIES: [GroupPolicy; 4] =
    [GroupPolicy::RFC9309, GroupPolicy::DRAFT_KOSTER_REP_00, GroupPolicy::GOOGLE, GroupPolicy::KOSTER_1996];

fn crawler(name: &str) -> Crawler {
    Crawler::new(name).unwrap()
}

/// The selection of each document, as `named 0 2`: the basis, and the indices of the groups.
fn selections(file: &[u8], crawler: &Crawler) -> [String; 4] {
    POLICIES.map(|policy| {
        let groups = Groups::parse(file, &Default::default(), &policy);
        let selection = groups.select(crawler);
        let indices: String = selection.indices().map(|index| format!(" {index}")).collect();
        format!("{}{indices}", selection.basis().name())
    })
}

#[test]
fn groups_are_merged_or_only_the_first_applies() {
    let file =
        b"user-agent: foo\nallow: /1\n\nuser-agent: *\nallow: /2\n\nuser-agent: FOO/1.0\nallow: /3\n\n\
                 user-agent: foobar\nallow: /4\n\nuser-agent: Foo\nallow: /5\n\nuser-agent: *\nallow: /6\n";
    // Google and RFC 9309 ignore text after a name; under the draft of 1996, one record applies.
    assert_eq!(selections(file, &crawler("foo")), ["named 0 2 4", "named 0 4", "named 0 2 4", "named 0"]);
    let general = ["wildcard 1 5", "wildcard 1", "wildcard 1 5", "wildcard 1"];
    assert_eq!(selections(file, &Crawler::unnamed()), general);
    assert_eq!(selections(file, &crawler("other")), general);
    assert_eq!(selections(file, &crawler("other").ignoring_wildcard()), ["none"; 4]);
    assert_eq!(selections(b"user-agent: foo\nallow: /\n", &crawler("other")), ["none"; 4]);
    let bases = [SelectionBasis::Named, SelectionBasis::Wildcard, SelectionBasis::None];
    assert_eq!(bases.map(SelectionBasis::name), ["named", "wildcard", "none"]);
}

#[test]
fn several_names_count_in_order_or_together() {
    let file = b"user-agent: bar\nallow: /1\n\nuser-agent: foo\nallow: /2\n";
    let crawler = Crawler::with_names(["foo", "bar"]).unwrap();
    assert_eq!(crawler.names().collect::<Vec<_>>(), ["foo", "bar"]);
    assert!(!crawler.is_together() && crawler.obeys_wildcard());
    assert_eq!(selections(file, &crawler), ["named 1"; 4]);
    let together = crawler.together();
    assert!(together.is_together() && !together.clone().ignoring_wildcard().obeys_wildcard());
    assert_eq!(selections(file, &together), ["named 0 1", "named 0 1", "named 0 1", "named 0"]);
}

#[test]
fn a_value_names_a_crawler() {
    struct Case {
        value: &'static str,
        name: &'static str,
        /// RFC 9309: up to a byte that cannot continue a name.
        rfc9309: bool,
        /// The drafts of 2019 and 1996: the whole value.
        whole: bool,
        /// Google: the letters, `_` and `-` with which the value begins.
        google: bool,
    }
    let case =
        |value, name, [rfc9309, whole, google]: [bool; 3]| Case { value, name, rfc9309, whole, google };
    for Case { value, name, rfc9309, whole, google } in [
        case("foo", "foo", [true, true, true]),
        case("FoO", "foo", [true, true, true]),
        case("foo/1", "foo", [true, false, true]),
        case("foo 1", "foo", [true, false, true]),
        case("foo-", "foo", [false, false, false]),
        case("foobar", "foo", [false, false, false]),
        case("fo", "foo", [false, false, false]),
        case("bar", "foo", [false, false, false]),
        case("", "foo", [false, false, false]),
        case("MJ12bot", "MJ12bot", [true, true, false]),
        case("mj12bot/1.4", "MJ12bot", [true, false, false]),
        case("MJ12bot", "MJ", [false, false, true]),
        case("360Spider", "360Spider", [true, true, false]),
        case("archive.org_bot", "archive.org_bot", [true, true, false]),
        case("archive.org_bot", "archive", [false, false, true]),
        case("Screaming Frog SEO Spider", "screaming frog seo spider", [true, true, false]),
        case("Screaming Frog SEO Spider", "Screaming", [true, false, true]),
        case("Screaming Frog", "Screaming Frog SEO Spider", [false, false, false]),
        case("ExampleBot/2.1 (+https://example.com)", "ExampleBot", [true, false, true]),
        case("ExampleBot, OtherBot", "ExampleBot", [true, false, true]),
    ] {
        let named = POLICIES.map(|policy| policy.names(value.as_bytes(), name));
        assert_eq!(named, [rfc9309, whole, google, whole], "{value} {name}");
    }
    let visible = |name| POLICIES.map(|policy| policy.can_name(name));
    assert_eq!(visible("MJ12bot"), [true, true, false, true]);
    assert_eq!(visible("Foo-Bot_"), [true; 4]);
}

#[test]
fn a_value_applies_to_every_crawler() {
    struct Case {
        value: &'static [u8],
        google: bool,
        others: bool,
    }
    for Case { value, google, others } in [
        Case { value: b"*", google: true, others: true },
        Case { value: b"* x", google: true, others: false },
        Case { value: b"*\tx", google: true, others: false },
        Case { value: b"*\x0C", google: true, others: false },
        Case { value: b"*x", google: false, others: false },
        Case { value: b"**", google: false, others: false },
        Case { value: b"x*", google: false, others: false },
        Case { value: b"", google: false, others: false },
    ] {
        let general = POLICIES.map(|policy| policy.is_general(value));
        assert_eq!(general, [others, others, google, others], "{}", value.escape_ascii());
    }
}

/// The draft of 1996: records end with a blank line (section 3.2), and its tokens have digits (section 3.3).
#[test]
fn blank_lines_and_digits_count_in_the_draft_of_1996() {
    let file = b"user-agent: a\n\nuser-agent: b\nallow: /\n\nallow: /b\n";
    let counts = POLICIES.map(|policy| {
        let groups = Groups::parse(file, &syntax::SyntaxPolicy::RFC9309, &policy);
        (groups.len(), groups.strays().len(), policy.is_product_token("MJ12bot"))
    });
    let one = (1, 0, false);
    assert_eq!(counts, [one, one, one, (2, 1, true)]);
}

/// RFC 9309, section 2.2.1: letters, `_` and `-`. RFC 1945, section 2.2: characters except CTLs and tspecials.
#[test]
fn product_tokens_consist_of_an_alphabet() {
    let specials = b"()<>@,;:\\\"/[]?={}#";
    for byte in 0..=u8::MAX {
        let letter = byte.is_ascii_lowercase() || byte.is_ascii_uppercase() || byte == b'_' || byte == b'-';
        assert_eq!(Alphabet::Letters.contains(byte), letter, "{byte}");
        let of_1945 = (0x21..0x7F).contains(&byte) && !specials.contains(&byte);
        assert_eq!(Alphabet::Rfc1945Token.contains(byte), of_1945, "{byte}");
    }
}

#[test]
fn a_header_contains_the_name_of_its_crawler() {
    let bot = crawler("Foo-Bot");
    assert!(bot.is_named_in("a foo-bot/1"));
    assert!(!bot.is_named_in("a foobot/1") && !bot.is_named_in("foo") && !bot.is_named_in(""));
}
