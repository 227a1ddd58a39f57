//! Reading logs in blocks, which threads judge and one tally counts in the order of their times.

use alloc::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use robots_fetch::log::{JudgedLines, Lacking, LogJudge, LogReader, LogSetup};

/// The bytes of a block.
const BLOCK: usize = 256 << 10;

/// What is known of the lines of a log.
#[derive(Debug, Default)]
pub(super) struct LinesRead {
    pub(super) lines: u64,
    pub(super) unread: u64,
    /// The numbers of the first lines that could not be read, from 1.
    pub(super) first_unread: Vec<u64>,
    /// Those that end with an object of JSON after other text.
    pub(super) objects_after_text: u64,
    all: u64,
    /// What requests of crawlers lack.
    pub(super) lacking: Lacking,
}

impl LinesRead {
    fn add(&mut self, judged: &JudgedLines) {
        self.lines += judged.lines();
        self.unread += judged.unread();
        self.objects_after_text += judged.objects_after_text();
        for line in judged.first_unread() {
            if self.first_unread.len() < 3 {
                self.first_unread.push(self.all + line);
            }
        }
        self.all += judged.all_lines();
        self.lacking.add(judged.lacking());
    }
}

/// Lines for a thread.
pub(super) struct Job {
    reader: LogReader,
    text: Vec<u8>,
    reply: SyncSender<(JudgedLines, Vec<u8>)>,
}

/// The judges of a log: one, or threads to which blocks are sent in turn, and which end when this is dropped.
pub(super) enum Judges<'s, 'h> {
    One(Box<LogJudge<'s, 'h>>),
    Threads { threads: Vec<SyncSender<Job>>, next: usize },
}

impl<'s, 'h> Judges<'s, 'h> {
    pub(super) fn new<'scope>(scope: &'scope Scope<'scope, '_>, setup: &'s LogSetup<'h>, threads: u16) -> Self
    where
        's: 'scope,
        'h: 'scope,
    {
        if threads < 2 {
            return Self::One(Box::new(LogJudge::new(setup)));
        }
        let start = |_| {
            let (jobs, received) = sync_channel::<Job>(2);
            scope.spawn(move || {
                let mut judge = LogJudge::new(setup);
                while let Ok(mut job) = received.recv() {
                    let judged = judge.judge(&mut job.reader, &job.text);
                    // After an error, no one waits for the lines.
                    let _ = job.reply.send((judged, job.text));
                }
            });
            jobs
        };
        Self::Threads { threads: (0..threads).map(start).collect(), next: 0 }
    }
}

/// A log that is being read.
pub(super) struct Stream {
    pub(super) name: String,
    blocks: Blocks,
    reader: LogReader,
    /// The blocks that threads judge, in their order.
    waiting: VecDeque<Receiver<(JudgedLines, Vec<u8>)>>,
    spare: Vec<Vec<u8>>,
    /// The requests that are judged and not counted.
    pub(super) judged: JudgedLines,
    pub(super) read: LinesRead,
    pub(super) error: Option<std::io::Error>,
}

impl Stream {
    pub(super) fn new(name: String, source: Box<dyn Read + Send>, reader: LogReader) -> Self {
        Self {
            name,
            blocks: Blocks {
                source,
                rest: Vec::new(),
                is_skipping: false,
                is_done: false,
                error: None,
                size: BLOCK,
            },
            reader,
            waiting: VecDeque::new(),
            spare: Vec::new(),
            judged: JudgedLines::default(),
            read: LinesRead::default(),
            error: None,
        }
    }

    /// Judges the next block, as one of `streams` logs that are read at the same time. Returns `false` at the end.
    pub(super) fn advance(&mut self, judges: &mut Judges<'_, '_>, streams: usize) -> bool {
        self.blocks.size = (BLOCK / streams).max(SMALLEST_BLOCK);
        let judged = match judges {
            Judges::One(judge) => {
                let mut text = self.spare.pop().unwrap_or_default();
                let judged = self.block(&mut text).then(|| judge.judge(&mut self.reader, &text));
                self.spare.push(text);
                judged
            }
            Judges::Threads { threads, next } => {
                let most = if streams == 1 { threads.len() * 2 } else { 1 };
                while self.waiting.len() < most {
                    let mut text = self.spare.pop().unwrap_or_default();
                    let before = self.reader.clone();
                    if !self.block(&mut text) {
                        break;
                    }
                    if before.format().has_directives() {
                        // The names of fields hold for later blocks.
                        for line in text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"#")) {
                            let _ = self.reader.read(line);
                        }
                    }
                    let (reply, received) = sync_channel(1);
                    if let Some(thread) = threads.get(*next) {
                        thread.send(Job { reader: before, text, reply }).expect("a thread waits for blocks");
                    }
                    *next = (*next + 1) % threads.len();
                    self.waiting.push_back(received);
                }
                self.waiting.pop_front().map(|received| {
                    let (judged, text) = received.recv().expect("a thread answers each block");
                    self.spare.push(text);
                    judged
                })
            }
        };
        match judged {
            Some(judged) => {
                self.read.add(&judged);
                self.judged = judged;
                true
            }
            None => false,
        }
    }

    /// Reads the next block.
    fn block(&mut self, text: &mut Vec<u8>) -> bool {
        match self.blocks.next(text) {
            Ok(has_more) => has_more,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }
}

