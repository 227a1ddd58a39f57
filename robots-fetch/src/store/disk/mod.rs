//! A store in a file, over SQLite.

mod database;

use alloc::sync::Arc;
use core::hash::{BuildHasher as _, Hasher as _};
use core::time::Duration;
use std::collections::HashSet;
use std::hash::RandomState;
use std::path::Path;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Instant, SystemTime};

use rusqlite::{OptionalExtension as _, Result, Transaction, params};

use crate::common::lock;
use crate::entry::Entry;
use crate::map::StoreLimits;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::disk::database::{BUSY, Database};
use crate::store::error::StoreError;
use crate::store::{CLAIM_LIFETIME, Claim, Store, read_stored};
use crate::text::shown;

/// The most uses that are remembered until the next entry is stored.
const MOST_USES: usize = 4096;

/// The pauses between two looks at a claim of another process: the first one, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// A persistent store in one file, over [SQLite](rusqlite). Clones are the same store.
///
/// A process that is killed loses at most the entry that it is writing, and the next process that opens the store removes what
/// the write left. Each [`put`](Store::put) waits until the disk has written the entry, a few milliseconds; a
/// [`get`](Store::get) writes nothing. The entry that was not used for the longest time is dropped first; a use is recorded
/// with the next `put`.
///
/// Several processes can have a store open at the same time, on one machine and a file system with locks. They
/// [claim](Store::claim) origins, so that one of them retrieves a robots.txt and the others use its entry. The claim of a
/// process that is killed ends after 35 s. An operation waits up to 30 s for those of other processes, and then returns
/// [`StoreError::Busy`].
///
/// One file can hold entries of several profiles; a handle reads and writes those of one access policy. A `no-store` response
/// is never kept.
///
/// # Damage
///
/// Entries have checksums, so a damaged one is never used. If an operation finds that the file itself is damaged, it returns
/// [`StoreError::Damaged`] once, and repairs the file: the entries before the damage stay.
///
/// # Memory
///
/// At most 8 MiB of cached pages. The file has at most about twice the bytes of the [`StoreLimits`], and 100 KiB.
///
/// ```no_run
/// use robots_fetch::{CacheOptions, Disk, SiteProfile, StoreError, StoreLimits};
///
/// let open = Disk::open("robots.sqlite", SiteProfile::RFC9309, StoreLimits::DEFAULT);
/// let disk = match open {
///     // A cache can be filled again. The file of another program stays, because it is another error.
///     Err(StoreError::Damaged { .. }) => {
///         Disk::recreate("robots.sqlite", SiteProfile::RFC9309, StoreLimits::DEFAULT)?
///     }
///     other => other?,
/// };
/// let options = CacheOptions::new(SiteProfile::RFC9309).with_store(disk);
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Clone)]
pub struct Disk {
    database: Arc<Database>,
    profile: SiteProfile,
    /// The key of the profile's access policy.
    policy: i64,
    bounds: StoreLimits,
    /// The lifetime of a claim whose process was killed.
    claim_lifetime: Duration,
    /// The origins whose last use has not been written yet.
    touched: Arc<Mutex<HashSet<Origin>>>,
}

impl Disk {
    /// Opens the store at `path`, or creates one if the file does not exist or is empty.
    ///
    /// # Errors
    ///
    /// The file is [not a store](StoreError::NotAStore), is [damaged](StoreError::Damaged), can't be opened, or stays
    /// [in use](StoreError::Busy).
    pub fn open(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
    ) -> Result<Self, StoreError> {
        Self::open_within(path, profile, bounds, BUSY)
    }

    /// Opens the store as [`Self::open`]. This and each operation wait for those of other processes for at most `busy`.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    #[doc(hidden)]
    pub fn open_within(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
        busy: Duration,
    ) -> Result<Self, StoreError> {
        Ok(Self::of(Database::open(path.as_ref(), busy)?, profile, bounds))
    }

    /// Makes the store at `path` an empty one, however damaged it is. Other processes that have the store open find it empty.
    ///
    /// # Errors
    ///
    /// The file can't be written, stays [in use](StoreError::Busy), or does not begin as a store
    /// ([`StoreError::NotAStore`]): a link, a file of another program, and a store whose first bytes are damaged are not replaced.
    pub fn recreate(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
    ) -> Result<Self, StoreError> {
        Self::recreate_within(path, profile, bounds, BUSY)
    }

    /// Makes the store an empty one as [`Self::recreate`], and waits as [`Self::open_within`].
    ///
    /// # Errors
    ///
    /// As [`Self::recreate`].
    #[doc(hidden)]
    pub fn recreate_within(
        path: impl AsRef<Path>,
        profile: SiteProfile,
        bounds: StoreLimits,
        busy: Duration,
    ) -> Result<Self, StoreError> {
        Ok(Self::of(Database::recreate(path.as_ref(), busy)?, profile, bounds))
    }

