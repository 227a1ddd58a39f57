//! The memory of `answer`.

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

// Only one test, because the memory of other tests at the same time would count.
#[test]
fn memory_depends_on_the_longest_line() {
    for (byte, left) in [(b'a', 64 << 20), (b'\t', 64 << 20), (b'\n', 1 << 20)] {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let input = Endless { left, byte };
        answer(input, io::sink(), &Reading::new(&Profile::RFC9309), |_| Err("not found".to_owned())).unwrap();
        let peak = MEMORY.peak_usage().saturating_sub(before);
        // The longest line, whose room doubles as it grows, the half before it, and a block on both sides.
        assert!(peak < 4 * LONGEST_LINE, "{peak} bytes for {left} of {byte}");
    }
}
