//! Tests of the blocking cache, and the web that they ask.

use alloc::sync::Arc;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use std::panic::catch_unwind;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::SystemTime;

use robots_match::Crawler;

use crate::store::tests::origin;
use crate::{
    Access, AccessResult, AwaitingHead, Cache, CacheOptions, Entry, Failure, FailureKind, Fetch, Head,
    Memory, NextStep, Origin, Outcome, Permission, Retrieval, RetrievalLimits, SiteProfile, Store,
    StoreError, StoreLimits, Validators,
};

const HOUR: u64 = 60 * 60;

/// A web of which all servers give the same answer, and its clock.
#[derive(Default)]
struct World {
    seconds: AtomicU64,
    status: AtomicU64,
    fields: Mutex<Vec<(&'static str, &'static str)>>,
    asked: Mutex<Vec<(Origin, Validators)>>,
}

impl World {
    fn new() -> Arc<Self> {
        let world = Self::default();
        world.status.store(200, Ordering::SeqCst);
        Arc::new(world)
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.seconds.load(Ordering::SeqCst))
    }

    fn at(&self, seconds: u64) {
        self.seconds.store(seconds, Ordering::SeqCst);
    }

    fn answers(&self, status: u64) {
        self.status.store(status, Ordering::SeqCst);
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn begin(&self, retrieval: &Retrieval) -> AwaitingHead {
        let Retrieval { origin, validators, profile, .. } = retrieval;
        AwaitingHead::new(origin, validators, profile, self.now())
    }

    /// An answer with this file.
    fn file(&self, retrieval: &Retrieval, body: &[u8]) -> Outcome {
        let NextStep::Read(mut reading) = self.begin(retrieval).head(&Head::new(200), self.now()) else {
            panic!("200 is a file")
        };
        let _ = reading.push(body);
        reading.end(self.now())
    }

    fn fetch(&self, retrieval: &Retrieval) -> Outcome {
        let Retrieval { origin, validators, .. } = retrieval;
        self.asked.lock().unwrap().push((origin.clone(), validators.clone()));
        let awaiting = self.begin(retrieval);
        let status = u16::try_from(self.status.load(Ordering::SeqCst)).unwrap();
        let fields = self.fields.lock().unwrap().clone();
        let head = fields.iter().fold(Head::new(status), |head, (name, value)| head.with_field(name, value));
        match awaiting.head(&head, self.now()) {
            NextStep::Read(mut reading) => {
                assert!(
                    reading.push(b"User-agent: *\nDisallow: /private\n\nUser-agent: OtherBot\nDisallow: /\n")
                );
                reading.end(self.now())
            }
            NextStep::Done(outcome) => outcome,
            NextStep::Send(..) => panic!("no redirects here"),
        }
    }
}

fn cache(world: &Arc<World>, profile: SiteProfile) -> Cache<impl Fetch + use<>> {
    let clock = Arc::clone(world);
    let world = Arc::clone(world);
    let options = CacheOptions::new(profile).with_clock(move || clock.now());
    Cache::new(options, move |retrieval: Retrieval| world.fetch(&retrieval))
}

/// One for tests that need no time to pass.
fn standing(world: &Arc<World>) -> CacheOptions {
    let clock = Arc::clone(world);
    CacheOptions::new(SiteProfile::default()).with_clock(move || clock.now())
}

fn bot(name: &str) -> Crawler {
    Crawler::new(name).unwrap()
}

#[test]
fn a_fresh_file_is_retrieved_once_and_a_stale_one_conditionally() {
    let world = World::new();
    let fields = [("etag", "\"1\""), ("cache-control", "max-age=3600, must-revalidate")];
    world.fields.lock().unwrap().extend(fields);
    let cache = cache(&world, SiteProfile::default());
    assert!(cache.peek(&origin(1)).is_none());
    // Later, it is retrieved in the background.
    for seconds in [0, 1, HOUR / 5 * 4 - 1] {
        world.at(seconds);
        assert_eq!(cache.get(&origin(1)).status(), Some(200));
    }
    assert_eq!(world.count(), 1);
    world.answers(304);
    world.at(HOUR);
    let entry = cache.get(&origin(1));
    assert_eq!((entry.status(), entry.access(world.now()).name()), (Some(304), "rules"));
    let (_, validators) = world.asked.lock().unwrap().last().cloned().unwrap();
    assert_eq!(validators.etag.as_deref(), Some("\"1\""));
    assert_eq!(cache.peek(&origin(1)), Some(entry));
    let _ = cache.refresh(&origin(1));
    assert_eq!(world.count(), 3);
    cache.forget(&origin(1));
    assert!(cache.peek(&origin(1)).is_none());
}

