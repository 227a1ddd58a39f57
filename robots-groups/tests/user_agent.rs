//! The crawlers that `User-Agent` headers name.

use robots_groups::{Crawler, GroupPolicy, HeaderKind, KnownNames, UserAgent};

const KNOWN: KnownNames<'static> = KnownNames::new(&[
    "360Spider",
    "Bytespider",
    "ClaudeBot",
    "Code",
    "Googlebot",
    "GPTBot",
    "Slurp",
    "Sogou web spider",
    "Spider",
]);

fn name(header: &str) -> Option<&str> {
    UserAgent::read(header.as_bytes(), &KNOWN).name()
}

const ENGINE: &str = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const BROWSER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 \
                       Safari/537.36";

#[test]
fn a_name_is_found_where_crawlers_write_it() {
    let headers = [
        // First.
        ("FigTree/0.1 Robot/1.0 libwww-perl/5.04".to_owned(), "FigTree"),
        ("Kestrel (+https://example.com)".to_owned(), "Kestrel"),
        ("Kestrel; (+https://example.com; 4 subscribers; feed-id=99)".to_owned(), "Kestrel"),
        ("kestrel - https://example.com".to_owned(), "kestrel"),
        ("Kestrel Site Auditor/21.3".to_owned(), "Kestrel Site Auditor"),
        ("Kestrel v2.1".to_owned(), "Kestrel"),
        ("Kestrel runid=beta".to_owned(), "Kestrel"),
        ("Kestrel web spider/4.0(+http://www.example.com/)".to_owned(), "Kestrel web spider"),
        ("Kestrel used by Example (crawler@example.com)".to_owned(), "Kestrel"),
        ("Kestrel/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +https://example.com)".to_owned(), "Kestrel"),
        ("Kestrel/1.0 (like Googlebot; +https://example.com)".to_owned(), "Kestrel"),
        ("Kestrel (kestrel-tool/2.1.86; +https://example.com)".to_owned(), "Kestrel"),
        ("Chrome Privacy Preserving Prefetch Proxy".to_owned(), "Chrome Privacy Preserving Prefetch Proxy"),
        (format!("Kestrel/3.2 {BROWSER}"), "Kestrel"),
        // After `compatible`, in a comment and outside.
        ("Mozilla/5.0 (compatible; Kestrel/1.0; +https://example.com)".to_owned(), "Kestrel"),
        ("Mozilla/5.0 (compatible;Kestrel;+https://example.com)".to_owned(), "Kestrel"),
        ("Mozilla/5.0 (compatible; Linux x86_64; Kestrel/2.0)".to_owned(), "Kestrel"),
        ("Mozilla/5.0 (compatible; Monitor/1.0; +https://example.com)".to_owned(), "Monitor"),
        ("Mozilla/5.0 (compatible; Spider/1.0; +https://example.com)".to_owned(), "Spider"),
        ("Mozilla/5.0 (Zed; https://example.com)".to_owned(), "Zed"),
        ("Mozilla/5.0 (X11; x64; kestrelbot0.5.0; https://example.com) Gecko/20100101".to_owned(), "kestrelbot"),
        ("Mozilla/5.0 (compatible; Kestrel Harrier; +https://example.com)".to_owned(), "Kestrel Harrier"),
        ("Mozilla/5.0 (compatible; kestrel.example +https://example.com)".to_owned(), "kestrel.example"),
        ("Mozilla/5.0 (compatible; um-FC/1.0; Windows NT 6.1; rv:125.0)".to_owned(), "um-FC"),
        ("Mozilla/5.0 (compatible) Kestrel (+https://example.com)".to_owned(), "Kestrel"),
        (format!("{BROWSER}; compatible; Kestrel/1.3; +https://example.com"), "Kestrel"),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Kestrel/1.3; +https://example.com"
                .to_owned(),
            "Kestrel",
        ),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Kestrel/1.3) Chrome/9.0 Safari/537.36"
                .to_owned(),
            "Kestrel",
        ),
        ("Mozilla/5.0+(compatible;+Kestrel/2.1;++http://example.com/)".to_owned(), "Kestrel"),
        // In a comment.
        (format!("{BROWSER} (Kestrel/1.0; +https://example.com)"), "Kestrel"),
        (format!("Mozilla/5.0 (X11; Linux x86_64; Kestrel/1.2) {ENGINE}"), "Kestrel"),
        (format!("Mozilla/5.0 (X11; Kestrel; Linux x86_64) {ENGINE}"), "Kestrel"),
        (format!("Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.17; Kestrelbot/1.0) {ENGINE}"), "Kestrelbot"),
        ("http.rb/2.2.2 (Kestrel/1.5.1; +https://example.com/)".to_owned(), "Kestrel"),
        // After the words of a browser.
        (format!("{BROWSER} Kestrel/3.1"), "Kestrel"),
        (format!("{BROWSER} Kestrel"), "Kestrel"),
        (format!("{BROWSER}; Kestrel;crawler@example.com"), "Kestrel"),
        (format!("{BROWSER} Kestrel Harrier (63c85ddbde52)"), "Kestrel Harrier"),
        ("Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0); Kestrel".to_owned(), "Kestrel"),
        // Known names.
        (format!("{BROWSER} Harrier; 360Spider"), "360Spider"),
        ("Mozilla/5.0 (compatible; Yahoo! Slurp; http://example.com)".to_owned(), "Slurp"),
        ("Sogou web spider/4.0(+http://www.example.com/)".to_owned(), "Sogou web spider"),
        ("Code Kestrel/1.0".to_owned(), "Code Kestrel"),
        ("GPTBot Kestrel/1.0".to_owned(), "GPTBot"),
    ];
    for (header, expected) in headers {
        assert_eq!(name(&header), Some(expected), "{header}");
    }
}

