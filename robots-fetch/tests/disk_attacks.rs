//! Files of a `Disk` that another program made so that they do harm: each is noticed, and replaced on request. Those beside a store are
//! not touched.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Instant, SystemTime};

use robots_fetch::{
    AwaitingHead, Disk, Entry, Head, NextStep, Origin, SiteProfile, Store as _, StoreError, StoreLimits,
    Validators,
};
use rusqlite::Connection;

const LONG: Duration = Duration::from_secs(60);

fn origin(host: &str) -> Origin {
    Origin::parse(&format!("https://{host}")).unwrap()
}

fn entry(origin: &Origin) -> Arc<Entry> {
    let (profile, now) = (SiteProfile::RFC9309, SystemTime::now());
    let awaiting = AwaitingHead::new(origin, &Validators::default(), &profile, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { panic!("200 is a file") };
    assert!(reading.push(b"User-agent: *\nDisallow: /private\n"));
    Arc::new(Entry::from_outcome(None, reading.end(now), &profile))
}

fn open(path: &Path) -> Result<Disk, StoreError> {
    Disk::open(path, SiteProfile::RFC9309, StoreLimits::DEFAULT)
}

/// Calls `act` on a thread, and fails if it takes too long.
fn in_time<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(act()).is_ok());
    receiver.recv_timeout(LONG).expect("it takes too long")
}

/// A query that never ends.
const ENDLESS: &str = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT";

#[test]
fn files_with_views_and_triggers_of_others_are_not_accepted() {
    let attacks = [
        format!(
            "DROP TABLE entries; CREATE VIEW entries AS {ENDLESS} 0 AS policy, '' AS origin, 0 AS used, 0 AS weight, x'' AS bytes FROM n;"
        ),
        format!(
            "DROP TABLE sums; CREATE VIEW sums AS {ENDLESS} 0 AS entries, 0 AS bytes, 0 AS used FROM n WHERE x < 0;"
        ),
        format!(
            "CREATE TRIGGER t AFTER UPDATE ON sums BEGIN INSERT INTO claims {ENDLESS} x, '', 0, 0 FROM n; END;"
        ),
        format!(
            "CREATE TRIGGER t BEFORE INSERT ON entries BEGIN INSERT INTO claims {ENDLESS} x, '', 0, 0 FROM n; END;"
        ),
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END;".to_owned(),
        "CREATE INDEX more ON entries (LENGTH(bytes));".to_owned(),
        "DROP INDEX entries_key;".to_owned(),
        (0..500).map(|number| format!("CREATE TABLE t{number} (x);")).collect(),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, attack) in attacks.iter().enumerate() {
        let path = folder.path().join(format!("{number}.sqlite"));
        open(&path).unwrap().put(&origin("a.example"), &entry(&origin("a.example"))).unwrap();
        // One transaction, so that the disk is written once.
        Connection::open(&path).unwrap().execute_batch(&format!("BEGIN; {attack} COMMIT;")).unwrap();
        let start = Instant::now();
        in_time(move || {
            let error = open(&path).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
            let store = Disk::recreate(&path, SiteProfile::RFC9309, StoreLimits::DEFAULT).unwrap();
            assert!(store.is_empty().unwrap());
            store.put(&origin("a.example"), &entry(&origin("a.example"))).unwrap();
            assert!(open(&path).unwrap().get(&origin("a.example")).unwrap().is_some());
        });
        println!("{:?}: {}", start.elapsed(), attack.get(..60).unwrap_or(attack));
    }
}

