//! A store in a file, over redb.

use alloc::sync::Arc;
use core::fmt;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use redb::{Builder, Database, Error, ReadableDatabase as _, ReadableTable as _, ReadableTableMetadata as _};
use redb::{Table, TableDefinition};

use crate::entry::Entry;
use crate::message::shown;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;

/// The key of the policy, and the origin.
type Key = (u64, &'static str);

const ENTRIES: TableDefinition<'_, Key, &[u8]> = TableDefinition::new("entries-1");

/// The number of the last use of each entry, and its bytes.
const USED: TableDefinition<'_, Key, (u64, u64)> = TableDefinition::new("used-1");

/// The entries, by the number of their last use.
const ORDER: TableDefinition<'_, u64, Key> = TableDefinition::new("order-1");

/// The bytes of all entries, under the name [`BYTES`].
const SUMS: TableDefinition<'_, &str, u64> = TableDefinition::new("sums-1");

const BYTES: &str = "bytes";

/// How many bytes redb caches in memory.
const CACHE: usize = 8 << 20;

/// The most uses that are remembered until the next entry is stored.
const MOST_USES: usize = 4096;

/// A persistent store in one file, over [redb](::redb), which never overwrites the pages of the last commit.
///
/// A process that is killed loses at most the entry that it is writing, and the store can be opened again. Each
/// [`put`](Store::put) waits until the disk has written the entry, a few milliseconds; a [`get`](Store::get) writes nothing.
/// The entry that was not used for the longest time is dropped first; a use is recorded with the next `put`.
///
/// Only one process can open a store at a time. One file can hold entries of several profiles; a handle reads and writes
/// those of one access policy. A `no-store` response is never kept.
///
/// # Memory
///
/// At most 8 MiB of cached pages. The file has at most about twice the bytes of the [`StoreLimits`], and 100 KiB.
///
/// ```no_run
/// use robots_fetch::{StoreLimits, Disk, Memory, SiteProfile, StoreError, Tiered};
///
/// let open = Disk::open("robots.redb", SiteProfile::RFC9309, StoreLimits::DEFAULT);
/// let disk = match open {
///     // A cache can be filled again.
///     Err(StoreError::Damaged { .. }) => Disk::recreate("robots.redb", SiteProfile::RFC9309, StoreLimits::DEFAULT)?,
///     other => other?,
/// };
/// let store = Tiered::new(Memory::new(StoreLimits { entries: 1000, bytes: 4 << 20 }), disk);
/// # Ok::<(), StoreError>(())
/// ```
pub struct Disk {
    path: PathBuf,
    /// `None` while the store is dropped.
    database: Option<Database>,
    profile: SiteProfile,
    /// The key of the profile's access policy.
    policy: u64,
    bounds: StoreLimits,
    /// The origins whose last use has not been written yet.
    touched: Mutex<HashSet<Origin>>,
}

impl Disk {
    /// Opens the store at `path`, or creates one if the file is missing or empty. If the process that had the store open
    /// was killed, reads the whole file once.
    ///
    /// # Errors
    ///
    /// The store is [in use](StoreError::Busy), [damaged or not a store](StoreError::Damaged), or can't be opened.
    pub fn open(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
    ) -> Result<Self, StoreError> {
        let path = path.as_ref().to_owned();
        let opened = guarded(&path, || {
            if fs::metadata(&path).map_or(true, |file| file.is_file() && file.len() == 0) {
                begin(&path)?;
            }
            Ok(Builder::new().set_cache_size(CACHE).open(&path)?)
        });
        Ok(Self {
            database: Some(opened?),
            path,
            profile,
            policy: profile.key(),
            bounds,
            touched: Mutex::default(),
        })
    }

    /// Creates a store at `path`, and replaces any file there.
    ///
    /// # Errors
    ///
    /// The store is [in use](StoreError::Busy), or the file can't be replaced.
    pub fn recreate(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
    ) -> Result<Self, StoreError> {
        let path = path.as_ref();
        match Self::open(path, profile, bounds) {
            Err(busy @ StoreError::Busy { .. }) => return Err(busy),
            other => drop(other),
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(store_error(path, Error::Io(error))),
            _ => Self::open(path, profile, bounds),
        }
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of entries, of all profiles.
    ///
    /// # Errors
    ///
    /// The file can't be read.
    pub fn len(&self) -> Result<usize, StoreError> {
        let len = self.with(|database| Ok(database.begin_read()?.open_table(ENTRIES)?.len()?))?;
        Ok(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Returns whether the store is empty.
    ///
    /// # Errors
    ///
    /// The file can't be read.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        self.len().map(|len| len == 0)
    }

    fn with<T>(&self, act: impl FnOnce(&Database) -> Result<T, Error>) -> Result<T, StoreError> {
        guarded(&self.path, || act(self.database.as_ref().ok_or(Error::DatabaseClosed)?))
    }

    fn key<'o>(&self, origin: &'o Origin) -> (u64, &'o str) {
        (self.policy, origin.as_str())
    }

    /// Writes the entry of `origin`, or removes it, and writes the uses since the last time.
    fn write(&self, origin: &Origin, entry: Option<&Entry>) -> Result<(), StoreError> {
        let touched = core::mem::take(&mut *self.touched.lock().unwrap_or_else(PoisonError::into_inner));
        let bytes = entry.map(|entry| (entry.encode(), entry.weight() as u64));
        self.with(|database| {
            let writing = database.begin_write()?;
            {
                let mut tables = Tables {
                    entries: writing.open_table(ENTRIES)?,
                    used: writing.open_table(USED)?,
                    order: writing.open_table(ORDER)?,
                    sums: writing.open_table(SUMS)?,
                };
                for touched in &touched {
                    tables.touch(self.key(touched))?;
                }
                tables.forget(self.key(origin))?;
                if let Some((bytes, weight)) = &bytes {
                    tables.keep(self.key(origin), bytes, *weight)?;
                }
                tables.shrink(&self.bounds)?;
            }
            writing.commit()?;
            Ok(())
        })
    }
}

/// Creates a store at `path`. It is written next to `path` and moved there when it is complete, so that a killed process does
/// not leave half a store. A store that another process creates at the same time stays.
fn begin(path: &Path) -> Result<(), Error> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}-{count}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    let made = make(&beside).and_then(|()| match fs::hard_link(&beside, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && fs::metadata(path)?.len() > 0 => Ok(()),
        Err(_) => Ok(fs::rename(&beside, path)?),
        Ok(()) => Ok(()),
    });
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => made.and(Err(error.into())),
        _ => made,
    }
}

