//! The parts that the JSON formats of all commands share.

use robots_match::Span;
use serde_json::{Value, json};

use crate::failure::Result;
use crate::output;
use crate::text::escaped_json;

/// Writes `value` and a line end to standard output. Characters that could control a terminal are escaped.
pub(crate) fn print(value: &Value) -> Result<()> {
    output::print(&escaped_json(&format!("{value:#}\n")))
}

/// Returns a span as JSON: the first byte, and the byte after the last.
pub(crate) fn span(span: Span) -> Value {
    json!({ "start": span.start(), "end": span.end() })
}
