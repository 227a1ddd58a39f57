//! The parts of an answer that a gate needs.

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};

use crate::message::head::Head;

/// Returns the head of an answer: its status and its `Retry-After`.
pub(super) fn head(status: StatusCode, fields: &HeaderMap) -> Head {
    let mut head = Head::new(status.as_u16());
    if let Some(value) = fields.get(RETRY_AFTER) {
        head.add_field("Retry-After", value.as_bytes());
    }
    head
}
