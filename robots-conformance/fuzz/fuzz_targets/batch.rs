//! Lines for `robots batch`.
#![no_main]

use robots_command::{LONGEST_LINE, Reading, answer, answer_on};
use robots_conformance::properties::batch::{Urls, answering};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    answering(
        |threads, source, profile, urls, open| {
            let reading = Reading::new(profile);
            let reading = match urls {
                Urls::Requested => reading,
                Urls::AsWritten => reading.as_written(),
            };
            let mut answers = Vec::new();
            let answered = match threads {
                Some(threads) => answer_on(threads, source, &mut answers, &reading, open),
                None => answer(source, &mut answers, &reading, open),
            };
            answered.expect("memory can be read and written");
            answers
        },
        LONGEST_LINE,
        data,
    );
});
