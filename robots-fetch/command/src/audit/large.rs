//! The thread that works on large files.

use std::sync::mpsc;
use std::thread;

/// A thread that does the work on one large file at a time.
///
/// The memory that a thread has used is often kept for the thread by the system's allocator. If each of many threads worked on a
/// large file once, the memory of all of them would add up.
pub(super) struct Large<'w> {
    /// `None` if no thread could be started.
    jobs: Option<mpsc::Sender<Job<'w>>>,
}

type Job<'w> = Box<dyn FnOnce() + Send + 'w>;

impl<'w> Large<'w> {
    /// Starts the thread, which ends when this is dropped.
    pub(super) fn start<'scope>(scope: &'scope thread::Scope<'scope, 'w>) -> Self {
        let (jobs, received) = mpsc::channel::<Job<'w>>();
        let work = move || received.into_iter().for_each(|job| job());
        Self { jobs: thread::Builder::new().spawn_scoped(scope, work).is_ok().then_some(jobs) }
    }

    /// Returns the result of work that is done in the thread, after the work that is there already.
    ///
    /// # Panics
    ///
    /// If the work does.
    pub(super) fn run<T: Send + 'w>(&self, work: impl FnOnce() -> T + Send + 'w) -> T {
        let Some(jobs) = &self.jobs else { return work() };
        let (done, result) = mpsc::sync_channel(1);
        // Who waits for the result is there until it comes.
        let job = Box::new(move || drop(done.send(work())));
        jobs.send(job).expect("the thread takes work until it panics");
        result.recv().expect("the work on a large file panicked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_in_one_thread() {
        let number = 5;
        let own = thread::current().id();
        thread::scope(|scope| {
            let large = Large::start(scope);
            let threads: Vec<_> = thread::scope(|callers| {
                let call = || large.run(|| (number + 1, thread::current().id()));
                let calls: Vec<_> = (0..4).map(|_| callers.spawn(call)).collect();
                calls.into_iter().map(|call| call.join().unwrap()).collect()
            });
            assert!(threads.iter().all(|one| one.0 == 6 && *one == threads[0] && one.1 != own));
        });
    }
}
