//! The bound of memory.

use robots_fetch::{Gate, GatePolicy, GateStep, Head, Refusal};

use crate::site::{START, rules, seconds, url};

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
            Ok(()) => count += 1,
            Err(refused) => break refused,
        }
        assert!(gate.bytes() <= 100_000);
    };
    assert_eq!(refused, (count, Refusal::Full));
    assert!(count > 100, "{count}");
    // An origin that is new does not fit, either.
    assert_eq!(gate.push(url(1, "/"), 0, START).unwrap_err().1, Refusal::Full);

    let GateStep::Ask(permit) = gate.next(START) else { panic!("the origin is new") };
    // Rules that exceed the bound push out URLs, with the reason.
    gate.learn(
        &permit,
        rules(&format!("User-agent: *\n{}", "Disallow: /x\n".repeat(100)), START + seconds(9999)),
        START,
    );
    gate.finish(permit, Some(&Head::new(200)), START);
    let mut pushed_out = 0;
    while let GateStep::Refused { item, refusal, .. } = gate.next(START + seconds(1)) {
        assert_eq!((item, refusal), (pushed_out, Refusal::Full));
        pushed_out += 1;
        assert!(pushed_out < 200);
    }
    assert!(pushed_out > 0 && gate.bytes() <= 100_000);
}

#[test]
fn origins_without_urls_make_room_when_they_have_rested() {
    let mut gate = gate(20_000);
    let mut now = START;
    for origin in 0..1_000 {
        let mut pushed = gate.push(url(origin, "/"), 0, now);
        if pushed == Err((0, Refusal::Full)) {
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
