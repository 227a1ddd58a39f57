//! A fleet: several processes share one store, a real server or a file, and retrieve each robots.txt once between them.
//!
//! The servers come from Debian's packages redis-server and redis-sentinel. Where they are missing, a test prints that it was
//! skipped.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

mod faults;
mod process;
mod servers;
mod sites;
mod topologies;
mod worker;

use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::process::{Fleet, Patience};
use crate::servers::Server;
use crate::sites::Sites;

/// The number of origins, of processes, and of callers in each process.
const ORIGINS: usize = 100;
const PROCESSES: usize = 3;
const CALLERS: usize = 3_000;

/// One test at a time of those in which a timeout has to pass, or must not.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One test at a time of those without short timeouts, beside one of the others.
fn patient() -> MutexGuard<'static, ()> {
    static PATIENT: Mutex<()> = Mutex::new(());
    PATIENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This test is also the program of the processes. As a test, it has a server that does not exist.
#[test]
fn a_process_without_a_server_answers_every_caller() {
    if worker::run() {
        return;
    }
    let _alone = alone();
    let sites = Sites::start();
    let nowhere = format!("redis:redis://127.0.0.1:{}", servers::free_port());
    let mut fleet = Fleet::start(1, &nowhere, "rfc9309", &sites, Patience::SHORT);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), ORIGINS);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), ORIGINS);
}

#[test]
fn a_fleet_retrieves_each_file_once_and_once_at_each_expiry() {
    let _patient = patient();
    let Some(server) = Server::start() else { return };
    for run in 0..3 {
        server.command(&["FLUSHALL"]);
        let sites = Sites::start();
        let mut fleet = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::LONG);
        for expiry in 1..=3 {
            server.command(&["CONFIG", "RESETSTAT"]);
            fleet.ask(0, ORIGINS, CALLERS);
            assert_eq!(sites.count(), expiry * ORIGINS, "run {run}, expiry {expiry}");
            let (look_ups, most) = (server.calls("getrange"), 3 * ORIGINS * PROCESSES);
            println!("run {run}, expiry {expiry}: {} retrievals, {look_ups} look-ups", sites.count());
            assert!(look_ups <= most, "{look_ups} look-ups");
            // Fresh entries cost no look-up.
            fleet.ask(0, ORIGINS, CALLERS);
            assert_eq!((sites.count(), server.calls("getrange")), (expiry * ORIGINS, look_ups));
            fleet.advance(2 * sites::LIFETIME);
        }
    }
}

#[test]
fn two_profiles_on_one_server_do_not_mix() {
    let _patient = patient();
    let Some(server) = Server::start() else { return };
    let sites = Sites::start();
    let mut one = Fleet::start(2, &server.store(), "rfc9309", &sites, Patience::LONG);
    let mut other = Fleet::start(2, &server.store(), "google", &sites, Patience::LONG);
    one.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), ORIGINS);
    other.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), 2 * ORIGINS);
    let mut third = Fleet::start(1, &server.store(), "google", &sites, Patience::LONG);
    third.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), 2 * ORIGINS);
}

#[test]
fn thirty_processes_share_one_file() {
    let _patient = patient();
    let folder = tempfile::tempdir().unwrap();
    let store = format!("disk:{}", folder.path().join("robots.sqlite").display());
    let sites = Sites::start();
    let mut fleet = Fleet::start(30, &store, "rfc9309", &sites, Patience::LONG);
    fleet.ask(0, 20, 100);
    assert_eq!(sites.count(), 20);
    // One of them is killed while it retrieves and has the claim.
    let errors = fleet.errors();
    assert_eq!(errors, 0);
    let start = std::time::Instant::now();
    sites.hang_once(500);
    fleet.send(0, "ask 500 1 1");
    sites.wait_for(500, 1);
    fleet.kill(0);
    let files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["robots.sqlite"]);
    fleet.ask(500, 1, 10);
    assert_eq!(sites.count_of(500), 2);
    assert!(start.elapsed() < Duration::from_secs(90), "{:?}", start.elapsed());
}
