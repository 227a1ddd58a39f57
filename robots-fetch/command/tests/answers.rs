//! Properties of `answer` and `answer_on`.

use core::num::NonZeroUsize;
use std::io::Read;

use proptest::collection::vec;
use proptest::prelude::*;
use robots_command::{LONGEST_LINE, Reading, answer, answer_on};
use robots_conformance::properties::batch::{Urls, answering};
use robots_conformance::properties::seeds;
use robots_match::Profile;

fn answers(
    threads: Option<NonZeroUsize>,
    source: Box<dyn Read + Send + '_>,
    profile: &Profile,
    urls: Urls,
    open: fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Vec<u8> {
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
}

proptest! {
    #[test]
    fn each_line_is_answered_like_a_single_question(
        pace in prop_oneof![9 => any::<u8>(), 1 => Just(255)],
        lines in vec(
            prop_oneof![
                "(user-agent: (foo|\\*)\\|(dis)?allow: /[ab$*]{0,3}|!none|x)?\t(foo|bar|no token|\\*)?\t(/|https?://a.test/)?[ab\t]{0,3}\r?",
                "[ !\t\r\u{1}a]{0,6}",
                "\\PC{0,12}",
            ],
            0..12,
        ),
        bytes in vec(any::<u8>(), 0..12),
    ) {
        answering(answers, LONGEST_LINE, &[&[pace], lines.join("\n").as_bytes(), &bytes].concat());
    }
}

#[test]
fn seeds_of_the_fuzz_target_are_answered_line_by_line() {
    let seeds = seeds("batch");
    assert!(!seeds.is_empty());
    for seed in seeds.values() {
        answering(answers, LONGEST_LINE, seed);
    }
}