#[test]
fn an_outage_is_cached_until_the_next_attempt_and_follows_its_schedule() {
    const DAY: u64 = 24 * HOUR;
    let world = World::new();
    let cache = cache(&world, SiteProfile::default());
    let _ = cache.get(&origin(1));
    world.answers(503);
    world.at(DAY);
    let access = || cache.get(&origin(1)).access(world.now()).name();
    assert_eq!((access(), access(), world.count()), ("nothing", "nothing", 2));
    world.at(DAY + 59);
    assert_eq!((access(), world.count()), ("nothing", 2));
    world.at(DAY + 60);
    assert_eq!((access(), world.count()), ("nothing", 3));
    // Thirty days of it: the last good file, stale as it is.
    world.at(31 * DAY);
    assert_eq!((access(), world.count()), ("rules", 4));
    let entry = cache.get(&origin(1));
    assert_eq!(
        (entry.access_result(), entry.outage().unwrap().attempts, world.count()),
        (AccessResult::Unreachable, 3, 4)
    );
    world.answers(404);
    world.at(31 * DAY + HOUR);
    assert_eq!((access(), world.count()), ("everything", 5));
}

#[test]
fn a_file_without_a_lifetime_is_retrieved_for_each_call_unless_the_profile_sets_one() {
    let world = World::new();
    world.fields.lock().unwrap().push(("cache-control", "no-store"));
    let hasty = cache(&world, SiteProfile::default());
    for count in 1..4 {
        let _ = hasty.get(&origin(1));
        assert_eq!(world.count(), count);
    }
    let mut profile = SiteProfile::default();
    profile.access.min_lifetime = Duration::from_secs(60);
    let patient = cache(&world, profile);
    for _ in 0..4 {
        let _ = patient.get(&origin(1));
        assert_eq!(world.count(), 4);
    }
}

#[test]
fn rules_are_compiled_once_for_each_origin_and_crawler() {
    let world = World::new();
    let cache = cache(&world, SiteProfile::default());
    let permission =
        |number: usize, bot: &Crawler| cache.permission(origin(number).robots_url(), bot).unwrap();
    // Copies of compiled rules share their patterns.
    let patterns = |permission: &Permission| permission.rules().unwrap().compiled_rules()[0].pattern.as_ptr();
    let rules = |number: usize, bot: &Crawler| patterns(&permission(number, bot));
    let first = permission(0, &bot("ExampleBot"));
    assert!(!first.check(b"/private").is_allowed() && first.check(b"/").is_allowed());
    let other = permission(0, &bot("OtherBot"));
    assert!(!other.check(b"/").is_allowed());
    for name in ["ExampleBot", "OtherBot", "ThirdBot"] {
        let compiled = rules(0, &bot(name));
        assert!((0..3).all(|_| core::ptr::eq(rules(0, &bot(name)), compiled)));
    }
    assert!(core::ptr::eq(rules(0, &bot("ExampleBot")), patterns(&first)));
    // A new entry brings new rules; the permission that somebody has stays as it was.
    let _ = cache.refresh(&origin(0));
    assert!(!core::ptr::eq(rules(0, &bot("ExampleBot")), patterns(&first)));
    assert!(!first.check(b"/private").is_allowed());
    assert_eq!(world.count(), 2);
    // Several names make another crawler than one name, and ignoring `*` makes another crawler than obeying it.
    let two = Crawler::with_names(["ExampleBot", "OtherBot"]).unwrap();
    let url = origin(0).robots_url().clone();
    assert!(!cache.permission(&url, &two).unwrap().check(b"/").is_allowed());
    let deaf = bot("ExampleBot").ignoring_wildcard();
    assert!(cache.permission(&url, &deaf).unwrap().check(b"/private").is_allowed());
    assert!(!cache.permission(&url, &bot("ExampleBot")).unwrap().check(b"/private").is_allowed());
    assert!(cache.permission(&"mailto:me@example.com".parse().unwrap(), &bot("ExampleBot")).is_err());
    // Without a file no rules apply to any crawler.
    world.answers(404);
    let permission = cache.permission(origin(200).robots_url(), &bot("ExampleBot")).unwrap();
    assert!(permission.check(b"/private").is_allowed() && permission.rules().is_none());
}

