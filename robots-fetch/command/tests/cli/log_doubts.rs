//! `robots log` where a log leaves something in doubt: no crawler is accused by it, and nothing is lost without a word.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::command::outcome;
use crate::log::{BINGBOT, GPTBOT, Logs, assert_figures, figure, get, line};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

fn robots(day: u8, time: &str, method: &str, status: u16, agent: &str) -> String {
    line(day, time, "192.0.2.1", &format!("{method} /robots.txt HTTP/1.1"), status, agent)
}

/// The lines of a log, the last one first.
fn reversed(log: &str) -> String {
    log.split_inclusive('\n').rev().collect()
}

#[test]
fn a_value_that_begins_with_a_slash_is_a_path() {
    let logs = Logs::new("log-bare-paths");
    let json =
        r#"{"time":"2025-11-10T10:00:00Z","request":"/private/x","status":200,"http_user_agent":"GPTBot/1"}"#;
    for log in [
        get(10, "10:00:00", "/private/x", GPTBOT).replace("GET ", "").replace(" HTTP/1.1", ""),
        json.to_owned(),
    ] {
        let log = logs.write("access.log", log);
        let (status, value, _) = logs.json(&[&log]);
        assert_figures(&value, "GPTBot", &[("checked", 1), ("disallowed", 1), ("no_target", 0)]);
        assert_eq!(status, 1);
    }
    let no_path = line(10, "10:00:00", "192.0.2.1", "private", 200, GPTBOT);
    let log = logs.write("access.log", no_path.clone() + &get(10, "10:00:01", "/a", GPTBOT));
    let (status, _, err) = logs.json(&[&log]);
    assert!(status == 2 && err.contains("1 of 2 requests of crawlers have no path"), "{err}");
    let log = logs.write("access.log", no_path + &get(10, "10:00:01", "/a", GPTBOT).repeat(2));
    assert_eq!(logs.json(&[&log]).0, 0);
}

#[test]
fn another_column_in_place_of_the_header_is_an_error() {
    let logs = Logs::new("log-columns");
    let log = get(10, "10:00:00", "/private/x", GPTBOT).replace("12 \"-\"", "12 \"example.com\" \"-\"");
    let log = logs.write("access.log", log.repeat(3));
    let (status, value, err) = logs.json(&[&log]);
    assert_eq!((status, &value["lines"]), (2, &0.into()));
    let format = "$remote_addr - $remote_user [$time_local] \"$request\" $status $bytes \"$text1\" \"$text2\" \"$http_user_agent\"";
    assert!(err.contains(&format!("`--log-format`, such as '{format}'")), "{err}");
    let (status, value, _) = logs.json(&["--log-format", format, &log]);
    assert_eq!((status, figure(&value, "GPTBot", "disallowed")), (1, 3));
}

#[test]
fn lines_in_any_order_have_the_same_figures() {
    let logs = Logs::new("log-order");
    // The file is missing for a day, and read on the next one.
    let log = [
        robots(10, "10:00:00", "GET", 404, GPTBOT),
        get(10, "11:00:00", "/private/x", GPTBOT),
        robots(12, "10:00:00", "GET", 200, GPTBOT),
        get(12, "11:00:00", "/private/y", GPTBOT),
        get(13, "11:00:00", "/a", GPTBOT),
    ];
    let [a, b, c, d, e] = log.clone();
    let expected =
        [("excused", 1), ("disallowed", 1), ("fresh", 1), ("late", 1), ("never", 0), ("unordered", 0)];
    let log = log.concat();
    for (log, is_in_order) in
        [(log.clone(), true), (reversed(&log), false), ([c, d, e, a, b].concat(), false)]
    {
        let log = logs.write("access.log", log);
        let (status, value, err) = logs.json(&[&log]);
        assert_figures(&value, "GPTBot", &expected);
        assert_eq!((status, err.contains("not in the order of their times")), (1, !is_in_order), "{err}");
    }
}

