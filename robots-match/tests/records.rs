//! The values of other records, and the crawlers that they concern.

#![cfg(feature = "records")]
#![allow(clippy::std_instead_of_alloc, clippy::unwrap_used, reason = "helpers of tests are tests")]

use core::time::Duration;

use robots_match::records::{OtherRecord, RecordKind, RecordValue, Records};
use robots_match::{Crawler, Profile, Robots};

/// Shows everything about a value.
fn said(value: &RecordValue<'_>) -> String {
    let path = |path: Option<robots_match::syntax::Field<'_>>| {
        path.map_or("all".to_owned(), |path| format!("{} at {:?}", path.escaped(), path.span()))
    };
    match value {
        RecordValue::Sitemap(url) | RecordValue::License(url) => url.to_string(),
        RecordValue::CrawlDelay(delay) => format!("{delay:?}"),
        RecordValue::Host { scheme, name, port } => format!("{scheme:?} {name} {port:?}"),
        RecordValue::CleanParam { names, path: below } => {
            let names: Vec<String> =
                names.iter().map(|name| format!("{} at {:?}", name.escaped(), name.span())).collect();
            format!("{} below {}", names.join(", "), path(*below))
        }
        RecordValue::RequestRate { requests, period, window } => {
            let window = window.map_or("always".to_owned(), |window| window.to_string());
            format!("{requests} in {period:?}, {window}")
        }
        RecordValue::VisitTime(window) => format!("{window} of {:?} to {:?}", window.from(), window.until()),
        RecordValue::ContentSignal(signal) => {
            let all = signal.signals();
            let all: Vec<String> =
                all.map(|(name, value)| format!("{}={}", name.escaped(), value.escaped())).collect();
            let known = [signal.search(), signal.ai_input(), signal.ai_train()];
            let last = signal.get("Use").map(|last| last.escaped().to_string());
            format!("{} below {}: {known:?} {last:?}", all.join(" "), path(signal.path()))
        }
        RecordValue::ContentUsage(usage) => {
            format!("{} below {}", usage.dictionary().escaped(), path(usage.path()))
        }
        other => format!("{other:?}"),
    }
}

/// Shows the value and the problems of a record in a group.
fn record(line: &[u8]) -> String {
    let file = [b"user-agent: *\n", line, b"\n"].concat();
    let robots = Robots::new(&file[..], Profile::RFC9309);
    let groups = robots.groups();
    let records = Records::new(&robots, &groups);
    let [record] = records.all() else { panic!("{}", line.escape_ascii()) };
    let problems = record.problems.iter();
    let wrong: Vec<String> =
        problems.map(|found| format!("{} `{}`", found.code(), found.span.of(&file).escape_ascii())).collect();
    let value = record.value.as_ref().map_or("-".to_owned(), said);
    if wrong.is_empty() { value } else { format!("{value} ({})", wrong.join(", ")) }
}

