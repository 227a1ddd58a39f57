//! `robots log` with texts that clients send and programs log: no such text is a request of somebody else.

use crate::log::{GPTBOT, Logs, figure};

/// The address of a crawler, which a client writes into its texts.
const CRAWLER: &str = "198.51.100.5";

/// Status, requests of GPTBot, those that are verified, lines that can't be read, and standard error.
fn run(logs: &Logs, args: &[&str], log: &str) -> (i32, [u64; 3], String) {
    let ranges = format!("GPTBot={}", logs.write("ranges.txt", "198.51.100.0/24\n"));
    let log = logs.write("access.log", log);
    let (status, value, err) = logs.json(&[&["--ranges", &*ranges], args, &[&*log]].concat());
    let of = |name| figure(&value, "GPTBot", name);
    (status, [of("requests"), of("verified"), value["unread"].as_u64().unwrap()], err)
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