#[test]
fn requests_before_the_period_say_what_is_known() {
    let logs = Logs::new("log-since");
    let log = logs.write(
        "access.log",
        [
            robots(9, "09:00:00", "GET", 404, GPTBOT),
            robots(9, "10:00:00", "GET", 200, BINGBOT),
            get(9, "11:00:00", "/private/x", GPTBOT),
            get(10, "01:00:00", "/private/x", GPTBOT),
            get(10, "01:00:00", "/x", BINGBOT),
        ]
        .concat(),
    );
    let (status, value, _) = logs.json(&["--since", "2025-11-10", &log]);
    assert_eq!((status, &value["lines"]), (1, &2.into()));
    assert_figures(
        &value,
        "GPTBot",
        &[("requests", 1), ("robots_txt", 0), ("excused", 1), ("disallowed", 0)],
    );
    assert_figures(&value, "bingbot", &[("requests", 1), ("read", 0), ("fresh", 1), ("disallowed", 1)]);
    assert_eq!(value["hosts"][0]["answers"], Value::Array(Vec::new()));
}

#[test]
fn a_field_of_addresses_that_no_line_has_is_an_error() {
    let logs = Logs::new("log-address-field");
    let ranges = format!("GPTBot={}", logs.write("ranges.txt", "192.0.2.0/24\n"));
    let run = |log: &str, address: &str| {
        let log = logs.write("access.log", log);
        let (status, value, err) = logs.json(&["--ranges", &ranges, "--address", address, &log]);
        (status, figure(&value, "GPTBot", "verified"), err)
    };
    let access = line(10, "10:00:00", "10.0.0.9", "GET /a HTTP/1.1", 200, GPTBOT);
    let with = |text: &str| access.replace('\n', &format!(" {text}\n"));
    let front = |text: &str| access.replace("10.0.0.9", text);
    assert_eq!(run(&with("\"203.0.113.9, 192.0.2.1\""), "forwarded:1").1, 1);
    assert_eq!(run(&with("\"192.0.2.1, 10.0.0.7\""), "forwarded:2").1, 1);
    assert_eq!(run(&with("\"192.0.2.1\" \"10.0.0.7:80\""), "forwarded:1").1, 1);
    assert_eq!(run(&front("203.0.113.9, 192.0.2.1"), "forwarded:1").1, 1);
    assert_eq!(run(&(front("203.0.113.9, 192.0.2.1") + &front("192.0.2.1")), "forwarded:1").1, 2);
    let json = r#"{"time":"2025-11-10T10:00:00Z","request":"GET /a HTTP/1.1","http_user_agent":"GPTBot/1","ip":"192.0.2.1"}"#;
    assert_eq!(run(json, "ip").1, 1);
    for (log, address) in
        [(&*access, "forwarded:1"), (&access, "nosuch"), (json, "ipp"), (json, "forwarded:1")]
    {
        let (status, verified, err) = run(log, address);
        assert!(status == 2 && verified == 0 && err.contains("field"), "{err}");
    }
}

#[test]
fn a_crawler_that_asks_for_the_file_reads_it() {
    let logs = Logs::new("log-asks");
    let run = |answer: Option<u16>| {
        let days = [10, 11, 12, 13].map(|day| {
            let robots = answer.map(|status| robots(day, "10:00:00", "GET", status, GPTBOT));
            robots.unwrap_or_default() + &get(day, "10:00:01", "/a", GPTBOT)
        });
        logs.json(&["--deny", "unread", &logs.write("access.log", days.concat())]).0
    };
    for status in [200, 301, 404, 429, 503] {
        assert_eq!(run(Some(status)), 0, "{status}");
    }
    assert_eq!(run(None), 1);
    // There is nothing to read.
    let missing = [10, 11, 12, 13]
        .map(|day| robots(day, "10:00:00", "GET", 404, FIREFOX) + &get(day, "10:00:01", "/a", GPTBOT));
    let log = logs.write("access.log", missing.concat());
    assert_eq!(logs.json(&["--deny", "unread", &log]).0, 0);
    // In a log without statuses, a request may have been answered.
    let fields = "#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent)\n".to_owned();
    let days = [10, 11, 12, 13].map(|day| {
        ["/robots.txt", "/a"]
            .map(|path| format!("2025-11-{day} 10:00:00 192.0.2.1 GET {path} GPTBot/1.2\n"))
            .concat()
    });
    let log = logs.write("access.log", fields + &days.concat());
    let (status, value, _) = logs.json(&["--deny", "unread", &log]);
    assert_eq!(status, 0, "{value:#}");
}

