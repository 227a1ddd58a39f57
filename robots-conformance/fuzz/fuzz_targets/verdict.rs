//! A line with a path or URL, a line of names (`!` before them: `*` is not obeyed; `+`: all together), a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("verdict", data));
