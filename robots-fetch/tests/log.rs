//! Access logs: any bytes are read, and the figures do not depend on how a log is cut.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

use proptest::prelude::*;
use robots_fetch::log::{LogFormat, LogJudge, LogReport, LogSetup, Ranges, ReportOptions, Tally};
use robots_fetch::matching::{Document, History, Robots};

fn history() -> History {
    let file = |body: &str| Robots::new(body, Document::Rfc9309);
    let versions = [
        (History::BEGINNING, file("")),
        (
            1_762_732_800,
            file(
                "User-agent: *\nCrawl-delay: 5\nDisallow: /a\nDisallow: /*b$\nUser-agent: GPTBot\nDisallow: /\n",
            ),
        ),
    ];
    History::new(versions).unwrap()
}

fn setup(history: &History) -> LogSetup<'_> {
    let mut setup = LogSetup::new([(None, history)]);
    setup.add_ranges("GPTBot", Ranges::parse(b"192.0.2.0/24").unwrap());
    setup
}

/// Returns the time of a line, whose days are of one month.
fn time_of(line: &str) -> &str {
    line.split(['[', ']']).nth(1).unwrap()
}

/// Returns the report of a log that is cut after lines into parts of about `size` bytes, which `judges` judges share.
fn report(format: &LogFormat, log: &[u8], size: usize, judges: u16) -> LogReport {
    let history = history();
    let setup = setup(&history);
    let mut all: Vec<LogJudge<'_, '_>> = (0..judges).map(|_| LogJudge::new(&setup)).collect();
    let mut reader = format.reader();
    let mut tally = Tally::new(&setup);
    let mut rest = log;
    let mut turn = 0;
    while !rest.is_empty() {
        let from = size.min(rest.len() - 1);
        let end = rest[from..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| from + at + 1);
        let (part, next) = rest.split_at(end);
        rest = next;
        let judge = turn % all.len();
        tally.add(all[judge].judge(&mut reader, part));
        turn += 1;
    }
    tally.report(&ReportOptions::default())
}

