//! Any bytes as an archive of captures.
#![no_main]

libfuzzer_sys::fuzz_target!(|file: &[u8]| robots_conformance::properties::archive(file));