#[test]
fn values_are_parsed_or_have_a_problem() {
    for (line, expected) in [
        ("Sitemap: https://A.test/a b", "https://a.test/a%20b"),
        ("Sitemap: /a", "- (relative-url `/a`)"),
        ("Sitemap: mailto:a@b", "- (relative-url `mailto:a@b`)"),
        ("Sitemap: https://", "- (no-url `https://`)"),
        ("Sitemap:", "- (empty `Sitemap:`)"),
        ("Other:", "-"),
        ("Other: x", "-"),
        // A fragment would be a comment.
        ("License: https://a.test/l#f", "https://a.test/l"),
        ("License: l.xml", "- (relative-url `l.xml`)"),
        // Seconds, with a decimal point at any place.
        ("Crawl-delay: 10", "10s"),
        ("Crawl-delay: 2.5", "2.5s"),
        ("Crawl-delay: .25", "250ms"),
        ("Crawl-delay: 1.", "1s"),
        ("Crawl-delay: 0.0000000019", "1ns"),
        ("Crawl-delay: 0.123456789", "123.456789ms"),
        ("Crawl-delay: .", "- (no-seconds `.`)"),
        ("Crawl-delay: 1.2.3", "- (no-seconds `1.2.3`)"),
        ("Crawl-delay: -1", "- (no-seconds `-1`)"),
        ("Crawl-delay: 1s", "- (no-seconds `1s`)"),
        ("Crawl-delay: 18446744073709551615", "18446744073709551615s"),
        ("Crawl-delay: 18446744073709551616", "- (too-large `18446744073709551616`)"),
        ("Host: A.test", "None a.test None"),
        ("Host: https://a.test:8443/", "Some(\"https\") a.test Some(8443)"),
        ("Host: http://a.test:80", "Some(\"http\") a.test None"),
        ("Host: a.test:8080", "None a.test Some(8080)"),
        ("Host: a.test/b", "- (no-host `a.test/b`)"),
        ("Host: a b", "- (no-host `a b`)"),
        ("Host: u@a.test", "- (no-host `u@a.test`)"),
        ("Host: https://", "- (no-host `https://`)"),
        ("Clean-param: a", "a at 27..28 below all"),
        ("Clean-param: a&bc /d*", "a at 27..28, bc at 29..31 below /d* at 32..35"),
        ("Clean-param: a \t /d", "a at 27..28 below /d at 31..33"),
        ("Clean-param: a&&b", "- (no-parameters `a&&b`)"),
        ("Clean-param: a /b c", "- (no-parameters `a /b c`)"),
        ("Clean-param: a /b\tc", "- (no-parameters `a /b\\tc`)"),
        ("Request-rate: 1/5", "1 in 5s, always"),
        ("Request-rate: 2/5s", "2 in 5s, always"),
        ("Request-rate: 3/10M", "3 in 600s, always"),
        ("Request-rate: 4/2h 1300-1659", "4 in 7200s, 1300-1659"),
        ("Request-rate: 5/1D", "5 in 86400s, always"),
        ("Request-rate: 1", "- (no-rate `1`)"),
        ("Request-rate: /5", "- (no-rate `/5`)"),
        ("Request-rate: 1/", "- (no-rate `1/`)"),
        ("Request-rate: 1/m", "- (no-rate `1/m`)"),
        ("Request-rate: 1/5x", "- (no-rate `1/5x`)"),
        ("Request-rate: x/5", "- (no-rate `x/5`)"),
        ("Request-rate: 0/5", "- (zero-rate `0/5`)"),
        ("Request-rate: 5/0", "- (zero-rate `5/0`)"),
        ("Request-rate: 1/18446744073709551615m", "- (too-large `1/18446744073709551615m`)"),
        ("Request-rate: 18446744073709551616/1", "- (too-large `18446744073709551616/1`)"),
        ("Request-rate: 1/5 x", "- (no-window `x`)"),
        ("Visit-time: 0600-0845", "0600-0845 of (6, 0) to (8, 45)"),
        ("Visit-time: 2359-2400", "2359-2400 of (23, 59) to (24, 0)"),
        ("Visit-time: 0000-2401", "- (no-window `0000-2401`)"),
        ("Visit-time: 0060-0100", "- (no-window `0060-0100`)"),
        ("Visit-time: 2500-0100", "- (no-window `2500-0100`)"),
        ("Visit-time: 0a00-0100", "- (no-window `0a00-0100`)"),
        ("Visit-time: 0600 0845", "- (no-window `0600 0845`)"),
        ("Visit-time: 600-845", "- (no-window `600-845`)"),
        (
            "Content-Signal: Search = YES , ai-train=no,ai-input=maybe,use=a,use=b",
            "Search=YES ai-train=no ai-input=maybe use=a use=b below all: [Some(true), None, Some(false)] Some(\"b\")",
        ),
        (
            "Content-Signal: /p\tsearch=yes,search=no,,",
            "search=yes search=no below /p at 30..32: [Some(false), None, None] None",
        ),
        ("Content-Signal: /p", " below /p at 30..32: [None, None, None] None (no-preference `/p`)"),
        (
            "Content-Signal: search, =yes,x=",
            "search= =yes x= below all: [None, None, None] None (no-signal-value `search`)",
        ),
        ("Content-Signal: ai-input=yes", "ai-input=yes below all: [None, Some(true), None] None"),
        ("Content-Signal: AI-INPUT=no", "AI-INPUT=no below all: [None, Some(false), None] None"),
        ("Content-Signal: ai-train=yes", "ai-train=yes below all: [None, None, Some(true)] None"),
        ("Content-Signal: =yes", "=yes below all: [None, None, None] None (no-signal-value `=yes`)"),
        ("Content-Usage: train-ai=y", "train-ai=y below all"),
        ("Content-Usage: /a$ \ttrain-ai=n", "train-ai=n below /a$ at 29..32"),
        ("Content-Usage: /a", " below /a at 29..31 (no-preference `/a`)"),
    ] {
        assert_eq!(record(line.as_bytes()), expected, "{line}");
    }
    assert_eq!(record(b"Host: \xFF"), "- (not-utf8 `\\xff`)");
    assert_eq!(record(b"Sitemap: http://\xFF"), "- (not-utf8 `http://\\xff`)");
}