/// A line of the Combined Log Format, or one that is like it.
fn line() -> impl Strategy<Value = String> {
    let agent = prop_oneof![
        Just("GPTBot/1.2 (+https://openai.com/gptbot)"),
        Just("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"),
        Just("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
        Just("Mozilla/5.0 (compatible; Googlebot-Image/1.0)"),
        Just("OwnBot/1.0 (+https://example.com)"),
        Just("Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0"),
        Just("-"),
        Just("GPTBot, ClaudeBot"),
    ];
    let path = prop_oneof![
        Just("/robots.txt"),
        Just("/a"),
        Just("/xb"),
        Just("/c?d"),
        Just("*"),
        Just("/%61"),
        Just("http://e/a")
    ];
    let status = prop_oneof![Just(200), Just(304), Just(301), Just(404), Just(429), Just(503)];
    (9_u8..12, 0_u8..24, 0_u8..60, 0_u8..4, path, status, agent).prop_map(
        |(day, hour, second, address, path, status, agent)| {
            format!(
                "192.0.{address}.1 - - [{day:02}/Nov/2025:{hour:02}:00:{second:02} +0000] \"GET {path} HTTP/1.1\" {status} 1 \"-\" \"{agent}\"\n"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_and_judges_change_no_figure(lines in prop::collection::vec(line(), 0..200), size in 1_usize..5000, judges in 1_u16..4) {
        let log = lines.concat();
        let whole = report(&LogFormat::COMBINED, log.as_bytes(), usize::MAX, 1);
        prop_assert_eq!(&report(&LogFormat::COMBINED, log.as_bytes(), size, judges), &whole);
        prop_assert_eq!(whole.lines, lines.len() as u64);
        prop_assert_eq!(whole.unread, 0);
        let totals = whole.totals;
        let counted = totals.crawler_requests + totals.not_crawlers + totals.no_user_agent + totals.several_names;
        prop_assert_eq!(counted, whole.lines);
        for crawler in whole.hosts.iter().flat_map(|host| &host.crawlers) {
            prop_assert_eq!(crawler.requests, crawler.robots_txt + crawler.no_target + crawler.no_robots + crawler.checked);
            let reads = [crawler.fresh, crawler.late, crawler.never, crawler.unknown].map(Option::unwrap);
            prop_assert_eq!(reads.iter().sum::<u64>(), crawler.checked);
            prop_assert!(crawler.disallowed + crawler.excused + crawler.disputed <= crawler.checked);
            prop_assert_eq!(crawler.by_line.iter().map(|(_, count)| count).sum::<u64>(), crawler.disallowed);
            prop_assert_eq!(crawler.per_day.iter().map(|day| day.requests).sum::<u64>(), crawler.requests);
        }
    }

    #[test]
    fn merged_tallies_have_the_figures_of_one(
        mut lines in prop::collection::vec(line(), 0..200),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
        seed in any::<u64>(),
    ) {
        // In the order of their times: a line that is not is out of order in its part.
        lines.sort_by(|one, other| time_of(one).cmp(time_of(other)));
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(lines.len() + 1)).chain([0, lines.len()]).collect();
        ends.sort_unstable();
        let mut parts: Vec<String> = ends.windows(2).map(|ends| lines[ends[0]..ends[1]].concat()).collect();
        let mut random = seed;
        for end in (1..parts.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            parts.swap(end, usize::try_from((random >> 33) % (end as u64 + 1)).unwrap());
        }
        let history = history();
        let setup = setup(&history);
        let mut merged = Tally::new(&setup);
        for part in parts {
            let mut tally = Tally::new(&setup);
            tally.add(LogJudge::new(&setup).judge(&mut LogFormat::COMBINED.reader(), part.as_bytes()));
            merged.merge(tally).unwrap();
        }
        let whole = report(&LogFormat::COMBINED, lines.concat().as_bytes(), usize::MAX, 1);
        prop_assert_eq!(merged.report(&ReportOptions::default()), whole);
    }

    #[test]
    fn any_bytes_are_read(mut text in prop::collection::vec(any::<u8>(), 0..600), line in line(), at in any::<prop::sample::Index>()) {
        // Also near a line that is read.
        let at = at.index(text.len() + 1);
        text.splice(at..at, line.bytes().take(text.len()));
        let _ = LogFormat::detect(&text);
        let own = r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#;
        for name in LogFormat::NAMES.into_iter().chain([own]) {
            let format = LogFormat::parse(name).unwrap();
            let whole = report(&format, &text, usize::MAX, 1);
            prop_assert_eq!(report(&format, &text, 10, 2), whole);
        }
        let _ = Ranges::parse(&text);
    }
}

#[test]
fn counted_tallies_are_not_merged() {
    let history = history();
    let setup = setup(&history);
    let line = b"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.2\"\n";
    let tally = || {
        let mut tally = Tally::new(&setup);
        tally.add(LogJudge::new(&setup).judge(&mut LogFormat::COMBINED.reader(), line));
        tally
    };
    let mut counted = tally();
    let before = counted.report(&ReportOptions::default());
    assert!(counted.merge(tally()).is_err());
    assert_eq!(counted.report(&ReportOptions::default()), before);
    assert!(tally().merge(counted).is_err());
}

#[test]
fn hostile_lines_take_linear_time() {
    let long = |text: &str| text.repeat((1 << 20) / text.len() - 1);
    let start = r#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET "#;
    let lines = [
        long("\\\""),
        long("\""),
        long("["),
        long(r#"{"a":["#),
        long(r#"{"a":1,"#),
        format!("{start}{}", long("\\\"")),
        format!("{start}/ HTTP/1.1\" 200 1 \"-\" \"{}\"", long("compatible; (")),
        format!("{start}/ HTTP/1.1\" 200 1 \"-\" \"{}\"", long("bot spide")),
        format!("{start}{} HTTP/1.1\" 200 1 \"-\" \"GPTBot\"", long("/a%")),
        format!("https {}", long("\\\" ")),
    ];
    for text in lines {
        for name in LogFormat::NAMES {
            let format = LogFormat::parse(name).unwrap();
            let lines = format!("{text}\n").repeat(2);
            let report = report(&format, lines.as_bytes(), usize::MAX, 1);
            assert!(report.lines <= 2);
        }
    }
}
