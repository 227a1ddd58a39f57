//! Retrievals by an HTTP client and an FTP client together: each request goes to the client of its scheme. FTP servers send no
//! redirects.

#[cfg(feature = "reqwest")]
use core::future::pending;
use core::ops::ControlFlow;
#[cfg(feature = "reqwest")]
use std::panic::resume_unwind;
use std::time::SystemTime;

#[cfg(feature = "reqwest")]
use tokio::task::spawn_blocking;

use super::ftp;
use super::options::ClientOptions;
use crate::message::fields::Validators;
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
#[cfg(feature = "ureq")]
use crate::retrieval::drive::Transport;
use crate::retrieval::drive::step;
#[cfg(feature = "reqwest")]
use crate::retrieval::drive::{AsyncTransport, step_async};
use crate::retrieval::outcome::Outcome;
use crate::retrieval::states::AwaitingHead;

/// What is retrieved.
pub(super) type Wanted<'w> = (&'w Origin, &'w Validators, &'w SiteProfile);

/// Retrieves by blocking clients. `options` are those of the HTTP client.
#[cfg(feature = "ureq")]
pub(super) fn retrieve(
    mut http: impl Transport,
    ftp: &ftp::Client,
    options: &ClientOptions,
    (origin, validators, profile): Wanted<'_>,
) -> Outcome {
    let mut ftp = ftp.begin_beside(options);
    observe::retrieval(origin, || {
        let mut awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
        loop {
            let stepped = match awaiting.request().url.scheme() {
                "ftp" => step(&mut ftp, awaiting),
                _ => step(&mut http, awaiting),
            };
            match stepped {
                ControlFlow::Continue(next) => awaiting = next,
                ControlFlow::Break(outcome) => return outcome,
            }
        }
    })
}

/// Retrieves by an async client. FTP runs on a tokio thread for blocking work, and runs there to its end, within its timeout, even if
/// the future is dropped.
#[cfg(feature = "reqwest")]
pub(super) async fn retrieve_async<T: AsyncTransport>(
    mut http: T,
    ftp: &ftp::Client,
    options: &ClientOptions,
    (origin, validators, profile): Wanted<'_>,
) -> Outcome {
    let ftp = ftp.begin_beside(options);
    let retrieve = async {
        let mut awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
        loop {
            let stepped = if awaiting.request().url.scheme() == "ftp" {
                let mut ftp = ftp.clone();
                match spawn_blocking(move || step(&mut ftp, awaiting)).await {
                    Ok(stepped) => stepped,
                    Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
                    // The runtime is being shut down, and this task with it.
                    Err(_) => pending().await,
                }
            } else {
                step_async(&mut http, awaiting).await
            };
            match stepped {
                ControlFlow::Continue(next) => awaiting = next,
                ControlFlow::Break(outcome) => return outcome,
            }
        }
    };
    observe::retrieval_async(origin, retrieve).await
}
