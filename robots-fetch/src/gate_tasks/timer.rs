//! Waiting for a time, in any runtime.

use alloc::collections::BTreeMap;
use core::mem;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::sync::atomic::{AtomicU64, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::panic::catch_unwind;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use tokio::runtime::{Handle, Id};
use tokio::time::{Sleep, sleep};

use crate::common::lock;

/// The shortest wait, so that a time that has just passed can't make a task run without a pause.
const SHORTEST: Duration = Duration::from_millis(1);

/// A timer that can be armed again: of tokio, or outside of a runtime, of a thread that all gates share.
#[derive(Default)]
pub(super) struct Timer(Armed);

#[derive(Default)]
enum Armed {
    #[default]
    None,
    Runtime(Pin<Box<Sleep>>, Id),
    Thread(#[expect(dead_code, reason = "it ends when it is dropped")] Sleeper),
}

/// The runtime has no timers.
#[derive(Debug)]
pub(super) struct NoTimers;

impl Timer {
    /// Arms the timer, and wakes the task after `wait`.
    pub(super) fn arm(&mut self, wait: Duration, context: &mut Context<'_>) -> Result<Poll<()>, NoTimers> {
        let wait = wait.max(SHORTEST);
        let Ok(runtime) = Handle::try_current() else {
            self.0 = Armed::Thread(Sleeper::new(Instant::now() + wait, context.waker().clone()));
            return Ok(Poll::Pending);
        };
        match &mut self.0 {
            Armed::Runtime(sleep, id) if *id == runtime.id() => {
                sleep.as_mut().reset(tokio::time::Instant::now() + wait);
            }
            // A timer of another runtime may never come.
            kind => {
                // There is no other way to find out. The message of the panic says what to do, too.
                let sleep = catch_unwind(AssertUnwindSafe(|| sleep(wait))).map_err(|_| NoTimers)?;
                *kind = Armed::Runtime(Box::pin(sleep), runtime.id());
            }
        }
        match &mut self.0 {
            Armed::Runtime(sleep, _) => Ok(sleep.as_mut().poll(context)),
            _ => Ok(Poll::Pending),
        }
    }
}

/// The tasks that wait outside of a runtime, by the time at which they are woken.
struct Sleepers {
    wakers: BTreeMap<(Instant, u64), Waker>,
    /// Whether the thread runs that wakes them. It ends when no task waits.
    has_thread: bool,
}

static SLEEPERS: Mutex<Sleepers> = Mutex::new(Sleepers { wakers: BTreeMap::new(), has_thread: false });
static CHANGED: Condvar = Condvar::new();
static LAST: AtomicU64 = AtomicU64::new(0);

/// A task that waits until it is dropped.
struct Sleeper((Instant, u64));

impl Sleeper {
    fn new(time: Instant, waker: Waker) -> Self {
        let key = (time, LAST.fetch_add(1, Ordering::Relaxed));
        let mut sleepers = lock(&SLEEPERS);
        sleepers.wakers.insert(key, waker);
        if !sleepers.has_thread {
            // If there can be no thread, the next call tries again.
            sleepers.has_thread = thread::Builder::new().name("robots-gate".to_owned()).spawn(wake).is_ok();
        }
        CHANGED.notify_one();
        Self(key)
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        // The waker is dropped without the lock: a task that ends with its last waker may have other timers.
        let waker = lock(&SLEEPERS).wakers.remove(&self.0);
        drop(waker);
    }
}

/// Calls a waker, or drops it. It is code of others, and its panic must not end this thread or the task of a stranger.
pub(super) fn contained(act: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(act)) {
        // Dropping it may panic, too.
        mem::forget(panic);
    }
}

/// Wakes each task at its time.
fn wake() {
    let mut guard = lock(&SLEEPERS);
    loop {
        let Some((time, _)) = guard.wakers.first_key_value().map(|(key, _)| *key) else {
            guard.has_thread = false;
            return;
        };
        let wait = time.saturating_duration_since(Instant::now());
        if wait.is_zero() {
            let waker = guard.wakers.pop_first();
            drop(guard);
            if let Some((_, waker)) = waker {
                contained(|| waker.wake());
            }
            guard = lock(&SLEEPERS);
        } else {
            guard = CHANGED.wait_timeout(guard, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
