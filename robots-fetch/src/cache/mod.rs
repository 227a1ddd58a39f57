//! Caches for crawlers, blocking and async.

pub(crate) mod blocking;
pub(crate) mod options;
mod rule_sets;
mod shared;
mod single_flight;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;

#[cfg(test)]
mod tests;
