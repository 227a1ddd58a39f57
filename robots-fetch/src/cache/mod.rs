//! Caches for crawlers, blocking and async.

pub(crate) mod blocking;
mod core;
pub(crate) mod decision;
mod lead;
pub(crate) mod options;
mod packed;
pub(crate) mod queue;
#[cfg(feature = "gate")]
pub(crate) mod requests;
mod single_flight;
mod site;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;
mod usable;

#[cfg(test)]
mod tests;
