//! The JSON formats of all commands. Each is a type that derives its schema.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output;
use crate::text::escaped_json;

/// Writes `value` and a line end to standard output. Characters that could control a terminal are escaped.
pub(crate) fn print(value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::new(error.to_string()))?;
    output::print(&escaped_json(&format!("{text}\n")))
}

/// Returns a value on one line with its line end. Characters that could control a terminal are escaped.
pub(crate) fn line(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(error.to_string()))?;
    Ok(escaped_json(&format!("{text}\n")))
}

/// An input that could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Failed {
    pub(crate) file: String,
    pub(crate) message: String,
}

/// Returns the schema of what is written as a `T`.
pub(crate) fn schema<T: JsonSchema>(title: &str, description: &str) -> Schema {
    let mut schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.insert("description".to_owned(), description.into());
    schema
}
