//! Any bytes as an archive of captures.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("archive", data));