#[test]
fn a_window_contains_its_first_and_last_minute() {
    let window = |written: &str| {
        let file = format!("user-agent: *\nvisit-time: {written}\n");
        let robots = Robots::new(file.as_bytes(), Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        records.for_crawler(&groups.select(&Crawler::unnamed())).visit_times().next().unwrap()
    };
    for (written, within, without) in [
        ("0600-0845", [(6, 0), (8, 45), (7, 59)], [(5, 59), (8, 46), (23, 0)]),
        ("2200-0145", [(22, 0), (1, 45), (0, 0)], [(21, 59), (1, 46), (12, 0)]),
        ("0600-0600", [(6, 0), (6, 0), (6, 0)], [(5, 59), (6, 1), (0, 0)]),
    ] {
        let window = window(written);
        assert!(within.iter().all(|&(hour, minute)| window.contains(hour, minute)), "{written}");
        assert!(!without.iter().any(|&(hour, minute)| window.contains(hour, minute)), "{written}");
    }
}

const FILE: &[u8] = b"Crawl-delay: 9\nLicense: https://a.test/all\nSitemap: https://a.test/s\nHost: a.test\n\
    Clean-param: q\nx: y\n\
    User-agent: foo\nCrawl-delay: 2\nCrawl-delay: 1\nRequest-rate: 1/5\nVisit-time: 0100-0200\n\
    License: https://a.test/foo\nContent-Signal: search=yes\nContent-Signal: /a search=no\nSitemap: https://a.test/t\n\
    Content-Signal: /b search=yes\nContent-Signal: /b search=no\nContent-Signal: / search=yes\nAllow: /\n\
    User-agent: bar\nCrawl-delay: 7\nDisallow: /x\n\nHost: b.test\nDelay: 1\nVisit-time: 0300-0400\n";

#[test]
fn records_concern_a_group_the_file_or_no_crawler() {
    let robots = Robots::new(FILE, Profile::RFC9309);
    let groups = robots.groups();
    let records = Records::new(&robots, &groups);
    // For all crawlers, for those of the first group, for those of the second.
    let scope = |record: &OtherRecord<'_>| {
        [record.concerns_all(), record.concerns_group(0), record.concerns_group(1)]
    };
    let scopes: Vec<(usize, RecordKind, [bool; 3])> =
        records.all().iter().map(|record| (record.line, record.kind, scope(record))).collect();
    let (file, foo, bar) = ([true; 3], [false, true, false], [false, false, true]);
    let expected = [
        (1, RecordKind::CrawlDelay, [false; 3]),
        (2, RecordKind::License, file),
        (3, RecordKind::Sitemap, file),
        (4, RecordKind::Host, file),
        (5, RecordKind::CleanParam, file),
        (6, RecordKind::Unknown, file),
        (8, RecordKind::CrawlDelay, foo),
        (9, RecordKind::CrawlDelay, foo),
        (10, RecordKind::RequestRate, foo),
        (11, RecordKind::VisitTime, foo),
        (12, RecordKind::License, foo),
        (13, RecordKind::ContentSignal, foo),
        (14, RecordKind::ContentSignal, foo),
        (15, RecordKind::Sitemap, file),
        (16, RecordKind::ContentSignal, foo),
        (17, RecordKind::ContentSignal, foo),
        (18, RecordKind::ContentSignal, foo),
        (21, RecordKind::CrawlDelay, bar),
        (24, RecordKind::Host, file),
        (25, RecordKind::Unknown, file),
        (26, RecordKind::VisitTime, bar),
    ];
    assert_eq!(scopes, expected);
    let sitemaps: Vec<&str> = records.sitemaps().map(|url| url.as_str()).collect();
    assert_eq!(sitemaps, ["https://a.test/s", "https://a.test/t"]);
    let values = || records.all().iter().filter_map(|record| record.value.as_ref());
    let hosts: Vec<&str> = values()
        .filter_map(|value| match value {
            RecordValue::Host { name, .. } => Some(&**name),
            _ => None,
        })
        .collect();
    assert_eq!(hosts, ["a.test", "b.test"]);
    assert_eq!(values().filter(|value| matches!(value, RecordValue::CleanParam { .. })).count(), 1);
    let problems: Vec<(usize, &str, &str)> = records
        .problems()
        .map(|(record, found)| {
            (record.line, found.code(), core::str::from_utf8(found.span.of(FILE)).unwrap())
        })
        .collect();
    assert_eq!(problems, [(1, "no-group", "Crawl-delay")]);
    for (_, found) in records.problems() {
        assert_eq!(
            found.to_string(),
            "the record is outside of groups, so crawlers ignore it; move it below a user-agent line"
        );
    }
    let record = &records.all()[1];
    assert_eq!((record.key.bytes(), record.raw.bytes()), (&b"License"[..], &b"https://a.test/all"[..]));
    assert_eq!(record.span.of(FILE), b"License: https://a.test/all\n");

    // Under the draft of 1996 a blank line ends the second group.
    let robots = Robots::new(FILE, Profile::KOSTER_1996);
    let groups = robots.groups();
    let records = Records::new(&robots, &groups);
    let last = records.all().last().unwrap();
    assert!(!last.concerns_all() && !last.concerns_group(0) && !last.concerns_group(1));
    assert_eq!(records.problems().count(), 2);
}

