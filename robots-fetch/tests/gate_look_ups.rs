//! Futures that are dropped while the hosts of their sites are looked up.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use core::pin::pin;
use core::task::{Context, Waker};
use std::sync::mpsc;

use peak_alloc::PeakAlloc;
use robots_fetch::matching::Crawler;
use robots_fetch::testing::{Clock, Sites};
use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GatePolicy, SiteProfile};
use tokio::runtime::Builder;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Asks for permits, and drops the futures when they wait for the addresses of the hosts.
fn drop_permits(gate: &AsyncGate, count: usize) {
    for number in 0..count {
        let page = format!("https://site-{}.example/{number}", number % 100).parse().unwrap();
        let permit = pin!(gate.permit(&page));
        assert!(permit.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
}

#[test]
fn look_ups_of_dropped_futures_do_not_pile_up() {
    let runtime =
        Builder::new_multi_thread().worker_threads(1).max_blocking_threads(1).enable_all().build().unwrap();
    let context = runtime.enter();
    // The only thread for look-ups is busy, as if a name server did not answer.
    let (end, busy) = mpsc::channel::<()>();
    drop(runtime.spawn_blocking(move || busy.recv()));

    let mut policy = GatePolicy::default();
    policy.address_requests = Some(1);
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), Sites::new(&Clock::new()));
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy);
    drop_permits(&gate, 2_000);
    let before = ALLOCATOR.current_usage();
    drop_permits(&gate, 20_000);
    let after = ALLOCATOR.current_usage();
    drop((context, end));
    runtime.shutdown_background();
    assert!(after < before + 100_000, "{before} bytes, then {after}");
}
