//! The page of a report: what it is made of, and how a browser shows it.

#![allow(
    clippy::print_stdout,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    reason = "helpers of tests are tests, and a skipped test says so"
)]

mod browser;
mod content;
mod display;
mod pages;
mod tags;