#[test]
fn browsers_name_no_crawler() {
    for header in [
        "Mozilla/5.0",
        BROWSER,
        "Mozilla/5.0 (Linux; Android 13; moto g power (2021)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/117.0.0.0 \
         Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; U; Android 11; en-us; Redmi Note 8 Pro Build/RP1A.200720.011) AppleWebKit/537.36 (KHTML, like \
         Gecko) Version/4.0 Chrome/89.0.4389.116 Mobile Safari/537.36 XiaoMi/MiuiBrowser/12.13.2-gn",
        "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/4.0; GTB7.4; .NET CLR 2.0.50727; InfoPath.2; MS-RTC LM 8; \
         BRI/2; MAAU)",
        "Mozilla/5.0 (compatible; Konqueror/4.5; FreeBSD) KHTML/4.5.4 (like Gecko)",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 \
         Instagram 309.0 (iPhone14,5; iOS 17_1; en_US; en; scale=3.00; 1170x2532)",
        "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21B74 [FBAN/FBIOS;FBAV/441.0.0.29.114]",
        "Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16",
        "Mozilla/5.0 (X11; U; Linux x86_64; en-US; rv:1.9.0.7) Gecko/2009030423 Ubuntu/8.10 (intrepid) Firefox/3.0.7",
        "Nokia6100/1.0 Profile/MIDP-1.0",
        "Mozilla/5.0 7.0 2010",
        "(((",
        "https://example.com/",
        "crawler@example.com",
        "",
    ] {
        let read = UserAgent::read(header.as_bytes(), &KNOWN);
        assert_eq!((read.name(), read.kind()), (None, HeaderKind::Unnamed), "{header}");
    }
}

#[test]
fn the_name_of_the_field_and_quotation_marks_are_not_the_header() {
    let value = "Kestrel/1.0 (a; b)";
    for header in [
        "User-Agent: ",
        "user-agent:",
        "USER-AGENT :\t",
        "User-Agent=",
        "'",
        "\"User-Agent: \"",
        " `",
        "\u{201c}",
        "\u{2018}",
    ] {
        let header = format!("{header}{value}");
        assert_eq!(name(&header), Some("Kestrel"), "{header}");
        assert_eq!(
            name(&header),
            UserAgent::read(header.as_bytes(), &KNOWN).span().and_then(|span| header.get(span))
        );
    }
    assert_eq!(name("User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0)"), None);
    assert_eq!(name("User-Agent: python-urllib/3.9"), Some("python-urllib"));
    for header in ["User-Agent:", "User-Agent", "'\"", "user-agent: '"] {
        assert_eq!(name(header).filter(|name| !name.eq_ignore_ascii_case("user-agent")), None, "{header}");
    }
    // Other crawlers have such names.
    assert_eq!(name("User-Agent-Switcher/1.0"), Some("User-Agent-Switcher"));
}

