//! The threads of connections.
//!
//! `hyper` parses answers in tasks that it spawns, and such a task yields its thread only after 128 reads of up to 400 KiB
//! each. On a runtime of one thread, no timer runs meanwhile: an endless chunk length from a fast server delays timeouts by
//! seconds. `reqwest` has no hook between a connection and its socket, so connections run on threads of their own, apart from
//! the tasks that wait for them. Worker threads of the caller's runtime would not do, because the caller may have only one.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::{io, thread};

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::failure::{Failure, FailureKind};

/// Enough that one hostile server at a time leaves threads for others.
const LEAST_THREADS: usize = 4;
const MOST_THREADS: usize = 8;

static CONNECTIONS: OnceLock<io::Result<Runtime>> = OnceLock::new();

fn runtime() -> &'static io::Result<Runtime> {
    CONNECTIONS.get_or_init(|| {
        let threads = thread::available_parallelism()
            .map_or(LEAST_THREADS, |processors| processors.get().clamp(LEAST_THREADS, MOST_THREADS));
        Builder::new_multi_thread().worker_threads(threads).thread_name("robots-fetch").enable_all().build()
    })
}

fn started() -> Result<&'static Runtime, Failure> {
    let failed = |error: &io::Error| {
        Failure::new(FailureKind::Other, format!("threads can't be started: {error}")).local()
    };
    runtime().as_ref().map_err(failed)
}

/// Runs a task on these threads.
///
/// # Errors
///
/// The threads can't be started.
pub(super) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> Result<(), Failure> {
    started()?.spawn(task);
    Ok(())
}

tokio::task_local! {
    /// Whether the request that a task sends has opened a connection.
    static CONNECTED: Arc<AtomicBool>;
}

/// Notes in the task that sends a request that it opened a connection. A request that opened none used a kept one.
pub(super) fn note<R>(request: R) -> R {
    // Connections that are opened outside of such a task are not of interest.
    let _ = CONNECTED.try_with(|connected| connected.store(true, Ordering::Release));
    request
}

/// Polls `sending` on the threads of connections, so that the connections that it opens are there. Dropping the future
/// cancels it. `connected` is set if it opens one.
///
/// # Errors
///
/// The threads can't be started.
pub(super) fn send<T: Send + 'static>(
    sending: impl Future<Output = T> + Send + 'static,
    connected: Arc<AtomicBool>,
) -> Result<impl Future<Output = T>, Failure> {
    let mut tasks = JoinSet::new();
    tasks.spawn_on(CONNECTED.scope(connected, sending), started()?.handle());
    Ok(async move {
        match tasks.join_next().await {
            Some(Ok(sent)) => sent,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            // Only `tasks` cancels the task, and the runtime lasts as long as the process.
            _ => core::future::pending().await,
        }
    })
}
