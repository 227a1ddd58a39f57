//! Files of a `Disk` that another program made so that they do harm: each is noticed, and replaced on request.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::time::Duration;
use std::path::Path;
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
