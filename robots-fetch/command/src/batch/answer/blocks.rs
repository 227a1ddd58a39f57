//! The input of `robots batch`, in blocks of whole lines.

use std::io::{self, Read};

use super::question::LONGEST_LINE;

/// The largest number of bytes that are read at once.
pub(super) const BLOCK: usize = 128 * 1024;

/// The number of bytes that are read at once at the beginning.
const FIRST: usize = 4 * 1024;

/// At most [`FIRST`] bytes and an eighth of what was read before are read at once. So an input that is a few times as long as
/// [`FIRST`] is divided among the threads, even if its lines take long.
const GROWTH: usize = 8;

/// The bytes that are kept of a line that is too long: more than a line may have with CR, so that it is seen to be too long.
const MOST_OF_LINE: usize = LONGEST_LINE + 2;

/// Lines of input. The last line of the input may lack a line end.
#[derive(Default)]
pub(super) struct Block {
    /// Room for bytes. It grows for a long line.
    bytes: Vec<u8>,
    /// Where the lines end.
    end: usize,
}

impl Block {
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.get(..self.end).unwrap_or_default();
        core::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let (line, after) = rest.split_at_checked(end)?;
            rest = after.get(1..).unwrap_or_default();
            Some(line)
        })
    }
}

/// Splits the input into blocks.
pub(super) struct Blocks<R> {
    source: R,
    /// The start of a line whose end was not read yet.
    start: Vec<u8>,
    /// How many bytes to read at once.
    most: usize,
    has_failed: bool,
}

impl<R: Read> Blocks<R> {
    pub(super) const fn new(source: R) -> Self {
        Self { source, start: Vec::new(), most: FIRST, has_failed: false }
    }

    /// Reads lines into `block`, which it empties first. Returns whether there are any.
    ///
    /// Does not wait for more input when the end of a line was read. A line that is too long has only its start in the block.
    pub(super) fn fill(&mut self, block: &mut Block) -> io::Result<bool> {
        let Block { bytes, end } = block;
        let mut filled = self.start.len();
        if bytes.len() < filled + BLOCK {
            bytes.resize(filled + BLOCK, 0);
        }
        bytes.get_mut(..filled).unwrap_or_default().copy_from_slice(&self.start);
        self.start.clear();
        loop {
            if bytes.len() - filled < BLOCK / 2 {
                bytes.resize(filled + BLOCK.max(filled.min(MOST_OF_LINE)), 0);
            }
            let end_of_room = bytes.len().min(filled + self.most);
            let room = bytes.get_mut(filled..end_of_room).unwrap_or_default();
            let read = match self.source.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                *end = filled;
                return Ok(filled > 0);
            }
            self.most = (self.most + read / GROWTH).min(BLOCK);
            let new = room.get(..read).unwrap_or_default();
            if let Some(last) = memchr::memrchr(b'\n', new) {
                self.start.extend_from_slice(new.get(last + 1..).unwrap_or_default());
                *end = filled + last + 1;
                return Ok(true);
            }
            filled = (filled + read).min(MOST_OF_LINE);
        }
    }
}

/// Returns blocks until the end of the input, or an error.
impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    fn next(&mut self) -> Option<io::Result<Block>> {
        if self.has_failed {
            return None;
        }
        let mut block = Block::default();
        match self.fill(&mut block) {
            Ok(true) => Some(Ok(block)),
            Ok(false) => None,
            Err(error) => {
                self.has_failed = true;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_with_the_input_before_them() {
        let line = b"robots.txt\tExampleBot\t/\n";
        let input = line.repeat(200_000);
        let (mut blocks, mut block) = (Blocks::new(&*input), Block::default());
        let (mut before, mut largest) = (0, 0);
        while blocks.fill(&mut block).unwrap() {
            let lines: Vec<&[u8]> = block.lines().collect();
            assert!(lines.iter().all(|read| *read == &line[..line.len() - 1]));
            let len = lines.len() * line.len();
            // The start of the first line came from the bytes that were read before.
            assert!(len < FIRST + before / GROWTH + 2 * line.len(), "{len} bytes after {before}");
            before += len;
            largest = largest.max(len);
        }
        assert_eq!(before, input.len());
        assert!((BLOCK - line.len()..BLOCK + line.len()).contains(&largest), "{largest}");
    }
}