#[test]
fn own_answers_say_more_than_those_of_others() {
    let logs = Logs::new("log-own-answers");
    for (log, excused) in [
        (robots(10, "10:00:00", "GET", 403, GPTBOT) + &robots(10, "10:00:01", "GET", 200, FIREFOX), 1),
        (robots(10, "10:00:00", "GET", 200, GPTBOT) + &robots(10, "10:00:01", "GET", 404, FIREFOX), 0),
        (robots(10, "10:00:00", "GET", 404, FIREFOX), 1),
        // Of a scanner.
        (robots(10, "10:00:00", "POST", 405, FIREFOX), 0),
        (robots(10, "10:00:00", "PUT", 403, FIREFOX), 0),
        (robots(10, "10:00:00", "HEAD", 404, FIREFOX), 0),
        (robots(10, "10:00:00", "GET", 429, GPTBOT) + &robots(10, "10:00:01", "GET", 404, FIREFOX), 0),
    ] {
        let access = logs.write("access.log", log.clone() + &get(10, "11:00:00", "/private/x", GPTBOT));
        let (_, value, _) = logs.json(&[&access]);
        assert_figures(&value, "GPTBot", &[("excused", excused), ("disallowed", 1 - excused)]);
    }
}

#[test]
fn a_log_without_queries_does_not_accuse_by_them() {
    let logs = Logs::new("log-no-queries");
    logs.write(
        "robots.txt",
        "User-agent: *\nDisallow: /s$\nDisallow: /list\nDisallow: /private\nAllow: /list?page=\n",
    );
    let w3c = |columns: &str, values: &str| {
        let line = |path: &str| format!("2025-11-10 10:00:00 192.0.2.1 GET {path}{values} 200 GPTBot/1.2\n");
        format!("#Fields: date time c-ip cs-method cs-uri-stem{columns} sc-status cs(User-Agent)\n")
            + &["/s", "/list", "/private"].map(line).concat()
    };
    let json = |fields: &str| {
        ["/s", "/list", "/private"]
            .map(|path| {
                let fields = fields.replace("PATH", path);
                format!("{{\"time\":\"2025-11-10T10:00:00Z\",{fields},\"http_user_agent\":\"GPTBot/1\"}}\n")
            })
            .concat()
    };
    for (log, disallowed, disputed) in [
        (w3c("", ""), 1, 2),
        (w3c(" cs-uri-query", " -"), 3, 0),
        (json("\"uri\":\"PATH\""), 1, 2),
        (json("\"uri\":\"PATH\",\"args\":\"\""), 3, 0),
        (json("\"ClientRequestPath\":\"PATH\""), 1, 2),
        (json("\"request_uri\":\"PATH\""), 3, 0),
        (json("\"properties\":{\"requestUri\":\"PATH\",\"requestQuery\":\"page=1\"}"), 1, 0),
    ] {
        let access = logs.write("access.log", &log);
        let (_, value, err) = logs.json(&[&access]);
        assert_figures(
            &value,
            "GPTBot",
            &[("checked", 3), ("disallowed", disallowed), ("disputed", disputed)],
        );
        assert_eq!(err.contains("has no queries, so 3 requests"), disputed > 0, "{log}{err}");
    }
    let format = "$time_iso8601 $request_method $uri $status \"$http_user_agent\"";
    let access = logs.write("access.log", "2025-11-10T10:00:00Z GET /s 200 \"GPTBot/1\"\n");
    assert_figures(&logs.json(&["--log-format", format, &access]).1, "GPTBot", &[("disputed", 1)]);
    // Without rules about queries, nothing depends on them.
    logs.write("robots.txt", "User-agent: *\nDisallow: /s\n");
    let access = logs.write("access.log", w3c("", ""));
    let (status, _, err) = logs.json(&[&access]);
    assert!(status == 1 && !err.contains("has no queries"), "{err}");
}

