//! A line with a pattern, a path.
#![no_main]

use robots_conformance::properties::{parts, pattern};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [rule, path] = parts(data);
    pattern(rule, path);
});