/// The bytes of a block of one of many logs.
const SMALLEST_BLOCK: usize = 64 << 10;

/// Reads blocks that end with lines.
struct Blocks {
    source: Box<dyn Read + Send>,
    /// The beginning of a line whose end was not read.
    rest: Vec<u8>,
    /// Whether the rest of a line is left out, because it is too long.
    is_skipping: bool,
    is_done: bool,
    /// The error at which reading ended, once the lines before it were returned.
    error: Option<std::io::Error>,
    /// The bytes that are read at once.
    size: usize,
}

/// The longest line that is kept.
const LONGEST_LINE: usize = 2 << 20;

impl Blocks {
    /// Fills `block` with whole lines. Returns `false` at the end.
    fn next(&mut self, block: &mut Vec<u8>) -> std::io::Result<bool> {
        block.clear();
        block.append(&mut self.rest);
        while !self.is_done {
            let size = self.size as u64;
            match self.source.by_ref().take(size).read_to_end(block) {
                Ok(read) => self.is_done = (read as u64) < size,
                // The lines before the error are counted, and the one that was cut is not.
                Err(error) => {
                    self.is_done = true;
                    self.error = Some(error);
                    block.truncate(memchr::memrchr(b'\n', block).map_or(0, |at| at + 1));
                }
            }
            if self.is_skipping {
                match memchr::memchr(b'\n', block) {
                    Some(at) => {
                        block.drain(..=at);
                        self.is_skipping = false;
                    }
                    None => {
                        block.clear();
                        continue;
                    }
                }
            }
            if let Some(at) = memchr::memrchr(b'\n', block) {
                if !self.is_done {
                    self.rest.extend_from_slice(block.get(at + 1..).unwrap_or_default());
                    block.truncate(at + 1);
                }
                return Ok(true);
            }
            if block.len() > LONGEST_LINE {
                // It is counted as one line that can't be read.
                self.is_skipping = !self.is_done;
                return Ok(true);
            }
        }
        match self.error.take() {
            Some(error) if block.is_empty() => Err(error),
            error => {
                self.error = error;
                Ok(!block.is_empty())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time.
    struct Slow(&'static [u8]);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = self.0.len().min(buffer.len()).min(1);
            self.0.read(buffer.get_mut(..length).unwrap_or_default())
        }
    }

    fn blocks(source: impl Read + Send + 'static) -> Blocks {
        Blocks {
            source: Box::new(source),
            rest: Vec::new(),
            is_skipping: false,
            is_done: false,
            error: None,
            size: BLOCK,
        }
    }

    #[test]
    fn blocks_end_with_lines() {
        let mut blocks = blocks(Slow(b"a\nb\nc"));
        let mut block = Vec::new();
        assert!(blocks.next(&mut block).unwrap());
        assert_eq!(block, b"a\nb\nc");
        assert!(!blocks.next(&mut block).unwrap());
    }

    /// Fails after its text.
    struct Cut(&'static [u8]);

    impl Read for Cut {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
                length => Ok(length),
            }
        }
    }

    #[test]
    fn an_error_loses_no_line_before_it() {
        let mut blocks = blocks(Cut(b"a\nb\ncut"));
        let mut block = Vec::new();
        assert!(blocks.next(&mut block).unwrap());
        assert_eq!(block, b"a\nb\n");
        assert_eq!(blocks.next(&mut block).unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
        assert!(!blocks.next(&mut block).unwrap());
    }

    #[test]
    fn a_long_line_loses_no_other_line() {
        let text = [b"a\n", &*vec![b'x'; 5 << 20], b"\nb\nc\n"].concat();
        let mut blocks = blocks(std::io::Cursor::new(text));
        let (mut lines, mut long) = (Vec::new(), 0);
        let mut block = Vec::new();
        while blocks.next(&mut block).unwrap() {
            for line in block.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                if line.len() > 1 { long += 1 } else { lines.push(line.to_vec()) }
            }
        }
        assert_eq!((lines, long), (vec![b"a".to_vec(), b"b".to_vec(), b"c".to_vec()], 1));
    }
}