#[test]
fn a_changed_file_gets_new_rules() {
    let world = World::new();
    let (count, web) = (AtomicUsize::new(0), Arc::clone(&world));
    let cache = Cache::new(standing(&world), move |retrieval: Retrieval| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        web.file(&retrieval, format!("User-agent: *\nDisallow: /{number}\n").as_bytes())
    });
    for number in 0..3 {
        world.at(number * 25 * HOUR);
        let permission = cache.permission(origin(1).robots_url(), &bot("ExampleBot")).unwrap();
        let allowed = |path: &[u8]| permission.check(path).is_allowed();
        assert_eq!([allowed(b"/0"), allowed(b"/1"), allowed(b"/2")], [number != 0, number != 1, number != 2]);
    }
}

#[test]
fn ten_thousand_calls_from_threads_retrieve_a_hundred_origins_once_each() {
    const THREADS: usize = 200;
    let world = World::new();
    let web = Arc::clone(&world);
    let cache = Cache::new(standing(&world), move |retrieval: Retrieval| {
        thread::sleep(Duration::from_millis(2));
        web.fetch(&retrieval)
    });
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (cache, start) = (&cache, &start);
            scope.spawn(move || {
                start.wait();
                for question in 0..50 {
                    let number = (thread * 7 + question * 13) % 100;
                    assert_eq!(cache.get(&origin(number)).hops()[0].url, *origin(number).robots_url());
                }
            });
        }
    });
    assert_eq!(world.count(), 100);
}

/// Waits until a flag is set.
fn until(flag: &AtomicBool) {
    while !flag.load(Ordering::SeqCst) {
        thread::yield_now();
    }
}

#[test]
fn waiting_callers_get_the_retrieved_file_even_without_a_lifetime() {
    let world = World::new();
    world.fields.lock().unwrap().push(("cache-control", "no-store"));
    let (begun, all_wait) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (web, begins, waits) = (Arc::clone(&world), Arc::clone(&begun), Arc::clone(&all_wait));
    let cache = Cache::new(standing(&world), move |retrieval: Retrieval| {
        begins.store(true, Ordering::SeqCst);
        until(&waits);
        web.fetch(&retrieval)
    });
    thread::scope(|scope| {
        scope.spawn(|| cache.get(&origin(1)));
        until(&begun);
        (0..10).for_each(|_| drop(scope.spawn(|| cache.get(&origin(1)))));
        // The map, the leader and this handle are not followers.
        let followers = || {
            cache.0.flight.follower(&origin(1)).map_or(0, |slot| Arc::strong_count(&slot).saturating_sub(3))
        };
        while followers() < 10 {
            thread::yield_now();
        }
        all_wait.store(true, Ordering::SeqCst);
    });
    assert_eq!(world.count(), 1);
}

#[test]
fn a_panicking_retrieval_does_not_block_the_next_one() {
    let world = World::new();
    let (tries, begun) = (Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(2)));
    let (web, count, begins) = (Arc::clone(&world), Arc::clone(&tries), Arc::clone(&begun));
    let cache = Cache::new(standing(&world), move |retrieval: Retrieval| {
        if count.fetch_add(1, Ordering::SeqCst) == 0 {
            begins.wait();
            thread::sleep(Duration::from_millis(50));
            panic!("a client that is broken");
        }
        web.fetch(&retrieval)
    });
    thread::scope(|scope| {
        let first = scope.spawn(|| catch_unwind(AssertUnwindSafe(|| cache.get(&origin(1)))).is_err());
        begun.wait();
        let others: Vec<_> = (0..10).map(|_| scope.spawn(|| cache.get(&origin(1)).status())).collect();
        assert!(first.join().unwrap());
        for other in others {
            assert_eq!(other.join().unwrap(), Some(200));
        }
    });
    assert_eq!((world.count(), tries.load(Ordering::SeqCst)), (1, 2));
}

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
        let mut options = standing(&self.world);
        options.retrievals = limits;
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

/// A cache whose origins have files of about this many bytes.
fn cache_of(world: &Arc<World>, limits: StoreLimits, bytes: usize) -> Cache<impl Fetch + use<>> {
    let web = Arc::clone(world);
    let mut options = standing(world);
    options.limits = limits;
    Cache::new(options, move |retrieval: Retrieval| {
        let mut body = format!("User-agent: *\nDisallow: /{}\n", retrieval.origin);
        for number in 0..bytes.saturating_sub(body.len()) / 30 {
            body.push_str(&format!("Disallow: /a/folder/{number:09}\n"));
        }
        web.file(&retrieval, body.as_bytes())
    })
}

fn ask_for<F: Fetch + 'static>(cache: &Cache<F>, number: usize, name: &str) {
    let url = origin(number).robots_url().join(&format!("/{}", origin(number))).unwrap();
    assert!(!cache.check(&url, &bot(name)).unwrap().is_allowed());
}

