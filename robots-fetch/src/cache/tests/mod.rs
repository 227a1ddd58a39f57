//! Tests of the blocking cache, and the web that they ask.

mod background;
mod bounds;
mod decisions;
mod stores;

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
    AccessResult, AwaitingHead, Cache, CacheOptions, Entry, Fetch, Head, NextStep, Origin, Outcome,
    Permission, Retrieval, SiteProfile, Validators,
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
    let options = CacheOptions::new(profile).clock(move || clock.now());
    Cache::new(options, move |retrieval: Retrieval| world.fetch(&retrieval))
}

/// One for tests that need no time to pass.
fn standing(world: &Arc<World>) -> CacheOptions {
    let clock = Arc::clone(world);
    CacheOptions::new(SiteProfile::default()).clock(move || clock.now())
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
