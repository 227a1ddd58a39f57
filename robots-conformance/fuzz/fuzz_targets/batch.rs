//! Lines for `robots batch`.
#![no_main]

use robots_command::{LONGEST_LINE, answer, answer_on};
use robots_conformance::properties::batch::answering;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    answering(
        |threads, source, profile, open| {
            let mut answers = Vec::new();
            let answered = match threads {
                Some(threads) => answer_on(threads, source, &mut answers, profile, open),
                None => answer(source, &mut answers, profile, open),
            };
            answered.expect("memory can be read and written");
            answers
        },
        LONGEST_LINE,
        data,
    );
});
