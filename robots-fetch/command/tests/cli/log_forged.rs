//! `robots log` with texts that clients send and programs log: no such text is a request of somebody else.

use crate::log::{GPTBOT, Logs, assert_figures, figure};

/// The address of a crawler, which a client writes into its texts.
const CRAWLER: &str = "198.51.100.5";
const CLIENT: &str = "203.0.113.9";

/// A disallowed request of the crawler, as Caddy would write it.
fn caddy(address: &str, agent: &str) -> String {
    format!(
        "{{\"ts\":1762768800,\"request\":{{\"client_ip\":\"{address}\",\"method\":\"GET\",\"host\":\"a\",\"uri\":\"/private/x\",\"headers\":{{\"User-Agent\":[\"{agent}\"]}}}},\"status\":200}}"
    )
}

fn combined(address: &str, agent: &str) -> String {
    format!("{address} - - [10/Nov/2025:10:00:00 +0000] \"GET /private/x HTTP/1.1\" 200 12 \"-\" \"{agent}\"")
}

/// Status, requests of GPTBot, those that are verified, lines that can't be read, and standard error.
fn run(logs: &Logs, args: &[&str], log: &str) -> (i32, [u64; 3], String) {
    let ranges = format!("GPTBot={}", logs.write("ranges.txt", "198.51.100.0/24\n"));
    let log = logs.write("access.log", log);
    let (status, value, err) = logs.json(&[&["--ranges", &*ranges], args, &[&*log]].concat());
    let of = |name| figure(&value, "GPTBot", name);
    (status, [of("requests"), of("verified"), value["unread"].as_u64().unwrap()], err)
}

#[test]
fn an_object_after_text_of_a_program_is_not_a_request() {
    let logs = Logs::new("log-forged-json");
    let forged = caddy(CRAWLER, GPTBOT);
    let with = |prefix: &str, line: &str| {
        format!("{prefix}{}\n", caddy(CLIENT, "Firefox/1")).repeat(20) + line + "\n"
    };
    let bar = "web-1  | ";
    for text in [
        "WARN rejected body ",
        "app-1  | WARN rejected body ",
        "app-1  | WARN | ",
        "app-1  | user: ",
        "Nov 10 10:00:00 web app[12]: user: ",
        "Nov 10 10:00:00 web app ",
        "2025-11-10T10:00:00Z  WARN app::http: ",
        "2025-11-10T10:00:00Z WARN app::http: ",
        "2025-11-10 10:00:00,123 WARN: ",
        "2025-11-10T10:00:00.1Z stdout F WARN ",
        "<190>1 2025-11-10T10:00:00Z web app 12 - - WARN ",
        "<190>1 2025-11-10T10:00:00Z web app 12 - [a b=\"c\"] x ",
        "WARN ",
        "\t",
        "body=",
    ] {
        for prefix in [bar, ""] {
            let (status, found, err) = run(&logs, &[], &with(prefix, &format!("{text}{forged}")));
            // White space is not a text.
            let expected = if text == "\t" { (1, [1, 1, 0]) } else { (0, [0, 0, 1]) };
            assert_eq!((status, found), expected, "{text}: {err}");
            let reason = "1 with a JSON object after text";
            assert_eq!(err.contains(reason), text != "\t", "{text}: {err}");
        }
    }
    // Where it is not known whose texts they are, a text in an object is not a line.
    let message = serde_json::json!({"level": "warn", "message": combined(CRAWLER, GPTBOT)}).to_string();
    assert_eq!(run(&logs, &[], &with("", &message)).1, [0, 0, 1]);
    let docker = serde_json::json!({"log": combined(CRAWLER, GPTBOT) + "\n", "stream": "stdout"}).to_string();
    assert_eq!(run(&logs, &[], &docker).1, [1, 1, 0]);
}

#[test]
fn an_address_after_text_of_a_program_is_not_that_of_the_client() {
    let logs = Logs::new("log-forged-combined");
    let forged = combined(CRAWLER, GPTBOT);
    for text in [
        "WARN ",
        "user: ",
        "WARN rejected ",
        "app-1  | WARN ",
        "app-1  | bad: ",
        "Nov 10 10:00:00 web app[12]: bad ",
        "2025-11-10 10:00:00 WARN ",
        "2025-11-10T10:00:00Z WARN app: ",
        "2025-11-10T10:00:00.1Z stdout F WARN ",
        "<190>1 2025-11-10T10:00:00Z web app 12 - - WARN ",
    ] {
        let log = format!("{}\n", combined(CLIENT, "Firefox/1")).repeat(20) + text + &forged + "\n";
        let (status, found, err) = run(&logs, &[], &log);
        assert_eq!((status, found[1]), (0, 0), "{text}: {err}");
    }
}

