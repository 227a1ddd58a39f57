//! A line of names or a `User-Agent` header, a file.
#![no_main]

use robots_conformance::properties::{grouping, parts};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [agents, file] = parts(data);
    grouping(agents, file);
});
