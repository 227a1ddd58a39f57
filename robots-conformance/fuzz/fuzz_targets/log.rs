//! Lines of access logs in all formats.
#![no_main]

use robots_conformance::properties::log_lines;

libfuzzer_sys::fuzz_target!(|data: &[u8]| log_lines(data));
