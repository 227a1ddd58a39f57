//! Decisions: all that a crawler needs, from one question.

use super::*;

const FILE: &str = "User-agent: *\nDisallow: /private\nCrawl-delay: 2.5\nRequest-rate: 1/10\nVisit-time: 0600-0845\n\
    Content-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\nContent-Signal: search=yes\n\
    User-agent: OtherBot\nCrawl-delay: 9\nDisallow:\nSitemap: https://example.com/map.xml\n";

fn cache_of_files(world: &Arc<World>) -> Cache<impl Fetch + use<>> {
    let web = Arc::clone(world);
    Cache::new(standing(world), move |retrieval: Retrieval| {
        let status = web.status.load(Ordering::SeqCst);
        if status == 200 { web.file(&retrieval, FILE.as_bytes()) } else { web.fetch(&retrieval) }
    })
}

fn page(path: &str) -> url::Url {
    origin(1).robots_url().join(path).unwrap()
}

#[test]
fn a_decision_says_what_entry_and_permission_say() {
    let world = World::new();
    let cache = cache_of_files(&world);
    let day = Duration::from_secs(24 * HOUR);
    for _ in 0..2 {
        for (name, path) in
            [("ExampleBot", "/private/x"), ("ExampleBot", "/open/x"), ("OtherBot", "/private")]
        {
            let decision = cache.decide(&page(path), &bot(name)).unwrap();
            let entry = cache.get(&origin(1));
            let permission = entry.permission(&bot(name), world.now());
            assert_eq!(decision.verdict, permission.check_url(&page(path)));
            let times = (decision.is_fresh, decision.fresh_until, decision.next_retrieval);
            assert_eq!(times, (entry.is_fresh(world.now()), entry.fresh_until(), entry.next_retrieval()));
            assert_eq!((decision.result, decision.received), (AccessResult::Success, SystemTime::UNIX_EPOCH));
            let again = (!decision.verdict.is_allowed()).then_some(SystemTime::UNIX_EPOCH + day);
            assert_eq!(decision.ask_again, again);
        }
    }
    assert!(cache.decide(&"data:,x".parse().unwrap(), &bot("ExampleBot")).is_err());
    assert_eq!(world.now(), SystemTime::UNIX_EPOCH);
}

#[cfg(feature = "records")]
#[test]
fn facts_are_read_once_for_each_origin_and_crawler() {
    let world = World::new();
    let cache = cache_of_files(&world);
    let decide = |name: &str, path: &str| cache.decide(&page(path), &bot(name)).unwrap();
    let first = decide("ExampleBot", "/x");
    assert_eq!(first.facts.crawl_delay, Some(Duration::from_millis(2_500)));
    assert_eq!(first.facts.request_rates, [(1, Duration::from_secs(10), None)]);
    assert_eq!(first.facts.visit_times[0].from(), (6, 0));
    assert_eq!(first.facts.sitemaps[0].path(), "/map.xml");
    assert_eq!(first.facts.signal("search", b"/x"), Some(true));
    assert_eq!(first.usage.as_ref().unwrap().train_ai(), Some(false));
    assert_eq!(decide("ExampleBot", "/open/x").usage.unwrap().train_ai(), Some(true));
    assert_eq!(decide("ExampleBot", "/private/x").usage, None);
    assert!(Arc::ptr_eq(&first.facts, &decide("ExampleBot", "/y").facts));
    let other = decide("OtherBot", "/private");
    assert_eq!(other.facts.crawl_delay, Some(Duration::from_secs(9)));
    assert_eq!(other.usage.unwrap().train_ai(), None);
    // Another entry brings other facts.
    let _ = cache.refresh(&origin(1));
    assert!(!Arc::ptr_eq(&first.facts, &decide("ExampleBot", "/y").facts));
    // Without a file, there are none.
    world.answers(404);
    let _ = cache.refresh(&origin(1));
    let without = decide("ExampleBot", "/private");
    assert!(without.facts.crawl_delay.is_none() && without.facts.sitemaps.is_empty());
    assert_eq!(without.usage, Some(robots_match::records::Preferences::default()));
    let counted = cache.size().bytes;
    let _ = decide("ThirdBot", "/x");
    assert_eq!(cache.size().bytes, counted);
}

#[test]
fn a_site_that_fails_says_when_to_ask_again() {
    let world = World::new();
    world.answers(503);
    let cache = cache_of_files(&world);
    for (seconds, again) in [(0, 60), (30, 60), (60, 180), (179, 180), (180, 420)] {
        world.at(seconds);
        let decision = cache.decide(&page("/x"), &bot("ExampleBot")).unwrap();
        assert!(!decision.verdict.is_allowed() && !decision.is_fresh);
        assert_eq!(decision.result, AccessResult::Unreachable);
        assert_eq!(decision.ask_again, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(again)));
    }
    // The robots.txt itself may be asked for at any time.
    let robots = cache.decide(origin(1).robots_url(), &bot("ExampleBot")).unwrap();
    assert!(robots.verdict.is_allowed() && robots.ask_again.is_none());
}

#[test]
fn a_file_that_is_given_up_is_used_for_as_long_as_the_profile_says() {
    let world = World::new();
    let clock = Arc::clone(&world);
    let web = Arc::clone(&world);
    let mut profile = SiteProfile::default();
    profile.access.keep_after_unavailable = Some(Duration::from_secs(24 * HOUR));
    let options = CacheOptions::new(profile).clock(move || clock.now());
    let cache = Cache::new(options, move |retrieval: Retrieval| web.fetch(&retrieval));
    let allowed = || {
        let url = page("/private");
        let verdict = cache.check(&url, &bot("ExampleBot")).unwrap();
        assert_eq!(cache.decide(&url, &bot("ExampleBot")).unwrap().verdict, verdict);
        assert_eq!(cache.permission(&url, &bot("ExampleBot")).unwrap().check_url(&url), verdict);
        verdict.is_allowed()
    };
    assert!(!allowed());
    world.at(HOUR);
    world.answers(404);
    let _ = cache.refresh(&origin(1));
    assert!(!allowed());
    world.at(24 * HOUR - 1);
    assert!(!allowed());
    world.at(24 * HOUR);
    assert!(allowed());
}

#[test]
fn a_clock_that_goes_back_far_makes_an_entry_due() {
    let world = World::new();
    world.at(100 * HOUR);
    let cache = cache_of_files(&world);
    let _ = cache.decide(&page("/x"), &bot("ExampleBot")).unwrap();
    for (seconds, received) in [(99 * HOUR, 100 * HOUR), (99 * HOUR - 1, 99 * HOUR - 1)] {
        world.at(seconds);
        let decision = cache.decide(&page("/x"), &bot("ExampleBot")).unwrap();
        assert_eq!(decision.received, SystemTime::UNIX_EPOCH + Duration::from_secs(received));
    }
}