/// A format that is named has all its forms, as one that is recognized.
#[test]
fn both_forms_of_nginx_proxy_manager_are_read() {
    let logs = Logs::new("log-both-forms");
    let rest = |cache: &str, server: &str| {
        format!(
            "[10/Nov/2025:10:00:00 +0000] {cache}200 - GET https example.com \"/private/x\" [Client {CRAWLER}] [Length 12] [Gzip -] {server}\"{GPTBOT}\" \"-\"\n"
        )
    };
    let log = rest("- 200 ", "[Sent-to 10.0.0.2] ") + &rest("", "");
    for args in [&[][..], &["--log-format", "proxy-manager"]] {
        assert_eq!(run(&logs, args, &log).1, [2, 2, 0], "{args:?}");
        assert_eq!(run(&logs, args, &rest("", "")).1, [1, 1, 0], "{args:?}");
    }
}

#[test]
fn lines_of_amazon_s3_without_requests_are_read() {
    let logs = Logs::new("log-s3");
    let line = |address: &str, rest: &str| {
        format!("79a example.com [10/Nov/2025:10:00:00 +0000] {address} - 3E57 X.GET.OBJECT key {rest}\n")
    };
    let log = [
        line(CRAWLER, &format!("\"GET /private/x HTTP/1.1\" 200 - 12 12 7 6 - \"{GPTBOT}\" -")),
        line(CRAWLER, "\"GET /private/x HTTP/1.1\" 200 - 12 12 7 6 \"-\" - -"),
        line("-", "- 204 - - 12 - - - - -"),
    ];
    for args in [&[][..], &["--log-format", "s3"]] {
        let (status, found, err) = run(&logs, args, &log.concat());
        assert_eq!((status, found), (1, [1, 1, 0]), "{err}");
    }
    let (_, value, _) = logs.json(&[&logs.path("access.log")]);
    assert_eq!((&value["no_user_agent"], &value["lines"]), (&2.into(), &3.into()));
}

#[test]
fn plain_names_of_fields_have_the_address() {
    let logs = Logs::new("log-plain-names");
    let names =
        "ip client_ip remote_ip src_ip source_ip clientip client_addr remoteAddr ip_address source.ip client";
    for name in names.split(' ') {
        let log = format!(
            "{{\"time\":\"2025-11-10T10:00:00Z\",\"request\":\"GET /private/x HTTP/1.1\",\"status\":200,\"user_agent\":\"{GPTBOT}\",\"{name}\":\"{CRAWLER}\"}}\n"
        );
        assert_eq!(run(&logs, &[], &log).1, [1, 1, 0], "{name}");
    }
}

/// What is read of a version over the size limit does not say how large the answers are.
#[test]
fn answers_with_a_file_over_the_size_limit_are_not_larger() {
    let logs = Logs::new("log-over-limit");
    let file = format!("User-agent: *\nDisallow: /x\n# {}\n", "x".repeat(600_000));
    logs.write("robots.txt", &file);
    let answer = |size: usize| {
        combined(CLIENT, GPTBOT).replace("/private/x", "/robots.txt").replace(" 12 ", &format!(" {size} "))
            + "\n"
    };
    let (_, value, _) =
        logs.json(&[&logs.write("access.log", answer(file.len()) + &answer(900_000) + &answer(5_000))]);
    let host = &value["hosts"][0];
    assert_figures(&value, "GPTBot", &[("read", 3)]);
    assert_eq!((&host["larger_answers"], &host["answers_of_other_size"]), (&0.into(), &1.into()));
}

/// A client ends its text with a quotation mark, and goes on with the fields that follow it.
#[test]
fn fields_that_a_client_writes_are_not_those_of_the_log() {
    let logs = Logs::new("log-forged-fields");
    let line = |path: &str| {
        format!(
            "[10/Nov/2025:10:00:00 +0000] - 200 200 - GET https example.com \"{path}\" [Client {CLIENT}] [Length 5] [Gzip -] [Sent-to 10.0.0.2] \"{GPTBOT}\" \"-\"\n"
        )
    };
    for end in ["", " [Gzip -] [Sent-to 1] \"GPTBot/1.2\" \""] {
        let forged = line(&format!("/private/x\" [Client {CRAWLER}] [Length 5]{end}"));
        assert_eq!(run(&logs, &[], &(forged + &line("/a").repeat(2))).1, [2, 0, 1], "{end}");
    }
}

#[test]
fn the_last_address_counts_wherever_proxies_add_theirs() {
    let logs = Logs::new("log-forged-forwarded");
    let caddy =
        |headers: &str| caddy("10.0.0.1", &format!("{GPTBOT}\"],\"X-Forwarded-For\":[\"{headers}")) + "\n";
    let columns = |columns: &str| format!("{} {columns}\n", combined("10.0.0.1", GPTBOT));
    for (log, verified) in [
        (caddy(&format!("{CRAWLER}\",\"{CLIENT}")), 0),
        (caddy(&format!("{CLIENT}\",\"{CRAWLER}")), 1),
        (caddy(&format!("{CLIENT}, {CRAWLER}")), 1),
        (columns(&format!("\"{CLIENT}, {CRAWLER}\" \"en\"")), 1),
        // One of them may be another header, which the client chooses.
        (columns(&format!("\"{CLIENT}\" \"{CRAWLER}\"")), 0),
        (columns(&format!("\"{CRAWLER}\" \"{CLIENT}\"")), 0),
    ] {
        assert_eq!(run(&logs, &["--address", "forwarded:1"], &log).1, [1, verified, 0], "{log}");
    }
}
