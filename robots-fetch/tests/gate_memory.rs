//! The memory of a gate: no more than it counts.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::time::SystemTime;

use peak_alloc::PeakAlloc;
use robots_fetch::{Gate, GatePolicy};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Fills a gate with `origins` origins of `urls` URLs each, and returns the bytes that it takes and those that it counts.
fn fill(origins: usize, urls: usize) -> (usize, usize) {
    let before = ALLOCATOR.current_usage();
    let mut gate = Gate::new(GatePolicy::default());
    let now = SystemTime::UNIX_EPOCH;
    for origin in 0..origins {
        for page in 0..urls {
            let url =
                format!("https://www.site-{origin}.example/folder/of/pages/{page}?query=of-some-length");
            gate.push(url.parse().unwrap(), page, now).unwrap();
        }
    }
    let taken = ALLOCATOR.current_usage() - before;
    (taken, gate.bytes())
}

#[test]
fn a_gate_takes_no_more_than_it_counts() {
    for (origins, urls) in [(5_000, 1), (1_000, 20), (1, 20_000)] {
        let (taken, counted) = fill(origins, urls);
        assert!(
            taken <= counted,
            "{origins} origins with {urls} URLs take {taken} bytes, and {counted} are counted"
        );
        assert!(
            counted <= 3 * taken,
            "{origins} origins with {urls} URLs take {taken} bytes, and {counted} are counted"
        );
    }
}
