//! A line of names or a `User-Agent` header, a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("groups", data));
