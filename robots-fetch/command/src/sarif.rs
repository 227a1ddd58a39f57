//! The Static Analysis Results Interchange Format, version 2.1.0.

use serde_json::{Map, Value, json};

/// Returns a log with one run. `more` has further fields of the run.
pub(crate) fn log(rules: &[Value], results: Vec<Value>, more: Value) -> Value {
    let mut run = Map::new();
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({ "name": "robots", "version": version, "rules": rules });
    run.insert("tool".to_owned(), json!({ "driver": driver }));
    if let Value::Object(more) = more {
        run.extend(more);
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
