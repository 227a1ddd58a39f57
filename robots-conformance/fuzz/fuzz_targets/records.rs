//! Any bytes as a file: its other records, typed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("records", data));
