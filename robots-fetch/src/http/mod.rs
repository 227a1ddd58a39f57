//! What statuses and header fields mean.

pub(crate) mod cache_control;
pub(crate) mod fields;
pub(crate) mod freshness;
pub(crate) mod status;
pub(crate) mod validators;
