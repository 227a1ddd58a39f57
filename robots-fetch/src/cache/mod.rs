//! Caches for crawlers, blocking and async.

#![cfg_attr(not(feature = "gate"), allow(dead_code, reason = "gates ask for more"))]

pub(crate) mod blocking;
mod core;
pub(crate) mod decision;
mod facts;
mod flight;
pub(crate) mod options;
pub(crate) mod queue;
pub(crate) mod requests;
mod site;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;

#[cfg(test)]
mod tests;