fn make(path: &Path) -> Result<(), Error> {
    let database = Builder::new().set_cache_size(CACHE).create(path)?;
    let writing = database.begin_write()?;
    writing.open_table(ENTRIES)?;
    writing.open_table(USED)?;
    writing.open_table(ORDER)?;
    writing.open_table(SUMS)?;
    Ok(writing.commit()?)
}

struct Tables<'t> {
    entries: Table<'t, Key, &'static [u8]>,
    used: Table<'t, Key, (u64, u64)>,
    order: Table<'t, u64, Key>,
    sums: Table<'t, &'static str, u64>,
}

impl Tables<'_> {
    fn next(&self) -> Result<u64, Error> {
        Ok(self.order.last()?.map_or(0, |(last, _)| last.value().saturating_add(1)))
    }

    fn bytes(&self) -> Result<u64, Error> {
        Ok(self.sums.get(BYTES)?.map_or(0, |bytes| bytes.value()))
    }

    fn touch(&mut self, key: (u64, &str)) -> Result<(), Error> {
        let Some((used, bytes)) = self.used.get(key)?.map(|held| held.value()) else { return Ok(()) };
        let next = self.next()?;
        self.order.remove(used)?;
        self.order.insert(next, key)?;
        self.used.insert(key, (next, bytes))?;
        Ok(())
    }

    fn keep(&mut self, key: (u64, &str), bytes: &[u8], weight: u64) -> Result<(), Error> {
        let next = self.next()?;
        self.entries.insert(key, bytes)?;
        self.used.insert(key, (next, weight))?;
        self.order.insert(next, key)?;
        let sum = self.bytes()?.saturating_add(weight);
        self.sums.insert(BYTES, sum)?;
        Ok(())
    }

    fn forget(&mut self, key: (u64, &str)) -> Result<(), Error> {
        self.entries.remove(key)?;
        let Some((used, bytes)) = self.used.remove(key)?.map(|held| held.value()) else { return Ok(()) };
        self.order.remove(used)?;
        let sum = self.bytes()?.saturating_sub(bytes);
        self.sums.insert(BYTES, sum)?;
        Ok(())
    }

    fn shrink(&mut self, bounds: &StoreLimits) -> Result<(), Error> {
        while self.entries.len()? > bounds.entries as u64 || self.bytes()? > bounds.bytes as u64 {
            // Taken out here: whatever the other tables say, there is one less to look at.
            let oldest = self.order.pop_first()?.map(|(_, key)| {
                let (policy, origin) = key.value();
                (policy, origin.to_owned())
            });
            let Some((policy, origin)) = oldest else { break };
            self.forget((policy, &origin))?;
        }
        Ok(())
    }
}

