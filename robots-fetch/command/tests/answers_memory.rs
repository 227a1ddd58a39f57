//! The memory of `answer`.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::io::{self, Read};

use peak_alloc::PeakAlloc;
use robots_command::{LONGEST_LINE, Reading, answer};
use robots_match::Profile;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A source of `left` equal bytes.
struct Endless {
    left: usize,
    byte: u8,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.left);
        buffer.iter_mut().take(len).for_each(|to| *to = self.byte);
        self.left -= len;
        Ok(len)
    }
}

/// Returns the most memory of answers to `input`, above what there was before.
fn peak(input: impl Read, file: Result<&str, &str>) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let open = |_: &[u8]| file.map(|file| file.as_bytes().to_vec()).map_err(str::to_owned);
    answer(input, io::sink(), &Reading::new(&Profile::RFC9309), open).expect("a sink takes all answers");
    MEMORY.peak_usage().saturating_sub(before)
}

fn depends_on_the_longest_line() {
    for (byte, left) in [(b'a', 64 << 20), (b'\t', 64 << 20), (b'\n', 1 << 20)] {
        let peak = peak(Endless { left, byte }, Err("not found"));
        // The longest line, whose room doubles as it grows, the half before it, and a block on both sides.
        assert!(peak < 4 * LONGEST_LINE, "{peak} bytes for {left} of {byte}");
    }
}

fn agents_of_the_same_groups_share_their_rules() {
    let rules: String = (0..20_000).map(|number| format!("disallow: /*{number}*a\n")).collect();
    let names: String = (0..1000).map(|number| format!("user-agent: b{number}\n")).collect();
    let file = format!("{names}{rules}user-agent: *\n{rules}");
    // A hundred agents that the file does not name, and a hundred that it names together.
    let rows = (0..100).map(|number| format!("file\ta{number}\t/\nfile\tb{number}\t/\n"));
    let peak = peak(rows.collect::<String>().as_bytes(), Ok(&file));
    // The rules of one agent are larger than the file.
    assert!(peak < 30 * file.len(), "{peak} bytes for a file of {}", file.len());
}

// Only one test, because the memory of other tests at the same time would count.
#[test]
fn memory_of_answers() {
    depends_on_the_longest_line();
    agents_of_the_same_groups_share_their_rules();
}
