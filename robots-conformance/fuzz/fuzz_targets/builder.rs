//! Lines of any text: names, patterns, comments and records of a file to be written.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("builder", data));