#[test]
fn addresses_numbers_and_encoded_queries_are_not_shown() {
    let logs = Logs::new("log-private");
    let forwarded = |list: &str| get(10, "10:00:00", "/a", GPTBOT).replace("192.0.2.1", list);
    let log = [
        forwarded("203.0.113.5, 192.0.2.44"),
        forwarded("203.0.113.5, 192.0.2.44 198.51.100.1"),
        forwarded("203.0.113.5 198.51.100.1"),
        forwarded("123456 198.51.100.1"),
        get(10, "10:00:00", "http://192.0.2.44/a", GPTBOT),
        get(10, "10:00:00", "/x#TOKEN", "my.192.0.2.44.bot/1.0 (+https://example.com)"),
        get(10, "10:00:00", "/x%3Ft=TOKEN", "crawler192-0-2-44/1.0"),
        get(10, "10:00:00", "/x%3ft=TOKEN", "ExampleBot-1234567890/1.0"),
    ];
    let log = logs.write("access.log", log.concat());
    let file = logs.path("robots.txt");
    for (robots, format) in [&*file, &*format!("example.com={file}")]
        .into_iter()
        .flat_map(|robots| ["human", "json", "jsonl", "csv", "html"].map(|format| (robots, format)))
    {
        let (_, out, err) = outcome(&["log", "--robots", robots, "--all", "--format", format, &log], "");
        for private in ["192.0.2", "192-0-2", "203.0.113", "198.51.100", "TOKEN", "123456"] {
            assert!(
                !out.contains(private) && !err.replace(&log, "").contains(private),
                "{private}: {out}{err}"
            );
        }
    }
}

#[test]
fn a_delay_has_the_grace_time_of_a_change() {
    let logs = Logs::new("log-delay-grace");
    let old = format!("2025-11-01={}", logs.write("old.txt", "User-agent: *\nDisallow: /x\n"));
    let new =
        format!("2025-11-10={}", logs.write("new.txt", "User-agent: *\nCrawl-delay: 30\nDisallow: /x\n"));
    let pair = |day| get(day, "12:00:00", "/a", BINGBOT) + &get(day, "12:00:05", "/b", BINGBOT);
    for (day, short) in [(10, 0), (11, 1)] {
        let log = logs.write("access.log", pair(day));
        let args = ["log", "--format", "json", "--robots", &old, "--robots", &new, "--deny", "delay", &log];
        let (status, out, _) = outcome(&args, "");
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_figures(&value, "bingbot", &[("gaps", 1), ("short", short)]);
        assert_eq!(
            (status, &value["hosts"][0]["crawlers"][0]["crawl_delay"]),
            (i32::try_from(short).unwrap(), &30.0.into())
        );
    }
}

#[test]
fn the_same_log_counts_once() {
    let logs = Logs::new("log-twice");
    let text = get(10, "10:00:00", "/private/x", GPTBOT);
    let log = logs.write("access.log", &text);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let compressed = logs.write("access.log.gz", encoder.finish().unwrap());
    let (_, value, err) = logs.json(&[&log, &log]);
    assert_figures(&value, "GPTBot", &[("requests", 1)]);
    assert!(!err.contains("counted twice"), "{err}");
    let (_, value, err) = logs.json(&[&log, &compressed]);
    assert_figures(&value, "GPTBot", &[("requests", 2)]);
    assert!(err.contains(&format!("{compressed} begins with the same lines as {log}")), "{err}");
    // Lines that end with CR only.
    let log = logs.write("cr.log", text.repeat(2).replace('\n', "\r"));
    assert_figures(&logs.json(&[&log]).1, "GPTBot", &[("requests", 2)]);
    let log = logs.write("cut.zst", b"\x28\xB5\x2F\xFD\x04\x00");
    let (status, _, err) = logs.json(&[&log]);
    assert!(status == 2 && !err.contains("Error(") && err.contains("was cut"), "{err}");
}

#[test]
fn one_file_for_several_hosts_is_noted() {
    let logs = Logs::new("log-hosts-noted");
    let of = |host: &str, path: &str| format!("{host}:443 {}", get(10, "10:00:00", path, GPTBOT));
    let log = logs.write("access.log", of("a.example", "/a") + &of("b.example", "/a"));
    let (_, _, err) = logs.json(&[&log]);
    assert!(err.contains("requests to several hosts, such as a.example and b.example"), "{err}");
    let log = logs.write("access.log", of("a.example", "/a") + &of("A.example", "/a"));
    assert!(!logs.json(&[&log]).2.contains("several hosts"));
    // A client tries to use the server as a proxy.
    let log = of("a.example", "http://other.example/private/x")
        + &of("a.example", "http://A.example:443/private/x");
    let (_, value, _) = logs.json(&[&logs.write("access.log", log)]);
    assert_figures(&value, "GPTBot", &[("requests", 2), ("no_robots", 1), ("disallowed", 1)]);
}

