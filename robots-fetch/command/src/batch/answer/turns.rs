//! Blocks that several threads read, answer and write, in the order of the input.

use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicBool, Ordering};
use std::io::{self, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::blocks::{Block, Blocks};

/// The input and the output that threads share.
///
/// A thread reads a block, answers its lines, and writes the answers, or leaves them to the thread that writes those before
/// them. No thread only reads or only writes, because such a thread would have to be woken for each block.
pub(super) struct Turns<R, W> {
    input: Mutex<Input<R>>,
    output: Mutex<Output<W>>,
    /// Signals a thread that waits in [`Turn::write`].
    written: Condvar,
    /// How many blocks may have their answers left to another thread.
    most_left: usize,
    /// Whether no more answers can be written. Not a part of `output`, because a thread that reads must not wait for it.
    has_stopped: AtomicBool,
}

struct Input<R> {
    blocks: Blocks<R>,
    /// The number of the next block.
    next: usize,
    has_ended: bool,
    error: Option<io::Error>,
}

struct Output<W> {
    to: W,
    /// The number of the block whose answers are written next.
    next: usize,
    /// Answers that were left, by the number of their block.
    left: BTreeMap<usize, Vec<u8>>,
    /// How many threads wait.
    waiting: usize,
    error: Option<io::Error>,
}

impl<R: Read, W: Write> Turns<R, W> {
    pub(super) fn new(input: R, output: W, most_left: usize) -> Self {
        let input = Input { blocks: Blocks::new(input), next: 0, has_ended: false, error: None };
        let output = Output { to: output, next: 0, left: BTreeMap::new(), waiting: 0, error: None };
        Self {
            input: Mutex::new(input),
            output: Mutex::new(output),
            written: Condvar::new(),
            most_left,
            has_stopped: AtomicBool::new(false),
        }
    }

    /// Reads lines into `block`. Returns `None` if no more lines follow, or if their answers can't be written.
    pub(super) fn read(&self, block: &mut Block) -> Option<Turn<'_, R, W>> {
        // The lock is poisoned if the input panicked. It may have lost bytes, so nothing after them is answered.
        let mut input = self.input.lock().ok()?;
        if input.has_ended || self.has_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let filled = input.blocks.fill(block);
        if !matches!(filled, Ok(true)) {
            input.has_ended = true;
            input.error = filled.err();
            return None;
        }
        let number = input.next;
        input.next += 1;
        Some(Turn { turns: self, number })
    }

    /// Makes all threads end.
    fn stop(&self, output: &Output<W>) {
        self.has_stopped.store(true, Ordering::Relaxed);
        self.wake(output);
    }

    fn wake(&self, output: &Output<W>) {
        // A signal without a thread that waits is still a system call.
        if output.waiting > 0 {
            self.written.notify_all();
        }
    }

    fn output(&self) -> MutexGuard<'_, Output<W>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the errors of the input and of the output.
    pub(super) fn into_errors(self) -> (Option<io::Error>, Option<io::Error>) {
        let input = self.input.into_inner().unwrap_or_else(PoisonError::into_inner);
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        (input.error, output.error)
    }
}

impl<W: Write> Output<W> {
    /// Writes answers as far as none are missing before them. They are not kept back, because the next ones may take long.
    fn write_next(&mut self) -> io::Result<()> {
        while let Some(answers) = self.left.remove(&self.next) {
            self.next += 1;
            self.to.write_all(&answers)?;
        }
        self.to.flush()
    }
}

/// A block that was read, and whose answers are to be written.
pub(super) struct Turn<'t, R: Read, W: Write> {
    turns: &'t Turns<R, W>,
    number: usize,
}

impl<R: Read, W: Write> Turn<'_, R, W> {
    /// Writes the answers in the order of the blocks. Waits if too many answers are left to another thread.
    pub(super) fn write(self, answers: Vec<u8>) {
        let (turns, number) = (self.turns, self.number);
        let has_stopped = || turns.has_stopped.load(Ordering::Relaxed);
        let mut output = turns.output();
        while number > output.next + turns.most_left && !has_stopped() {
            output.waiting += 1;
            output = turns.written.wait(output).unwrap_or_else(PoisonError::into_inner);
            output.waiting -= 1;
        }
        if !has_stopped() {
            output.left.insert(number, answers);
            match output.write_next() {
                Ok(()) => turns.wake(&output),
                Err(error) => {
                    output.error = Some(error);
                    turns.stop(&output);
                }
            }
        }
        drop(output);
        core::mem::forget(self);
    }
}

