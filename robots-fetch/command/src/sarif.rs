//! The Static Analysis Results Interchange Format, version 2.1.0.

use std::ffi::OsStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Map, Value, json};

use crate::output::{Failed, Failures};

/// Returns a log with one run. Columns are counted in characters.
pub(crate) fn log(rules: &[Value], results: Vec<Value>, failed: &Failures) -> Value {
    let mut run = Map::new();
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({ "name": "robots", "version": version, "rules": rules });
    run.insert("tool".to_owned(), json!({ "driver": driver }));
    run.insert("columnKind".to_owned(), "unicodeCodePoints".into());
    if !failed.is_empty() {
        let message = |failed: &Failed| json!({ "level": "error", "message": { "text": failed.message } });
        let messages: Vec<Value> = failed.iter().map(message).collect();
        let invocation = json!({ "executionSuccessful": false, "toolExecutionNotifications": messages });
        run.insert("invocations".to_owned(), json!([invocation]));
    }
    run.insert("results".to_owned(), results.into());
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    })
}

/// Returns a location: the URI reference of a file, and a part of it.
pub(crate) fn location(uri: &str, region: Option<Value>) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri } });
    if let (Some(region), Value::Object(location)) = (region, &mut location) {
        location.insert("region".to_owned(), region);
    }
    json!({ "physicalLocation": location })
}

/// The bytes that a path in a URI reference can't contain literally: all except unreserved characters (RFC 3986, section 2.3)
/// and `/`. Others may be literal, but consumers of SARIF read them in different ways.
const NOT_IN_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Returns a path as a URI reference.
pub(crate) fn uri(path: &OsStr) -> String {
    let uri = |bytes| percent_encode(bytes, NOT_IN_PATHS).to_string();
    if cfg!(windows) {
        // The separator of Windows. Elsewhere it may be part of a name.
        return path.as_encoded_bytes().split(|&byte| byte == b'\\').map(uri).collect::<Vec<_>>().join("/");
    }
    uri(path.as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri_reference() {
        let path = "a-b/c_d/e.f~/x y#z?%2F:\u{e4}.txt";
        assert_eq!(uri(OsStr::new(path)), "a-b/c_d/e.f~/x%20y%23z%3F%252F%3A%C3%A4.txt");
    }
}
