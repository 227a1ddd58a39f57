use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

#[cfg(feature = "disk")]
use crate::Disk;
use crate::{
    AwaitingHead, Entry, Head, Memory, NextStep, Origin, SiteProfile, Store, StoreError, StoreLimits,
    Validators,
};

pub(crate) fn origin(number: usize) -> Origin {
    Origin::parse(&format!("https://site-{number}.example")).unwrap()
}

/// An entry of an answer with status 200 and this body.
pub(crate) fn entry(origin: &Origin, body: &[u8], field: (&str, &str), profile: &SiteProfile) -> Arc<Entry> {
    entry_at(SystemTime::UNIX_EPOCH, origin, body, field, profile)
}

fn entry_at(
    now: SystemTime,
    origin: &Origin,
    body: &[u8],
    field: (&str, &str),
    profile: &SiteProfile,
) -> Arc<Entry> {
    let awaiting = AwaitingHead::new(origin, &Validators::default(), profile, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200).with_field(field.0, field.1), now) else {
        panic!("200 is a file")
    };
    let _ = reading.push(body);
    Arc::new(Entry::from_outcome(None, reading.end(now), profile))
}

fn simple(origin: &Origin, bytes: usize) -> Arc<Entry> {
    entry(origin, &vec![b'#'; bytes], ("etag", "\"1\""), &SiteProfile::RFC9309)
}

fn count(store: &impl Store, of: usize) -> usize {
    (0..of).filter(|number| store.get(&origin(*number)).unwrap().is_some()).count()
}

/// Tests the behavior that all stores share.
fn keeps_what_it_is_given(store: &impl Store) {
    let (one, other) = (simple(&origin(1), 10), simple(&origin(1), 20));
    assert!(store.get(&origin(1)).unwrap().is_none());
    store.put(&origin(1), &one).unwrap();
    assert_eq!(store.get(&origin(1)).unwrap(), Some(one));
    assert!(store.get(&origin(2)).unwrap().is_none());
    store.put(&origin(1), &other).unwrap();
    assert_eq!(store.get(&origin(1)).unwrap(), Some(other));
    store.remove(&origin(1)).unwrap();
    store.remove(&origin(1)).unwrap();
    assert!(store.get(&origin(1)).unwrap().is_none());
}

#[test]
fn memory_keeps_within_its_bounds() {
    keeps_what_it_is_given(&Memory::default());
    let store = Memory::new(StoreLimits { entries: 10, bytes: 100_000 });
    for number in 0..100 {
        store.put(&origin(number), &simple(&origin(number), 100)).unwrap();
        assert!(store.len() <= 10);
    }
    assert_eq!((count(&store, 100), count(&store, 90)), (10, 0));
    store.put(&origin(0), &simple(&origin(0), 95_000)).unwrap();
    assert!(store.bytes() <= 100_000 && store.get(&origin(0)).unwrap().is_some());
    store.put(&origin(0), &simple(&origin(0), 100_000)).unwrap();
    assert!(store.get(&origin(0)).unwrap().is_none());
}

#[cfg(feature = "disk")]
mod disk {
    use super::*;
    use std::path::{Path, PathBuf};
    use std::time::Instant;
    use std::{fs, thread};

    use crate::Claim;

    fn open(path: &Path) -> Result<Disk, StoreError> {
        Disk::open(path, SiteProfile::RFC9309, StoreLimits { entries: 10, bytes: 100_000 })
    }

