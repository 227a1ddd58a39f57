//! `robots log` with logs of many servers and programs between them.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::command::outcome;
use crate::log::{GPTBOT, Logs, zstd};

const FILE: &str = "User-agent: GPTBot\nDisallow: /private/\nDisallow: /*?q=1\n";
const RANGES: &str = "198.51.100.0/24\n2001:db8::/32\n";

fn logs(name: &str) -> Logs {
    let logs = Logs::new(name);
    logs.write("robots.txt", FILE);
    logs.write("ranges.txt", RANGES);
    logs
}

/// Status, JSON and standard error with these arguments after those for the file and the ranges.
fn run(logs: &Logs, args: &[&str]) -> (i32, Value, String) {
    let ranges = format!("GPTBot={}", logs.path("ranges.txt"));
    logs.json(&[&["--ranges", &*ranges], args].concat())
}

fn figures(value: &Value) -> [u64; 4] {
    let crawlers = || {
        value["hosts"].as_array().into_iter().flatten().flat_map(|host| host["crawlers"].as_array().unwrap())
    };
    let sum = |name: &str| {
        crawlers()
            .filter(|crawler| crawler["name"] == "GPTBot")
            .map(|crawler| crawler[name].as_u64().unwrap())
            .sum()
    };
    [sum("requests"), sum("checked"), sum("disallowed"), sum("verified")]
}

/// A line of the Combined Log Format after these words.
fn combined(client: &str, second: u8, request: &str) -> String {
    format!("{client} [10/Nov/2025:10:00:{second:02} +0000] \"{request}\" 200 12 \"-\" \"{GPTBOT}\"\n")
}

/// Two requests at 10:00:00 and 10:00:05 by GPTBot from an address of it: one is disallowed, the other is not.
fn two(line: impl Fn(&str, &str) -> String) -> String {
    line("00", "/private/x") + &line("05", "/a")
}

