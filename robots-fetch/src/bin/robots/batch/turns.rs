//! Blocks that several threads read, answer and write, in the order of the input.

use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use std::io::{self, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::blocks::{Block, Blocks};

/// The input and the output that threads share.
///
/// A thread reads a block, answers its lines, and writes the answers, or leaves them to the thread that writes those before
/// them. No thread only reads or only writes, because such a thread would have to be woken for each block.
pub(super) struct Turns<R, W> {
    input: Mutex<Input<R>>,
    /// How many blocks were read.
    read: AtomicUsize,
    output: Mutex<Output<W>>,
    /// Signals that blocks were written for which threads wait.
    written: Condvar,
    /// How many answers may be left to another thread.
    most_left: usize,
    /// Whether no more answers can be written.
    has_stopped: AtomicBool,
}

struct Input<R> {
    blocks: Blocks<R>,
    /// Whether no more blocks follow.
    has_ended: bool,
    error: Option<io::Error>,
}

struct Output<W> {
    to: W,
    /// How many blocks have their answers written.
    next: usize,
    /// Answers by the number of their block.
    left: BTreeMap<usize, Vec<u8>>,
    /// How many threads wait.
    waiting: usize,
    error: Option<io::Error>,
    /// Whether the answers that are next will never come.
    is_lost: bool,
}

impl<R: Read, W: Write> Turns<R, W> {
    pub(super) fn new(input: R, output: W, most_left: usize) -> Self {
        let input = Input { blocks: Blocks::new(input), has_ended: false, error: None };
        let output =
            Output { to: output, next: 0, left: BTreeMap::new(), waiting: 0, error: None, is_lost: false };
        Self {
            input: Mutex::new(input),
            read: AtomicUsize::new(0),
            output: Mutex::new(output),
            written: Condvar::new(),
            most_left,
            has_stopped: AtomicBool::new(false),
        }
    }

    /// Reads lines into `block`. Returns `None` if there are none.
    pub(super) fn read(&self, block: &mut Block) -> Option<Turn<'_, R, W>> {
        let mut input = locked(&self.input);
        if input.has_ended || self.has_stopped.load(Ordering::SeqCst) {
            return None;
        }
        match input.blocks.fill(block) {
            // Blocks have numbers in the order of the input, because the input is locked.
            Ok(true) => Some(Turn { turns: self, number: self.read.fetch_add(1, Ordering::SeqCst) }),
            Ok(false) => {
                input.has_ended = true;
                None
            }
            Err(error) => {
                input.has_ended = true;
                input.error = Some(error);
                None
            }
        }
    }

    /// Writes the answers to block `number`, after those to the blocks before it.
    fn write(&self, number: usize, answers: Vec<u8>) {
        let mut output = locked(&self.output);
        while number > output.next + self.most_left && !output.has_stopped() {
            output.waiting += 1;
            output = self.written.wait(output).unwrap_or_else(PoisonError::into_inner);
            output.waiting -= 1;
        }
        output.left.insert(number, answers);
        output.write_next();
        // No thread writes soon if all blocks are written, so nothing stays in memory while the input is waited for.
        if output.next == self.read.load(Ordering::SeqCst) {
            output.flush();
        }
        self.after(output);
    }

    /// Gives up the answers to a block.
    fn lose(&self) {
        let mut output = locked(&self.output);
        output.is_lost = true;
        self.after(output);
    }

    /// Lets the other threads see what has changed.
    fn after(&self, output: MutexGuard<'_, Output<W>>) {
        let is_waited_for = output.waiting > 0;
        // Without a lock of the input, which another thread has while it waits for more input.
        self.has_stopped.store(output.has_stopped(), Ordering::SeqCst);
        drop(output);
        if is_waited_for {
            self.written.notify_all();
        }
    }

    /// Returns the errors of the input and of the output.
    pub(super) fn into_errors(self) -> (Option<io::Error>, Option<io::Error>) {
        let input = self.input.into_inner().unwrap_or_else(PoisonError::into_inner);
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        (input.error, output.error)
    }
}

impl<W: Write> Output<W> {
    fn has_stopped(&self) -> bool {
        self.is_lost || self.error.is_some()
    }

    /// Writes answers as far as none are missing before them.
    fn write_next(&mut self) {
        while let Some(answers) = self.left.remove(&self.next) {
            self.next += 1;
            if self.error.is_none() {
                self.error = self.to.write_all(&answers).err();
            }
        }
    }

    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A block that was read, and whose answers are to be written.
pub(super) struct Turn<'t, R: Read, W: Write> {
    turns: &'t Turns<R, W>,
    number: usize,
}

impl<R: Read, W: Write> Turn<'_, R, W> {
    /// Writes the answers in the order of the blocks. May wait until answers before them are written.
    pub(super) fn write(self, answers: Vec<u8>) {
        self.turns.write(self.number, answers);
        core::mem::forget(self);
    }
}

impl<R: Read, W: Write> Drop for Turn<'_, R, W> {
    /// Lets the other threads end if this one can't answer its block, because the function that opens files panicked.
    fn drop(&mut self) {
        self.turns.lose();
    }
}
