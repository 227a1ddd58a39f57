//! Statuses and header fields (RFC 9110, RFC 9111).

pub(crate) mod cache_control;
pub(crate) mod fields;
pub(crate) mod freshness;
pub(crate) mod status;
pub(crate) mod validators;
