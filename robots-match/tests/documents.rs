//! Where the documents differ about paths, patterns and rules: one row for each field of the policy.

use robots_match::{Crawler, Profile, Reason, Robots, path_of};

/// What each profile says of `path`, by the rules of a file for all.
fn verdicts(rules: &str, path: &[u8]) -> [String; 4] {
    let file = format!("user-agent: *\n{rules}");
    Profile::NAMED.map(|(_, profile)| {
        let robots = Robots::new(file.as_bytes(), profile);
        let rules = robots.rules(&Crawler::unnamed());
        let verdict = rules.check(path);
        assert_eq!(verdict.line(), verdict.rule().map(|rule| rule.line));
        verdict.to_string()
    })
}

#[test]
fn profiles_decide_as_their_documents_say() {
    const NONE: &str = "allowed: no rule matches";
    const SELF: &str = "allowed: /robots.txt is always allowed";
    const NOT: &str = "disallowed by line 2";
    for (rules, path, rfc, google, old) in [
        // RFC 9309, section 2.2.2, compares what is encoded with what is not; the draft of 1996, section 3.2.2, decodes
        // all but the slash; Google's parser takes paths as they are written.
        ("disallow: /%61", &b"/a"[..], NOT, NONE, NOT),
        ("disallow: /a%2Fb", b"/a/b", NONE, NONE, NONE),
        ("disallow: /a%2fb", b"/a%2Fb", NOT, NOT, NOT),
        ("disallow: /a%2fb", b"/a%2fb", NOT, NONE, NOT),
        ("disallow: /a%26b", b"/a&b", NONE, NONE, NOT),
        ("disallow: /a&b", b"/a%26b", NONE, NONE, NOT),
        ("disallow: /ツ", b"/%E3%83%84", NOT, NOT, NOT),
        ("disallow: /ツ", "/ツ".as_bytes(), NOT, NONE, NOT),
        // In a query, RFC 3986 has `:` and `/` as they are, or encoded.
        ("disallow: /?a=b:c", b"/?a=b%3Ac", NOT, NONE, NOT),
        ("disallow: /?a=/b", b"/?a=%2Fb", NOT, NONE, NONE),
        ("disallow: /?a%3Ab", b"/?a:b", NOT, NONE, NOT),
        // Special characters: RFC 9309, section 2.2.3. The draft of 1996 has none.
        ("disallow: /*b", b"/ab", NOT, NOT, NONE),
        ("disallow: /*b", b"/*b", NOT, NOT, NOT),
        ("disallow: /a$", b"/a", NOT, NOT, NONE),
        ("disallow: /a$", b"/a$", NONE, NONE, NOT),
        ("disallow: /a$", b"/ab", NONE, NONE, NONE),
        // Precedence: the most octets, and allow of equals; the first in the draft of 1996.
        ("disallow: /a\nallow: /ab", b"/ab", "allowed by line 3", "allowed by line 3", NOT),
        ("disallow: /a\nallow: /a", b"/a", "allowed by line 3", "allowed by line 3", NOT),
        (
            "allow: /a\ndisallow: /ab",
            b"/ab",
            "disallowed by line 3",
            "disallowed by line 3",
            "allowed by line 2",
        ),
        // A rule without a path; the index page; the robots.txt itself.
        ("disallow:", b"/a", NONE, "allowed by line 2", NONE),
        ("disallow: /\nallow: /d/index.html", b"/d/", NOT, "allowed by line 3", NOT),
        ("disallow: /\nallow: /d/index.html", b"/d/x", NOT, NOT, NOT),
        ("disallow: /", b"/robots.txt", SELF, NOT, SELF),
        ("disallow: /", b"/robots.txt?", NOT, NOT, NOT),
        ("", b"/a", NONE, NONE, NONE),
    ] {
        let found = verdicts(rules, path);
        assert_eq!(found, [rfc, rfc, google, old], "{rules:?} {}", path.escape_ascii());
    }
}

#[test]
fn reasons_have_names() {
    for (file, path, code) in [
        ("user-agent: *\ndisallow: /", "/", "rule"),
        ("user-agent: *\ndisallow: /a", "/", "no-rule"),
        ("user-agent: x\ndisallow: /", "/", "no-group"),
        ("user-agent: *\ndisallow: /", "/robots.txt", "robots-txt"),
    ] {
        let robots = Robots::new(file.as_bytes(), Profile::RFC9309);
        let rules = robots.rules(&Crawler::unnamed());
        let verdict = rules.check(path.as_bytes());
        assert_eq!(verdict.reason().code(), code);
        assert_eq!(verdict.is_allowed(), code != "rule");
        assert_eq!(
            matches!(verdict.reason(), Reason::NoGroup),
            verdict.to_string().ends_with("no group applies")
        );
    }
}

#[test]
fn the_path_of_a_url_begins_behind_its_authority() {
    for (url, path, google) in [
        (&b"https://a.test/b?c#d"[..], &b"/b?c"[..], &b"/b?c"[..]),
        (b"https://a.test", b"/", b"/"),
        (b"https://a.test#d/e", b"/", b"/"),
        (b"https://a.test?c/d", b"/?c/d", b"/?c/d"),
        (b"https://a.test;b/c", b"/c", b"/;b/c"),
        (b"//a.test/b//c", b"/b//c", b"/b//c"),
        (b"/a://b/c", b"/a://b/c", b"/a://b/c"),
        (b"a.test/b", b"/b", b"/b"),
        (b"://a/b", b"/b", b"/b"),
        (b"", b"/", b"/"),
    ] {
        let found = Profile::NAMED.map(|(_, profile)| path_of(url, &profile.matching).into_owned());
        assert_eq!(found, [path, path, google, path], "{}", url.escape_ascii());
    }
}

#[test]
fn other_records_and_sitemaps_are_listed() {
    let file = b"sitemap: /1\nhost: a.test\nuser-agent: *\nSitemap:/2\nsite-map: /3\nallow: /\n";
    for (name, profile) in Profile::NAMED {
        let robots = Robots::new(&file[..], profile);
        assert_eq!((robots.body(), robots.profile()), (&file[..], &profile));
        let keys: Vec<&[u8]> = robots.other_records().map(|(key, _)| key.bytes()).collect();
        assert_eq!(keys, [&b"sitemap"[..], b"host", b"Sitemap", b"site-map"]);
        let sitemaps: Vec<&[u8]> = robots.sitemaps().collect();
        let all: [&[u8]; 3] = [b"/1", b"/2", b"/3"];
        assert_eq!(sitemaps, all[..if name == "google" { 3 } else { 2 }], "{name}");
    }
    assert!(Profile::named("rfc-9309").is_none());
    assert_eq!(Profile::named("koster-1996"), Some(Profile::KOSTER_1996));
}
