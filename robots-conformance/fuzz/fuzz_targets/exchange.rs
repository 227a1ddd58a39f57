//! A script of answers, failures and times; see `exchanges`.
#![no_main]

libfuzzer_sys::fuzz_target!(|script: &[u8]| robots_conformance::properties::retrieval::exchanges(script));
