//! Work on several threads whose results are used in the order of the items.

use alloc::collections::{BTreeMap, BTreeSet};
use core::iter;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::{panic, thread};

/// The smallest weight of a message in bytes.
const LEAST: usize = 256;

/// Calls `take` with the messages that workers send for each item, in the order of the items and, for one item, in the order
/// in which they were sent. `worker` makes the function of one thread, which works on one item at a time.
///
/// `take` is called by this thread, as soon as all earlier messages were taken. The items are taken one at a time. The first item that
/// has not ended never waits for others here.
///
/// # Memory
///
/// Messages that wait have a weight of at most `most` together, and one message more. A worker that sends more waits.
///
/// # Errors
///
/// `take` fails, or no thread can be started. Work that has begun is ended at its next message.
///
/// # Panics
///
/// If a worker panics.
pub(crate) fn in_order<I, M, W, E>(
    threads: usize,
    most: usize,
    items: I,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(M) -> Result<(), E>,
) -> Result<(), E>
where
    I: Iterator<Item: Send> + Send,
    M: Send,
    W: FnMut(I::Item, &mut Turn<'_, M>),
    E: From<NoThread>,
{
    let line = Queue::new(most);
    let items = Mutex::new(items.enumerate());
    let work = || {
        let _guard = Worker(&line);
        let mut work = worker();
        loop {
            // The lock is released before the work begins.
            // It is poisoned if the source of the items panicked; what follows may be anything.
            let next = items.lock().ok().and_then(|mut items| items.next());
            let Some((index, item)) = next.filter(|_| !line.lock().is_over) else { break };
            work(item, &mut Turn { line: &line, index, sent: 0 });
        }
    };
    thread::scope(|scope| {
        let mut started = Vec::new();
        for _ in 0..threads.max(1) {
            line.lock().workers += 1;
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(thread) => started.push(thread),
                Err(error) => {
                    line.lock().workers -= 1;
                    // Fewer threads take longer.
                    if started.is_empty() {
                        return Err(NoThread(error).into());
                    }
                    break;
                }
            }
        }
        let taken = {
            // Also if `take` panics, the workers end.
            let _stop = Stop(&line);
            iter::from_fn(|| line.next()).try_for_each(take)
        };
        // The scope waits for their work, but not until they have released what belongs to a thread.
        for thread in started {
            thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        }
        taken
    })
}

/// The reason why no thread could be started.
#[derive(Debug)]
pub(crate) struct NoThread(pub(crate) io::Error);

/// Messages that wait for those of earlier items.
struct Queue<M> {
    state: Mutex<Queued<M>>,
    /// There is room for messages.
    room: Condvar,
    /// There is a message, an item ended, or a worker did.
    news: Condvar,
    most: usize,
}

struct Queued<M> {
    /// By the index of the item, and the number of the message.
    waiting: BTreeMap<(usize, usize), (M, usize)>,
    weight: usize,
    /// The item whose messages are taken.
    current: usize,
    /// Later items that have ended.
    ended: BTreeSet<usize>,
    workers: usize,
    is_over: bool,
}

impl<M> Queue<M> {
    const fn new(most: usize) -> Self {
        let state = Queued {
            waiting: BTreeMap::new(),
            weight: 0,
            current: 0,
            ended: BTreeSet::new(),
            workers: 0,
            is_over: false,
        };
        Self { state: Mutex::new(state), room: Condvar::new(), news: Condvar::new(), most }
    }

    fn lock(&self) -> MutexGuard<'_, Queued<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next message; `None` after the last.
    fn next(&self) -> Option<M> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            let current = state.current;
            if let Some(entry) = state.waiting.first_entry().filter(|entry| entry.key().0 == current) {
                let (message, weight) = entry.remove();
                state.weight -= weight;
                self.room.notify_all();
                return Some(message);
            }
            if state.ended.remove(&current) {
                state.current += 1;
                self.room.notify_all();
            } else if state.workers == 0 {
                return None;
            } else {
                state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Ends the work.
struct Stop<'l, M>(&'l Queue<M>);

impl<M> Drop for Stop<'_, M> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.room.notify_all();
        self.0.news.notify_all();
    }
}

