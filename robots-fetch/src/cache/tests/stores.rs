//! Stores below a cache.

use super::*;
use crate::{Access, Failure, FailureKind, Memory, Store, StoreError};

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
        let options = CacheOptions::new(profile).store(Arc::clone(&store)).clock(move || clock.now());
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
        let options = standing(&world).store(Arc::clone(&store));
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
    let options = standing(&world).store(Arc::clone(&store));
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
