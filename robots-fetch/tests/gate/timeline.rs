//! Generated timelines: sites that fail, move their hours and come back, and a crawler that is late.

use alloc::collections::BTreeMap;
use core::net::{IpAddr, Ipv4Addr};
use core::time::Duration;
use std::collections::HashMap;
use std::time::SystemTime;

use proptest::prelude::*;
use robots_fetch::{Gate, GatePolicy, GateStep, Head, Origin, Permit};

use crate::site::{START, millis, number, rules, seconds, unreachable, url};

/// A site: what its robots.txt asks for.
#[derive(Clone, Debug)]
struct Site {
    crawl_delay: Option<u64>,
    /// The first and the last hour of its visit time.
    hours: Option<(u64, u64)>,
    lifetime: u64,
    address: Option<u8>,
    /// How many times its robots.txt is unreachable at first.
    outages: u32,
}

fn site() -> impl Strategy<Value = Site> {
    let hours = prop::option::weighted(0.3, (0_u64..24, 0_u64..24));
    let parts = (prop::option::of(0_u64..20), hours, 0_u64..600, prop::option::of(0_u8..2), 0_u32..3);
    parts.prop_map(|(crawl_delay, hours, lifetime, address, outages)| Site {
        crawl_delay,
        hours,
        lifetime,
        address,
        outages,
    })
}

fn policy() -> impl Strategy<Value = GatePolicy> {
    let delays = (0_u64..5, 0_u64..3, 5_u64..30, 0_u64..4);
    let limits = (1_u32..4, prop::option::of(1_u32..3), 0_u64..90);
    (delays, limits).prop_map(|((default, min, max, address), (origin, address_requests, lifetime))| {
        let mut policy = GatePolicy::default();
        policy.default_delay = seconds(default);
        policy.min_delay = seconds(min);
        policy.max_delay = seconds(max);
        policy.address_delay = seconds(address);
        policy.origin_requests = origin;
        policy.address_requests = address_requests;
        policy.min_rules_lifetime = seconds(lifetime);
        policy.first_pause = seconds(11);
        policy.max_pause = seconds(40);
        policy.max_retry_after = seconds(500);
        policy.max_stall = Duration::MAX;
        policy
    })
}

/// Numbers from a seed that the generated case contains.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A site as the check of the permits sees it, which knows nothing of the gate.
#[derive(Default)]
struct Seen {
    last: Option<SystemTime>,
    running: u32,
    paused: Option<SystemTime>,
    knows_rules: bool,
    /// While the robots.txt is unreachable: until when.
    outage: Option<SystemTime>,
    asked: u32,
    pushed: usize,
    done: usize,
}

struct Check<'s> {
    policy: &'s GatePolicy,
    sites: &'s [Site],
    seen: Vec<Seen>,
    addresses: HashMap<u8, (Option<SystemTime>, u32)>,
}

impl Check<'_> {
    fn delay(&self, origin: usize) -> Duration {
        let asked = self.sites[origin].crawl_delay.map(seconds);
        let asked = asked.filter(|_| self.seen[origin].knows_rules && self.seen[origin].outage.is_none());
        asked
            .map_or(self.policy.default_delay, |asked| asked.min(self.policy.max_delay))
            .max(self.policy.min_delay)
    }

    fn permit(&mut self, origin: usize, path: &str, now: SystemTime) {
        let delay = self.delay(origin);
        let site = &self.sites[origin];
        let seen = &mut self.seen[origin];
        let is_ask = path == "/robots.txt";
        assert!(seen.last.is_none_or(|last| now >= last + delay), "before the delay");
        assert!(seen.paused.is_none_or(|paused| now >= paused), "in a pause");
        assert!(seen.running < self.policy.origin_requests, "too many requests at a time");
        if !is_ask {
            assert!(seen.knows_rules && seen.outage.is_none(), "without rules");
            assert!(!path.starts_with("/private"), "disallowed");
        } else {
            assert!(seen.outage.is_none_or(|until| now >= until), "before the robots.txt may be asked for");
        }
        if let Some((from, until)) = site.hours.filter(|_| seen.knows_rules && seen.outage.is_none()) {
            let hour = now.duration_since(START).unwrap().as_secs() / 3600 % 24;
            let is_open =
                if from <= until { (from..=until).contains(&hour) } else { hour >= from || hour <= until };
            assert!(is_open, "at {hour}, and the hours are {from} to {until}");
        }
        seen.last = Some(now);
        seen.running += 1;
        if let Some(address) = site.address {
            let (last, running) = self.addresses.entry(address).or_default();
            assert!(
                last.is_none_or(|last| now >= last + self.policy.address_delay),
                "before the address's delay"
            );
            assert!(
                self.policy.address_requests.is_none_or(|most| *running < most),
                "too many at an address"
            );
            *last = Some(now);
            *running += 1;
        }
    }

    fn end(&mut self, origin: usize) {
        self.seen[origin].running -= 1;
        if let Some(address) = self.sites[origin].address {
            self.addresses.get_mut(&address).unwrap().1 -= 1;
        }
    }
}

/// The end of a request: the status and the `Retry-After`.
struct End {
    permit: Permit,
    status: u16,
    retry_after: Option<u64>,
}

