//! The gate for programs that already have an HTTP client.

pub(crate) mod body;
#[cfg(feature = "reqwest-middleware")]
pub(crate) mod reqwest;
#[cfg(feature = "tower")]
pub(crate) mod tower;
