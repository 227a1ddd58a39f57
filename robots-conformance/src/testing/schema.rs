//! Compares the JSON output of the command with the schemas of robots-fetch.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// How `value` departs from `schema`, of whose keywords those are known that the schemas use.
fn departures(schema: &Value, root: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, said) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
            "$ref" => {
                let name = said.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                departures(&root["$defs"][name], root, value, at, found);
            }
            "type" => {
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("type {other}"),
                };
                let holds = said.as_array().map_or_else(|| is(said), |names| names.iter().any(is));
                if !holds {
                    found.push(format!("{at}: no {said}"));
                }
            }
            "const" if value != said => found.push(format!("{at}: not {said}")),
            "enum" if !said.as_array().unwrap().contains(value) => {
                found.push(format!("{at}: {value} is none of {said}"));
            }
            "const" | "enum" => {}
            "minimum" if value.as_i64().is_some_and(|value| Some(value) < said.as_i64()) => {
                found.push(format!("{at}: below {said}"));
            }
            "maximum" if value.as_u64().is_some_and(|value| Some(value) > said.as_u64()) => {
                found.push(format!("{at}: above {said}"));
            }
            "minimum" | "maximum" => {}
            "minItems" | "maxItems" => {
                let (len, said) = (value.as_array().map(Vec::len), said.as_u64().unwrap());
                let is =
                    |len: usize| if keyword == "minItems" { len as u64 >= said } else { len as u64 <= said };
                if len.is_some_and(|len| !is(len)) {
                    found.push(format!("{at}: {keyword} {said}"));
                }
            }
            "required" => {
                for name in said.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        found.push(format!("{at}: no {name}"));
                    }
                }
            }
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    match said.get(name) {
                        Some(schema) => departures(schema, root, value, &format!("{at}/{name}"), found),
                        // Each field that is written is described.
                        None => found.push(format!("{at}: {name} is unknown")),
                    }
                }
            }
            "additionalProperties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    departures(said, root, value, &format!("{at}/{name}"), found);
                }
            }
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    departures(said, root, value, &format!("{at}/{index}"), found);
                }
            }
            "anyOf" | "oneOf" => {
                let holds = |schema: &Value| {
                    let mut found = Vec::new();
                    departures(schema, root, value, at, &mut found);
                    found.is_empty()
                };
                if !said.as_array().unwrap().iter().any(holds) {
                    found.push(format!("{at}: {value} is none of {said}"));
                }
            }
            other => panic!("keyword {other}"),
        }
    }
}

/// How `value` departs from the schema in this file of robots-fetch.
#[must_use]
pub fn against(schema: &str, value: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robots-fetch/schema").join(schema);
    let schema = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut found = Vec::new();
    departures(&schema, &schema, value, "", &mut found);
    found
}
