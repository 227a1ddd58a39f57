//! Exchanges over sockets, with the expectations of the core: the meaning of an answer does not depend on the client.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that can't go on ends"
)]
#![allow(clippy::std_instead_of_alloc, clippy::std_instead_of_core, reason = "tests have a standard library")]

mod answers;
mod clients;
mod faults;
mod hosts;
mod memory;
mod names;
mod proxies;
mod redirects;
#[path = "../support/mod.rs"]
mod support;

use std::thread;
use std::time::Duration;

use robots_fetch::{Entry, Origin, SiteProfile, Validators};
use support::{Client, Server};

const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

/// How much later than its limit a retrieval may end on a machine that is busy with other things.
const LATE: Duration = Duration::from_secs(5);

fn origin(text: &str) -> Origin {
    Origin::parse(text).unwrap()
}

fn fetch(client: &Client, origin: &Origin, profile: &SiteProfile) -> Entry {
    Entry::from_outcome(None, client.fetch(origin, &Validators::default(), profile), profile)
}

/// `success`, or the code of why not.
fn code(entry: &Entry) -> &'static str {
    entry.cause().map_or("success", |cause| cause.code())
}

/// Returns the client of the same kind with short timeouts.
fn hasty(server: &Server, client: &Client) -> Client {
    let mut all = server.clients_with(&server.options()).into_iter();
    all.find(|other| other.name() == client.name()).unwrap()
}

/// Runs `test` with each client at the same time, and a server for each. The clients wait as long as clients do by default.
fn with_each(test: impl Fn(&Server, &Client) + Sync) {
    with_lanes(1, |server, client, _| test(server, client));
}

/// Runs `test` with each client in some lanes at the same time, each with a server. The last argument is the number of the lane.
/// Most of the time of exchanges with slow servers is waiting, which lanes share.
fn with_lanes(lanes: usize, test: impl Fn(&Server, &Client, usize) + Sync) {
    thread::scope(|scope| {
        for (index, lane) in (0..2).flat_map(|index| (0..lanes).map(move |lane| (index, lane))) {
            let test = &test;
            scope.spawn(move || {
                let server = Server::start();
                let client = server.patient_clients().into_iter().nth(index).unwrap();
                test(&server, &client, lane);
                assert_eq!(server.wrong(), Vec::<String>::new());
            });
        }
    });
}
