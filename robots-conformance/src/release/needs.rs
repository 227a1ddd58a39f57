//! What a program has to be able to be asked for a question.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use url::Url;

/// The size limit that RFC 9309 allows at least.
const LIMIT: usize = 500 << 10;

/// Lines above this length are cut by some parsers.
const LONG_LINE: usize = 16 << 10;

/// Returns the needs of a question about `body`.
pub(super) fn of(kind: &str, ask: &Map<String, Value>, body: Option<&[u8]>) -> BTreeSet<&'static str> {
    let mut needs = BTreeSet::new();
    if let Some(body) = body {
        let facts = [
            ("bytes", core::str::from_utf8(body).is_err()),
            ("nul", body.contains(&0)),
            ("byte-order-mark", body.starts_with(b"\xEF\xBB\xBF")),
            ("size-limit", body.len() > LIMIT),
            ("long-line", body.split(|&byte| byte == b'\n').any(|line| line.len() > LONG_LINE)),
        ];
        needs.extend(facts.into_iter().filter_map(|(need, is)| is.then_some(need)));
    }
    match kind {
        "verdict" => verdict(ask, &mut needs),
        "selection" => crawler(ask, &mut needs),
        "page" => page(ask, &mut needs),
        "exchange" => access(ask, &Value::Object(ask.clone()), &mut needs),
        "timeline" => {
            needs.insert("clock");
            access(ask, &Value::Object(ask.clone()), &mut needs);
        }
        _ => {}
    }
    needs
}

fn crawler(ask: &Map<String, Value>, needs: &mut BTreeSet<&'static str>) {
    let agents: Vec<&str> =
        ask.get("agents").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let is_token =
        |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    let is = |key: &str| ask.get(key).and_then(Value::as_bool) == Some(true);
    let facts = [
        ("several-agents", agents.len() > 1),
        ("odd-agent", !agents.iter().all(is_token)),
        ("groups-together", is("together")),
        ("no-wildcard", is("ignores_wildcard")),
    ];
    needs.extend(facts.into_iter().filter_map(|(need, is)| is.then_some(need)));
}

fn verdict(ask: &Map<String, Value>, needs: &mut BTreeSet<&'static str>) {
    crawler(ask, needs);
    let target = ask.get("target").and_then(Value::as_str);
    let as_written = ask.get("url").or_else(|| ask.get("path")).and_then(Value::as_str).unwrap_or_default();
    let facts = [
        ("url", ask.contains_key("url")),
        // No program that takes URLs can be asked about text that is not one. `example.com:8080` has a scheme, but no host.
        (
            "odd-url",
            !target.is_some_and(|target| Url::parse(target).is_ok_and(|url| !url.cannot_be_a_base())),
        ),
        ("unencoded-url", !as_written.bytes().all(may_be_in_a_url)),
    ];
    needs.extend(facts.into_iter().filter_map(|(need, is)| is.then_some(need)));
}

/// Returns whether a byte may be in a URL as it is (RFC 3986, section 2). All others are percent-encoded by clients.
const fn may_be_in_a_url(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

fn page(ask: &Map<String, Value>, needs: &mut BTreeSet<&'static str>) {
    crawler(ask, needs);
    let has = |key: &str| match ask.get(key) {
        Some(Value::Array(values)) => !values.is_empty(),
        value => value.is_some(),
    };
    let facts = [
        ("fields", has("fields")),
        ("html", has("html")),
        ("rendered", has("rendered")),
        ("not-modified", has("not_modified")),
        ("robots-txt", has("file")),
        ("clock", has("now")),
    ];
    needs.extend(facts.into_iter().filter_map(|(need, is)| is.then_some(need)));
}

fn access(ask: &Map<String, Value>, whole: &Value, needs: &mut BTreeSet<&'static str>) {
    needs.insert("http");
    if ask.contains_key("disallowed") {
        needs.insert("cross-origin-knowledge");
    }
    let facts = [("ftp", mentions(whole, "ftp:")), ("failures", has_key(whole, &["fails", "breaks"]))];
    needs.extend(facts.into_iter().filter_map(|(need, is)| is.then_some(need)));
}

fn mentions(value: &Value, start: &str) -> bool {
    match value {
        Value::String(text) => text.contains(start),
        Value::Array(values) => values.iter().any(|value| mentions(value, start)),
        Value::Object(map) => map.values().any(|value| mentions(value, start)),
        _ => false,
    }
}

fn has_key(value: &Value, keys: &[&str]) -> bool {
    match value {
        Value::Array(values) => values.iter().any(|value| has_key(value, keys)),
        Value::Object(map) => map.iter().any(|(key, value)| keys.contains(&&**key) || has_key(value, keys)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn needs(url: &str, body: &[u8]) -> Vec<&'static str> {
        let ask = json!({"agents": ["a"], "url": url, "target": url});
        of("verdict", ask.as_object().unwrap(), Some(body)).into_iter().collect()
    }

    #[test]
    fn text_that_clients_do_not_send_is_a_need() {
        assert_eq!(needs("https://example.com/a", b""), ["url"]);
        assert_eq!(needs("example.com:8080/a", b""), ["odd-url", "url"]);
        assert_eq!(needs("https://example.com/{a}", b""), ["unencoded-url", "url"]);
        assert_eq!(needs("https://example.com/a<b", b""), ["unencoded-url", "url"]);
    }

    #[test]
    fn a_part_of_a_byte_order_mark_is_only_not_utf_8() {
        assert_eq!(needs("https://example.com/", b"\xEF\xBB\xBF#"), ["byte-order-mark", "url"]);
        assert_eq!(needs("https://example.com/", b"\xEF\xBB#"), ["bytes", "url"]);
    }
}
