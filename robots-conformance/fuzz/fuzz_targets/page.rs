//! Any bytes as response fields and HTML: rules of a page.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("page", data));