impl<R: Read, W: Write> Drop for Turn<'_, R, W> {
    /// Makes the other threads end if this one panicked, because they would wait for its answers.
    fn drop(&mut self) {
        self.turns.stop(&self.turns.output());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{answer, answer_on};
    use super::*;
    use core::num::NonZeroUsize;
    use core::time::Duration;
    use robots_match::Profile;
    use std::sync::mpsc;
    use std::thread;

    const MOST: Duration = Duration::from_secs(60);

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn answers_have_the_order_of_the_lines_if_one_thread_is_slow() {
        let mut rows = b"slow\tx\t/\n".to_vec();
        for number in 0..200_000 {
            rows.extend_from_slice(format!("{}\tx\t/{number}\n", number % 7).as_bytes());
        }
        let open = |name: &[u8]| {
            if name == b"slow" {
                thread::sleep(Duration::from_millis(100));
            }
            Ok([b"user-agent: *\ndisallow: /", name].concat())
        };
        let mut expected = Vec::new();
        answer(&*rows, &mut expected, &Profile::RFC9309, open).unwrap();
        for count in [2, 3, 8] {
            let mut answers = Vec::new();
            answer_on(threads(count), &*rows, &mut answers, &Profile::RFC9309, open).unwrap();
            assert!(answers == expected, "{count} threads");
        }
    }

    /// Sends what is written.
    struct Sends(mpsc::Sender<Vec<u8>>);

    impl Write for Sends {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns one line for each call.
    struct Lines(&'static [&'static str]);

    impl Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((line, rest)) = self.0.split_first() else { return Ok(0) };
            self.0 = rest;
            (&mut &mut *buffer).write_all(line.as_bytes())?;
            Ok(line.len())
        }
    }

    #[test]
    fn an_answer_does_not_wait_for_the_next_one() {
        let (to_test, of_output) = mpsc::channel();
        let (second_is_open, first_may_go_on) = mpsc::channel();
        let (of_output, first_may_go_on) = (Mutex::new(of_output), Mutex::new(first_may_go_on));
        let open = |name: &[u8]| {
            if name == b"second" {
                second_is_open.send(()).unwrap();
                let written = of_output.lock().unwrap().recv_timeout(MOST);
                assert_eq!(written.as_deref(), Ok(&b"error\tnone\n"[..]));
            } else {
                first_may_go_on.lock().unwrap().recv_timeout(MOST).unwrap();
            }
            Err("none".to_owned())
        };
        let lines = Lines(&["first\tx\t/\n", "second\tx\t/\n"]);
        answer_on(threads(2), lines, Sends(to_test), &Profile::RFC9309, open).unwrap();
    }

    /// Panics instead of reading or writing.
    struct Panics;

    impl Read for Panics {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("the input panics")
        }
    }

    impl Write for Panics {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("the output panics")
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns whether `run` panics; `None` if it does not end.
    fn panics(run: impl FnOnce() + Send + 'static) -> Option<bool> {
        let (to_test, of_thread) = mpsc::channel();
        thread::spawn(move || {
            let run = core::panic::AssertUnwindSafe(run);
            let _ = to_test.send(std::panic::catch_unwind(run).is_err());
        });
        of_thread.recv_timeout(MOST).ok()
    }

    #[test]
    fn all_threads_end_after_a_panic() {
        let rows = || io::Cursor::new(b"a\tx\t/\n".repeat(200_000));
        let none = |_: &[u8]| Err("none".to_owned());
        let profile = &Profile::RFC9309;
        let of_open = panics(move || {
            let is_first = AtomicBool::new(true);
            let open = |_: &[u8]| {
                assert!(!is_first.swap(false, Ordering::SeqCst), "the first file panics");
                Err("none".to_owned())
            };
            answer_on(threads(2), rows(), io::sink(), profile, open).unwrap();
        });
        assert_eq!(of_open, Some(true));
        let of_output = panics(move || answer_on(threads(2), rows(), Panics, profile, none).unwrap());
        assert_eq!(of_output, Some(true));
        let of_input = panics(move || {
            answer_on(threads(2), rows().chain(Panics).chain(rows()), io::sink(), profile, none).unwrap();
        });
        assert_eq!(of_input, Some(true));
    }
}
