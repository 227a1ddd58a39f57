//! A process that writes to the store on disk is killed at random moments. The store opens again, every entry in it is
//! whole, and none is lost that was written.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

use alloc::sync::Arc;
use core::time::Duration;
use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use robots_fetch::{
    AwaitingHead, Disk, Entry, Head, NextStep, Origin, SiteProfile, Store as _, StoreLimits, Validators,
};

const KILLS: u64 = 100;
const ORIGINS: u64 = 50;
const BOUNDS: StoreLimits = {
    let mut limits = StoreLimits::DEFAULT;
    limits.entries = 1000;
    limits
};

/// Names the store to the process that is to be killed.
const PATH: &str = "ROBOTS_TEST_STORE";
const SEED: &str = "ROBOTS_TEST_SEED";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}

fn origin(number: u64) -> Origin {
    Origin::parse(&format!("https://site-{number}.example")).unwrap()
}

/// A file that contains its number and generation, from which all of its bytes follow.
fn body(number: u64, generation: u64) -> Vec<u8> {
    let mut random = Random(number << 32 | generation);
    let mut body = format!("# {number} {generation}\n").into_bytes();
    let most = if random.below(20) == 0 { 300_000 } else { 3000 };
    let len = random.below(most);
    body.extend((0..len).map(|_| u8::try_from(random.below(256)).unwrap()));
    body
}

fn entry(number: u64, generation: u64) -> Arc<Entry> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(generation);
    let awaiting = AwaitingHead::new(&origin(number), &Validators::default(), &SiteProfile::RFC9309, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { panic!("200 is a file") };
    assert!(reading.push(&body(number, generation)));
    Arc::new(Entry::from_outcome(None, reading.end(now), &SiteProfile::RFC9309))
}

/// Which file an entry has, if it has one that is whole.
fn generation(number: u64, entry: &Entry) -> Option<u64> {
    let bytes = entry.good_file()?.robots.body();
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    let generation = core::str::from_utf8(line).ok()?.strip_prefix(&format!("# {number} "))?.parse().ok()?;
    (bytes == body(number, generation)).then_some(generation)
}

/// Writes entries until it is killed, and says so after each.
fn write(path: &Path, seed: u64) -> ! {
    let mut random = Random(seed);
    let disk = Disk::open(path, SiteProfile::RFC9309, BOUNDS).unwrap();
    loop {
        let number = random.below(ORIGINS);
        let before = disk.get(&origin(number)).unwrap();
        let next = before.map_or(0, |entry| generation(number, &entry).unwrap() + 1);
        disk.put(&origin(number), &entry(number, next)).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nput {number} {next}").and_then(|()| out.flush()).unwrap();
    }
}

#[test]
fn a_killed_process_loses_only_the_entry_that_it_was_writing() {
    let name = "a_killed_process_loses_only_the_entry_that_it_was_writing";
    let seed: Option<u64> = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    if let (Some(path), Some(seed)) = (env::var_os(PATH), seed) {
        write(Path::new(&path), seed);
    }
    let seed = seed.unwrap_or_else(|| {
        let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        u64::from(clock.subsec_nanos()) ^ u64::from(std::process::id()) << 32
    });
    println!("seed: {SEED}={seed}");
    let mut random = Random(seed);
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().join("0.sqlite");
    // For each origin, the last entry that the process reported as written.
    let mut written: HashMap<u64, u64> = HashMap::new();
    let (mut puts, mut read) = (0, 0);
    let start = Instant::now();
    for kill in 0..KILLS {
        // Now and then a new store, so that it is also killed while that begins.
        if kill % 10 == 0 {
            path = folder.path().join(format!("{kill}.sqlite"));
            written.clear();
        }
        let mut process = Command::new(env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(PATH, &path)
            .env(SEED, random.below(u64::MAX).to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let most = if kill % 10 == 0 { 30_000 } else { 150_000 };
        std::thread::sleep(Duration::from_micros(random.below(most)));
        process.kill().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        for line in out.lines() {
            let line = line.unwrap();
            let Some((number, generation)) = line.strip_prefix("put ").and_then(|put| put.split_once(' '))
            else {
                continue;
            };
            // The last line may be cut by the kill.
            if let (Ok(number), Ok(generation)) = (number.parse(), generation.parse()) {
                written.insert(number, generation);
                puts += 1;
            }
        }
        process.wait().unwrap();
        let disk = Disk::open(&path, SiteProfile::RFC9309, BOUNDS).unwrap();
        let mut there = 0;
        for number in 0..ORIGINS {
            let found = disk.get(&origin(number)).unwrap();
            there += usize::from(found.is_some());
            read += usize::from(found.is_some());
            let found = found.map(|entry| generation(number, &entry).expect("an entry that is whole"));
            let last = written.get(&number).copied();
            assert!(found >= last, "kill {kill}: {number} was written as {last:?} and is {found:?}");
            if let Some(found) = found {
                written.insert(number, found);
            }
        }
        assert_eq!(disk.len().unwrap(), there);
        drop(disk);
        for file in fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().path();
            assert!(file.extension().is_some_and(|kind| kind == "sqlite"), "{} was left", file.display());
        }
    }
    println!("{puts} entries put, {read} read back after {KILLS} kills, in {:?}", start.elapsed());
    assert!(puts > 0 && read > 0);
}
