//! A retrieval in flight that tasks wait for. It is a task of its own, so that it does not end with the task that asked first.

use alloc::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Handle, Id};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::AbortHandle;

use crate::cache::single_flight::Signal;
use crate::entry::Entry;

/// The leader's side of a [`TaskFlight`].
pub(super) struct TaskSignal {
    sender: watch::Sender<Option<Arc<Entry>>>,
    attendance: Arc<Mutex<Attendance>>,
}

/// A retrieval in flight.
#[derive(Clone)]
pub(super) struct TaskFlight {
    receiver: watch::Receiver<Option<Arc<Entry>>>,
    attendance: Arc<Mutex<Attendance>>,
}

/// The callers of a retrieval.
#[derive(Default)]
struct Attendance {
    waiting: usize,
    /// The task that retrieves; `None` if a caller retrieves itself.
    task: Option<AbortHandle>,
    /// The place of a retrieval without callers among those that may go on. It is free again when the retrieval ends.
    place: Option<OwnedSemaphorePermit>,
}

impl TaskSignal {
    /// Returns the retrieval in flight.
    pub(super) fn flight(&self) -> TaskFlight {
        TaskFlight { receiver: self.sender.subscribe(), attendance: Arc::clone(&self.attendance) }
    }
}

impl Signal for TaskSignal {
    type Follower = TaskFlight;
    type Place = Option<Id>;

    fn place() -> Option<Id> {
        Handle::try_current().ok().map(|runtime| runtime.id())
    }

    fn new() -> (Self, TaskFlight) {
        let signal = Self { sender: watch::channel(None).0, attendance: Arc::default() };
        let flight = signal.flight();
        (signal, flight)
    }

    fn finish(&self, entry: Arc<Entry>) {
        self.sender.send_replace(Some(entry));
    }
}

impl TaskFlight {
    /// Sets the task that retrieves.
    pub(super) fn set_task(&self, task: AbortHandle) {
        self.attendance().task = Some(task);
    }

    /// Sets the place of a retrieval that no caller waits for.
    pub(super) fn set_place(&self, place: OwnedSemaphorePermit) {
        self.attendance().place = Some(place);
    }

    /// Ends the task that retrieves.
    pub(super) fn abort(&self) {
        if let Some(task) = &self.attendance().task {
            task.abort();
        }
    }

    /// Makes the caller one of those that wait. If it is the last one that gives up, the retrieval needs one of the `places` to go
    /// on.
    pub(super) fn attend(self, places: &Arc<Semaphore>) -> Attendant {
        let mut attendance = self.attendance();
        attendance.waiting += 1;
        attendance.place = None;
        drop(attendance);
        Attendant { flight: self, places: Arc::clone(places) }
    }

    // Nothing that is done under this lock can panic half way.
    fn attendance(&self) -> MutexGuard<'_, Attendance> {
        self.attendance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that waits for a retrieval. It gives up when it is dropped.
pub(super) struct Attendant {
    flight: TaskFlight,
    places: Arc<Semaphore>,
}

impl Attendant {
    /// Waits for the entry; `None` if the retrieval was aborted or panicked.
    pub(super) async fn entry(&mut self) -> Option<Arc<Entry>> {
        let entry = self.flight.receiver.wait_for(Option::is_some).await;
        entry.ok().and_then(|entry| entry.clone())
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        let mut attendance = self.flight.attendance();
        attendance.waiting -= 1;
        if attendance.waiting > 0 {
            return;
        }
        if let Some(task) = attendance.task.as_ref().filter(|task| !task.is_finished()) {
            match Arc::clone(&self.places).try_acquire_owned() {
                Ok(place) => attendance.place = Some(place),
                Err(_) => task.abort(),
            }
        }
    }
}
