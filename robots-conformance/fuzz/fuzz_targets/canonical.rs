//! A line with a pattern, a path.
#![no_main]

use robots_conformance::properties::{canonical, parts};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [pattern, path] = parts(data);
    canonical(pattern, path);
});