impl Store for Disk {
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        let read = self.with(|database| {
            let entries = database.begin_read()?.open_table(ENTRIES)?;
            let bytes = entries.get(self.key(origin))?;
            Ok(bytes.map(|bytes| Entry::decode(bytes.value(), &self.profile)))
        });
        let damaged =
            |reason: String, source| StoreError::Entry { origin: origin.to_string(), reason, source };
        match read? {
            None => Ok(None),
            Some(Err(unreadable)) if unreadable.is_absent() => Ok(None),
            Some(Err(unreadable)) => Err(damaged(unreadable.to_string(), Some(unreadable.into()))),
            // The checksum does not cover the key.
            Some(Ok(entry)) if entry.hops().first().map(|hop| &hop.url) != Some(origin.robots_url()) => {
                Err(damaged("it is of another origin".to_owned(), None))
            }
            Some(Ok(entry)) => {
                let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
                if touched.len() < MOST_USES {
                    touched.insert(origin.clone());
                }
                Ok(Some(Arc::new(entry)))
            }
        }
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        if *entry.profile() != self.profile || !entry.is_storable() || entry.weight() > self.bounds.bytes {
            return self.remove(origin);
        }
        self.write(origin, Some(entry))
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        let there = self.with(|database| {
            let entries = database.begin_read()?.open_table(ENTRIES)?;
            Ok(entries.get(self.key(origin))?.is_some())
        });
        if there? { self.write(origin, None) } else { Ok(()) }
    }

    fn blocks(&self) -> bool {
        true
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").field("path", &self.path).field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Closing writes to the file; a failure does not change what was written before.
        let closed = guarded(&self.path, || {
            drop(self.database.take());
            Ok(())
        });
        drop(closed);
    }
}

/// Uses a database. redb may panic if its pages are damaged, which is an error like others.
fn guarded<T>(path: &Path, act: impl FnOnce() -> Result<T, Error>) -> Result<T, StoreError> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(result) => result.map_err(|error| store_error(path, error)),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said =
                said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("its pages are wrong");
            Err(StoreError::Damaged { path: name(path), reason: shown(said), source: None })
        }
    }
}

fn store_error(path: &Path, error: Error) -> StoreError {
    let (path, reason) = (name(path), shown(&error.to_string()));
    let has_failed = match &error {
        Error::DatabaseAlreadyOpen => return StoreError::Busy { path },
        Error::Io(io) => !matches!(io.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof),
        Error::PreviousIo | Error::DatabaseClosed | Error::ValueTooLarge(_) => true,
        _ => false,
    };
    let source = Some(error.into());
    if has_failed {
        StoreError::Failed { path, reason, source }
    } else {
        StoreError::Damaged { path, reason, source }
    }
}

fn name(path: &Path) -> String {
    shown(&path.to_string_lossy())
}
