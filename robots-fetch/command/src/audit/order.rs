//! Inputs are checked several at a time, and reported in their order.

use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::inputs::Input;
use super::outcome::Outcome;
use super::work::Work;
use crate::failure::{Failure, Result, reason};

/// How far the work may be ahead of the output, in inputs, so that one slow site does not make the others pile up.
const AHEAD: usize = 256;

/// The inputs, and the work.
pub(super) struct Subjects<'s> {
    pub(super) work: &'s Work<'s>,
    pub(super) inputs: &'s [Input],
}

impl Subjects<'_> {
    /// Calls `take` with the outcome of each input, in the order of the inputs. At most `jobs` inputs are checked at a time.
    ///
    /// # Memory
    ///
    /// At most 256 outcomes wait for an earlier one.
    pub(super) fn for_each(&self, jobs: usize, mut take: impl FnMut(Outcome) -> Result<()>) -> Result<()> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let gate = Gate::default();
        let (sender, receiver) = mpsc::sync_channel::<(usize, Outcome)>(jobs);
        thread::scope(|scope| {
            for started in 0..jobs.min(self.inputs.len()) {
                let sender = sender.clone();
                let (next, is_over, gate) = (&next, &is_over, &gate);
                let work = move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = self.inputs.get(index) else { break };
                        gate.wait(index, is_over);
                        if is_over.load(Ordering::Relaxed)
                            || sender.send((index, self.work.outcome(input))).is_err()
                        {
                            break;
                        }
                    }
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if started == 0 => {
                        return Err(Failure::new(format!("can't start a thread: {}", reason(&error))));
                    }
                    // Fewer threads take longer.
                    Err(_) => break,
                }
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut done = 0;
            let mut result = Ok(());
            'all: for (index, outcome) in receiver {
                waiting.insert(index, outcome);
                while let Some(outcome) = waiting.remove(&done) {
                    done += 1;
                    result = take(outcome);
                    if result.is_err() {
                        break 'all;
                    }
                }
                gate.open(done);
            }
            is_over.store(true, Ordering::Relaxed);
            gate.open(usize::MAX);
            result
        })
    }
}

/// Lets workers wait that are too far ahead of the output.
#[derive(Default)]
struct Gate {
    done: Mutex<usize>,
    changed: Condvar,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, index: usize, is_over: &AtomicBool) {
        let mut done = self.lock();
        while index >= done.saturating_add(AHEAD) && !is_over.load(Ordering::Relaxed) {
            done = self.changed.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open(&self, done: usize) {
        *self.lock() = done;
        self.changed.notify_all();
    }
}