    fn of(database: Database, profile: SiteProfile, bounds: StoreLimits) -> Self {
        let policy = profile.key().cast_signed();
        Self {
            database: Arc::new(database),
            profile,
            policy,
            bounds,
            claim_lifetime: CLAIM_LIFETIME,
            touched: Arc::default(),
        }
    }

    /// Sets how long a [claim](Store::claim) lasts if its process is killed, and how long this process waits for claims of others. It
    /// should be longer than a retrieval takes, and the same in all processes. By default 35 s.
    #[must_use]
    pub fn with_claim_lifetime(self, lifetime: Duration) -> Self {
        Self { claim_lifetime: lifetime, ..self }
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.database.path
    }

    /// Returns the number of entries, of all profiles.
    ///
    /// # Errors
    ///
    /// The file can't be read.
    pub fn len(&self) -> Result<usize, StoreError> {
        let len = self.database.read(|reading| {
            reading.query_row("SELECT COUNT(*) FROM entries", [], |row| row.get::<_, i64>(0))
        })?;
        Ok(usize::try_from(len).unwrap_or_default())
    }

    /// Returns whether the store has no entries.
    ///
    /// # Errors
    ///
    /// The file can't be read.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        self.len().map(|len| len == 0)
    }

    /// Removes the entry of `origin` with these bytes, which are damaged, so that the damage is reported once.
    fn drop_damaged(&self, writing: &Transaction<'_>, origin: &Origin, bytes: &[u8]) -> Result<()> {
        // An index may be damaged and lead to the row of another origin.
        writing.execute_batch("REINDEX entries")?;
        let is_there = writing
            .prepare("SELECT 1 FROM entries WHERE policy = ?1 AND origin = ?2 AND bytes = ?3")?
            .exists(params![self.policy, origin.as_str(), bytes])?;
        if is_there { (Tables { writing, policy: self.policy }).forget(origin.as_str()) } else { Ok(()) }
    }

    /// Writes the entry of `origin`, or removes it, and writes the uses since the last time.
    fn write(&self, origin: &Origin, entry: Option<&Entry>) -> Result<(), StoreError> {
        let touched = core::mem::take(&mut *lock(&self.touched));
        let new = entry.map(|entry| (entry.encode(), number(entry.weight())));
        self.database.write(|writing| {
            let tables = Tables { writing, policy: self.policy };
            for touched in &touched {
                tables.touch(touched.as_str())?;
            }
            tables.forget(origin.as_str())?;
            if let Some((bytes, weight)) = &new {
                tables.keep(origin.as_str(), bytes, *weight)?;
            }
            tables.shrink(&self.bounds)
        })
    }
}

/// The tables, while they are written.
struct Tables<'w> {
    writing: &'w Transaction<'w>,
    policy: i64,
}

impl Tables<'_> {
    /// Returns the number of the next use.
    fn next(&self) -> Result<i64> {
        self.writing
            .prepare("UPDATE sums SET used = used + 1 RETURNING used")?
            .query_row([], |row| row.get(0))
    }

    fn touch(&self, origin: &str) -> Result<()> {
        let next = self.next()?;
        self.writing
            .prepare("UPDATE entries SET used = ?3 WHERE policy = ?1 AND origin = ?2")?
            .execute(params![self.policy, origin, next])?;
        Ok(())
    }

    fn keep(&self, origin: &str, bytes: &[u8], weight: i64) -> Result<()> {
        let next = self.next()?;
        self.writing
            .prepare("INSERT INTO entries (policy, origin, used, weight, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![self.policy, origin, next, weight, bytes])?;
        self.count(1, weight)
    }

    fn forget(&self, origin: &str) -> Result<()> {
        let weight: Option<i64> = self
            .writing
            .prepare("DELETE FROM entries WHERE policy = ?1 AND origin = ?2 RETURNING weight")?
            .query_row(params![self.policy, origin], |row| row.get(0))
            .optional()?;
        weight.map_or(Ok(()), |weight| self.count(-1, weight.saturating_neg()))
    }

    /// Changes the sums.
    fn count(&self, entries: i64, bytes: i64) -> Result<()> {
        self.writing
            .prepare("UPDATE sums SET entries = entries + ?1, bytes = bytes + ?2")?
            .execute(params![entries, bytes])?;
        Ok(())
    }

    /// Drops entries until the limits hold.
    fn shrink(&self, bounds: &StoreLimits) -> Result<()> {
        let mut oldest = self.writing.prepare(
            "DELETE FROM entries WHERE rowid = (SELECT rowid FROM entries ORDER BY used LIMIT 1) RETURNING weight",
        )?;
        let mut sums = self.writing.prepare("SELECT entries > ?1 OR bytes > ?2 FROM sums")?;
        while sums.query_row(params![number(bounds.entries), number(bounds.bytes)], |row| row.get(0))? {
            let Some(weight) = oldest.query_row([], |row| row.get::<_, i64>(0)).optional()? else { break };
            self.count(-1, weight.saturating_neg())?;
        }
        Ok(())
    }
}