#[test]
fn a_crawler_has_the_records_of_its_groups() {
    let robots = Robots::new(FILE, Profile::RFC9309);
    let groups = robots.groups();
    let records = Records::new(&robots, &groups);
    let names = ["foo", "bar"].map(|name| Crawler::new(name).unwrap());
    let [foo, bar] = [0, 1].map(|index| records.for_crawler(&groups.select(&names[index])));
    let unnamed = records.for_crawler(&groups.select(&Crawler::unnamed()));
    let delays = [&foo, &bar, &unnamed].map(|mine| mine.crawl_delay().map(|delay| delay.as_secs()));
    assert_eq!(delays, [Some(2), Some(7), None]);
    assert_eq!([&foo, &bar, &unnamed].map(|mine| mine.iter().count()), [18, 10, 8]);
    let rates = [&foo, &bar, &unnamed].map(|mine| {
        let period = |record: &OtherRecord<'_>| match record.value {
            Some(RecordValue::RequestRate { period, .. }) => Some(period),
            _ => None,
        };
        mine.iter().filter_map(period).collect::<Vec<_>>()
    });
    assert_eq!(rates, [vec![Duration::from_secs(5)], vec![], vec![]]);
    assert_eq!([&foo, &bar, &unnamed].map(|mine| mine.visit_times().count()), [1, 1, 0]);
    assert_eq!([&foo, &bar, &unnamed].map(|mine| mine.content_signals().count()), [5, 0, 0]);
    let licenses = [&foo, &bar, &unnamed]
        .map(|mine| mine.licenses().map(|url| url.path().to_owned()).collect::<Vec<_>>());
    assert_eq!(licenses, [["/foo"], ["/all"], ["/all"]]);
    // The longest path decides, and a refusal among several.
    for (path, granted) in [
        (&b"/"[..], Some(true)),
        (b"/c", Some(true)),
        (b"/a", Some(false)),
        (b"/ab", Some(false)),
        (b"/b", Some(false)),
    ] {
        assert_eq!(foo.signal("search", path), granted, "{}", path.escape_ascii());
    }
    assert_eq!((foo.signal("ai-train", b"/a"), bar.signal("search", b"/a")), (None, None));
}

