//! Differences between the documents in each field of the policy for paths, patterns and rules.

use robots_match::{Crawler, Document, Profile, Reason, Robots, path_of};

/// Returns the verdict of each profile about `path`, by the rules of a group for all crawlers.
fn verdicts(rules: &str, path: &[u8]) -> [String; 4] {
    let file = format!("user-agent: *\n{rules}");
    Document::ALL.map(|document| {
        let robots = Robots::new(file.as_bytes(), document);
        let rules = robots.rules(&Crawler::unnamed());
        let verdict = rules.check(path);
        assert_eq!(verdict.line(), verdict.rule().map(|rule| rule.line));
        verdict.to_string()
    })
}

#[test]
fn profiles_decide_as_their_documents_say() {
    struct Case {
        rules: &'static str,
        path: &'static [u8],
        /// The verdict of RFC 9309 and of the draft of 2019.
        rfc: &'static str,
        /// The verdict of Google's interpretation.
        google: &'static str,
        /// The verdict of the draft of 1996.
        koster: &'static str,
    }
    const NO_RULE: &str = "allowed: no rule matches";
    const ROBOTS_TXT: &str = "allowed: /robots.txt is always allowed";
    const DENIED: &str = "disallowed by line 2";
    const ALLOWED_3: &str = "allowed by line 3";
    for Case { rules, path, rfc, google, koster } in [
        // RFC 9309, section 2.2.2, compares encoded with unencoded bytes. The draft of 1996, section 3.2.2, decodes all
        // bytes except the slash. Google's parser compares paths as they are written.
        Case { rules: "disallow: /%61", path: b"/a", rfc: DENIED, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /a%2Fb", path: b"/a/b", rfc: NO_RULE, google: NO_RULE, koster: NO_RULE },
        Case { rules: "disallow: /a%2fb", path: b"/a%2Fb", rfc: DENIED, google: DENIED, koster: DENIED },
        Case { rules: "disallow: /a%2fb", path: b"/a%2fb", rfc: DENIED, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /a%26b", path: b"/a&b", rfc: DENIED, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /a&b", path: b"/a%26b", rfc: DENIED, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /ツ", path: b"/%E3%83%84", rfc: DENIED, google: DENIED, koster: DENIED },
        Case {
            rules: "disallow: /ツ", path: "/ツ".as_bytes(), rfc: DENIED, google: NO_RULE, koster: DENIED
        },
        // In a query, RFC 3986 allows `:` and `/` both as they are and encoded.
        Case { rules: "disallow: /?a=b:c", path: b"/?a=b%3Ac", rfc: DENIED, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /?a=/b", path: b"/?a=%2Fb", rfc: DENIED, google: NO_RULE, koster: NO_RULE },
        Case { rules: "disallow: /?a%3Ab", path: b"/?a:b", rfc: DENIED, google: NO_RULE, koster: DENIED },
        // Special characters: RFC 9309, section 2.2.3. The draft of 1996 has none.
        Case { rules: "disallow: /*b", path: b"/ab", rfc: DENIED, google: DENIED, koster: NO_RULE },
        Case { rules: "disallow: /*b", path: b"/*b", rfc: DENIED, google: DENIED, koster: DENIED },
        Case { rules: "disallow: /a$", path: b"/a", rfc: DENIED, google: DENIED, koster: NO_RULE },
        Case { rules: "disallow: /a$", path: b"/a$", rfc: NO_RULE, google: NO_RULE, koster: DENIED },
        Case { rules: "disallow: /a$", path: b"/ab", rfc: NO_RULE, google: NO_RULE, koster: NO_RULE },
        // Precedence: the rule with the most bytes, and allow if equal; the first rule in the draft of 1996.
        Case {
            rules: "disallow: /a\nallow: /ab",
            path: b"/ab",
            rfc: ALLOWED_3,
            google: ALLOWED_3,
            koster: DENIED,
        },
        Case {
            rules: "disallow: /a\nallow: /a",
            path: b"/a",
            rfc: ALLOWED_3,
            google: ALLOWED_3,
            koster: DENIED,
        },
        Case {
            rules: "allow: /a\ndisallow: /ab",
            path: b"/ab",
            rfc: "disallowed by line 3",
            google: "disallowed by line 3",
            koster: "allowed by line 2",
        },
        // A rule without a path, the index page, and `/robots.txt` itself.
        Case { rules: "disallow:", path: b"/a", rfc: NO_RULE, google: "allowed by line 2", koster: NO_RULE },
        Case {
            rules: "disallow: /\nallow: /d/index.html",
            path: b"/d/",
            rfc: DENIED,
            google: ALLOWED_3,
            koster: DENIED,
        },
        Case {
            rules: "disallow: /\nallow: /d/index.html",
            path: b"/d/x",
            rfc: DENIED,
            google: DENIED,
            koster: DENIED,
        },
        Case {
            rules: "disallow: /",
            path: b"/robots.txt",
            rfc: ROBOTS_TXT,
            google: DENIED,
            koster: ROBOTS_TXT,
        },
        Case { rules: "disallow: /", path: b"/robots.txt?", rfc: DENIED, google: DENIED, koster: DENIED },
        Case { rules: "", path: b"/a", rfc: NO_RULE, google: NO_RULE, koster: NO_RULE },
    ] {
        let found = verdicts(rules, path);
        let expected = [rfc, rfc, google, koster];
        assert_eq!(found, expected, "{rules:?} {}", path.escape_ascii());
    }
}

#[test]
fn reasons_have_codes() {
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
fn the_path_of_a_url_begins_after_its_authority() {
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
        let found =
            Document::ALL.map(|document| path_of(url, &Profile::from(document).matching).into_owned());
        assert_eq!(found, [path, path, google, path], "{}", url.escape_ascii());
    }
}

#[test]
fn other_records_and_sitemaps_are_listed() {
    let file = b"sitemap: /1\nhost: a.test\nuser-agent: *\nSitemap:/2\nsite-map: /3\nallow: /\n";
    for document in Document::ALL {
        let robots = Robots::new(&file[..], document);
        assert_eq!((robots.body(), robots.profile()), (&file[..], &document.into()));
        let keys: Vec<&[u8]> = robots.other_records().map(|(key, _)| key.bytes()).collect();
        assert_eq!(keys, [&b"sitemap"[..], b"host", b"Sitemap", b"site-map"]);
        let sitemaps: Vec<&[u8]> = robots.sitemaps().collect();
        let all: [&[u8]; 3] = [b"/1", b"/2", b"/3"];
        assert_eq!(sitemaps, all[..if document == Document::Google { 3 } else { 2 }], "{document}");
    }
}
