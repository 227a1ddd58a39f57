//! Single cases, in seconds.

use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::{Gate, GatePolicy, GateStep, Head, Origin, RefusalReason, SiteRules};

use crate::site::{Driver, START, rules, seconds, unreachable, url};

const DAY: u64 = 24 * 60 * 60;

fn driver(change: impl FnOnce(&mut GatePolicy)) -> Driver {
    let mut policy = GatePolicy::default();
    policy.max_stall = Duration::MAX;
    change(&mut policy);
    Driver { gate: Gate::new(policy), now: START }
}

fn tomorrow(body: &str) -> SiteRules {
    rules(body, START + seconds(DAY))
}

#[test]
fn the_request_for_the_robots_txt_counts() {
    let mut driver = driver(|_| ());
    driver.push(&["/a", "/b"]);
    driver.learn(tomorrow("User-agent: *\nCrawl-delay: 30\n"));
    driver.expect("wait 30");
    driver.at(30).request("/a", 200, "");
    driver.expect("wait 60");
    driver.at(59).expect("wait 60");
    driver.at(60).request("/b", 200, "");
    driver.expect("idle");
    // The rules are known, and the delay goes on.
    driver.at(61).push(&["/c"]);
    driver.expect("wait 90");
}

#[test]
fn an_answer_from_a_cache_does_not_count() {
    let mut driver = driver(|_| ());
    driver.push(&["/a"]);
    let permit = driver.expect("ask").unwrap();
    driver.gate.learn(&permit, tomorrow(""), driver.now);
    driver.expect("idle");
    driver.gate.cancel(permit, driver.now);
    driver.request("/a", 200, "");
}

#[test]
fn delays_have_bounds_and_can_be_ignored() {
    let first_page = |body: &str, change: fn(&mut GatePolicy)| {
        let mut driver = driver(change);
        driver.push(&["/a"]);
        driver.learn(tomorrow(&format!("User-agent: *\n{body}\nDisallow:\n")));
        driver.step().0
    };
    assert_eq!(first_page("", |_| ()), "wait 1");
    assert_eq!(first_page("Crawl-delay: 0", |_| ()), "/a");
    assert_eq!(first_page("Crawl-delay: 0", |policy| policy.min_delay = seconds(2)), "wait 2");
    assert_eq!(first_page("Crawl-delay: 86400", |_| ()), "wait 60");
    assert_eq!(first_page("Crawl-delay: 9", |policy| policy.obey_crawl_delay = false), "wait 1");
    assert_eq!(first_page("Request-rate: 3/20", |_| ()), "wait 6.666666667");
    assert_eq!(first_page("Request-rate: 1/5\nCrawl-delay: 3", |_| ()), "wait 5");
    assert_eq!(first_page("Request-rate: 1/5", |policy| policy.obey_request_rate = false), "wait 1");
    // The clock of the tests begins at midnight.
    assert_eq!(first_page("Request-rate: 1/5 0600-0700", |_| ()), "wait 1");
    assert_eq!(first_page("Visit-time: 0600-0845", |_| ()), "wait 21600");
    assert_eq!(first_page("Visit-time: 0600-0845", |policy| policy.obey_visit_time = false), "wait 1");
    assert_eq!(first_page("Visit-time: 2400-2400", |_| ()), "wait 1");
    let unbounded =
        first_page("Crawl-delay: 18446744073709551615", |policy| policy.max_delay = Duration::MAX);
    assert_eq!(unbounded, format!("wait {}", 100_u64 * 365 * DAY));
}

#[test]
fn failures_pause_a_site_for_longer_each_time() {
    let mut driver = driver(|policy| policy.max_pause = seconds(100));
    driver.push(&["/a", "/b", "/c", "/d", "/e", "/f"]);
    driver.learn(tomorrow("User-agent: *\nCrawl-delay: 0\n"));
    driver.request("/a", 429, "");
    driver.expect("wait 30");
    driver.at(30).request("/b", 503, "soon");
    driver.expect("wait 90");
    driver.at(90).request("/c", 0, "");
    driver.expect("wait 190");
    driver.at(190).request("/d", 500, "");
    driver.request("/e", 429, "7");
    driver.expect("wait 197");
    driver.at(197).request("/f", 302, "1000");
    driver.push(&["/g"]);
    driver.expect("wait 1197");
}

#[test]
fn requests_at_a_time_that_fail_are_one_failure() {
    let mut driver = driver(|policy| policy.origin_requests = 3);
    driver.push(&["/a", "/b", "/c", "/d"]);
    driver.learn(tomorrow("User-agent: *\nCrawl-delay: 0\n"));
    let permits = ["/a", "/b", "/c"].map(|path| driver.expect(path).unwrap());
    // A request without an answer counts for half a minute.
    driver.expect("wait 30");
    for permit in permits {
        driver.gate.finish(permit, Some(&Head::new(503)), driver.now);
    }
    driver.expect("wait 30");
}

#[test]
fn a_retry_after_has_a_bound() {
    let mut driver = driver(|_| ());
    driver.push(&["/a", "/b"]);
    driver.learn(rules("User-agent: *\nCrawl-delay: 0\n", START + seconds(10 * DAY)));
    driver.request("/a", 429, "99999999999");
    driver.expect("wait 86400");
}

