//! Progress on a terminal.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::io::{IsTerminal as _, Write as _};
use std::thread::{self, JoinHandle};

/// Shows how much of the logs is read, if standard error is a terminal. The line is removed at the end.
pub(super) struct Progress {
    done: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    pub(super) fn new(all: u64) -> Self {
        let (done, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::io::stderr().is_terminal().then(|| {
            let (done, ended) = (Arc::clone(&done), Arc::clone(&ended));
            thread::spawn(move || {
                // Short logs show nothing.
                while !ended.load(Ordering::Relaxed) {
                    thread::park_timeout(Duration::from_millis(250));
                    if ended.load(Ordering::Relaxed) {
                        break;
                    }
                    let bar = bar(done.load(Ordering::Relaxed), all);
                    // Progress that can't be written is not missed.
                    let _ = write!(std::io::stderr(), "\r{bar}");
                }
                let _ = write!(std::io::stderr(), "\r\x1B[K");
            })
        });
        Self { done, ended, thread }
    }

    /// Returns the counter of bytes.
    pub(super) fn done(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.done)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn bar(done: u64, all: u64) -> String {
    const WIDTH: u64 = 30;
    let mebibytes = done >> 20;
    if all == 0 {
        return format!("robots: {mebibytes} MiB");
    }
    let filled = (done.min(all) * WIDTH / all) as usize;
    let rest = WIDTH as usize - filled;
    format!("robots: [{}{}] {mebibytes} of {} MiB", "#".repeat(filled), " ".repeat(rest), all >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_width() {
        assert_eq!(
            bar(5 << 20, 10 << 20),
            format!("robots: [{}{}] 5 of 10 MiB", "#".repeat(15), " ".repeat(15))
        );
        assert_eq!(bar(20 << 20, 10 << 20).len(), bar(0, 10 << 20).len() + 1);
        assert_eq!(bar(1 << 20, 0), "robots: 1 MiB");
    }
}
