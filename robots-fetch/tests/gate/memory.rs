//! The bound of memory.

use robots_fetch::{Gate, GatePolicy, GateStep, Head, RefusalReason};

use crate::site::{START, number, rules, seconds, url};

fn gate(max_bytes: usize) -> Gate<usize> {
    let mut policy = GatePolicy::default();
    policy.max_bytes = max_bytes;
    Gate::new(policy)
}

#[test]
fn the_bound_is_reported_and_urls_fit_again_later() {
    let mut gate = gate(100_000);
    let mut count = 0;
    let refused = loop {
        match gate.push(url(0, &format!("/{count}")), count, START) {
            Ok(_) => count += 1,
            Err(refused) => break refused,
        }
        assert!(gate.bytes() <= 100_000);
    };
    assert_eq!((refused.0, refused.1.reason()), (count, &RefusalReason::Full));
    assert!(count > 100, "{count}");
    // The half that is left is for other origins.
    for origin in 1..5 {
        gate.push(url(origin, "/"), 0, START).unwrap();
    }
    assert!(gate.push(url(0, "/a"), 0, START).is_err());

    // Rules that exceed the bound push out URLs of their origin, with the reason.
    let GateStep::Ask(permit) = gate.next(START) else { panic!("the origin is new") };
    let large = format!("User-agent: *\n{}", "Disallow: /x\n".repeat(600));
    gate.learn(&permit, rules(&large, START + seconds(9999)), START);
    gate.finish(permit, Some(&Head::new(200)), START);
    let mut pushed_out = 0;
    for _ in 0..1000 {
        match gate.next(START + seconds(1)) {
            GateStep::Refused { item, refusal } => {
                assert_eq!((item, refusal.reason()), (pushed_out, &RefusalReason::Full));
                assert_eq!(number(refusal.url().unwrap()), 0, "only URLs of the origin itself");
                pushed_out += 1;
            }
            GateStep::Ask(permit) => gate.cancel(permit, START + seconds(1)),
            _ => break,
        }
        if gate.bytes() <= 100_000 {
            break;
        }
    }
    assert!(pushed_out > 0 && gate.bytes() <= 100_000, "{pushed_out}, {}", gate.bytes());
}

#[test]
fn urls_that_are_withdrawn_leave_nothing() {
    let mut gate = gate(64 << 20);
    let empty = gate.bytes();
    let mut tickets: Vec<_> = (0..100_000)
        .map(|page| gate.push(url(page % 2, &format!("/{page}")), page, START).unwrap())
        .collect();
    // From the front, from the back and from the middle.
    for turn in 0..tickets.len() {
        let index = [0, tickets.len() - 1, tickets.len() / 2][turn % 3];
        let ticket = tickets.swap_remove(index);
        assert!(gate.withdraw(ticket, START).is_some());
        assert_eq!(gate.withdraw(ticket, START), None);
    }
    assert_eq!((gate.waiting(), matches!(gate.next(START), GateStep::Idle)), (0, true));
    assert_eq!((gate.bytes(), gate.origins()), (empty, 0));
}

#[test]
fn origins_without_urls_make_room_when_they_have_rested() {
    let mut gate = gate(20_000);
    let mut now = START;
    for origin in 0..1_000 {
        let mut pushed = gate.push(url(origin, "/"), 0, now);
        if pushed.is_err() {
            // All others were asked less than a second ago.
            now += seconds(2);
            pushed = gate.push(url(origin, "/"), 0, now);
        }
        pushed.unwrap();
        for _ in 0..2 {
            match gate.next(now) {
                GateStep::Ask(permit) => {
                    gate.learn(&permit, rules("", now + seconds(9999)), now);
                    gate.cancel(permit, now);
                }
                GateStep::Request(permit, _) => gate.finish(permit, Some(&Head::new(200)), now),
                step => panic!("{step:?}"),
            }
        }
        assert!(gate.bytes() <= 20_000);
    }
}
