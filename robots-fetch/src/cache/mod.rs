//! Caches for crawlers, blocking and async.

mod block;
pub(crate) mod blocking;
mod decide;
pub(crate) mod decision;
mod lead;
mod moment;
pub(crate) mod options;
mod packed;
pub(crate) mod queue;
#[cfg(feature = "gate")]
pub(crate) mod requests;
mod shared;
mod single_flight;
mod site;
mod slot;
#[cfg(feature = "tokio")]
mod task_flight;
#[cfg(feature = "tokio")]
mod task_retrieval;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;
mod terms;
mod times;
mod words;

#[cfg(test)]
mod tests;
