//! The throughput of a large crawl in simulated time.

use alloc::collections::BinaryHeap;
use core::cmp::Reverse;
use std::collections::HashMap;
use std::time::SystemTime;

use robots_fetch::{Gate, GatePolicy, GateStep, Head, Permit};

use crate::site::{START, millis, number, rules, seconds, url};

const ORIGINS: usize = 1_000;
const URLS: usize = 100_000;

/// The delay of an origin in milliseconds: 0.2 to 5 seconds.
fn delay(origin: usize) -> u64 {
    200 + (origin as u64 * 7919) % 4801
}

/// How many of the URLs belong to an origin: some have few, some have many.
fn urls_of(origin: usize) -> usize {
    20 + (origin * 31) % 161
}

#[test]
fn a_crawl_takes_as_long_as_the_delays_and_no_longer() {
    let total: usize = (0..ORIGINS).map(urls_of).sum();
    let extra = URLS - total;
    let count = |origin: usize| urls_of(origin) + usize::from(origin < extra);
    assert!(extra < ORIGINS, "{extra}");

    let mut gate = Gate::new(GatePolicy::default());
    for turn in 0.. {
        let origins: Vec<_> = (0..ORIGINS).filter(|&origin| turn < count(origin)).collect();
        if origins.is_empty() {
            break;
        }
        for origin in origins {
            gate.push(url(origin, &format!("/{turn}")), turn, START).unwrap();
        }
    }
    assert_eq!(gate.waiting(), URLS);

    let mut now = START;
    let mut running: BinaryHeap<Reverse<(SystemTime, usize)>> = BinaryHeap::new();
    let mut permits: HashMap<usize, Permit> = HashMap::new();
    let mut ended: HashMap<usize, SystemTime> = HashMap::new();
    let mut expected: HashMap<usize, usize> = HashMap::new();
    let (mut requests, mut steps) = (0, 0);
    loop {
        steps += 1;
        let wait = match gate.next(now) {
            GateStep::Ask(permit) => {
                let body =
                    format!("User-agent: *\nCrawl-delay: {}\n", delay(number(permit.url())) as f64 / 1000.0);
                gate.learn(&permit, rules(&body, now + seconds(24 * 60 * 60)), now);
                gate.finish(permit, Some(&Head::new(200)), now);
                continue;
            }
            GateStep::Request(permit, turn) => {
                let origin = number(permit.url());
                assert_eq!(turn, *expected.get(&origin).unwrap_or(&0), "the URLs of an origin are in order");
                expected.insert(origin, turn + 1);
                ended.insert(origin, now);
                // An answer takes up to 190 ms, which is less than each delay.
                let end = now + millis((requests as u64 * 37) % 190);
                running.push(Reverse((end, requests)));
                permits.insert(requests, permit);
                requests += 1;
                continue;
            }
            GateStep::Wait(time) => Some(time),
            GateStep::Idle => None,
            GateStep::Refused { .. } => panic!("nothing is disallowed"),
        };
        let next = running.peek().map(|Reverse((end, _))| *end);
        let Some(time) = wait.into_iter().chain(next).min() else { break };
        now = time;
        while let Some(&Reverse((end, request))) = running.peek()
            && end <= now
        {
            running.pop();
            gate.finish(permits.remove(&request).unwrap(), Some(&Head::new(200)), now);
        }
    }
    assert_eq!(requests, URLS);
    assert_eq!(gate.waiting(), 0);
    // Each step does something, or the time goes on to when something can be done.
    assert!(steps < 4 * URLS, "{steps}");

    // An origin cannot be faster than its delays, and is at most 2 % slower.
    let mut longest = 0.0_f64;
    for (origin, end) in ended {
        let least = count(origin) as f64 * delay(origin) as f64 / 1000.0;
        let took = end.duration_since(START).unwrap().as_secs_f64();
        assert!(took >= least - 1e-9, "origin {origin} took {took} s, and its delays are {least} s");
        assert!(took <= least * 1.02, "origin {origin} took {took} s, and its delays are {least} s");
        longest = longest.max(least);
    }
    let took = now.duration_since(START).unwrap().as_secs_f64();
    assert!(took <= longest * 1.02, "{took} s, and the longest delays are {longest} s");
}
