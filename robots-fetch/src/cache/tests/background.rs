//! Retrievals in the background, and their limits.

use super::*;
use crate::RetrievalLimits;

/// A web whose answers can be held back.
struct Slow {
    world: Arc<World>,
    is_held: AtomicBool,
    begun: AtomicUsize,
    at_once: AtomicUsize,
    most: AtomicUsize,
}

impl Slow {
    fn new(fields: &[(&'static str, &'static str)]) -> Arc<Self> {
        let world = World::new();
        world.fields.lock().unwrap().extend_from_slice(fields);
        let count = || AtomicUsize::new(0);
        let is_held = AtomicBool::new(false);
        Arc::new(Self { world, is_held, begun: count(), at_once: count(), most: count() })
    }

    fn hold(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::SeqCst);
    }

    fn fetch(&self, retrieval: &Retrieval) -> Outcome {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let running = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        while self.is_held.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        self.world.fetch(retrieval)
    }

    fn cache(self: &Arc<Self>, limits: RetrievalLimits) -> Cache<impl Fetch + use<>> {
        let options = standing(&self.world).retrieval_limits(limits);
        let web = Arc::clone(self);
        Cache::new(options, move |retrieval: Retrieval| web.fetch(&retrieval))
    }

    /// Waits until this many retrievals have ended, and the threads with them.
    fn wait<F: Fetch + 'static>(&self, cache: &Cache<F>, count: usize) {
        while self.world.count() < count || cache.0.background.load(Ordering::SeqCst) > 0 {
            thread::yield_now();
        }
    }
}

const MINUTE: [(&str, &str); 2] = [("etag", "\"1\""), ("cache-control", "max-age=100")];

/// Asks in all ways, and returns the time when the answer was received.
fn ask<F: Fetch + 'static>(cache: &Cache<F>) -> u64 {
    let url = origin(1).robots_url().clone();
    assert!(cache.check(&url, &bot("ExampleBot")).unwrap().is_allowed());
    assert!(cache.permission(&url, &bot("ExampleBot")).unwrap().check("/").is_allowed());
    let decision = cache.decide(&url, &bot("ExampleBot")).unwrap();
    let entry = cache.get(&origin(1));
    assert_eq!(entry.received(), decision.received);
    decision.received.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

#[test]
fn an_origin_in_use_is_retrieved_again_before_its_lifetime_ends_and_none_waits() {
    let web = Slow::new(&MINUTE);
    let cache = web.cache(RetrievalLimits::DEFAULT);
    assert_eq!(ask(&cache), 0);
    web.world.at(79);
    assert_eq!((ask(&cache), web.begun.load(Ordering::SeqCst)), (0, 1));
    web.hold(true);
    for seconds in [80, 81, 99, 100, 3_699] {
        web.world.at(seconds);
        assert_eq!(ask(&cache), 0, "{seconds}");
    }
    // One retrieval, however often it is due: it is in flight.
    while web.begun.load(Ordering::SeqCst) < 2 {
        thread::yield_now();
    }
    web.world.at(90);
    web.world.answers(304);
    web.hold(false);
    web.wait(&cache, 2);
    assert_eq!((ask(&cache), web.world.count()), (90, 2));
    // The lifetime counts from the new answer.
    web.world.at(90 + 79);
    assert_eq!((ask(&cache), web.world.count()), (90, 2));
}

#[test]
fn nothing_is_used_after_the_stale_window_or_without_one() {
    for (control, last_used) in [
        ("max-age=100", 3_699),
        ("max-age=100, stale-while-revalidate=20", 119),
        ("max-age=100, must-revalidate", 99),
        ("max-age=100, stale-while-revalidate=999999", 86_399),
        ("max-age=86000", 86_399),
    ] {
        let web = Slow::new(&[("cache-control", control)]);
        let cache = web.cache(RetrievalLimits::DEFAULT);
        assert_eq!(ask(&cache), 0);
        web.hold(true);
        web.world.at(last_used);
        assert_eq!(ask(&cache), 0, "{control}");
        web.hold(false);
        web.world.at(last_used + 1);
        web.wait(&cache, 2);
        // The retrieval in the background may have brought an answer at either time; later, only a new one is used.
        assert!(ask(&cache) >= last_used, "{control}");
        let web = Slow::new(&[("cache-control", control)]);
        let cache = web.cache(RetrievalLimits::DEFAULT);
        assert_eq!(ask(&cache), 0);
        web.world.at(last_used + 1);
        assert_eq!((ask(&cache), web.world.count()), (last_used + 1, 2), "{control}");
    }
}

