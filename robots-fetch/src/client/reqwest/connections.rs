//! Where connections are.
//!
//! `hyper` parses what comes in tasks that it spawns, and one of them gives its thread back after 128 reads of up to 400
//! KiB. On a runtime of one thread no timer runs meanwhile: an endless length of a chunk, from near enough, holds a timeout
//! up for seconds. `reqwest` lets nobody in between a connection and its socket, so the tasks are kept apart from whoever
//! waits for them.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::{io, thread};

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::failure::{Failure, FailureKind};

static CONNECTIONS: OnceLock<io::Result<Runtime>> = OnceLock::new();

fn runtime() -> &'static io::Result<Runtime> {
    CONNECTIONS.get_or_init(|| {
        let threads = thread::available_parallelism().map_or(4, |processors| processors.get().clamp(4, 8));
        Builder::new_multi_thread().worker_threads(threads).thread_name("robots-fetch").enable_all().build()
    })
}

/// Polls `sending` on the threads of connections, on which those are that it makes. Dropped, it ends.
///
/// # Errors
///
/// There are no such threads.
pub(super) fn send<T: Send + 'static>(
    sending: impl Future<Output = T> + Send + 'static,
) -> Result<impl Future<Output = T>, Failure> {
    let runtime = runtime().as_ref();
    let runtime =
        runtime.map_err(|error| Failure::new(FailureKind::Other, format!("no threads: {error}")))?;
    let mut tasks = JoinSet::new();
    tasks.spawn_on(sending, runtime.handle());
    Ok(async move {
        match tasks.join_next().await {
            Some(Ok(sent)) => sent,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            // The task is ended by nobody but `tasks`, and the runtime lasts as long as the process.
            _ => core::future::pending().await,
        }
    })
}
