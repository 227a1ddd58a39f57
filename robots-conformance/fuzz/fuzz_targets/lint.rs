//! A line with a path, a line of names, a file: findings, and corrections that change no verdict.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("lint", data));
