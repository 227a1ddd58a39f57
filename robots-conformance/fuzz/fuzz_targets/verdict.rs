//! A line with a path or URL, a line of names (`!` before them: `*` is not obeyed; `+`: all together), a file.
#![no_main]

use robots_conformance::properties::{parts, verdict};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [path, agents, file] = parts(data);
    verdict(path, agents, file);
});
