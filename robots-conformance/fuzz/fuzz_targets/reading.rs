//! Any bytes as a file: lines, deviations, grammar.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("reading", data));
