//! Verdicts, explanations, findings and facts as documents for programs (feature `serde`), and their JSON schemas (feature `schema`).

pub(crate) mod explanation;
#[cfg(feature = "records")]
pub(crate) mod facts;
#[cfg(feature = "lint")]
pub(crate) mod findings;
pub(crate) mod verdict;
