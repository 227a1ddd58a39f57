//! Caches for crawlers, blocking and async.

pub(crate) mod blocking;
mod core;
pub(crate) mod decision;
mod flight;
pub(crate) mod options;
pub(crate) mod queue;
#[cfg(feature = "gate")]
pub(crate) mod requests;
mod site;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;

#[cfg(test)]
mod tests;
