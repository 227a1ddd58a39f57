//! How fast lines come in, and the lines of `robots batch`; see `answering`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::batch::answering(data));
