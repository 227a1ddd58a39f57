//! A million URLs of 10,000 sites through a gate, in simulated time: no permit is early, and the crawl takes as long as the delays
//! of the slowest site. Prints the work for each URL and the memory.
//!
//! `cargo run --release --example million`
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_alloc,
    reason = "an example without input, for a target with a standard library"
)]

use core::cmp::Reverse;
use core::time::Duration;
use std::collections::BinaryHeap;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use peak_alloc::PeakAlloc;
use robots_fetch::matching::{Crawler, Robots};
use robots_fetch::{Access, Gate, GatePolicy, GateStep, Head, Permission, SiteProfile, SiteRules};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SITES: usize = 10_000;
const URLS: usize = 1_000_000;

/// The delay of a site in milliseconds: 0.2 to 5 seconds.
const fn delay(site: usize) -> u64 {
    200 + (site as u64 * 7919) % 4801
}

/// The number of a site in the host of its URLs.
fn site(url: &url::Url) -> usize {
    url.host_str().unwrap()[1..].split('.').next().unwrap().parse().unwrap()
}

fn main() {
    let profile = SiteProfile::RFC9309;
    let robots = Arc::new(Robots::new("User-agent: *\nDisallow: /private\n", profile.rules));
    let permission = Permission::new(Access::Rules(&robots), &Crawler::new("ExampleBot").unwrap(), &profile);
    let mut policy = GatePolicy::default();
    policy.max_bytes = 4 << 30;
    let mut gate = Gate::new(policy);
    let start = SystemTime::UNIX_EPOCH;

    let (before, began) = (ALLOCATOR.current_usage(), Instant::now());
    for url in 0..URLS {
        let text = format!("https://s{}.example/page/{}", url % SITES, url / SITES);
        gate.push(text.parse().unwrap(), (), start).unwrap();
    }
    let (pushing, full) = (began.elapsed(), ALLOCATOR.current_usage() - before);

    let mut now = start;
    let mut last = vec![None; SITES];
    let mut running = BinaryHeap::new();
    let mut permits = Vec::new();
    let (mut requests, mut steps, mut early) = (0_usize, 0_usize, 0_usize);
    let began = Instant::now();
    loop {
        steps += 1;
        let wait = match gate.next(now) {
            GateStep::Ask(permit) => {
                let site = site(permit.url());
                let rules = SiteRules::new(permission.clone(), now + Duration::from_secs(24 * 60 * 60));
                gate.learn(&permit, rules.with_crawl_delay(Duration::from_millis(delay(site))), now);
                gate.finish(permit, Some(&Head::new(200)), now);
                last[site] = Some(now);
                continue;
            }
            GateStep::Request(permit, ()) => {
                let site = site(permit.url());
                let least = last[site].unwrap() + Duration::from_millis(delay(site));
                early += usize::from(now < least);
                last[site] = Some(now);
                let end = now + Duration::from_millis(20 + (requests as u64 * 37) % 150);
                running.push(Reverse((end, permits.len())));
                permits.push(Some(permit));
                requests += 1;
                continue;
            }
            GateStep::Wait(time) => Some(time),
            GateStep::Idle => None,
            GateStep::Refused { refusal, .. } => panic!("{refusal}"),
        };
        let next = running.peek().map(|Reverse((end, _))| *end);
        let Some(time) = wait.into_iter().chain(next).min() else { break };
        now = time;
        while let Some(&Reverse((end, index))) = running.peek()
            && end <= now
        {
            running.pop();
            gate.finish(permits[index].take().unwrap(), Some(&Head::new(200)), now);
        }
    }
    let crawling = began.elapsed();
    drop((permits, running));
    let rest = ALLOCATOR.current_usage() - before;

    let took = now.duration_since(start).unwrap().as_secs_f64();
    let least = (0..SITES).map(delay).max().unwrap() as f64 / 1000.0 * (URLS / SITES) as f64;
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / URLS as f64;
    let mut out = std::io::stdout();
    writeln!(out, "{requests} requests, {early} early, in {took:.0} s; the delays take {least:.0} s")
        .unwrap();
    writeln!(
        out,
        "{:.2} steps, {:.2} µs to add and {:.2} µs to permit for each URL",
        steps as f64 / URLS as f64,
        micros(pushing),
        micros(crawling)
    )
    .unwrap();
    writeln!(out, "{} bytes for each waiting URL, {} for each site afterwards", full / URLS, rest / SITES)
        .unwrap();
    assert!(requests == URLS && early == 0 && took <= least * 1.02);
}