#[test]
fn entries_rules_and_facts_are_bounded_together() {
    let world = World::new();
    for limits in [
        StoreLimits { entries: 20, bytes: 1 << 20 },
        StoreLimits { entries: 1_000, bytes: 20_000 },
        StoreLimits { entries: 1, bytes: 1 << 20 },
        StoreLimits { entries: 10, bytes: 0 },
        StoreLimits { entries: 0, bytes: 1 << 20 },
    ] {
        let cache = cache_of(&world, limits, 300);
        for number in 0..300 {
            for name in ["ExampleBot", "OtherBot"] {
                ask_for(&cache, number, name);
                let decision = cache.decide(origin(number).robots_url(), &bot(name)).unwrap();
                assert!(decision.verdict.is_allowed());
                let (entries, bytes) = (cache.len(), cache.bytes());
                assert!(entries <= limits.entries && bytes <= limits.bytes, "{entries} {bytes}");
            }
        }
        let entries = cache.len();
        if limits.entries > 0 && limits.bytes > 0 {
            assert_eq!(cache.dropped(), 300 - entries as u64);
        } else {
            assert_eq!((entries, cache.dropped()), (0, 0));
        }
    }
}

#[test]
fn an_origin_in_use_stays() {
    let world = World::new();
    let cache = cache_of(&world, StoreLimits { entries: 50, bytes: 1 << 20 }, 300);
    for number in 1..1_000 {
        ask_for(&cache, number, "ExampleBot");
        ask_for(&cache, 0, "ExampleBot");
    }
    let asked = |number: usize| {
        world.asked.lock().unwrap().iter().filter(|(asked, _)| *asked == origin(number)).count()
    };
    // The web does not count files that it makes, so only the entry shows whether it was dropped.
    assert_eq!(asked(0), 0);
    assert!(cache.0.core.sites.find(&origin(0).key(), |_| ()).is_some());
}

#[test]
fn bytes_are_counted_however_threads_change_the_origins() {
    const ORIGINS: usize = 60;
    let world = World::new();
    let limits = StoreLimits { entries: 40, bytes: 30_000 };
    let cache = cache_of(&world, limits, 300);
    thread::scope(|scope| {
        for seed in 0..8 {
            let cache = &cache;
            scope.spawn(move || {
                for step in 0..400 {
                    let number = (7 * step + 3 * seed) % ORIGINS;
                    let name = ["ExampleBot", "OtherBot", "ThirdBot"][(step + seed) % 3];
                    let url = origin(number).robots_url().join(&format!("/{}", origin(number))).unwrap();
                    let is_allowed = match (step / 3 + seed) % 6 {
                        0 => cache.refresh(&origin(number)).status() != Some(200),
                        1 => {
                            cache.forget(&origin(number));
                            false
                        }
                        2 | 3 => cache.decide(&url, &bot(name)).unwrap().verdict.is_allowed(),
                        4 => cache.permission(&url, &bot(name)).unwrap().check_url(&url).is_allowed(),
                        _ => cache.check(&url, &bot(name)).unwrap().is_allowed(),
                    };
                    assert!(!is_allowed);
                }
            });
        }
    });
    let (entries, bytes) = (cache.len(), cache.bytes());
    assert!(entries <= limits.entries && bytes <= limits.bytes, "{entries} {bytes}");
    (0..ORIGINS).for_each(|number| cache.forget(&origin(number)));
    let (entries, bytes) = (cache.len(), cache.bytes());
    assert_eq!((entries, bytes), (0, 0));
}

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
    let counted = cache.bytes();
    let _ = decide("ThirdBot", "/x");
    assert_eq!(cache.bytes(), counted);
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
    let options = CacheOptions::new(profile).with_clock(move || clock.now());
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

/// A store that can do nothing.
struct Broken;

impl Store for Broken {
    fn get(&self, _: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Err(StoreError::Busy { path: "x".to_owned() })
    }

    fn put(&self, _: &Origin, _: &Arc<Entry>) -> Result<(), StoreError> {
        Err(StoreError::Busy { path: "x".to_owned() })
    }

    fn remove(&self, _: &Origin) -> Result<(), StoreError> {
        Err(StoreError::Busy { path: "x".to_owned() })
    }
}

