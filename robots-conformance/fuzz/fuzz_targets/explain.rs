//! A line with a URL, a line of names, a file: what led to the verdict.
#![no_main]

use robots_conformance::properties::{lint::explaining, parts};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [url, agents, file] = parts(data);
    explaining(url, agents, file);
});
