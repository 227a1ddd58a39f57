//! A line with a path, a line of names, a file: findings, and corrections that change no verdict.
#![no_main]

use robots_conformance::properties::{lint::linting, parts};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [path, agents, file] = parts(data);
    linting(path, agents, file);
});
