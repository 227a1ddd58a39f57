//! The database file of a store: opening it, errors, and what happens when it is damaged.

use core::time::Duration;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Result, Transaction, TransactionBehavior, params};

use crate::common::lock;
use crate::store::error::StoreError;
use crate::text::shown;

/// Says that a file is a store: `RbTx`.
const APPLICATION: i32 = 0x5262_5478;

/// The version of the tables.
const VERSION: i32 = 1;

/// How long an operation waits for those of other processes, if the program does not say it.
pub(super) const BUSY: Duration = Duration::from_secs(30);

/// The tables. A use is a number that grows; the entry with the least one was not used for the longest time.
const TABLES: &str = "
    CREATE TABLE entries (
        policy INTEGER NOT NULL, origin TEXT NOT NULL, used INTEGER NOT NULL, weight INTEGER NOT NULL,
        bytes BLOB NOT NULL);
    CREATE UNIQUE INDEX entries_key ON entries (policy, origin);
    CREATE INDEX entries_used ON entries (used, weight);
    CREATE TABLE sums (entries INTEGER NOT NULL, bytes INTEGER NOT NULL, used INTEGER NOT NULL);
    INSERT INTO sums VALUES (0, 0, 0);
    CREATE TABLE claims (
        policy INTEGER NOT NULL, origin TEXT NOT NULL, holder INTEGER NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (policy, origin)) WITHOUT ROWID;
";

/// An open database. Threads use it one at a time, and processes as SQLite's locks allow.
pub(super) struct Database {
    pub(super) path: PathBuf,
    connection: Mutex<Connection>,
}

impl Database {
    /// Opens the file. Each operation waits for those of other processes for at most `busy`.
    pub(super) fn open(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        Self::open_own(&own_file(path)?, busy)
    }

    fn open_own(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        let opened = connect(path, busy).and_then(|mut connection| {
            prepare(&mut connection)?;
            // A process that was killed may have left a journal that was not begun. The next write removes it.
            if beside(path, JOURNAL).exists() {
                connection.execute("UPDATE sums SET used = used + 1", [])?;
            }
            Ok(connection)
        });
        let connection = Mutex::new(opened.map_err(|error| not_opened(path, error))?);
        Ok(Self { path: path.to_owned(), connection })
    }

    /// Opens the file after making it an empty store, whatever it contains after its first bytes.
    pub(super) fn recreate(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        let path = &own_file(path)?;
        let emptied = connect(path, busy).and_then(|connection| empty(&connection));
        emptied.map_err(|error| store_error(path, error))?;
        Self::open_own(path, busy)
    }

