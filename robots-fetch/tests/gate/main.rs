//! The gate on generated timelines: no permit is early, no origin starves, and nothing is lost.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

mod cases;
mod fairness;
mod memory;
mod site;
mod throughput;
mod timeline;