    #[test]
    fn a_disk_keeps_the_last_used_entries_within_its_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        keeps_what_it_is_given(&open(&path).unwrap());
        {
            let store = open(&path).unwrap();
            for number in 0..30 {
                store.put(&origin(number), &simple(&origin(number), 100)).unwrap();
                assert!(store.len().unwrap() <= 10);
                assert!(number < 3 || store.get(&origin(3)).unwrap().is_some());
            }
        }
        let store = open(&path).unwrap();
        assert_eq!((count(&store, 30), count(&store, 20)), (10, 1));
        store.put(&origin(0), &simple(&origin(0), 95_000)).unwrap();
        assert!(store.get(&origin(0)).unwrap().is_some() && store.len().unwrap() < 10);
        store.put(&origin(0), &simple(&origin(0), 100_000)).unwrap();
        assert!(store.get(&origin(0)).unwrap().is_none());
    }

    #[test]
    fn profiles_are_stored_separately_and_no_store_is_obeyed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let site = origin(1);
        let store = open(&path).unwrap();
        store.put(&site, &simple(&site, 10)).unwrap();
        drop(store);
        let google = Disk::open(&path, SiteProfile::GOOGLE, StoreLimits::DEFAULT).unwrap();
        assert!(google.get(&site).unwrap().is_none());
        google.put(&site, &entry(&site, b"x", ("etag", "\"2\""), &SiteProfile::GOOGLE)).unwrap();
        assert_eq!(google.len().unwrap(), 2);
        google.put(&site, &entry(&site, b"x", ("cache-control", "no-store"), &SiteProfile::GOOGLE)).unwrap();
        assert!(google.get(&site).unwrap().is_none());
        drop(google);
        assert_eq!(open(&path).unwrap().get(&site).unwrap(), Some(simple(&site, 10)));
    }

    #[test]
    fn a_store_for_another_profile_is_not_used_and_says_so_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let site = origin(1);
        let store = open(&path).unwrap();
        store.put(&site, &simple(&site, 10)).unwrap();
        let other = entry(&site, b"x", ("etag", "\"2\""), &SiteProfile::GOOGLE);
        let error = store.put(&site, &other).unwrap_err();
        assert!(matches!(error, StoreError::OtherProfile { .. }), "{error:?}");
        assert_eq!(store.get(&site).unwrap(), Some(simple(&site, 10)));

        let mut changed = SiteProfile::RFC9309;
        changed.access.max_redirects = 10;
        let errors = Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = Arc::clone(&errors);
        let options = crate::CacheOptions::new(changed)
            .with_store(store)
            .with_store_error_handler(move |error| seen.lock().unwrap().push(error.to_string()));
        let fetch = move |_: crate::Retrieval| crate::Outcome {
            sent: SystemTime::UNIX_EPOCH,
            received: SystemTime::UNIX_EPOCH,
            hops: Vec::new(),
            fields: Default::default(),
            body_bytes: 0,
            has_excess: false,
            result: crate::RetrievalResult::NotModified,
        };
        let cache = crate::Cache::new(options, fetch);
        let _ = cache.get(&site);
        let _ = cache.get(&site);
        let text = "the store was opened for another profile; open it for that of the cache";
        assert_eq!(*errors.lock().unwrap(), [text]);
        assert_eq!(cache.store().get(&site).unwrap(), Some(simple(&site, 10)));
        let same = crate::CacheOptions::from_store(open(&path).unwrap());
        let cache = crate::Cache::new(same, |_: crate::Retrieval| unreachable!("the entry is stored"));
        assert!(cache.peek(&site).is_some());
    }

    #[test]
    fn a_file_that_is_not_a_store_is_named_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let shown = path.to_str().unwrap();
        let text = "not a store, and longer than its head would be".repeat(1000);
        fs::write(&path, &text).unwrap();
        let error = open(&path).unwrap_err();
        assert!(matches!(&error, StoreError::NotAStore { .. }), "{error:?}");
        assert!(
            error.to_string().starts_with(&format!("`{shown}` is not a store of robots.txt files: ")),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let other = folder.path().join("other.sqlite");
        let customers = rusqlite::Connection::open(&other).unwrap();
        customers
            .execute_batch("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('a')")
            .unwrap();
        let error = open(&other).unwrap_err();
        assert!(matches!(&error, StoreError::NotAStore { .. }), "{error:?}");
        let count: i64 = customers.query_row("SELECT COUNT(*) FROM customers", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1);
        drop(customers);
        let recreate = |path: &Path| Disk::recreate(path, SiteProfile::RFC9309, StoreLimits::DEFAULT);
        let bytes = fs::read(&other).unwrap();
        let mut refused = vec![path, other.clone(), folder.path().to_owned()];
        #[cfg(unix)]
        for (name, target) in [("link", &*other), ("dangling", Path::new("/nowhere/at/all"))] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(target, &link).unwrap();
            refused.push(link);
        }
        for path in refused {
            for error in [open(&path).unwrap_err(), recreate(&path).unwrap_err()] {
                assert!(matches!(error, StoreError::NotAStore { .. }), "{error:?}");
            }
        }
        assert_eq!((fs::read(&other).unwrap(), bytes.len() > 4096), (bytes, true));
    }

    #[test]
    fn a_store_is_emptied_for_all_who_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let recreate = || Disk::recreate(&path, SiteProfile::RFC9309, StoreLimits::DEFAULT).unwrap();
        let store = recreate();
        store.put(&origin(1), &simple(&origin(1), 10)).unwrap();
        // Another handle, as another process would have it, sees the same entries.
        let other = open(&path).unwrap();
        assert!(other.get(&origin(1)).unwrap().is_some());
        let again = recreate();
        for store in [&store, &other, &again] {
            assert!(store.get(&origin(1)).unwrap().is_none());
            store.put(&origin(2), &simple(&origin(2), 10)).unwrap();
        }
        assert_eq!((store.len().unwrap(), again.len().unwrap()), (1, 1));
        // What a process leaves that is killed while it empties the store.
        let half = folder.path().join("half.sqlite");
        rusqlite::Connection::open(&half).unwrap().execute_batch("VACUUM").unwrap();
        assert!(open(&half).unwrap().is_empty().unwrap());
    }

    #[test]
    fn a_locked_store_is_waited_for_as_long_as_the_program_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let within = || {
            let (profile, bounds) = (SiteProfile::RFC9309, StoreLimits::DEFAULT);
            [Disk::open_within, Disk::recreate_within]
                .map(|open| open(&path, profile, bounds, Duration::from_millis(50)))
        };
        let stores = within().map(Result::unwrap);
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let start = Instant::now();
        for found in
            within().map(|opened| opened.err()).into_iter().chain(stores.map(|store| store.len().err()))
        {
            assert!(matches!(found, Some(StoreError::Busy { .. })), "{found:?}");
        }
        // By default, each of these waits for 30 seconds.
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    #[test]
    fn a_damaged_entry_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let store = open(&path).unwrap();
        for number in 0..2 {
            store.put(&origin(number), &simple(&origin(number), 10)).unwrap();
        }
        let other = rusqlite::Connection::open(&path).unwrap();
        let sql = "UPDATE entries SET bytes = CAST(bytes || x'00' AS BLOB) WHERE origin = ?1";
        assert_eq!(other.execute(sql, [origin(0).as_str()]).unwrap(), 1);
        assert!(matches!(store.get(&origin(0)), Err(StoreError::Entry { .. })));
        assert!(matches!(store.get(&origin(0)), Ok(None)));
        assert_eq!(store.get(&origin(1)).unwrap(), Some(simple(&origin(1), 10)));
        assert_eq!(store.len().unwrap(), 1);
    }

    #[test]
    fn a_claim_excludes_others_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let (store, other) = (open(&path).unwrap(), open(&path).unwrap());
        let google = Disk::open(&path, SiteProfile::GOOGLE, StoreLimits::DEFAULT).unwrap();
        let claim = store.claim(&origin(1)).unwrap();
        assert!(matches!(claim, Claim::Granted(_)));
        assert!(matches!(other.claim(&origin(1)).unwrap(), Claim::Held));
        // Another origin or profile is another claim.
        assert!(matches!(other.claim(&origin(2)).unwrap(), Claim::Granted(_)));
        assert!(matches!(google.claim(&origin(1)).unwrap(), Claim::Granted(_)));
        let start = Instant::now();
        other.wait(&origin(1), Duration::from_millis(50)).unwrap();
        assert!(start.elapsed() >= Duration::from_millis(50));
        let holder = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            store.put(&origin(1), &simple(&origin(1), 10)).unwrap();
            drop(claim);
        });
        other.wait(&origin(1), Duration::from_secs(60)).unwrap();
        assert!(other.get(&origin(1)).unwrap().is_some());
        holder.join().unwrap();
        assert!(matches!(other.claim(&origin(1)).unwrap(), Claim::Granted(_)));
    }

    /// The kinds of damage.
    const KINDS: [&str; 7] = [
        "bits of the first pages",
        "a bit",
        "64 bytes",
        "a range",
        "zeroes",
        "a shorter file",
        "two pages that changed places",
    ];

    /// A store with 40 entries, whose file is damaged.
    struct Damaged {
        path: PathBuf,
        whole: Vec<u8>,
        seed: u64,
    }

    impl Damaged {
        const BOUNDS: StoreLimits = StoreLimits { entries: 1000, bytes: 10 << 20 };

        fn new(folder: &Path) -> Self {
            let path = folder.join("robots.sqlite");
            let store = Disk::open(&path, SiteProfile::RFC9309, Self::BOUNDS).unwrap();
            for number in 0..40 {
                store.put(&origin(number), &Self::entry(number)).unwrap();
            }
            drop(store);
            Self { whole: fs::read(&path).unwrap(), path, seed: 0x9E37_79B9_7F4A_7C15 }
        }

        fn entry(number: usize) -> Arc<Entry> {
            simple(&origin(number), number * 100)
        }

        fn random(&mut self, below: usize) -> usize {
            self.seed ^= self.seed << 13;
            self.seed ^= self.seed >> 7;
            self.seed ^= self.seed << 17;
            usize::try_from(self.seed % below as u64).unwrap()
        }

        /// Writes the file with damage of a kind.
        fn damage(&mut self, kind: usize) {
            let mut bytes = self.whole.clone();
            let from = self.random(bytes.len());
            let len = match kind {
                2 => 64,
                _ => 1 + self.random(10_000),
            };
            let range = from..(from + len).min(bytes.len());
            match kind {
                // The first pages say where the others are.
                0 => (0..3).for_each(|_| bytes[self.random(4096 * 2)] ^= 1 << self.random(8)),
                1 => bytes[from] ^= 1 << self.random(8),
                2 => bytes[range].fill(0xA5),
                3 => bytes[range].fill_with(|| self.random(256) as u8),
                4 => bytes[range].fill(0),
                5 => bytes.truncate(from),
                _ => {
                    let pages = bytes.len() / 4096;
                    let (one, other) = (self.random(pages) * 4096, self.random(pages) * 4096);
                    bytes[one..one + 4096].copy_from_slice(&self.whole[other..other + 4096]);
                    bytes[other..other + 4096].copy_from_slice(&self.whole[one..one + 4096]);
                }
            }
            fs::write(&self.path, bytes).unwrap();
        }

        /// Uses the store as a cache does, which retrieves what it does not find. Returns how often it was opened empty, and the
        /// right entries, missing entries and errors that it met. Panics if an entry is not the right one.
        fn run(&self) -> [usize; 4] {
            let mut met = [0; 4];
            let store = Disk::open(&self.path, SiteProfile::RFC9309, Self::BOUNDS).or_else(|error| {
                let is_known = matches!(error, StoreError::Damaged { .. } | StoreError::NotAStore { .. });
                assert!(is_known, "{error:?}");
                met[0] += 1;
                if matches!(error, StoreError::NotAStore { .. }) {
                    // A person would do so.
                    fs::remove_file(&self.path).unwrap();
                }
                Disk::recreate(&self.path, SiteProfile::RFC9309, Self::BOUNDS)
            });
            let store = store.unwrap();
            for number in 0..40 {
                let entry = Self::entry(number);
                match store.get(&origin(number)) {
                    Ok(Some(found)) => {
                        assert_eq!(found, entry);
                        met[1] += 1;
                        continue;
                    }
                    Ok(None) => met[2] += 1,
                    Err(_) => met[3] += 1,
                }
                // Damage that is found while an entry is written is reported and repaired, too.
                if let Err(error) = store.put(&origin(number), &entry) {
                    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
                    met[3] += 1;
                    store.put(&origin(number), &entry).unwrap();
                }
            }
            met
        }
    }

    /// Damages a file in each way, `ROBOTS_DAMAGE_ROUNDS` times (30 by default).
    #[test]
    fn changed_bytes_of_the_file_never_alter_an_entry_or_panic() {
        let rounds = std::env::var("ROBOTS_DAMAGE_ROUNDS").map_or(30, |rounds| rounds.parse().unwrap());
        // Where there is a file system in memory, no write waits for a disk.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let mut damaged = Damaged::new(folder.path());
        let mut all = [0; 4];
        for (kind, name) in KINDS.iter().enumerate() {
            let (mut met, mut healed) = ([0; 4], 0);
            for round in 0..rounds {
                damaged.damage(kind);
                let first = damaged.run();
                (0..4).for_each(|at| met[at] += first[at]);
                // The second run finds no damage. A repair may have lost entries that were read before.
                let second = damaged.run();
                assert_eq!((second[0], second[3]), (0, 0), "{name}, round {round}: {first:?}, {second:?}");
                assert_eq!(damaged.run(), [0, 40, 0, 0], "{name}, round {round}");
                healed += 1;
            }
            println!("{name}: {healed} healed; opened empty, right, missing, errors: {met:?}");
            (0..4).for_each(|at| all[at] += met[at]);
        }
        assert!(all.iter().all(|met| *met > 0), "{all:?}");
    }
}
