//! Any bytes as a URL.
#![no_main]

libfuzzer_sys::fuzz_target!(|url: &[u8]| robots_conformance::properties::url_text(url));
