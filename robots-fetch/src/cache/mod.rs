//! A cache for crawlers: what is retrieved, when, and by whom.

pub(crate) mod blocking;
pub(crate) mod options;
mod rule_sets;
mod shared;
mod single_flight;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;

#[cfg(test)]
mod tests;