/// Notes the end of a thread.
struct Worker<'l, M>(&'l Queue<M>);

impl<M> Drop for Worker<'_, M> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.workers -= 1;
        // The others would wait for the messages of this one.
        state.is_over |= thread::panicking();
        drop(state);
        self.0.news.notify_all();
        self.0.room.notify_all();
    }
}

/// The right to send messages for one item.
pub(crate) struct Turn<'l, M> {
    line: &'l Queue<M>,
    index: usize,
    sent: usize,
}

impl<M> Turn<'_, M> {
    /// Sends a message that takes `weight` bytes. Waits if too much is waiting before it. Returns whether it makes sense to send
    /// more.
    pub(crate) fn send(&mut self, message: M, weight: usize) -> bool {
        let weight = weight.max(LEAST);
        let mut state = self.line.lock();
        // The current item never waits for others, but only for the output.
        let has_room = |state: &Queued<M>| match state.current == self.index {
            true => state.waiting.first_key_value().is_none_or(|(key, _)| key.0 != self.index),
            false => state.weight + weight <= self.line.most,
        };
        while !state.is_over && state.weight + weight > self.line.most && !has_room(&state) {
            state = self.line.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_over {
            return false;
        }
        state.waiting.insert((self.index, self.sent), (message, weight));
        state.weight += weight;
        self.sent += 1;
        drop(state);
        self.line.news.notify_all();
        true
    }
}

impl<M> Drop for Turn<'_, M> {
    fn drop(&mut self) {
        self.line.lock().ended.insert(self.index);
        self.line.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use core::time::Duration;

    use super::*;

    impl From<NoThread> for io::Error {
        fn from(error: NoThread) -> Self {
            error.0
        }
    }

    #[test]
    fn messages_have_the_order_of_the_items() {
        for threads in [1, 2, 8] {
            let mut taken = Vec::new();
            let worker = || {
                |item: usize, turn: &mut Turn<'_, (usize, usize)>| {
                    if item.is_multiple_of(7) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    for part in 0..item % 3 {
                        assert!(turn.send((item, part), 1 << 10));
                    }
                }
            };
            let done: io::Result<()> = in_order(threads, 8 << 10, 0..300, worker, |message| {
                taken.push(message);
                Ok(())
            });
            done.unwrap();
            let expected: Vec<_> =
                (0..300).flat_map(|item| (0..item % 3).map(move |part| (item, part))).collect();
            assert_eq!(taken, expected, "{threads}");
        }
    }

    #[test]
    fn waiting_messages_are_limited() {
        let (waiting, highest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let worker = || {
            |item: usize, turn: &mut Turn<'_, ()>| {
                if item == 0 {
                    thread::sleep(Duration::from_millis(50));
                }
                for _ in 0..20 {
                    highest.fetch_max(waiting.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    turn.send((), 1 << 10);
                }
            }
        };
        let done: io::Result<()> = in_order(4, 16 << 10, 0..100, worker, |()| {
            waiting.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        });
        done.unwrap();
        // Those that wait, one of the current item, one that is taken, and one that each thread is about to send.
        assert!(highest.load(Ordering::SeqCst) <= 16 + 1 + 1 + 4, "{highest:?}");
    }

    #[test]
    fn an_error_ends_the_work() {
        let worked = AtomicUsize::new(0);
        let worker = || {
            |_: usize, turn: &mut Turn<'_, ()>| {
                worked.fetch_add(1, Ordering::SeqCst);
                turn.send((), 1 << 20);
            }
        };
        let done = in_order(2, 1 << 20, 0..1_000_000, worker, |()| Err(io::Error::other("full")));
        assert_eq!(done.unwrap_err().to_string(), "full");
        assert!(worked.load(Ordering::SeqCst) < 100, "{worked:?}");
    }

    #[test]
    #[should_panic(expected = "the work panics")]
    fn a_panic_ends_the_work() {
        let worker = || |item: usize, _: &mut Turn<'_, ()>| assert!(item < 10, "the work panics");
        let _: io::Result<()> = in_order(3, 1 << 10, 0..1000, worker, |()| Ok(()));
    }
}