#[test]
fn arguments_that_mean_nothing_are_errors() {
    let logs = Logs::new("log-mistakes");
    let file = logs.path("robots.txt");
    let log = logs.write("access.log", get(10, "10:00:00", "/a", GPTBOT));
    for (args, part) in [
        (&["--robots", &file, "--grace", "24", &log][..], "write `24h`"),
        (&["--robots", "-", "-"], "standard input can be read only once"),
        (&["--robots", "-"], "standard input can be read only once"),
        (&["--robots", "a.example=-", "-"], "standard input can be read only once"),
    ] {
        let (status, out, err) = outcome(&[&["log"], args].concat(), "");
        assert_eq!((status, &*out, err.contains(part)), (2, "", true), "{err}");
    }
    let missing = logs.path("missing.log");
    let (status, out, _) = outcome(&["log", "--robots", &file, "--format", "html", &log, &missing], "");
    assert!(status == 2 && out.contains("missing.log"), "{out}");
}

#[test]
fn every_request_has_an_identity() {
    let logs = Logs::new("log-identity");
    let ranges = format!("GPTBot={}", logs.write("ranges.txt", "192.0.2.0/24\n"));
    let at = |address| line(10, "10:00:00", address, "GET /private/x HTTP/1.1", 200, GPTBOT);
    let log = logs.write(
        "access.log",
        [at("192.0.2.1"), at("198.51.100.1"), at("10.0.0.1"), at("host.example")].concat(),
    );
    let (_, out, _) = outcome(&["log", "--robots", &logs.path("robots.txt"), "--ranges", &ranges, &log], "");
    assert!(out.contains("1 verified, 1 not, 2 without the client's address"), "{out}");
    // The port of an IPv6 address.
    let format = "$remote_addr:$port [$time_local] \"$request\" $status \"$http_user_agent\"";
    let v6 = format!("GPTBot={}", logs.write("v6.txt", "2001:db8::/32\n"));
    let log = logs.write(
        "access.log",
        format!("2001:db8::1:443 [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 \"{GPTBOT}\"\n"),
    );
    let (_, value, _) = logs.json(&["--log-format", format, "--ranges", &v6, &log]);
    assert_figures(&value, "GPTBot", &[("verified", 1)]);
}

/// An answer that is larger than every version is another file, if the log counts bytes as files have them.
#[test]
fn answers_that_are_larger_than_the_file_are_noted() {
    let logs = Logs::new("log-sizes");
    let file = "User-agent: GPTBot\nDisallow: /private/\n";
    let robots = logs.write("sized.txt", file);
    let answer = |status: u16, size: usize, method: &str| {
        line(10, "10:00:00", "192.0.2.1", &format!("{method} /robots.txt HTTP/1.1"), status, GPTBOT)
            .replace(&format!("\" {status} 12 \""), &format!("\" {status} {size} \""))
    };
    let sizes = |log: &str| {
        let args = ["log", "--robots", &robots, &logs.write("access.log", log)];
        let (_, out, err) = outcome(&[&args[..], &["--format", "json"]].concat(), "");
        let value: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
        let host = &value["hosts"][0];
        let is_noted = outcome(&args, "").1.contains("have more bytes than every version");
        let found = ["answers_of_same_size", "answers_of_other_size", "larger_answers"]
            .map(|name| host[name].as_u64().unwrap());
        (found, is_noted)
    };
    let same = answer(200, file.len(), "GET");
    let larger = answer(200, file.len() + 500, "GET");
    let smaller = answer(200, file.len() - 5, "GET");
    assert_eq!(sizes(&(same.clone() + &larger + &smaller)), ([1, 2, 1], true));
    // Compressed, or with its header fields in each line.
    assert_eq!(sizes(&(same.clone() + &smaller)), ([1, 1, 0], false));
    assert_eq!(sizes(&larger.repeat(3)), ([0, 3, 3], false));
    // Other answers have no file.
    let others = answer(304, 999, "GET") + &answer(404, 999, "GET") + &answer(200, 999, "HEAD");
    assert_eq!(sizes(&(same + &others)), ([1, 0, 0], false));
}
