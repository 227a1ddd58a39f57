//! Any bytes as a stored entry; see `stored`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("stored", data));