#[test]
fn libraries_count_if_nothing_else_names_the_crawler() {
    for (header, expected) in [
        ("curl/7.81.0", "curl"),
        ("Wget/1.12 (linux-gnu)", "Wget"),
        ("python-urllib/3.9", "python-urllib"),
        ("Go-http-client/2.0", "Go-http-client"),
        ("Apache-HttpClient/4.5.14 (Java/11.0.22)", "Apache-HttpClient"),
        ("Python/3.11 aiohttp/3.9.5", "aiohttp"),
        ("Java/17.0.2", "Java"),
        ("Ruby", "Ruby"),
    ] {
        let read = UserAgent::read(header.as_bytes(), &KNOWN);
        assert_eq!((read.name(), read.kind()), (Some(expected), HeaderKind::Library), "{header}");
    }
    assert_eq!(name("python-requests/2.31.0 Kestrel/1.0"), Some("Kestrel"));
}

#[test]
fn known_names_are_counted() {
    let read = |header: &'static str| UserAgent::read(header.as_bytes(), &KNOWN);
    let several = read("GPTBot, ClaudeBot, Googlebot");
    assert_eq!((several.name(), several.kind()), (Some("GPTBot"), HeaderKind::Several));
    let mut all = Vec::new();
    several.each_known(&KNOWN, |index, span| all.push((KNOWN.names().get(index).copied(), span.start)));
    assert_eq!(all, [(Some("GPTBot"), 0), (Some("ClaudeBot"), 8), (Some("Googlebot"), 19)]);
    assert_eq!(read("Googlebot/2.1 (Googlebot)").kind(), HeaderKind::Known);
    assert_eq!(read("NotGooglebot/1.0").kind(), HeaderKind::Unlisted);
    assert_eq!(read("Spider").kind(), HeaderKind::Unnamed);
}

#[test]
fn any_bytes_are_read() {
    for header in [&b"\xFF\xFE/1 (\xC3;"[..], b"a\0b/1 GPTBot\xFF", b"))(([[]]|;;,,", b"/ ( GPTBot /1"] {
        let read = UserAgent::read(header, &KNOWN);
        assert!(read.name().is_none_or(|name| Crawler::new(name).is_ok()), "{header:?}");
    }
}

#[test]
fn texts_are_names_headers_or_mistakes() {
    let policy = GroupPolicy::RFC9309;
    let parse = |text: &str| {
        Crawler::parse([text], &policy, &KNOWN).map(|crawler| crawler.names().collect::<Vec<_>>().join(","))
    };
    for (text, expected) in [
        ("Mozilla", "Mozilla"),
        ("Screaming Frog SEO Spider", "Screaming Frog SEO Spider"),
        ("Kestrel 2.0", "Kestrel"),
        ("Kestrel - Free monitoring", "Kestrel"),
        ("Kestrel www.example.com", "Kestrel"),
        ("Kestrel(+https://example.com)", "Kestrel"),
        ("User-Agent: Kestrel", "Kestrel"),
        ("user-agent:Site Kestrel", "Site Kestrel"),
        ("'Kestrel/1.0'", "Kestrel"),
        (BROWSER, ""),
        ("*", ""),
    ] {
        assert_eq!(parse(text).as_deref(), Ok(expected), "{text}");
    }
    for text in [
        "",
        "Kestrel, Harrier",
        "Kestrel  Harrier",
        "Kestrel ",
        "K\u{e4}strel",
        "Kestrel!",
        "Kestrel@Bot",
        "a=b",
        "Kestrel/1\u{7}",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    let google = |text| Crawler::parse([text], &GroupPolicy::GOOGLE, &KNOWN);
    assert_eq!(google("Mozilla/5.0 (compatible; Googlebot/2.1)"), Crawler::new("Googlebot"));
}