fn run(policy: &GatePolicy, sites: &[Site], pushes: &[(u64, usize, bool)], seed: u64) {
    let mut numbers = Numbers(seed);
    let mut gate = Gate::new(policy.clone());
    let seen = sites.iter().map(|_| Seen::default()).collect();
    let mut check = Check { policy, sites, seen, addresses: HashMap::new() };
    let mut pushes: Vec<_> =
        pushes.iter().map(|&(at, origin, private)| (at, origin % sites.len(), private)).collect();
    pushes.sort_unstable();
    let mut pushes = pushes.into_iter().peekable();
    let mut ends: BTreeMap<(SystemTime, u64), End> = BTreeMap::new();
    let mut now = START;
    for turn in 0..1_000_000_u64 {
        while let Some((_, origin, private)) = pushes.next_if(|push| START + seconds(push.0) <= now) {
            let page = url(origin, if private { "/private/a" } else { "/a" });
            check.seen[origin].pushed += 1;
            match gate.push(page.clone(), 0, now) {
                Ok(_) => {}
                Err((_, refusal)) => {
                    assert!(private, "{refusal}");
                    check.seen[origin].done += 1;
                }
            }
            if let Some(address) = sites[origin].address {
                let origin = Origin::from_url(&page).unwrap();
                gate.locate(&origin, IpAddr::V4(Ipv4Addr::new(192, 0, 2, address)));
            }
        }
        while let Some(end) = ends.first_entry().filter(|end| end.key().0 <= now) {
            let End { permit, status, retry_after } = end.remove();
            let origin = number(permit.url());
            check.end(origin);
            let is_failure = matches!(status, 0 | 429 | 503);
            if is_failure || (300..400).contains(&status) {
                let pause = match retry_after {
                    Some(asked) => seconds(asked).min(policy.max_retry_after),
                    None if is_failure => policy.first_pause.min(policy.max_pause),
                    None => Duration::ZERO,
                };
                check.seen[origin].paused = check.seen[origin].paused.max(Some(now + pause));
            }
            let mut head = Head::new(status.max(100));
            if let Some(asked) = retry_after {
                head.add_field("Retry-After", asked.to_string().as_bytes());
            }
            gate.finish(permit, Some(&head).filter(|_| status > 0), now);
        }
        let wait = match gate.next(now) {
            GateStep::Ask(permit) => {
                let origin = number(permit.url());
                check.permit(origin, "/robots.txt", now);
                let (site, seen) = (&sites[origin], &mut check.seen[origin]);
                seen.asked += 1;
                let is_outage = seen.asked <= site.outages;
                let until = now + seconds(site.lifetime);
                // The gate does not ask again before this time.
                let least = now + policy.min_rules_lifetime;
                seen.outage = is_outage.then(|| until.max(least));
                seen.knows_rules = true;
                let mut body = "User-agent: *\nDisallow: /private\n".to_owned();
                if let Some(delay) = site.crawl_delay {
                    body += &format!("Crawl-delay: {delay}\n");
                }
                if let Some((from, last)) = site.hours {
                    body += &format!("Visit-time: {from:02}00-{last:02}59\n");
                }
                let learned = if is_outage { unreachable(until) } else { rules(&body, until) };
                gate.learn(&permit, learned, now);
                if numbers.below(4) == 0 {
                    check.end(origin);
                    // From a cache. The check does not know the permit before, so it is less strict.
                    check.seen[origin].last = None;
                    if let Some(address) = site.address {
                        check.addresses.get_mut(&address).unwrap().0 = None;
                    }
                    gate.cancel(permit, now);
                } else {
                    ends.insert(
                        (now + millis(numbers.below(3000)), turn),
                        End { permit, status: 200, retry_after: None },
                    );
                }
                continue;
            }
            GateStep::Request(permit, _) => {
                let origin = number(permit.url());
                check.permit(origin, permit.url().path(), now);
                check.seen[origin].done += 1;
                let status = [200, 200, 200, 404, 301, 429, 503, 0][numbers.below(8) as usize];
                let retry_after = (status > 0 && numbers.below(3) == 0).then(|| numbers.below(1000));
                ends.insert((now + millis(numbers.below(9000)), turn), End { permit, status, retry_after });
                continue;
            }
            GateStep::Refused { refusal, .. } => {
                let url = refusal.url().unwrap();
                assert!(url.path().starts_with("/private"), "{refusal}");
                check.seen[number(url)].done += 1;
                continue;
            }
            GateStep::Wait(time) => {
                assert!(time > now, "waiting for what has passed");
                Some(time)
            }
            GateStep::Idle => None,
        };
        let push = pushes.peek().map(|push| START + seconds(push.0));
        let end = ends.keys().next().map(|key| key.0);
        let Some(next) = wait.into_iter().chain(push).chain(end).min() else { break };
        // The crawler is late now and then.
        let late = if numbers.below(5) == 0 { millis(numbers.below(20_000)) } else { Duration::ZERO };
        now = next.max(now) + late;
    }
    // Nothing is lost, and nothing waits forever.
    assert_eq!(gate.waiting(), 0);
    for seen in &check.seen {
        assert_eq!((seen.pushed, seen.running), (seen.done, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_permit_is_early_and_every_url_comes_out(
        policy in policy(),
        sites in prop::collection::vec(site(), 1..6),
        pushes in prop::collection::vec((0_u64..4000, 0_usize..6, prop::bool::weighted(0.2)), 1..60),
        seed in any::<u64>(),
    ) {
        run(&policy, &sites, &pushes, seed);
    }
}
