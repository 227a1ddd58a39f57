//! Progress on a terminal.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// A line with the number of sites that are done. The line is removed at the end.
pub(super) struct Progress<W: Write> {
    all: usize,
    state: Mutex<(usize, Option<W>)>,
}

impl<W: Write> Progress<W> {
    pub(super) fn new(all: usize, out: Option<W>) -> Self {
        Self { all, state: Mutex::new((0, out)) }
    }

    pub(super) fn one(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        if let (done, Some(out)) = &mut *state {
            // Progress that can't be written is not missed.
            let _ = write!(out, "\rrobots: {done} of {} sites", self.all).and_then(|()| out.flush());
        }
    }
}

impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(out) = &mut state.1 {
            let _ = write!(out, "\r\x1B[K").and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_one_line_that_is_removed() {
        let mut out = Vec::new();
        let progress = Progress::new(2, Some(&mut out));
        progress.one();
        progress.one();
        drop(progress);
        assert_eq!(out, b"\rrobots: 1 of 2 sites\rrobots: 2 of 2 sites\r\x1B[K");
    }
}