#[test]
fn urls_of_an_unreachable_site_are_parked_and_come_back() {
    let mut driver = driver(|_| ());
    driver.push(&["/a", "/private"]);
    driver.learn(unreachable(START + seconds(100)));
    driver.expect("wait 100");
    driver.at(100).learn(unreachable(START + seconds(300)));
    driver.expect("wait 300");
    driver.at(200).push(&["/b"]);
    driver.expect("wait 300");
    driver.at(300).learn(tomorrow("User-agent: *\nDisallow: /private\n"));
    driver.at(301).request("/a", 200, "");
    driver.expect("/private disallowed by line 2");
    driver.at(302).request("/b", 200, "");
}

#[test]
fn a_url_does_not_wait_for_longer_than_the_policy_says() {
    let mut driver = driver(|policy| policy.max_stall = seconds(50));
    driver.push(&["/a", "/b"]);
    driver.learn(unreachable(START + seconds(100)));
    let refused =
        "disallowed: robots.txt is unreachable (status 503); ask again at Thu, 01 Jan 1970 00:01:40 GMT";
    driver.expect(&format!("/a {refused}"));
    driver.expect(&format!("/b {refused}"));
    driver.expect("idle");
    driver.at(51).push(&["/c", "/d", "/e"]);
    driver.expect("wait 100");
    driver.at(100).learn(tomorrow("User-agent: *\nCrawl-delay: 60\n"));
    // A delay is not a wait for the site.
    driver.expect("wait 160");
    driver.at(160).request("/c", 503, "200");
    driver.expect("/d the site wants no requests now; ask again at Thu, 01 Jan 1970 00:06:00 GMT");
}

#[test]
fn a_robots_txt_that_does_not_decide_is_no_progress() {
    let mut driver = driver(|policy| policy.max_stall = seconds(120));
    driver.push(&["/a", "/b"]);
    driver.learn(unreachable(START + seconds(5)));
    driver.expect("wait 60");
    driver.at(60).learn(unreachable(START + seconds(65)));
    driver.expect("wait 120");
    driver.at(120).learn(unreachable(START + seconds(125)));
    let refused =
        "disallowed: robots.txt is unreachable (status 503); ask again at Thu, 01 Jan 1970 00:03:00 GMT";
    driver.expect(&format!("/a {refused}"));
    driver.expect(&format!("/b {refused}"));
    driver.expect("idle");
}

#[test]
fn rules_that_are_due_are_asked_for_again_and_serve_one_request_at_least() {
    let mut driver = driver(|_| ());
    let short = |seconds_| rules("User-agent: *\nCrawl-delay: 40\n", START + seconds(seconds_));
    driver.push(&["/a", "/b", "/c"]);
    driver.learn(short(0));
    driver.at(40).request("/a", 200, "");
    // The least lifetime is a minute.
    driver.at(80).learn(short(0));
    // They are due at 140, but nothing was requested by them.
    driver.at(150).request("/b", 200, "");
    driver.at(190).learn(rules("User-agent: *\nDisallow: /c\n", START));
    driver.expect("/c disallowed by line 2");
}

#[test]
fn a_known_refusal_is_immediate() {
    let mut driver = driver(|_| ());
    driver.push(&["/a"]);
    driver.learn(tomorrow("User-agent: *\nDisallow: /private\n"));
    let (item, refusal) = driver.gate.push(url(0, "/private"), 7, driver.now).unwrap_err();
    assert_eq!((item, refusal.reason().to_string().as_str()), (7, "disallowed by line 2"));
    let (item, refusal) = driver.gate.push("data:,x".parse().unwrap(), 8, driver.now).unwrap_err();
    assert!(matches!((item, refusal.reason()), (8, RefusalReason::Unsupported(_))));
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut driver = driver(|_| ());
    driver.push(&["/a", "/b"]);
    driver.at(100).learn(tomorrow("User-agent: *\nCrawl-delay: 10\n"));
    driver.at(0).expect("wait 110");
    driver.at(110).request("/a", 200, "");
    driver.at(50).expect("wait 120");
}

#[test]
fn origins_at_one_address_take_turns() {
    let mut policy = GatePolicy::default();
    policy.max_stall = Duration::MAX;
    policy.address_delay = seconds(3);
    policy.address_requests = Some(1);
    let mut gate = Gate::new(policy);
    let address = "192.0.2.1".parse().unwrap();
    for origin in 0..3 {
        for path in ["/a", "/b"] {
            gate.push(url(origin, path), origin, START).unwrap();
            gate.locate(&Origin::from_url(&url(origin, path)).unwrap(), address);
        }
    }
    let mut now = START;
    let mut permits = Vec::new();
    for _ in 0..100 {
        let mut note = |permit: &robots_fetch::Permit| {
            let name = format!("{}{}", permit.url().host_str().unwrap(), permit.url().path());
            permits.push((
                name.replace(".example", ""),
                now.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs(),
            ));
        };
        match gate.next(now) {
            GateStep::Ask(permit) => {
                note(&permit);
                gate.learn(&permit, tomorrow(""), now);
                gate.finish(permit, None.or(Some(&Head::new(200))), now);
            }
            GateStep::Request(permit, _) => {
                note(&permit);
                gate.finish(permit, Some(&Head::new(200)), now);
            }
            GateStep::Wait(until) => now = until,
            GateStep::Idle => break,
            GateStep::Refused { .. } => panic!("nothing is disallowed"),
        }
    }
    let expected = ["robots.txt", "a", "b"].iter().enumerate().flat_map(|(turn, path)| {
        let name = move |origin: usize| format!("site-{origin}/{path}");
        (0..3).map(move |origin| (name(origin), (turn * 3 + origin) as u64 * 3))
    });
    assert_eq!(permits, expected.collect::<Vec<_>>());
}