#[test]
fn without_a_background_entries_are_used_until_their_lifetime_ends() {
    let mut limits = RetrievalLimits::DEFAULT;
    limits.background = 0;
    let web = Slow::new(&MINUTE);
    let cache = web.cache(limits);
    assert_eq!(ask(&cache), 0);
    web.world.at(99);
    assert_eq!((ask(&cache), web.world.count()), (0, 1));
    web.world.at(100);
    assert_eq!((ask(&cache), web.world.count()), (100, 2));
}

#[test]
fn an_early_retrieval_that_fails_changes_nothing_and_is_repeated_after_the_pause() {
    for (status, result) in [(503, AccessResult::Unreachable), (429, AccessResult::Throttled)] {
        let web = Slow::new(&MINUTE);
        let cache = web.cache(RetrievalLimits::DEFAULT);
        assert_eq!(ask(&cache), 0);
        web.world.answers(status);
        // The first attempt is made in the lifetime, and the next one a minute later.
        for (seconds, count) in [(85, 2), (99, 2), (100, 2), (144, 2)] {
            web.world.at(seconds);
            assert_eq!(ask(&cache), 0);
            web.wait(&cache, count);
            assert_eq!((ask(&cache), web.world.count()), (0, count), "{seconds}");
            assert_eq!(cache.get(&origin(1)).access_result(), AccessResult::Success);
        }
        // The lifetime is over, so this failure counts.
        web.world.at(145);
        assert!(cache.check(origin(1).robots_url(), &bot("ExampleBot")).unwrap().is_allowed());
        web.wait(&cache, 3);
        assert_eq!(cache.get(&origin(1)).access_result(), result);
    }
}

#[test]
fn retrievals_in_the_background_are_bounded_and_end_with_the_cache() {
    let mut limits = RetrievalLimits::DEFAULT;
    limits.background = 3;
    let web = Slow::new(&MINUTE);
    let cache = web.cache(limits);
    (0..20).for_each(|number| drop(cache.get(&origin(number))));
    web.world.at(90);
    web.hold(true);
    for seconds in 90..95 {
        web.world.at(seconds);
        (0..20).for_each(|number| drop(cache.get(&origin(number))));
    }
    while web.begun.load(Ordering::SeqCst) < 23 {
        thread::yield_now();
    }
    assert_eq!((web.most.load(Ordering::SeqCst), cache.0.background.load(Ordering::SeqCst)), (3, 3));
    let inner = Arc::downgrade(&cache.0);
    drop(cache);
    web.hold(false);
    // The threads hold the last references.
    while inner.strong_count() > 0 {
        thread::yield_now();
    }
    assert_eq!(web.world.count(), 23);
}

#[test]
fn no_more_origins_are_retrieved_at_a_time_than_the_limit_says_and_all_get_their_turn() {
    let mut limits = RetrievalLimits::DEFAULT;
    limits.concurrent = 2;
    // An origin without a lifetime is retrieved for each question.
    let web = Slow::new(&[("cache-control", "no-store")]);
    let cache = web.cache(limits);
    thread::scope(|scope| {
        for number in 0..20 {
            let cache = &cache;
            scope.spawn(move || (0..5).for_each(|_| drop(cache.get(&origin(number % 10)))));
        }
    });
    assert!(web.most.load(Ordering::SeqCst) <= 2);
    // Their order is that in which they came, which a test of the queue shows.
    let asked = web.world.asked.lock().unwrap();
    assert!((0..10).all(|number| asked.iter().any(|(asked, _)| *asked == origin(number))));
}

#[test]
fn retrievals_are_spaced_within_a_second() {
    let mut limits = RetrievalLimits::DEFAULT;
    limits.per_second = Some(50);
    let web = Slow::new(&MINUTE);
    let cache = web.cache(limits);
    let start = std::time::Instant::now();
    thread::scope(|scope| {
        for number in 0..10 {
            let cache = &cache;
            scope.spawn(move || cache.get(&origin(number)));
        }
    });
    assert!(start.elapsed() >= Duration::from_millis(9 * 20), "{:?}", start.elapsed());
    // Hits do not wait.
    (0..10_000).for_each(|_| drop(cache.get(&origin(3))));
    assert_eq!(web.world.count(), 10);
}
