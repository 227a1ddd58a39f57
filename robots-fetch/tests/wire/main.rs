//! Hostile and unusual answers on the wire: the scenarios of `robots-conformance/wire`, against the core, all clients, and curl
//! if it is asked for. `cargo xtask wire` prints the table.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that can't go on ends"
)]
#![allow(clippy::std_instead_of_alloc, clippy::std_instead_of_core, reason = "tests have a standard library")]

mod bytes;
mod clients;
mod ftp;
mod http1;
mod http2;
mod scenario;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "the tests of sockets use the rest")]
mod support;
mod table;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clients::{Client, Result};
use scenario::{Over, Scenario};

/// Set by `cargo xtask wire`: print the whole table, and ask curl.
const TABLE: &str = "ROBOTS_WIRE_TABLE";

/// Set by `cargo xtask wire --case`: run only scenarios whose name contains this.
const CASE: &str = "ROBOTS_WIRE_CASE";

/// Most of the time of a scenario is spent waiting.
const AT_ONCE: usize = 8;

#[test]
fn no_cut_coded_or_misframed_answer_becomes_a_file() {
    let mut scenarios = scenario::all();
    let names: BTreeSet<_> = scenarios.iter().map(|scenario| (&scenario.name, scenario.over)).collect();
    assert_eq!(names.len(), scenarios.len(), "two scenarios have the same name");
    assert!(scenarios.len() >= 250, "{}", scenarios.len());
    for over in Over::ALL {
        assert!(scenarios.iter().any(|scenario| scenario.over == over), "no scenario over {over:?}");
    }
    if let Ok(case) = std::env::var(CASE) {
        scenarios.retain(|scenario| scenario.name.contains(&case));
        assert!(!scenarios.is_empty(), "no scenario has a name with {case:?}");
    }
    let with_curl = std::env::var_os(TABLE).is_some() && clients::has_curl();
    let mut results = run(&scenarios, with_curl);
    repeat_wrong(&scenarios, &mut results);
    table::print(&scenarios, &results, std::env::var_os(TABLE).is_some());
    let failing = table::failing(&scenarios, &results);
    assert!(failing.is_empty(), "{} wrong:\n{}", failing.len(), failing.join("\n"));
}

/// Repeats what was wrong or late, one scenario at a time. On a machine that is busy with other things a pause can look like
/// silence; a mistake of a client is the same each time.
fn repeat_wrong(scenarios: &[Scenario], results: &mut [Vec<(Client, Result)>]) {
    let servers = clients::Servers::new();
    for (scenario, results) in scenarios.iter().zip(results) {
        for (client, result) in results.iter_mut().filter(|(client, _)| *client != Client::Curl) {
            for _ in 0..3 {
                if !table::is_wrong(scenario, result) {
                    break;
                }
                println!("repeated: {} over {:?}, {}", scenario.name, scenario.over, client.name());
                *result = servers.run(*client, scenario);
            }
        }
    }
}

/// Runs each scenario with each of its clients.
fn run(scenarios: &[Scenario], with_curl: bool) -> Vec<Vec<(Client, Result)>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Vec::new(); scenarios.len()]);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let servers = clients::Servers::new();
                while let Some((index, scenario)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|index| Some((index, scenarios.get(index)?)))
                {
                    let clients = Client::of(scenario.over, with_curl);
                    let each = clients.map(|client| (client, servers.run(client, scenario))).collect();
                    results.lock().unwrap()[index] = each;
                }
            });
        }
    });
    results.into_inner().unwrap()
}