#[test]
fn values_that_no_entry_has_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.sqlite");
    let store = open(&path).unwrap();
    let site = origin("a.example");
    store.put(&site, &entry(&site)).unwrap();
    let connection = Connection::open(&path).unwrap();
    // 20 MB of zeroes, and values of other kinds.
    for value in ["zeroblob(20000000)", "'text'", "NULL", "1", "1.5", "x''"] {
        let _ = connection.execute(&format!("UPDATE entries SET bytes = {value}"), []);
        let found = store.get(&site);
        assert!(!matches!(found, Ok(Some(_))) || value == "NULL", "{value}: {found:?}");
        assert!(
            store.put(&site, &entry(&site)).is_ok() || store.put(&site, &entry(&site)).is_ok(),
            "{value}"
        );
        assert!(store.get(&site).unwrap().is_some(), "{value}");
    }
    // Numbers that no store writes.
    for change in [
        "UPDATE entries SET weight = -9223372036854775808, used = 9223372036854775807",
        "UPDATE sums SET used = 9223372036854775807, entries = 9223372036854775807, bytes = -1",
        "DELETE FROM sums",
        "INSERT INTO sums VALUES (1, 1, 1)",
        "INSERT OR REPLACE INTO claims SELECT policy, origin, 1, 9223372036854775807 FROM entries",
    ] {
        connection.execute(change, []).unwrap();
        let (path, site) = (path.clone(), site.clone());
        in_time(move || {
            let store = open(&path).unwrap();
            let _ = store.get(&site);
            let put = || store.put(&site, &entry(&site));
            assert!(put().is_ok() || put().is_ok(), "{change}");
            assert!(store.get(&site).unwrap().is_some(), "{change}");
            // A claim without end does not count.
            store.wait(&site, LONG * 2).unwrap();
        });
    }
}

/// Returns the path of a file that SQLite opens or removes with a store.
fn beside(path: &Path, end: &str) -> PathBuf {
    path.with_file_name(format!("{}{end}", path.file_name().unwrap().to_str().unwrap()))
}

/// Makes a file that is not of a store.
type Make = fn(&Path);

#[test]
fn files_of_others_beside_a_store_are_neither_opened_nor_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut makes: Vec<Make> = vec![
        |path| fs::write(path, "mine").unwrap(),
        |path| fs::write(path, "more bytes than a journal begins with").unwrap(),
        |path| fs::create_dir(path).unwrap(),
    ];
    #[cfg(unix)]
    makes.extend::<[Make; 2]>([
        |path| std::os::unix::fs::symlink(path.with_file_name("target"), path).unwrap(),
        |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
    ]);
    fs::write(folder.path().join("target"), "target").unwrap();
    let mut number = 0;
    for end in ["-journal", "-wal", "-shm"] {
        for make in &makes {
            for is_new in [true, false] {
                number += 1;
                let path = folder.path().join(format!("{number}.sqlite"));
                if !is_new {
                    open(&path).unwrap().put(&origin("a.example"), &entry(&origin("a.example"))).unwrap();
                }
                let other = beside(&path, end);
                make(&other);
                let found = |path: &Path| (path.symlink_metadata().unwrap().modified().unwrap(), read(path));
                let before = found(&other);
                let shown = format!("`{}` is not a store", other.display());
                in_time(move || {
                    let recreated = Disk::recreate(&path, SiteProfile::RFC9309, StoreLimits::DEFAULT);
                    for error in [open(&path).unwrap_err(), recreated.unwrap_err()] {
                        assert!(matches!(error, StoreError::NotAStore { .. }), "{error:?}");
                        assert!(error.to_string().contains(&shown), "{error}");
                    }
                    assert_eq!(path.exists(), !is_new);
                });
                assert_eq!(found(&other), before);
            }
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "target");
}

/// Returns the content of a regular file.
fn read(path: &Path) -> Option<Vec<u8>> {
    path.symlink_metadata().unwrap().is_file().then(|| fs::read(path).unwrap())
}

#[test]
fn journals_that_a_killed_process_left_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let site = origin("a.example");
    // SQLite writes the first bytes of a journal when the rest is on the disk.
    let magic = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7];
    let starts: [&[u8]; 5] = [b"", &[0; 3], &[0; 512], &magic[..3], &magic];
    for (number, start) in starts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.sqlite"));
        open(&path).unwrap().put(&site, &entry(&site)).unwrap();
        fs::write(beside(&path, "-journal"), start).unwrap();
        assert!(open(&path).unwrap().get(&site).unwrap().is_some(), "{start:?}");
        assert!(!beside(&path, "-journal").exists(), "{start:?}");
    }
}

#[test]
fn a_store_in_another_journal_mode_gets_its_own_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.sqlite");
    let site = origin("a.example");
    open(&path).unwrap().put(&site, &entry(&site)).unwrap();
    let change = |connection: &Connection| connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    change(&Connection::open(&path).unwrap());
    let store = open(&path).unwrap();
    assert!(store.get(&site).unwrap().is_some());
    store.put(&site, &entry(&site)).unwrap();
    assert!(!beside(&path, "-wal").exists() && !beside(&path, "-shm").exists());
}
