//! A line with a URL, a line of names, a file: what led to the verdict.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("explain", data));
