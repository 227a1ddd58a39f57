//! The parts that the JSON formats of all commands share.

use robots_match::Span;
use serde_json::{Value, json};

use crate::failure::Result;
use crate::output;

/// Writes `value` and a line end to standard output.
pub(crate) fn print(value: &Value) -> Result<()> {
    output::print(&format!("{value:#}\n"))
}

/// Returns a span as JSON: the first byte, and the byte after the last.
pub(crate) fn span(span: Span) -> Value {
    json!({ "start": span.start(), "end": span.end() })
}
