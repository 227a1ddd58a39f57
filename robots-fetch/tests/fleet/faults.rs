//! Servers that fail, processes that are killed, and values that are not what was stored.

use core::time::Duration;
use std::time::Instant;

use crate::process::{Fleet, Patience};
use crate::servers::{Server, until};
use crate::sites::{LIFETIME, Sites};
use crate::{CALLERS, ORIGINS, PROCESSES, alone, patient};

/// Waits until every process uses the server again after it was away: each asks for sites that were not asked for, until it
/// has looked one up.
fn wait_for_recovery(server: &Server, fleet: &mut Fleet) {
    let mut site = 10_000;
    for process in 0..PROCESSES {
        until("recovery", || {
            server.command(&["CONFIG", "RESETSTAT"]);
            fleet.ask_one(process, site);
            site += 1;
            server.calls("getrange") > 0
        });
    }
}

/// While the server is away, each process retrieves each file at most once. Afterwards the fleet works as before.
fn outage(server: &mut Server, begin: impl FnOnce(&mut Server), end: impl FnOnce(&mut Server)) {
    let sites = Sites::start();
    let mut fleet = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::SHORT);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!((sites.count(), fleet.errors()), (ORIGINS, 0));
    fleet.advance(2 * LIFETIME);
    begin(server);
    let start = Instant::now();
    fleet.ask(0, ORIGINS, CALLERS);
    let (first, took) = (sites.count() - ORIGINS, start.elapsed());
    assert!((ORIGINS..=ORIGINS * PROCESSES).contains(&first), "{first} retrievals");
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count() - ORIGINS, first);
    println!("{first} retrievals while the server is away, in {took:?}");
    end(server);
    // On a busy machine, the short timeout may pass once more. Then the process reports an error, and retrieves by itself.
    until("a step without an error of the store", || {
        wait_for_recovery(server, &mut fleet);
        fleet.advance(2 * LIFETIME);
        let (before, errors) = (sites.count(), fleet.errors());
        fleet.ask(0, ORIGINS, CALLERS);
        let is_whole = fleet.errors() == errors;
        assert!(!is_whole || sites.count() - before == ORIGINS);
        is_whole
    });
}

#[test]
fn a_server_that_is_killed_costs_each_process_one_retrieval() {
    let _alone = alone();
    let Some(mut server) = Server::start() else { return };
    outage(&mut server, Server::kill, Server::restart);
}

#[test]
fn a_server_that_stops_for_three_seconds_costs_each_process_one_retrieval() {
    let _alone = alone();
    let Some(mut server) = Server::start() else { return };
    let stop = |server: &mut Server| {
        server.signal("-STOP");
        server.signal_later("-CONT", Duration::from_secs(3));
    };
    outage(&mut server, stop, |server| {
        until("the server", || server.command(&["PING"]) == "PONG");
    });
}

#[test]
fn a_claim_ends_with_a_process_that_is_killed() {
    let _alone = alone();
    let Some(server) = Server::start() else { return };
    let sites = Sites::start();
    let mut fleet = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::SHORT);
    sites.hang_once(500);
    fleet.send(0, "ask 500 1 1");
    sites.wait_for(500, 1);
    fleet.kill(0);
    let start = Instant::now();
    fleet.ask(500, 1, CALLERS);
    println!("answered {:?} after the kill", start.elapsed());
    // One by the process that was killed, one by another.
    assert_eq!(sites.count(), 2);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn entries_that_the_server_evicts_are_retrieved_once_when_they_are_needed() {
    let _patient = patient();
    let Some(server) = Server::start() else { return };
    let sites = Sites::start();
    let mut fleet = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::LONG);
    fleet.ask(0, ORIGINS, CALLERS);
    // The server drops what was used least recently, until it has the memory that it may use.
    server.command(&["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    server.command(&["CONFIG", "SET", "maxmemory", "1"]);
    until("eviction", || {
        server.command(&["SET", "x", "y"]);
        server.command(&["DBSIZE"]) == "0"
    });
    server.command(&["CONFIG", "SET", "maxmemory", "0"]);
    // The processes still have their entries in memory; a new process has none.
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), ORIGINS);
    let mut newer = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::LONG);
    newer.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), 2 * ORIGINS);
}

/// Changes each entry in one of several ways: cut, a bit changed, nothing, of an older version, of another type, of another
/// origin, and bytes that never were an entry.
const DAMAGE: &str = "
    local keys = redis.call('KEYS', 'robots:entry:*')
    table.sort(keys)
    local first = redis.call('GET', keys[1])
    for number, key in ipairs(keys) do
        local value = redis.call('GET', key)
        local way = number % 7
        if way == 0 then value = string.sub(value, 1, #value - 5)
        elseif way == 1 then
            local middle = math.floor(#value / 2)
            value = string.sub(value, 1, middle) .. string.char((string.byte(value, middle + 1) + 1) % 256)
                .. string.sub(value, middle + 2)
        elseif way == 2 then value = ''
        elseif way == 3 then value = string.sub(value, 1, 4) .. string.char(1, 0) .. string.sub(value, 7)
        elseif way == 5 then value = first
        elseif way == 6 then value = string.rep('x', 3000000)
        end
        if way == 4 then
            redis.call('DEL', key)
            redis.call('RPUSH', key, 'a')
        else redis.call('SET', key, value) end
    end
    return #keys";

#[test]
fn values_that_are_damaged_or_older_are_never_used() {
    let _patient = patient();
    let Some(server) = Server::start() else { return };
    let sites = Sites::start();
    let mut fleet = Fleet::start(1, &server.store(), "rfc9309", &sites, Patience::LONG);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!(server.command(&["EVAL", DAMAGE, "0"]), ORIGINS.to_string());
    let mut newer = Fleet::start(PROCESSES, &server.store(), "rfc9309", &sites, Patience::LONG);
    // Every caller gets the right answer, and each file is retrieved once.
    newer.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), 2 * ORIGINS);
    assert!(newer.errors() > 0, "damage is reported");
    // The entries are whole again.
    let mut newest = Fleet::start(1, &server.store(), "rfc9309", &sites, Patience::LONG);
    newest.ask(0, ORIGINS, CALLERS);
    assert_eq!((sites.count(), newest.errors()), (2 * ORIGINS, 0));
}