    /// Reads, in one transaction.
    pub(super) fn read<T>(&self, act: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T, StoreError> {
        self.with(TransactionBehavior::Deferred, act)
    }

    /// Reads and writes, in one transaction.
    pub(super) fn write<T>(&self, act: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T, StoreError> {
        self.with(TransactionBehavior::Immediate, act)
    }

    /// Runs a transaction. If the database turns out to be damaged, it is repaired, so that the error is reported once.
    fn with<T>(
        &self,
        behavior: TransactionBehavior,
        act: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T, StoreError> {
        // A transaction that is dropped is rolled back.
        let mut connection = lock(&self.connection);
        let done = connection.transaction_with_behavior(behavior).and_then(|transaction| {
            let done = act(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|error| {
            let error = store_error(&self.path, error);
            if matches!(error, StoreError::Damaged { .. }) {
                // If this fails, the next operation finds the damage again.
                let _ = repair(&mut connection);
            }
            error
        })
    }
}

fn connect(path: &Path, busy: Duration) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        // The name was checked before, and may be another file now.
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(connection)
}

/// Sets how the file is used, creates the tables in an empty file, and checks those of any other file.
fn prepare(connection: &mut Connection) -> Result<()> {
    // These read the file, so they fail if it is damaged. Another program may have chosen a mode with other files beside it.
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -8 * 1024)?;
    let number = |connection: &Connection, of| connection.pragma_query_value(None, of, |row| row.get(0));
    let is_store = |connection: &Connection| -> Result<bool> {
        let (application, version): (i32, i32) =
            (number(connection, "application_id")?, number(connection, "user_version")?);
        Ok(application == APPLICATION && version == VERSION)
    };
    if !is_store(connection)? {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        if !is_store(&transaction)? {
            let tables: i64 =
                transaction.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables > 0 {
                return Err(Error::InvalidQuery);
            }
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.execute_batch(TABLES)?;
        }
        transaction.commit()?;
    }
    // Views and triggers of another author could run for ever.
    if schema(connection)? != *EXPECTED {
        return Err(Error::InvalidQuery);
    }
    // Damage may have changed the sums without a trace.
    let right = "SELECT COUNT(*), COALESCE(SUM(weight), 0) FROM entries";
    let wrong = format!("SELECT (SELECT entries, bytes FROM sums) IS NOT ({right})");
    if connection.query_row(&wrong, [], |row| row.get(0))? {
        connection.execute(&format!("UPDATE sums SET (entries, bytes) = ({right})"), [])?;
    }
    Ok(())
}

/// The tables and indexes of a database: kind, name, table, and how it was created.
type Schema = Vec<(String, String, String, Option<String>)>;

/// The schema of a store.
static EXPECTED: LazyLock<Schema> = LazyLock::new(|| {
    let made = Connection::open_in_memory().and_then(|connection| {
        connection.execute_batch(TABLES)?;
        schema(&connection)
    });
    made.unwrap_or_default()
});

/// More tables and indexes than a store has.
const MOST_TABLES: usize = 16;

fn schema(connection: &Connection) -> Result<Schema> {
    let mut rows = connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    // Another database may have any number.
    rows.take(MOST_TABLES).collect()
}

/// Makes the file an empty database, under SQLite's locks, so that other processes can have it open.
fn empty(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    let emptied = connection.execute_batch("VACUUM");
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    emptied
}

/// A row of the entries.
type Row = (i64, String, i64, i64, Vec<u8>);

/// The most bytes of entries that are kept when a file is repaired.
const MOST_KEPT: usize = 64 << 20;

/// The latest use that a repaired entry has, so that there are numbers for later ones.
const MOST_USED: i64 = 1 << 62;

/// Empties the database, and puts back the entries that can be read. Their checksums are compared when they are used.
fn repair(connection: &mut Connection) -> Result<()> {
    // The table is read without its indexes, which may be damaged. The rows up to the damage are kept.
    let mut kept: Vec<Row> = Vec::new();
    let mut bytes = 0;
    if let Ok(mut reading) = connection.prepare(
        "SELECT policy, origin, used, weight, bytes FROM entries NOT INDEXED WHERE LENGTH(bytes) <= ?1",
    ) {
        let rows = reading.query_map([MOST_KEPT as i64], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        });
        for row in rows.into_iter().flatten().map_while(|row: Result<Row>| row.ok()) {
            bytes += row.4.len();
            if bytes > MOST_KEPT {
                break;
            }
            kept.push(row);
        }
    }
    empty(connection)?;
    prepare(connection)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (policy, origin, used, weight, bytes) in kept {
        transaction.execute(
            "INSERT OR IGNORE INTO entries (policy, origin, used, weight, bytes) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![policy, origin, used.clamp(0, MOST_USED), weight.max(0), bytes],
        )?;
    }
    transaction.execute(
        "UPDATE sums SET (entries, bytes, used) =
            (SELECT COUNT(*), COALESCE(SUM(weight), 0), COALESCE(MAX(used), 0) FROM entries)",
        [],
    )?;
    transaction.commit()
}

/// The end of the name of the file from which SQLite restores a store after a process was killed.
const JOURNAL: &str = "-journal";

/// The ends of the names of files that SQLite has for databases in another journal mode. A store has none of them, but SQLite reads or
/// removes those that it finds.
const OTHER_FILES: [&str; 2] = ["-wal", "-shm"];

/// Returns the path of the file of SQLite beside a database whose name has this end.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(end);
    beside.into()
}

/// Returns the path to open, if no file of another program is opened, changed or removed with it. Folders on the way may be links.
fn own_file(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path.file_name().ok_or_else(|| refused(path, "it has no name of a file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let own = folder.canonicalize().map_err(|error| failed(path, error))?.join(name);
    require_own(&own, |len| len == 0 || begins_as_store(&own) || is_empty_database(&own, len))?;
    let journal = beside(&own, JOURNAL);
    require_own(&journal, |_| begins_as_journal(&journal))?;
    for end in OTHER_FILES {
        require_own(&beside(&own, end), |_| false)?;
    }
    Ok(own)
}

/// Checks that there is no file of this name, or one that belongs to a store. `is_own` gets its length.
fn require_own(path: &Path, is_own: impl FnOnce(u64) -> bool) -> Result<(), StoreError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(path, error)),
        Ok(found) if found.is_symlink() => Err(refused(path, "it is a link")),
        Ok(found) if !found.is_file() => Err(refused(path, "it is not a file")),
        Ok(found) if is_own(found.len()) => Ok(()),
        Ok(_) => Err(refused(path, "it is a file of another program, or its first bytes are damaged")),
    }
}