#[test]
fn each_log_has_two_verified_requests_of_which_one_is_disallowed() {
    let logs = logs("log-variants");
    let prefixed = |prefix: &str| {
        combined(&format!("{prefix}198.51.100.5 - -"), 0, "GET /private/x HTTP/1.1")
            + &combined(&format!("{prefix}198.51.100.5 - -"), 5, "GET /a HTTP/1.1")
    };
    let caddy = |second: &str, path: &str| {
        format!(
            "{{\"ts\":17627688{second}.5,\"request\":{{\"client_ip\":\"198.51.100.5\",\"method\":\"GET\",\"host\":\"a\",\"uri\":\"{path}\",\"headers\":{{\"User-Agent\":[\"{GPTBOT}\"]}}}},\"status\":200}}\n"
        )
    };
    let encoded = GPTBOT.replace(' ', "%20");
    let plus = GPTBOT.replace(' ', "+");
    let cases: Vec<(&str, &str, String)> = vec![
        ("byte order mark and CRLF", "combined", format!("\u{feff}{}", prefixed("").replace('\n', "\r\n"))),
        ("syslog", "combined", prefixed("Nov 10 10:00:00 203.0.113.9 nginx: ")),
        ("syslog with priority", "combined", prefixed("<190>Nov 10 10:00:00 web httpd[12]: ")),
        ("syslog, RFC 5424", "combined", prefixed("<190>1 2025-11-10T10:00:00.123Z web nginx 12 - - ")),
        ("container", "combined", prefixed("2025-11-10T10:00:00.123456789Z stdout F ")),
        ("host and port", "vhost", prefixed("example.com:443 ")),
        ("address of IPv6 as host", "vhost", prefixed("[2001:db8::1]:443 ")),
        ("host without port", "combined", prefixed("example.com ")),
        (
            "lighttpd",
            "combined",
            two(|second, path| {
                combined(
                    "198.51.100.5 example.com -",
                    second.parse().unwrap(),
                    &format!("GET {path} HTTP/1.1"),
                )
            }),
        ),
        (
            "milliseconds",
            "combined",
            two(|second, path| {
                format!(
                    "2001:db8::5 - - [10/Nov/2025:10:00:{second}.123 +0000] \"GET {path} HTTP/2.0\" 200 - \"-\" \"{GPTBOT}\" \"-\"\n"
                )
            }),
        ),
        (
            "IIS, fields change and a time is alone",
            "w3c",
            format!(
                "#Software: IIS\r\n#Date: 2025-11-10 09:00:00\r\n#Fields: time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\r\n\
                 10:00:00 198.51.100.5 GET /private/x - 200 {plus}\r\n\
                 #Fields: date time s-port cs(User-Agent) cs-uri-stem c-ip\r\n\
                 2025-11-10 10:00:05 443 {plus} /a 198.51.100.5\r\n"
            ),
        ),
        (
            "CloudFront",
            "cloudfront",
            format!(
                "#Version: 1.0\n#Fields: date time x-edge-location c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header\n{}",
                two(|second, path| format!(
                    "2025-11-10\t10:00:{second}\tFRA\t198.51.100.5\tGET\td.cloudfront.net\t{path}\t200\t{encoded}\t-\texample.com\n"
                ))
            ),
        ),
        (
            "Application Load Balancer",
            "alb",
            two(|second, path| {
                format!(
                    "h2 2025-11-10T10:00:{second}.5Z app/lb/1 198.51.100.5:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 34 366 \"GET https://example.com:443{path} HTTP/2.0\" \"{GPTBOT}\" c TLSv1.2 arn \"Root=1\" \"example.com\" \"arn\" 0 2025-11-10T10:00:{second}.1Z \"forward\" \"-\" \"-\"\n"
                )
            }),
        ),
        (
            "Classic Load Balancer",
            "alb",
            two(|second, path| {
                format!(
                    "2025-11-10T10:00:{second}.5Z lb 198.51.100.5:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 0 29 \"GET http://example.com:80{path} HTTP/1.1\" \"{GPTBOT}\" - -\n"
                )
            }),
        ),
        (
            "Caddy, the first version 2",
            "json",
            two(|second, path| {
                format!(
                    "{{\"level\":\"info\",\"ts\":\"2025/11/10 10:00:{second}.250\",\"request\":{{\"remote_addr\":\"198.51.100.5:5123\",\"method\":\"GET\",\"host\":\"example.com:443\",\"uri\":\"{path}\",\"headers\":{{\"User-Agent\":[\"{GPTBOT}\"]}}}},\"status\":200}}\n"
                )
            }),
        ),
        (
            "Traefik",
            "json",
            two(|second, path| {
                format!(
                    "{{\"ClientAddr\":\"198.51.100.5:1\",\"ClientHost\":\"198.51.100.5\",\"DownstreamStatus\":200,\"RequestHost\":\"example.com\",\"RequestMethod\":\"GET\",\"RequestPath\":\"{path}\",\"StartUTC\":\"2025-11-10T10:00:{second}.123456789Z\",\"request_User-Agent\":\"{GPTBOT}\",\"time\":\"2025-11-10T11:00:00+01:00\"}}\n"
                )
            }),
        ),
        (
            "Envoy",
            "json",
            two(|second, path| {
                format!(
                    "{{\"start_time\":\"2025-11-10T10:00:{second}.1Z\",\"method\":\"GET\",\"path\":\"{path}\",\"response_code\":200,\"user_agent\":\"{GPTBOT}\",\"authority\":\"example.com\",\"downstream_remote_address\":\"198.51.100.5:33\"}}\n"
                )
            }),
        ),
        (
            "load balancer of Google",
            "json",
            two(|second, path| {
                format!(
                    "{{\"httpRequest\":{{\"remoteIp\":\"198.51.100.5\",\"requestMethod\":\"GET\",\"requestUrl\":\"https://example.com{path}\",\"status\":200,\"userAgent\":\"{GPTBOT}\"}},\"timestamp\":\"2025-11-10T10:00:{second}.1Z\"}}\n"
                )
            }),
        ),
        (
            "Elastic Common Schema",
            "json",
            two(|second, path| {
                format!(
                    "{{\"@timestamp\":\"2025-11-10T10:00:{second}.000Z\",\"source.ip\":\"198.51.100.5\",\"url\":{{\"path\":\"{path}\",\"domain\":\"example.com\"}},\"http\":{{\"request\":{{\"method\":\"GET\"}},\"response\":{{\"status_code\":200}}}},\"user_agent\":{{\"original\":\"{GPTBOT}\"}}}}\n"
                )
            }),
        ),
        (
            "Akamai",
            "json",
            two(|second, path| {
                format!(
                    "{{\"reqTimeSec\":\"17627688{second}.250\",\"cliIP\":\"198.51.100.5\",\"reqHost\":\"example.com\",\"reqMethod\":\"GET\",\"reqPath\":\"{path}\",\"statusCode\":\"200\",\"UA\":\"{encoded}\"}}\n"
                )
            }),
        ),
        (
            "Apache as JSON",
            "json",
            two(|second, path| {
                format!(
                    "{{\"time\":\"[10/Nov/2025:10:00:{second} +0000]\",\"remote_addr\":\"198.51.100.5\",\"request\":\"GET {path} HTTP/1.1\",\"status\":\"200\",\"user_agent\":\"{GPTBOT}\"}},\n"
                )
            }),
        ),
        (
            "Docker",
            "json",
            two(|second, path| {
                let request = format!("GET {path} HTTP/1.1");
                let line = combined("198.51.100.5 - -", second.parse().unwrap(), &request);
                format!(
                    "{}\n",
                    serde_json::json!({"log": line, "stream": "stdout", "time": "2025-11-10T10:00:09Z"})
                )
            }),
        ),
        (
            "Vercel",
            "json",
            two(|second, path| {
                format!(
                    "{{\"host\":\"x.example\",\"path\":\"/[page]\",\"timestamp\":1762768900000,\"proxy\":{{\"timestamp\":17627688{second}000,\"method\":\"GET\",\"host\":\"example.com\",\"path\":\"{path}\",\"userAgent\":[\"{GPTBOT}\"],\"statusCode\":200,\"clientIp\":\"198.51.100.5\"}}}}\n"
                )
            }),
        ),
        (
            "Fastly",
            "json",
            two(|second, path| {
                format!(
                    "{{\"timestamp\":\"2025-11-10T10:00:{second}+0000\",\"client_ip\":\"198.51.100.5\",\"host\":\"example.com\",\"url\":\"{path}\",\"request_method\":\"GET\",\"request_user_agent\":\"{GPTBOT}\",\"response_status\":200}}\n"
                )
            }),
        ),
        (
            "pino",
            "json",
            two(|second, path| {
                format!(
                    "{{\"level\":30,\"time\":17627688{second}123,\"req\":{{\"method\":\"GET\",\"url\":\"{path}\",\"headers\":{{\"host\":\"example.com\",\"user-agent\":\"{GPTBOT}\"}},\"remoteAddress\":\"::ffff:198.51.100.5\"}},\"res\":{{\"statusCode\":200}},\"msg\":\"request completed\"}}\n"
                )
            }),
        ),
        (
            "CloudFront as JSON",
            "json",
            two(|second, path| {
                format!(
                    "{{\"date\":\"2025-11-10\",\"time\":\"10:00:{second}\",\"c-ip\":\"198.51.100.5\",\"cs-method\":\"GET\",\"cs(Host)\":\"d.cloudfront.net\",\"cs-uri-stem\":\"{path}\",\"sc-status\":\"200\",\"cs(User-Agent)\":\"{encoded}\",\"cs-uri-query\":\"-\",\"x-host-header\":\"example.com\"}}\n"
                )
            }),
        ),
        (
            "W3C, fields in quotation marks",
            "w3c",
            format!(
                "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer)\n{}",
                two(|second, path| format!(
                    "2025-11-10 10:00:{second} 198.51.100.5 GET {path} 200 \"{GPTBOT}\" \"-\"\n"
                ))
            ),
        ),
        (
            "CloudFront, encoded twice",
            "cloudfront",
            format!(
                "#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent)\n{}",
                two(|second, path| format!(
                    "2025-11-10\t10:00:{second}\t198.51.100.5\tGET\texample.com\t{path}\t200\t{}\n",
                    encoded.replace('%', "%25")
                ))
            ),
        ),
        ("a user with a quote", "combined", prefixed("").replace(" - - ", r#" - a\"b "#)),
        ("docker compose", "combined", prefixed("web-1  | ")),
        // The name of a user is its own text, and no address.
        ("container, a user like an address", "combined", prefixed("2025-11-10T10:00:00Z stdout F ").replace(" - - ", " - - 203.0.113.9 - - ")),
        (
            "Caddy after syslog",
            "json",
            two(|second, path| format!("Nov 10 10:00:09 web caddy[12]: {}", caddy(second, path))),
        ),
        (
            "Caddy in a container",
            "json",
            two(|second, path| format!("2025-11-10T10:00:09.123Z stdout F {}", caddy(second, path))),
        ),
        ("Caddy, docker compose", "json", two(|second, path| format!("web-1  | {}", caddy(second, path)))),
        (
            "Loki",
            "json",
            prefixed("")
                .lines()
                .map(|line| format!("{}\n", serde_json::json!({"labels": {"job": "a"}, "line": line, "timestamp": "2025-11-10T10:00:09Z"})))
                .collect(),
        ),
        (
            "Google Cloud, text",
            "json",
            prefixed("")
                .lines()
                .map(|line| format!("{}\n", serde_json::json!({"textPayload": line, "timestamp": "2025-11-10T10:00:09Z"})))
                .collect(),
        ),
        (
            "firewall of AWS",
            "json",
            two(|second, path| {
                format!(
                    "{{\"timestamp\":17627688{second}123,\"action\":\"ALLOW\",\"httpRequest\":{{\"clientIp\":\"198.51.100.5\",\"headers\":[{{\"name\":\"Host\",\"value\":\"example.com\"}},{{\"name\":\"Accept\",\"value\":\"*/*\"}},{{\"name\":\"user-agent\",\"value\":\"{GPTBOT}\"}}],\"uri\":\"{path}\",\"args\":\"\",\"httpMethod\":\"GET\"}}}}\n"
                )
            }),
        ),
        (
            "API gateway of AWS",
            "json",
            two(|second, path| {
                format!(
                    "{{\"sourceIp\":\"198.51.100.5\",\"requestTime\":\"10/Nov/2025:10:00:{second} +0000\",\"httpMethod\":\"GET\",\"path\":\"{path}\",\"status\":\"200\",\"userAgent\":\"{GPTBOT}\"}}\n"
                )
            }),
        ),
        (
            "App Service of Azure",
            "json",
            two(|second, path| {
                format!(
                    "{{\"TimeGenerated\":\"2025-11-10T10:00:{second}.12Z\",\"CsMethod\":\"GET\",\"CsUriStem\":\"{path}\",\"CsUriQuery\":\"\",\"CIp\":\"198.51.100.5\",\"UserAgent\":\"{GPTBOT}\",\"CsHost\":\"example.com\",\"ScStatus\":200}}\n"
                )
            }),
        ),
        (
            "Logpush, time of the end, and a query in its field",
            "json",
            two(|second, path| {
                let (path, query) = if path == "/a" { ("/a", "") } else { ("/b", "?q=1") };
                format!(
                    "{{\"EdgeEndTimestamp\":\"2025-11-10T10:00:{second}Z\",\"ClientIP\":\"198.51.100.5\",\"ClientRequestHost\":\"example.com\",\"ClientRequestPath\":\"{path}\",\"ClientRequestQuery\":\"{query}\",\"ClientRequestUserAgent\":\"{GPTBOT}\",\"EdgeResponseStatus\":200}}\n"
                )
            }),
        ),
        (
            "Amazon S3",
            "s3",
            two(|second, path| {
                format!(
                    "79a59df900b949e5 example.com [10/Nov/2025:10:00:{second} +0000] 198.51.100.5 - 3E57427F33A59F07 WEBSITE.GET.OBJECT key \"GET {path} HTTP/1.1\" 200 - 12 12 7 6 \"-\" \"{GPTBOT}\" - 9vKB - ECDHE - example.com TLSv1.2\n"
                )
            }),
        ),
        (
            "Nginx Proxy Manager",
            "proxy-manager",
            two(|second, path| {
                format!(
                    "[10/Nov/2025:10:00:{second} +0000] - 200 200 - GET https example.com \"{path}\" [Client 198.51.100.5] [Length 12] [Gzip -] [Sent-to 10.0.0.1] \"{GPTBOT}\" \"-\"\n"
                )
            }),
        ),
        (
            "Nginx Proxy Manager, without a server after it",
            "proxy-manager",
            two(|second, path| {
                format!(
                    "[10/Nov/2025:10:00:{second} +0000] 200 - GET https example.com \"{path}\" [Client 198.51.100.5] [Length 12] [Gzip -] \"{GPTBOT}\" \"-\"\n"
                )
            }),
        ),
        (
            "bunny.net",
            "bunny",
            two(|second, path| {
                format!(
                    "HIT|200|17627688{second}123|12|4711|198.51.100.5|-|https://example.com{path}|DE|{GPTBOT}|abc|DE\n"
                )
            }),
        ),
        ("LiteSpeed", "combined", prefixed("\"").replace("\"\n", "\"\"\n")),
        ("Twisted", "combined", prefixed("").replace("198.51.100.5", "\"198.51.100.5\"")),
        (
            "Edgecast",
            "w3c",
            format!(
                "#Fields: timestamp time-taken c-ip cs-method cs-uri-stem - c-referrer c-user-agent\n{}",
                two(|second, path| format!(
                    "17627688{second} 0 198.51.100.5 GET http://a.example{path} - \"-\" \"{GPTBOT}\"\n"
                ))
            ),
        ),
        (
            "App Engine",
            "json",
            two(|second, path| {
                format!(
                    "{{\"protoPayload\":{{\"ip\":\"198.51.100.5\",\"startTime\":\"2025-11-10T10:00:{second}.1Z\",\"method\":\"GET\",\"resource\":\"{path}\",\"status\":200,\"userAgent\":\"{GPTBOT}\",\"host\":\"a.example\"}},\"resource\":{{\"type\":\"gae_app\"}}}}\n"
                )
            }),
        ),
        (
            "Datadog",
            "json",
            two(|second, path| {
                format!(
                    "{{\"timestamp\":\"2025-11-10T10:00:{second}.1Z\",\"http\":{{\"url\":\"https://a.example{path}\",\"method\":\"GET\",\"status_code\":200,\"useragent\":\"{GPTBOT}\"}},\"network\":{{\"client\":{{\"ip\":\"198.51.100.5\"}}}}}}\n"
                )
            }),
        ),
        (
            "Logstash",
            "json",
            two(|second, path| {
                format!(
                    "{{\"clientip\":\"198.51.100.5\",\"timestamp\":\"10/Nov/2025:10:00:{second} +0000\",\"verb\":\"GET\",\"request\":\"{path}\",\"response\":\"200\",\"agent\":\"\\\"{GPTBOT}\\\"\"}}\n"
                )
            }),
        ),
        (
            "Fluentd",
            "json",
            two(|second, path| {
                format!(
                    "{{\"remote\":\"198.51.100.5\",\"host\":\"-\",\"method\":\"GET\",\"path\":\"{path}\",\"code\":\"200\",\"agent\":\"{GPTBOT}\",\"time\":\"2025-11-10T10:00:{second}+00:00\"}}\n"
                )
            }),
        ),
        (
            "morgan, names with hyphens",
            "json",
            two(|second, path| {
                format!(
                    "{{\"date\":\"2025-11-10T10:00:{second}.123Z\",\"method\":\"GET\",\"url\":\"{path}\",\"status\":\"200\",\"remote-addr\":\"198.51.100.5\",\"user-agent\":\"{GPTBOT}\"}}\n"
                )
            }),
        ),
        (
            "Ruby on Rails",
            "json",
            two(|second, path| {
                format!(
                    "{{\"method\":\"GET\",\"path\":\"{path}\",\"status\":200,\"ip\":\"198.51.100.5\",\"user_agent\":\"{GPTBOT}\",\"time\":\"2025-11-10 10:00:{second} UTC\"}}\n"
                )
            }),
        ),
        (
            "Serilog",
            "json",
            two(|second, path| {
                format!(
                    "{{\"@t\":\"2025-11-10T10:00:{second}.1234567Z\",\"RequestMethod\":\"GET\",\"RequestPath\":\"{path}\",\"StatusCode\":200,\"UserAgent\":\"{GPTBOT}\",\"ClientIp\":\"198.51.100.5\"}}\n"
                )
            }),
        ),
        (
            "winston",
            "json",
            two(|second, path| {
                format!(
                    "{{\"message\":\"HTTP GET {path}\",\"meta\":{{\"req\":{{\"url\":\"{path}\",\"headers\":{{\"host\":\"a\",\"user-agent\":\"{GPTBOT}\"}},\"method\":\"GET\"}},\"res\":{{\"statusCode\":200}}}},\"ip\":\"198.51.100.5\",\"timestamp\":\"2025-11-10T10:00:{second}.000Z\"}}\n"
                )
            }),
        ),
        (
            "Graylog",
            "json",
            prefixed("")
                .lines()
                .map(|line| format!("{}\n", serde_json::json!({"version": "1.1", "host": "web", "short_message": line, "timestamp": 1})))
                .collect(),
        ),
        (
            "Logpush with RFC 3339",
            "json",
            two(|second, path| {
                format!(
                    "{{\"ClientIP\":\"198.51.100.5\",\"ClientRequestHost\":\"example.com\",\"ClientRequestMethod\":\"GET\",\"ClientRequestPath\":\"{path}\",\"ClientRequestUserAgent\":\"{GPTBOT}\",\"EdgeStartTimestamp\":\"2025-11-10T10:00:{second}Z\",\"EdgeResponseStatus\":200}}\n"
                )
            }),
        ),
    ];
    for (name, format, text) in cases {
        let log = logs.write("access.log", &text);
        let (status, value, err) = run(&logs, &[&log]);
        assert_eq!(figures(&value), [2, 2, 1, 2], "{name}: {err}\n{text}\n{value:#}");
        assert_eq!((status, &value["unread"]), (1, &0.into()), "{name}: {err}");
        assert!(err.contains(&format!("the format is {format}\n")), "{name}: {err}");
        assert!(value["first"].as_str().unwrap().starts_with("2025-11-10T10:00:00"), "{name}: {value:#}");
    }
}

/// Envoy writes what a client may have sent in place of its address, so this is an address only if that is said.
#[test]
fn lines_of_envoy_have_the_address_of_a_header() {
    let logs = logs("log-envoy");
    for (details, failure) in [("", ""), (" via_upstream -", " \"-\"")] {
        let text = two(|second, path| {
            format!(
                "[2025-11-10T10:00:{second}.310Z] \"GET {path} HTTP/2\" 200 -{details}{failure} 0 12 5 4 \"203.0.113.1,198.51.100.5\" \"{GPTBOT}\" \"cc21-432b\" \"example.com\" \"10.0.0.1:80\"\n"
            )
        });
        let log = logs.write("access.log", text);
        let (status, value, err) = run(&logs, &[&log]);
        assert_eq!((status, figures(&value)), (0, [2, 2, 1, 0]), "{err}");
        assert!(err.contains("the format is envoy\n") && err.contains("such as forwarded:1"), "{err}");
        let (status, value, err) = run(&logs, &["--address", "forwarded:1", &log]);
        assert_eq!((status, figures(&value)), (1, [2, 2, 1, 2]), "{err}");
        assert!(!err.contains("such as forwarded:1"), "{err}");
        assert_eq!(run(&logs, &["--log-format", "envoy", "--address", "forwarded:1", &log]).0, 1);
    }
}

#[test]
fn format_strings_have_times_and_paths_in_pieces() {
    let logs = logs("log-format-strings");
    let cases = [
        (
            r#"%h %{%Y-%m-%dT%T}t.%{usec_frac}t%{%z}t "%r" %>s "%{User-Agent}i" %D"#,
            r#"198.51.100.5 2025-11-10T12:00:SECOND.123456+0200 "GET PATH HTTP/1.1" 200 "AGENT" 99"#,
        ),
        (
            r#"%h [%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t] \"%r\" %>s \"%{User-agent}i\""#,
            r#"198.51.100.5 [10/Nov/2025:12:00:SECOND.123 +0200] "GET PATH HTTP/1.1" 200 "AGENT""#,
        ),
        (
            r#"%a %t "%m %U%q %H" %s "%{User-Agent}i" %{usec_frac}t"#,
            r#"198.51.100.5 [10/Nov/2025:10:00:SECOND +0000] "GET PATH?x HTTP/1.1" 200 "AGENT" 123456"#,
        ),
        (
            r#"$time_iso8601 $remote_addr $request_method $scheme://$host$request_uri $status "$http_user_agent""#,
            r#"2025-11-10T10:00:SECOND+00:00 198.51.100.5 GET https://a.examplePATH 200 "AGENT""#,
        ),
        (
            "$remote_addr|$time_local|$request_method|$uri$is_args$args|$status|$http_user_agent",
            "198.51.100.5|10/Nov/2025:10:00:SECOND +0000|GET|PATH?x=1|200|AGENT",
        ),
        (
            r"$msec\t$remote_addr\t$request\t$status\t$http_user_agent",
            "17627688SECOND.123\t198.51.100.5\tGET PATH HTTP/1.1\t200\tAGENT",
        ),
    ];
    for (format, line) in cases {
        let line = line.replace("AGENT", GPTBOT) + "\n";
        let log = logs
            .write("access.log", two(|second, path| line.replace("SECOND", second).replace("PATH", path)));
        let (status, value, err) = run(&logs, &["--log-format", format, &log]);
        assert_eq!((status, figures(&value)), (1, [2, 2, 1, 2]), "{format}: {err}{value:#}");
        assert_eq!(value["first"], "2025-11-10T10:00:00Z", "{format}");
    }
}

#[test]
fn a_header_may_be_left_out_of_json() {
    let logs = logs("log-left-out");
    let caddy = |second: u8, headers: &str| {
        format!(
            "{{\"ts\":{}.5,\"request\":{{\"client_ip\":\"198.51.100.5\",\"method\":\"GET\",\"host\":\"a\",\"uri\":\"/private/x\",\"headers\":{{{headers}}}}},\"status\":200}}\n",
            1_762_768_800 + u32::from(second)
        )
    };
    let agent = format!("\"User-Agent\":[\"{GPTBOT}\"]");
    let text = caddy(0, "") + &caddy(1, &agent) + &caddy(2, "\"Accept\":[\"*/*\"]");
    let (status, value, err) = run(&logs, &[&logs.write("some.log", text)]);
    assert_eq!((status, figures(&value)), (1, [1, 1, 1, 1]), "{err}");
    assert_eq!((&value["no_user_agent"], &value["unread"]), (&2.into(), &0.into()));
    let (status, _, err) = run(&logs, &[&logs.write("none.log", caddy(0, "") + &caddy(1, ""))]);
    assert!(
        status == 2 && err.contains("lacks the User-Agent header") && err.contains("--fields agent="),
        "{err}"
    );
}

#[test]
fn an_array_without_its_end_was_cut() {
    let logs = logs("log-cut-array");
    let object = |second: u8| {
        format!(
            "{{\"ts\":{},\"uri\":\"/private/x\",\"agent\":\"{GPTBOT}\",\"status\":200,\"remote_ip\":\"198.51.100.5\"}}",
            1_762_768_800 + u32::from(second)
        )
    };
    let objects = (0..20).map(object).collect::<Vec<_>>().join(",");
    for (end, is_cut) in
        [("", true), (",", true), (",\n", true), (",{\"ts\":1", true), ("]", false), (" ]\n", false)]
    {
        let log = logs.write("array.json", format!("[{objects}{end}"));
        let (status, value, err) = run(&logs, &[&log]);
        assert_eq!((status, figures(&value)[0]), (if is_cut { 2 } else { 1 }, 20), "{end}: {err}");
        assert_eq!(err.contains("it was cut: its array has no end"), is_cut, "{end}: {err}");
        assert_eq!(value["unread"], u64::from(end.contains("ts")), "{end}");
    }
}

#[test]
fn the_first_line_may_be_longer_than_the_sample() {
    let logs = logs("log-long-first");
    let object = |length: usize, path: &str| {
        format!(
            "{{\"ts\":1762768800,\"pad\":\"{}\",\"uri\":\"{path}\",\"agent\":\"{GPTBOT}\",\"status\":200}}",
            "x".repeat(length)
        )
    };
    for length in [70_000, 400_000] {
        let objects = [object(length, "/private/x"), object(0, "/a")];
        let line = combined("198.51.100.5 - -", 0, "GET /a HTTP/1.1");
        let texts = [
            objects.join("\n"),
            format!("[{}]", objects.join(",")),
            line.replace("/a ", &format!("/private/x?{} ", "x".repeat(length))) + &line,
        ];
        for text in texts {
            let log = logs.write("long.log", &text);
            assert_eq!(figures(&logs.json(&[&log]).1)[..3], [2, 2, 1], "{length}");
            let robots = logs.path("robots.txt");
            let (_, out, err) = outcome(&["log", "--robots", &robots, "--format", "json", "-"], &*text);
            let value: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(figures(&value)[..3], [2, 2, 1], "{length}: {err}");
        }
    }
}

#[test]
fn hosts_are_in_lines_of_several_forms() {
    let logs = logs("log-hosts");
    let file = |host: &str, text: &str| format!("{host}={}", logs.write(&format!("{host}.txt"), text));
    let (a, b) = (file("a.example", FILE), file("b.example", ""));
    let get = |client: &str, target: &str| combined(client, 0, &format!("GET {target} HTTP/1.1"));
    let cases = [
        ["A.example:443 198.51.100.5 - -", "b.example:80 198.51.100.5 - -", "c.example:80 198.51.100.5 - -"]
            .map(|client| get(client, "/private/x"))
            .concat(),
        ["198.51.100.5 a.example -", "198.51.100.5 b.example. -", "198.51.100.5 c.example -"]
            .map(|client| get(client, "/private/x"))
            .concat(),
        ["a.example", "b.example:8080", "c.example"]
            .map(|host| get("198.51.100.5 - -", &format!("http://{host}/private/x")))
            .concat(),
        // The URL of the request wins over the host of the log.
        ["a.example", "b.example", "c.example"]
            .map(|host| get("b.example:80 198.51.100.5 - -", &format!("https://{host}:443/private/x")))
            .concat(),
    ];
    for text in cases {
        let log = logs.write("access.log", &text);
        let (status, out, err) =
            outcome(&["log", "--format", "json", "--robots", &a, "--robots", &b, &log], "");
        let value: Value = serde_json::from_str(&out).unwrap();
        let kind = &value["automatic"];
        let found =
            ["requests", "checked", "disallowed", "no_robots"].map(|name| kind[name].as_u64().unwrap());
        assert_eq!((status, found), (1, [3, 2, 1, 1]), "{err}\n{text}\n{value:#}");
    }
}

#[test]
fn queries_in_their_field_belong_to_the_path() {
    let logs = logs("log-query-fields");
    let line = |path: &str| {
        format!(
            "{{\"msec\":1762768800.1,\"remote_addr\":\"198.51.100.5\",{path},\"status\":200,\"http_user_agent\":\"{GPTBOT}\"}}\n"
        )
    };
    for path in [
        r#""uri":"/a","args":"q=1""#,
        r#""request_uri":"/a?q=1","args":"q=1""#,
        r#""url":{"path":"/a","query":"q=1"}"#,
        r#""request":"GET /a?q=1 HTTP/1.1","args":"q=1""#,
    ] {
        let log = logs.write("access.log", line(path));
        assert_eq!(figures(&run(&logs, &[&log]).1), [1, 1, 1, 1], "{path}");
    }
}

#[test]
fn what_is_not_a_request_is_not_checked() {
    let logs = logs("log-no-target");
    let requests = [
        "PRI * HTTP/2.0",
        "OPTIONS * HTTP/1.1",
        "CONNECT example.com:443 HTTP/1.1",
        "-",
        "",
        "- http://example.com:80- -",
        r"\x16\x03\x01\x02",
        r"\n",
        "quit",
    ];
    let log: String = requests.map(|request| combined("198.51.100.5 - -", 0, request)).concat();
    let log = logs.write("access.log", log);
    let (status, value, err) = run(&logs, &[&log]);
    // Nothing says that this is the right format.
    assert_eq!((status, figures(&value)), (2, [9, 0, 0, 9]), "{err}{value:#}");
}

#[test]
fn a_compressed_log_that_was_cut_has_the_lines_before() {
    let logs = logs("log-cut");
    let text: String = (0..40_000)
        .map(|number| combined("198.51.100.5 - -", 0, &format!("GET /private/{number} HTTP/1.1")))
        .collect();
    let gzip = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let whole = gzip(&text);
    for (name, cut) in [("late", whole.len() - 100), ("early", 5000)] {
        let log = logs.write("access.log.gz", &whole[..cut]);
        let (status, value, err) = run(&logs, &[&log]);
        assert_eq!((status, &value["failed"][0]["input"]), (2, &log.as_str().into()), "{name}: {err}");
        let lines = value["lines"].as_u64().unwrap();
        let least = if cut > 5000 { 39_000 } else { 100 };
        assert!(
            lines >= least && figures(&value)[2] == lines && value["unread"] == 0,
            "{name}: {err}{value:#}"
        );
    }
    let both =
        logs.write("both.gz", [whole, gzip(&combined("198.51.100.5 - -", 5, "GET /a HTTP/1.1"))].concat());
    assert_eq!(figures(&run(&logs, &[&both]).1), [40_001, 40_001, 40_000, 40_001]);
}

#[test]
fn other_files_are_empty_or_refused() {
    let logs = logs("log-refused");
    let empty = logs.write("empty.log", "");
    let (status, value, err) = run(&logs, &[&empty]);
    let error = "robots: error: there are no requests: the logs have no line that can be read\n";
    assert_eq!((status, &value["lines"], &*err), (2, &0.into(), error));
    for (name, text) in [("none", ""), ("array", "[]")] {
        let log = logs.write(name, text);
        let shown = outcome(&["log", "--robots", &logs.path("robots.txt"), &log], "");
        assert_eq!(shown, (2, String::new(), error.to_owned()), "{name}");
    }
    let (status, _, err) = run(&logs, &[&logs.write("begun", "[")]);
    assert_eq!((status, err.contains("its array has no end")), (2, true), "{err}");
    let utf16: Vec<u8> = "\u{feff}192.0.2.1".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let clf =
        br#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "" "" 33317 123 "f" "b" "s" 0
"#;
    let tar = [b"access.log", &[0; 247][..], b"ustar\x0000", &[0; 248], clf].concat();
    let cases: [(&str, &[u8], &str); 9] = [
        ("utf-16", &utf16, "UTF-16"),
        ("utf-16 without a mark", &utf16[2..], "UTF-16"),
        ("zip", b"PK\x03\x04\x14", "unzip"),
        ("tar", &tar, "tar -xO"),
        ("empty headers", &clf.repeat(2), "lack a User-Agent header"),
        ("bzip2", b"BZh91AY&SY", "bzcat"),
        ("xz", b"\xFD7zXZ\0", "xzcat"),
        ("json", b"{\"log\":\"a\",\"stream\":\"stdout\"}\n", "--fields NAME=FIELD"),
        (
            "haproxy",
            b"Nov 10 10:00:00 lb haproxy[1]: 192.0.2.1:1 [10/Nov/2025:10:00:00.1] f b/s 0/0/0/1/1 200 12\n",
            "--log-format",
        ),
    ];
    for (name, text, part) in cases {
        let log = logs.write(name, text);
        let (status, _, err) = run(&logs, &[&log]);
        assert_eq!((status, err.contains(part)), (2, true), "{name}: {err}");
    }
}

/// Logs that changed their format, were cut or packed in pieces: the requests by GPTBot, and the lines that can't be read.
#[test]
fn damaged_and_mixed_logs_lose_no_line() {
    let logs = logs("log-mixed");
    let line = |second: u8| combined("198.51.100.5 - -", second, "GET /private/x HTTP/1.1");
    let lines = |count: u8| (0..count).map(line).collect::<String>();
    let json = |second: u8| {
        format!(
            "{{\"http_user_agent\":\"{GPTBOT}\",\"nested\":{{\"a\":[1,{{\"b\":\"}}\"}}]}},\"status\" : 200, \
             \"request\":\"GET \\/private\\u002fx HTTP/1.1\",\"x\":null,\"remote_addr\":\"198.51.100.5\",\
             \"time_iso8601\":\"2025-11-10T10:00:{second:02}+00:00\"}}\n"
        )
    };
    let vhost = |second: u8| format!("a.example:443 {}", line(second));
    let packed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let skipped = b"\x52\x2A\x4D\x18\x03\0\0\0abc".to_vec();
    let at = |offset: &str, hour: u8, second: u8| {
        line(second).replace("10:00:", &format!("{hour:02}:00:")).replace("+0000", offset)
    };
    let (first, rest) = (&line(0)[..40], &line(0)[40..]);
    let odd = [
        line(0).replace("\"-\"", r#""https://a.example/?q=\"x\"""#),
        line(1).replace("\"-\"", r#""\x22x\x22""#),
        line(2).replace("/private/x", r#"/private/\"x\""#),
        line(3).replace("GPTBot/1.2", r#"\"a\" GPTBot/1.2"#),
    ];
    let array = |line_end: &str, count: u8| {
        let objects: Vec<String> = (0..count).map(|second| json(second).trim().to_owned()).collect();
        format!("[{}]", objects.join(&format!(",{line_end}")))
    };
    let pretty = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let cases: Vec<(&str, Vec<u8>, u64, u64)> = vec![
        ("an array on one line", array("", 9).into(), 9, 0),
        ("an array of many blocks on one line", array("", 60).repeat(100).into(), 6000, 0),
        ("an array that begins with an object", array("\n", 9).into(), 9, 0),
        ("a packed array", packed(&array("", 9)), 9, 0),
        ("an array over many lines", pretty(&array("", 9)).into(), 9, 0),
        ("objects over many lines", format!("{}\n{}\n", pretty(&json(0)), pretty(&json(1))).into(), 2, 0),
        (
            "an array with other elements",
            array("", 20).replacen("[{", "[{},{", 1).replacen("},{", "},null,{", 1).into(),
            20,
            2,
        ),
        ("JSON after other lines", (lines(9) + &json(10) + &json(11)).into(), 11, 0),
        ("half of each", ((0..9).map(json).collect::<String>() + &lines(9)).into(), 18, 0),
        ("three formats", (vhost(0) + &json(1) + &line(2) + &vhost(3)).into(), 4, 0),
        ("blank lines", format!("\n  \n{}\t\n\r\n{}   \n", line(0), line(1)).into(), 2, 0),
        ("an array of objects", format!("[\n{},\n{}\n]\n", json(0).trim(), json(1).trim()).into(), 2, 0),
        ("a line that is cut", (lines(20) + first).into(), 20, 1),
        ("bytes of a crash", [lines(10).as_bytes(), &[0; 600], b"\n", lines(9).as_bytes()].concat(), 19, 1),
        ("escaped quotes", odd.concat().into(), 4, 0),
        ("zones", (at("+0530", 10, 0) + &at("-0800", 9, 1) + &at("+0000", 10, 2)).into(), 3, 0),
        (
            "addresses of IPv6",
            ["[2001:db8::1] - -", "2001:db8::1%eth0 - -", "::ffff:198.51.100.7 - -"]
                .map(|client| combined(client, 0, "GET /private/x HTTP/1.1"))
                .concat()
                .into(),
            3,
            0,
        ),
        (
            "addresses of a proxy at the end",
            lines(3).replace("\"\n", "\" \"203.0.113.9, 10.0.0.1\"\n").into(),
            3,
            0,
        ),
        ("members of gzip", [packed(&lines(2)), packed(""), packed(&lines(3)), vec![0; 512]].concat(), 5, 0),
        ("a line in two members", [packed(first), packed(rest)].concat(), 1, 0),
        (
            "frames of zstd",
            [skipped.clone(), zstd(lines(2).as_bytes()), skipped, zstd(lines(3).as_bytes())].concat(),
            5,
            0,
        ),
    ];
    for (name, bytes, requests, unread) in cases {
        let log = logs.write("access.log", bytes);
        let (status, value, err) = run(&logs, &[&log]);
        let found = (status, figures(&value)[0], figures(&value)[2], value["unread"].as_u64());
        assert_eq!(found, (1, requests, requests, Some(unread)), "{name}: {err}");
    }
    let log = logs.write("array.log", array("", 9));
    let (_, value, _) = run(&logs, &["--log-format", "json", &log]);
    assert_eq!((figures(&value)[0], &value["unread"]), (9, &0.into()));
    let log = logs.write("names.log", array("", 9).replace("http_user_agent", "who"));
    let (status, _, err) = run(&logs, &[&log]);
    assert_eq!((status, err.contains("lacks the User-Agent header: name its field")), (2, true), "{err}");
    let (_, value, _) = run(&logs, &["--fields", "agent=who", &log]);
    assert_eq!((figures(&value)[0], &value["unread"]), (9, &0.into()));
    // A format that is named is the only one.
    let log = logs.write("named.log", lines(9) + &json(10));
    let (_, value, _) = run(&logs, &["--log-format", "combined", &log]);
    assert_eq!((figures(&value)[0], &value["unread"]), (9, &1.into()));
    // What is neither padding nor a member is an error, and the lines before it count.
    let log = logs.write("garbage.gz", [packed(&lines(2)), b"garbage".to_vec()].concat());
    let (status, value, err) = run(&logs, &[&log]);
    assert_eq!((status, figures(&value)[0], err.contains("can't read ")), (2, 2, true), "{err}");
}

#[test]
fn proxies_and_old_ranges_are_noted() {
    let logs = logs("log-proxies");
    let headers =
        [GPTBOT, "Mozilla/5.0 (compatible; bingbot/2.0)", "ClaudeBot/1.0 (+claudebot@anthropic.com)"];
    let text: String = (0..1200)
        .map(|number| {
            format!(
                "203.0.113.{} - - [10/Nov/2025:10:{:02}:{:02} +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"{}\"\n",
                number % 9,
                number / 60,
                number % 60,
                headers[number % 3]
            )
        })
        .collect();
    let log = logs.write("access.log", text);
    let (_, value, err) = run(&logs, &["--deny", "unverified", &log]);
    assert!(err.contains("the addresses are those of a proxy"), "{err}");
    assert_eq!((&value["is_behind_proxy"], figures(&value)[3]), (&true.into(), 0));
    // An address of a local network is that of a proxy, too.
    let log = logs.write("local.log", combined("10.0.0.7 - -", 0, "GET /private/ HTTP/1.1"));
    assert_eq!(run(&logs, &["--deny", "unverified", &log]).0, 0);
    logs.write(
        "ranges.txt",
        r#"{"creationTime":"2024-01-01T00:00:00.000","prefixes":[{"ipv4Prefix":"198.51.100.0/24"}]}"#,
    );
    let (status, value, err) =
        run(&logs, &[&logs.write("old.log", combined("198.51.100.5 - -", 0, "GET /a HTTP/1.1"))]);
    assert_eq!((status, &value["old_ranges"]), (0, &serde_json::json!(["gptbot"])));
    assert!(err.contains("published more than 90 days"), "{err}");
}

/// The beginning of a pipe, by which its format is recognized, is read once.
#[cfg(unix)]
#[test]
fn pipes_lose_no_line() {
    let logs = logs("log-pipe");
    let line = |second, path: &str| combined("198.51.100.5 - -", second, &format!("GET {path} HTTP/1.1"));
    let access = logs.write("access.log", line(0, "/private/x") + &line(5, "/a"));
    let pipe = logs.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::copy(access, pipe).unwrap()
    });
    let (status, value, errors) = run(&logs, &[&pipe]);
    writer.join().unwrap();
    assert_eq!((status, figures(&value)), (1, [2, 2, 1, 2]), "{errors}");
}
