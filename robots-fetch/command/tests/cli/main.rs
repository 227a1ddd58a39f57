//! The `robots` command, as a shell sees it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

mod command;
mod container;
mod site;

mod action;
mod arguments;
mod audit;
mod audit_expect;
mod audit_flags;
mod audit_inputs;
mod audit_memory;
mod audit_sitemaps;
mod audit_urls;
mod batch;
mod bodies;
mod catalogue;
mod check;
mod crawlers;
mod diff;
mod expect;
mod explain;
mod fetch;
mod file_memory;
mod fix;
mod forged;
mod git;
mod help;
mod hostile;
mod inputs;
mod lint;
mod lint_settings;
mod log;
mod log_compressed;
mod log_dns;
mod log_doubts;
mod log_forged;
mod log_variants;
mod network;
mod never_wait;
mod page;
mod paths;
mod proxy;
mod questions;
mod statuses;
mod watch;
mod write;