#[test]
#[cfg(feature = "usage")]
fn the_longest_pattern_that_matches_decides_preferences() {
    use robots_match::records::Preferences;

    const ALLOW: Option<bool> = Some(true);
    const DISALLOW: Option<bool> = Some(false);

    let file = b"User-agent: *\nDisallow: /never\nContent-Usage: train-ai=n\nContent-Usage: /a search=y\n\
        Content-Usage: /a train-ai=y, search=n\nContent-Usage: /b$ train-ai=y\nContent-Usage: /c*d train-ai=y\n\
        Content-Usage: /%65 train-ai=y\nContent-Usage: /f ;\nContent-Usage: /g train-ai=n\n\
        Content-Usage: /g train-ai=y\n";
    let of = |profile: Profile, path: &str| {
        let robots = Robots::new(&file[..], profile);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let mine = records.for_crawler(&groups.select(&Crawler::unnamed()));
        let usage = mine.usage(path.as_bytes(), &robots.rules(&Crawler::unnamed()));
        usage.map(|usage| (usage.train_ai(), usage.search()))
    };
    for (path, rfc, google, old) in [
        ("", None, None, None),
        ("/", Some((DISALLOW, None)), Some((DISALLOW, None)), Some((DISALLOW, None))),
        ("/x", Some((DISALLOW, None)), Some((DISALLOW, None)), Some((DISALLOW, None))),
        ("/never/x", None, None, None),
        ("/ab", Some((ALLOW, DISALLOW)), Some((ALLOW, DISALLOW)), Some((ALLOW, DISALLOW))),
        ("/b", Some((ALLOW, None)), Some((ALLOW, None)), Some((DISALLOW, None))),
        ("/bc", Some((DISALLOW, None)), Some((DISALLOW, None)), Some((DISALLOW, None))),
        ("/b$", Some((DISALLOW, None)), Some((DISALLOW, None)), Some((ALLOW, None))),
        ("/cxd", Some((ALLOW, None)), Some((ALLOW, None)), Some((DISALLOW, None))),
        ("/c*d", Some((ALLOW, None)), Some((ALLOW, None)), Some((ALLOW, None))),
        ("/e", Some((ALLOW, None)), Some((DISALLOW, None)), Some((ALLOW, None))),
        ("/g", Some((DISALLOW, None)), Some((DISALLOW, None)), Some((DISALLOW, None))),
        ("/f", Some((None, None)), Some((None, None)), Some((None, None))),
    ] {
        let found =
            [Profile::RFC9309, Profile::GOOGLE, Profile::KOSTER_1996].map(|profile| of(profile, path));
        assert_eq!(found, [rfc, google, old], "{path}");
    }

    let preferences = Preferences::parse(b"b=y, a=n;x=1, c=(y), d=\"y\", e, b=n, f=1").unwrap();
    let all: Vec<_> = preferences.iter().collect();
    let expected = [("a", DISALLOW), ("b", DISALLOW), ("c", None), ("d", None), ("e", None), ("f", None)];
    assert_eq!(all, expected);
    let both = preferences.and(Preferences::parse(b"a=y, c=y, g=y").unwrap());
    assert_eq!(["a", "c", "g", "h"].map(|label| both.get(label)), [DISALLOW, ALLOW, ALLOW, None]);
    assert_eq!(Preferences::parse(b"="), None);
}

#[test]
fn signals_of_longer_paths_and_refusals_prevail_in_any_order() {
    let lines = ["search=no", "/a search=yes", "/a/b search=no", "/a/b search=yes"];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
        let mut file = String::from("user-agent: *\n");
        order.iter().for_each(|&line| file += &format!("Content-Signal: {}\n", lines[line]));
        let robots = Robots::new(file.as_bytes(), Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let mine = records.for_crawler(&groups.select(&Crawler::unnamed()));
        let granted = [&b"/"[..], b"/a", b"/a/b"].map(|path| mine.signal("search", path));
        assert_eq!(granted, [Some(false), Some(true), Some(false)], "{order:?}");
    }
}
