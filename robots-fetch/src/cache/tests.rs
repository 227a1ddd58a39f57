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
    AccessResult, AwaitingHead, Cache, CacheOptions, Entry, Fetch, Head, Memory, NextStep, Origin, Outcome,
    Retrieval, SiteProfile, Store, StoreError, StoreLimits, Validators,
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
    let options = CacheOptions::new(profile).clock(move || clock.now());
    Cache::new(options, move |retrieval: Retrieval| world.fetch(&retrieval))
}

/// One for tests that need no time to pass.
fn standing(world: &Arc<World>) -> CacheOptions {
    let clock = Arc::clone(world);
    CacheOptions::new(SiteProfile::RFC9309).clock(move || clock.now())
}

fn bot(name: &str) -> Crawler {
    Crawler::new(name).unwrap()
}

#[test]
fn a_fresh_file_is_retrieved_once_and_a_stale_one_conditionally() {
    let world = World::new();
    world.fields.lock().unwrap().extend([("etag", "\"1\""), ("cache-control", "max-age=3600")]);
    let cache = cache(&world, SiteProfile::RFC9309);
    assert!(cache.peek(&origin(1)).is_none());
    for seconds in [0, 1, HOUR - 1] {
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
    let cache = cache(&world, SiteProfile::RFC9309);
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
    let hasty = cache(&world, SiteProfile::RFC9309);
    for count in 1..4 {
        let _ = hasty.get(&origin(1));
        assert_eq!(world.count(), count);
    }
    let mut profile = SiteProfile::RFC9309;
    profile.access.min_lifetime = Duration::from_secs(60);
    let patient = cache(&world, profile);
    for _ in 0..4 {
        let _ = patient.get(&origin(1));
        assert_eq!(world.count(), 4);
    }
}

#[test]
fn rules_are_compiled_once_and_equal_rules_are_shared_between_hosts() {
    let world = World::new();
    let cache = cache(&world, SiteProfile::RFC9309);
    let rules = |number: usize, bot: &Crawler| {
        let permission = cache.permission(origin(number).robots_url(), bot).unwrap();
        Arc::clone(permission.rules().unwrap())
    };
    let first = rules(0, &bot("ExampleBot"));
    assert!(!first.check(b"/private").is_allowed() && first.check(b"/").is_allowed());
    for number in 0..100 {
        assert!(Arc::ptr_eq(&first, &rules(number, &bot("ExampleBot"))));
    }
    let other = rules(0, &bot("OtherBot"));
    assert!(!other.check(b"/").is_allowed());
    assert!(Arc::ptr_eq(&other, &rules(7, &bot("OtherBot"))));
    assert_eq!((world.count(), cache.core.rule_sets.counts()), (100, (102, 2)));
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
    let count = AtomicUsize::new(0);
    let cache = Cache::new(standing(&world), |retrieval: Retrieval| {
        let awaiting = world.begin(&retrieval);
        let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), world.now()) else { panic!() };
        let number = count.fetch_add(1, Ordering::SeqCst);
        let _ = reading.push(format!("User-agent: *\nDisallow: /{number}\n").as_bytes());
        reading.end(world.now())
    });
    for number in 0..3 {
        world.at(number * 25 * HOUR);
        let permission = cache.permission(origin(1).robots_url(), &bot("ExampleBot")).unwrap();
        let allowed = |path: &[u8]| permission.check(path).is_allowed();
        assert_eq!([allowed(b"/0"), allowed(b"/1"), allowed(b"/2")], [number != 0, number != 1, number != 2]);
    }
}

#[test]
fn rule_sets_are_bounded() {
    let world = World::new();
    for bounds in [StoreLimits { entries: 20, bytes: 40_000 }, StoreLimits { entries: 1000, bytes: 8000 }] {
        let fetch = |retrieval: Retrieval| {
            let awaiting = world.begin(&retrieval);
            let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), world.now()) else { panic!() };
            let _ = reading.push(format!("User-agent: *\nDisallow: /{}\n", retrieval.origin).as_bytes());
            reading.end(world.now())
        };
        let cache = Cache::new(standing(&world).rule_set_limits(bounds), fetch);
        for number in 0..500 {
            let permission = cache.permission(origin(number).robots_url(), &bot("ExampleBot")).unwrap();
            assert!(!permission.check(format!("/{}", origin(number)).as_bytes()).is_allowed());
            let (compiled, known) = cache.core.rule_sets.counts();
            assert!(compiled <= bounds.entries.min(bounds.bytes / 256), "{compiled}");
            // Unused rule sets take at most a quarter of the bytes; each takes at least 256.
            assert!(known <= compiled + bounds.bytes / 4 / 256 + 1, "{compiled} {known}");
        }
    }
}

#[test]
fn ten_thousand_calls_from_threads_retrieve_a_hundred_origins_once_each() {
    const THREADS: usize = 200;
    let world = World::new();
    let cache = Cache::new(standing(&world), |retrieval: Retrieval| {
        thread::sleep(Duration::from_millis(2));
        world.fetch(&retrieval)
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

#[test]
fn waiting_callers_get_the_retrieved_file_even_without_a_lifetime() {
    let world = World::new();
    world.fields.lock().unwrap().push(("cache-control", "no-store"));
    let (begun, all_wait) = (AtomicBool::new(false), AtomicBool::new(false));
    let until = |flag: &AtomicBool| {
        while !flag.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    };
    let cache = Cache::new(standing(&world), |retrieval: Retrieval| {
        begun.store(true, Ordering::SeqCst);
        until(&all_wait);
        world.fetch(&retrieval)
    });
    thread::scope(|scope| {
        scope.spawn(|| cache.get(&origin(1)));
        until(&begun);
        (0..10).for_each(|_| drop(scope.spawn(|| cache.get(&origin(1)))));
        // The map, the leader and this handle are not followers.
        let followers =
            || cache.flight.follower(&origin(1)).map_or(0, |slot| Arc::strong_count(&slot).saturating_sub(3));
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
    let tries = AtomicUsize::new(0);
    let begun = Barrier::new(2);
    let cache = Cache::new(standing(&world), |retrieval: Retrieval| {
        if tries.fetch_add(1, Ordering::SeqCst) == 0 {
            begun.wait();
            thread::sleep(Duration::from_millis(50));
            panic!("a client that is broken");
        }
        world.fetch(&retrieval)
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
    let options = standing(&world).store(Broken).on_store_error(move |error| {
        assert_eq!(error.to_string(), "store `x` is in use");
        count.fetch_add(1, Ordering::SeqCst);
    });
    let cache = Cache::new(options, |retrieval: Retrieval| world.fetch(&retrieval));
    assert_eq!(cache.get(&origin(1)).status(), Some(200));
    cache.forget(&origin(1));
    assert_eq!(errors.load(Ordering::SeqCst), 3);
}

#[test]
fn entries_of_another_profile_are_not_used() {
    let world = World::new();
    let store = Arc::new(Memory::default());
    for profile in [SiteProfile::RFC9309, SiteProfile::GOOGLE, SiteProfile::RFC9309] {
        let (clock, web) = (Arc::clone(&world), Arc::clone(&world));
        let options = CacheOptions::new(profile).store(Arc::clone(&store)).clock(move || clock.now());
        let cache = Cache::new(options, move |retrieval: Retrieval| web.fetch(&retrieval));
        assert_eq!(*cache.get(&origin(1)).profile(), profile);
        let _ = cache.get(&origin(1));
    }
    assert_eq!(world.count(), 3);
}
