//! Any bytes as a file: its other records, typed.
#![no_main]

libfuzzer_sys::fuzz_target!(|file: &[u8]| robots_conformance::properties::lint::recording(file));
