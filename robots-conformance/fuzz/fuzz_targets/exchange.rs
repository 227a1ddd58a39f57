//! A script of answers, failures and times; see `exchanges`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("exchange", data));