#[test]
fn errors_of_the_store_are_reported_and_change_no_answer() {
    let world = World::new();
    let errors = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&errors);
    let options = standing(&world).with_store(Broken).with_store_error_handler(move |error| {
        assert_eq!(error.to_string(), "store `x` is in use");
        count.fetch_add(1, Ordering::SeqCst);
    });
    let web = Arc::clone(&world);
    let cache = Cache::new(options, move |retrieval: Retrieval| web.fetch(&retrieval));
    assert_eq!(cache.get(&origin(1)).status(), Some(200));
    cache.forget(&origin(1));
    assert_eq!(errors.load(Ordering::SeqCst), 3);
    // The entry is in memory, whatever the store does.
    (0..10).for_each(|_| drop(cache.get(&origin(2))));
    assert_eq!(world.count(), 2);
}

#[test]
fn entries_of_another_profile_are_not_used() {
    let world = World::new();
    let store = Arc::new(Memory::default());
    let mut other = SiteProfile::default();
    other.access.max_redirects = 1;
    for profile in [SiteProfile::default(), other, SiteProfile::default()] {
        let (clock, web) = (Arc::clone(&world), Arc::clone(&world));
        let options =
            CacheOptions::new(profile).with_store(Arc::clone(&store)).with_clock(move || clock.now());
        let cache = Cache::new(options, move |retrieval: Retrieval| web.fetch(&retrieval));
        assert_eq!(*cache.get(&origin(1)).profile(), profile);
        let _ = cache.get(&origin(1));
    }
    assert_eq!(world.count(), 3);
}

/// A store in memory that counts look-ups.
#[derive(Default)]
struct Counting(Memory, AtomicUsize);

impl Store for Counting {
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.get(origin)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.0.put(origin, entry)
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.0.remove(origin)
    }
}

#[test]
fn the_store_is_asked_once_for_all_callers_and_never_for_what_is_in_memory() {
    let world = World::new();
    let store = Arc::new(Counting::default());
    for (round, lookups) in [(0, 1), (1, 2)] {
        let web = Arc::clone(&world);
        let options = standing(&world).with_store(Arc::clone(&store));
        let cache = Cache::new(options, move |retrieval: Retrieval| {
            thread::sleep(Duration::from_millis(20));
            web.fetch(&retrieval)
        });
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        assert!(
                            cache.check(origin(1).robots_url(), &bot("ExampleBot")).unwrap().is_allowed()
                        );
                        assert_eq!(cache.get(&origin(1)).status(), Some(200));
                    }
                });
            }
        });
        assert_eq!((store.1.load(Ordering::SeqCst), world.count()), (lookups, 1), "{round}");
    }
}

#[test]
fn a_local_failure_is_never_stored_and_lengthens_no_pause() {
    let world = World::new();
    let is_offline = Arc::new(AtomicBool::new(false));
    let store = Arc::new(Memory::default());
    let (web, offline) = (Arc::clone(&world), Arc::clone(&is_offline));
    let options = standing(&world).with_store(Arc::clone(&store));
    let cache = Cache::new(options, move |retrieval: Retrieval| {
        if offline.load(Ordering::SeqCst) {
            web.asked.lock().unwrap().push((retrieval.origin.clone(), retrieval.validators.clone()));
            return web.begin(&retrieval).failure(Failure::new(FailureKind::NoNetwork, ""), web.now());
        }
        web.fetch(&retrieval)
    });
    let file = cache.get(&origin(1));
    is_offline.store(true, Ordering::SeqCst);
    let pause = SiteProfile::default().access.first_retry.as_secs();
    for attempt in 0..5 {
        let now = 30 * HOUR + attempt * pause;
        world.at(now);
        let entry = cache.get(&origin(1));
        assert!(entry.is_local_failure() && entry.outage().is_none() && entry.robots(world.now()).is_some());
        assert_eq!(entry.next_retrieval(), world.now() + Duration::from_secs(pause), "{attempt}");
        let _ = cache.get(&origin(1));
        assert_eq!(world.count(), 2 + usize::try_from(attempt).unwrap());
        assert_eq!(store.get(&origin(1)).unwrap().as_deref(), Some(&*file));
        // Without a file, nothing may be accessed, and the store has nothing to say.
        let bare = cache.get(&origin(2));
        assert!(bare.is_local_failure() && matches!(bare.access(world.now()), Access::Nothing(..)));
        assert_eq!(store.get(&origin(2)).unwrap(), None);
        world.asked.lock().unwrap().pop();
    }
    is_offline.store(false, Ordering::SeqCst);
    world.at(30 * HOUR + 5 * pause);
    assert_eq!(cache.get(&origin(1)).status(), Some(200));
    assert!(store.get(&origin(1)).unwrap().unwrap().is_later_than(&file));
}