fn refused(path: &Path, reason: &str) -> StoreError {
    StoreError::NotAStore { path: shown(&path.to_string_lossy()), reason: reason.to_owned(), source: None }
}

fn failed(path: &Path, error: io::Error) -> StoreError {
    StoreError::failed(&path.to_string_lossy(), error)
}

/// Returns the error of a file that could not be opened. Only a file that was a store is a damaged one, so that callers who
/// replace damaged stores keep the files of other programs.
fn not_opened(path: &Path, error: Error) -> StoreError {
    match store_error(path, error) {
        StoreError::Damaged { path: shown, reason, source } if !begins_as_store(path) => {
            StoreError::NotAStore { path: shown, reason, source }
        }
        error => error,
    }
}

/// Returns whether a file has the head of a SQLite database with the number of a store.
fn begins_as_store(path: &Path) -> bool {
    file_start(path).is_some_and(|head| head.ends_with(&APPLICATION.to_be_bytes()))
}

/// Returns whether a file is a database of one page, which has no tables, and no number of a program. A store that is emptied looks so for
/// a moment.
fn is_empty_database(path: &Path, len: u64) -> bool {
    file_start(path).is_some_and(|head| {
        let page = u64::from(u16::from_be_bytes([head[16], head[17]]));
        page == len && head[60..64] == [0; 4] && head[68..] == [0; 4]
    })
}

/// Returns the start of the head of a SQLite database (SQLite's file format, section 1.3).
fn file_start(path: &Path) -> Option<[u8; 72]> {
    let mut head = [0; 72];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).ok()?;
    head.starts_with(b"SQLite format 3\0").then_some(head)
}

/// Returns whether a file is a journal of SQLite (SQLite's file format, section 3), also one that was not written to its end. Until the
/// journal is complete, SQLite leaves zeroes for the first bytes.
fn begins_as_journal(path: &Path) -> bool {
    const START: [u8; 8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7];
    let mut start = Vec::new();
    match File::open(path).and_then(|file| file.take(START.len() as u64).read_to_end(&mut start)) {
        Ok(_) => START.starts_with(&start) || start.iter().all(|&byte| byte == 0),
        // Another process has removed its journal.
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

fn store_error(path: &Path, error: Error) -> StoreError {
    let path = shown(&path.to_string_lossy());
    let reason = match &error {
        Error::InvalidQuery => "it is a database of another program or version".to_owned(),
        other => shown(&other.to_string()),
    };
    let has_failed = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => return StoreError::Busy { path },
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::Unknown
            | ErrorCode::TypeMismatch
            | ErrorCode::ConstraintViolation
            | ErrorCode::SchemaChanged,
        ) => false,
        Some(_) => true,
        // A value of another type than the table has.
        None => false,
    };
    let source = Some(error.into());
    if has_failed {
        StoreError::Failed { path, reason, source }
    } else {
        StoreError::Damaged { path, reason, source }
    }
}
