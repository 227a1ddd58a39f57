//! Look-ups of hosts, whose addresses have limits.

use alloc::sync::Arc;
use core::net::IpAddr;
use std::net::ToSocketAddrs as _;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The most look-ups at a time, which is the number of threads that a runtime has for them by default. A look-up that has begun can't be
/// stopped, and one that waits for a thread stays in the runtime even if its future is dropped.
const MOST: usize = 512;

pub(super) struct LookUps(Arc<Semaphore>);

impl LookUps {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// Returns the first address of a host; or what `known` returns when it is its turn, because others may have looked it up.
    pub(super) async fn look_up(
        &self,
        name: &str,
        port: u16,
        known: impl Fn() -> Option<IpAddr>,
    ) -> Option<IpAddr> {
        let turn = Arc::clone(&self.0).acquire_owned().await.ok()?;
        if let Some(address) = known() {
            return Some(address);
        }
        let name = name.to_owned();
        let found = spawn_blocking(move || {
            let found = (name.as_str(), port).to_socket_addrs();
            drop(turn);
            found
        });
        found.await.ok()?.ok()?.next().map(|address| address.ip())
    }
}
