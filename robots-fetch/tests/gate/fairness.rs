//! No origin starves, however late a crawler asks and however many origins arrive.

use std::collections::HashMap;
use std::time::SystemTime;

use proptest::prelude::*;
use robots_fetch::{Gate, GatePolicy, GateStep, Head};

use crate::site::{START, millis, number, rules, seconds, url};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A crawler that asks once per tick, with origins that arrive all the time.
    #[test]
    fn from_when_an_origin_is_ready_others_get_one_permit_each(
        delays in prop::collection::vec(0_u64..40, 2..12),
        pushes in prop::collection::vec((0_u64..300, 0_usize..12), 1..200),
        tick in 1_u64..9,
    ) {
        let mut policy = GatePolicy::default();
        policy.default_delay = millis(3);
        let mut gate = Gate::new(policy);
        let mut pushes = pushes;
        pushes.sort_by_key(|push| push.0);
        let mut pushes = pushes.into_iter().map(|(at, origin)| (at, origin % delays.len())).peekable();
        // For each origin: since when URLs wait, how many, when it may be asked, and the permits of others since it was ready.
        let mut waiting: HashMap<usize, u32> = HashMap::new();
        let mut ready: HashMap<usize, SystemTime> = HashMap::new();
        let mut since: HashMap<usize, HashMap<usize, u32>> = HashMap::new();
        let mut known: HashMap<usize, bool> = HashMap::new();
        let mut time = 0;
        let mut left = 0;
        loop {
            let now = START + millis(time);
            while let Some((_, origin)) = pushes.next_if(|push| push.0 <= time) {
                gate.push(url(origin, "/page"), 0, now).unwrap();
                left += 1;
                let count = waiting.entry(origin).or_default();
                *count += 1;
                if *count == 1 {
                    let start = ready.entry(origin).or_insert(now);
                    *start = now.max(*start);
                    since.insert(origin, HashMap::new());
                }
            }
            let step = gate.next(now);
            let asked = matches!(step, GateStep::Ask(_));
            let permit = match step {
                GateStep::Ask(permit) | GateStep::Request(permit, _) => permit,
                GateStep::Refused { .. } => panic!("nothing is disallowed"),
                GateStep::Wait(_) | GateStep::Idle => {
                    // No ready origin is overlooked.
                    for (origin, count) in &waiting {
                        prop_assert!(*count == 0 || ready[origin] > now, "origin {origin} is ready at {time}");
                    }
                    if left == 0 && pushes.peek().is_none() {
                        break;
                    }
                    time += 1;
                    continue;
                }
            };
            let origin = number(permit.url());
            prop_assert!(ready[&origin] <= now, "the permit is early");
            for (other, permits) in &mut since {
                if *other != origin && waiting[other] > 0 && ready[other] < now {
                    let permits = permits.entry(origin).or_default();
                    *permits += 1;
                    prop_assert!(*permits <= 1, "{other} waits for {origin}");
                }
            }
            since.insert(origin, HashMap::new());
            if asked {
                let body = format!("User-agent: *\nCrawl-delay: {}\n", delays[origin] as f64 / 1000.0);
                gate.learn(&permit, rules(&body, now + seconds(1000)), now);
                known.insert(origin, true);
            } else {
                left -= 1;
                *waiting.get_mut(&origin).unwrap() -= 1;
            }
            ready.insert(origin, now + millis(delays[origin]));
            gate.finish(permit, Some(&Head::new(200)), now);
            time += tick;
        }
        prop_assert_eq!(gate.waiting(), 0);
    }
}
