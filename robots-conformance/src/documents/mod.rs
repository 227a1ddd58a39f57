//! The documents that are generated from the tables.

pub(crate) mod answers;
pub(crate) mod coverage;
pub(crate) mod dialects;