impl Store for Disk {
    fn profile(&self) -> Option<&SiteProfile> {
        Some(&self.profile)
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        // No entry of this policy is larger.
        let most = number(self.profile.max_size().saturating_add(1 << 20));
        let bytes = self.database.read(|reading| {
            reading
                .prepare(
                    "SELECT bytes FROM entries WHERE policy = ?1 AND origin = ?2 AND LENGTH(bytes) <= ?3",
                )?
                .query_row(params![self.policy, origin.as_str(), most], |row| row.get::<_, Vec<u8>>(0))
                .optional()
        })?;
        let Some(bytes) = bytes else { return Ok(None) };
        let entry = read_stored(&bytes, origin, &self.profile).inspect_err(|_| {
            let _ = self.database.write(|writing| self.drop_damaged(writing, origin, &bytes));
        })?;
        if entry.is_some() {
            let mut touched = lock(&self.touched);
            if touched.len() < MOST_USES {
                touched.insert(origin.clone());
            }
        }
        Ok(entry)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        if *entry.profile() != self.profile {
            return Err(StoreError::OtherProfile { path: shown(&self.path().to_string_lossy()) });
        }
        if !entry.is_storable() || entry.weight() > self.bounds.bytes {
            return self.remove(origin);
        }
        self.write(origin, Some(entry))
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        let there = self.database.read(|reading| {
            reading
                .prepare("SELECT 1 FROM entries WHERE policy = ?1 AND origin = ?2")?
                .exists(params![self.policy, origin.as_str()])
        });
        if there? { self.write(origin, None) } else { Ok(()) }
    }

    fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        let key = (self.policy, origin.as_str());
        if self.database.read(|reading| is_claimed(reading, key, self.claim_lifetime))? {
            return Ok(Claim::Held);
        }
        let holder = RandomState::new().build_hasher().finish().cast_signed();
        let granted = self.database.write(|writing| {
            if is_claimed(writing, key, self.claim_lifetime)? {
                return Ok(false);
            }
            let until = now().saturating_add(millis(self.claim_lifetime));
            writing
                .prepare(
                    "INSERT OR REPLACE INTO claims (policy, origin, holder, until) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![key.0, key.1, holder, until])?;
            Ok(true)
        })?;
        let guard = || Guard {
            database: Arc::clone(&self.database),
            policy: self.policy,
            origin: origin.as_str().to_owned(),
            holder,
        };
        Ok(if granted { Claim::Granted(Box::new(guard())) } else { Claim::Held })
    }

    fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        while self
            .database
            .read(|reading| is_claimed(reading, (self.policy, origin.as_str()), self.claim_lifetime))?
        {
            let left = at_most.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            sleep(pause.min(left));
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    fn claim_lifetime(&self) -> Duration {
        self.claim_lifetime
    }

    fn blocks(&self) -> bool {
        true
    }
}

/// Returns whether there is a claim that has not expired. One that ends later than any claim made now, by this handle or by default, is
/// of a clock that was wrong, or of a damaged file.
fn is_claimed(reading: &Transaction<'_>, key: (i64, &str), lifetime: Duration) -> Result<bool> {
    let until: Option<i64> = reading
        .prepare("SELECT until FROM claims WHERE policy = ?1 AND origin = ?2")?
        .query_row(params![key.0, key.1], |row| row.get(0))
        .optional()?;
    let now = now();
    Ok(until.is_some_and(|until| {
        now < until && until <= now.saturating_add(millis(lifetime.max(CLAIM_LIFETIME)))
    }))
}

/// Ends a claim when it is dropped.
struct Guard {
    database: Arc<Database>,
    policy: i64,
    origin: String,
    holder: i64,
}

impl Drop for Guard {
    fn drop(&mut self) {
        // A claim that can't be ended expires.
        let _ = self.database.write(|writing| {
            writing
                .prepare("DELETE FROM claims WHERE policy = ?1 AND origin = ?2 AND holder = ?3")?
                .execute(params![self.policy, self.origin, self.holder])
        });
    }
}

debug!([] Disk as "Disk", |disk| "path": disk.database.path, "bounds": disk.bounds);

/// Returns the milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, millis)
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
