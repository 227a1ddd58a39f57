//! Hosts and labels that are longer than the domain name system has them (RFC 1035, section 2.3.4): 253 characters and 63.

use std::net::UdpSocket;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_fetch::client::{AddressPolicy, ClientOptions, blocking, ftp, reqwest};
use robots_fetch::matching::Crawler;
use robots_fetch::{Cache, CacheOptions, Entry, Memory, Origin, SiteProfile, Store, Validators};

use crate::support::{Act, Client, Server, Then, answer, runtime};
use crate::{FILE, LATE, code};

/// A host of this many bytes, whose labels have at most `label` bytes.
fn host(len: usize, label: usize) -> String {
    let mut host = String::new();
    while host.len() + label + 1 < len {
        host.push_str(&"a".repeat(label));
        host.push('.');
    }
    let rest = len - host.len();
    host + &"b".repeat(rest)
}

/// Hosts at the limits and beyond, with the name of each, and whether the domain name system can have it.
fn hosts() -> Vec<(&'static str, String, bool)> {
    vec![
        ("253 bytes", host(253, 50), true),
        ("254 bytes", host(254, 50), false),
        ("255 bytes", host(255, 50), false),
        ("256 bytes", host(256, 50), false),
        ("1000 bytes", host(1000, 50), false),
        ("70000 bytes", host(70_000, 50), false),
        ("a label of 63 bytes", format!("{}.example", "c".repeat(63)), true),
        ("a label of 64 bytes", format!("{}.example", "c".repeat(64)), false),
        ("a label of 70000 bytes", format!("{}.example", "c".repeat(70_000)), false),
        ("30000 labels", format!("{}example", "d.".repeat(30_000)), false),
        ("253 bytes and a dot", format!("{}.", host(253, 50)), true),
        ("a dot", ".".to_owned(), true),
        ("two dots", "a..b".to_owned(), true),
    ]
}

fn origins() -> impl Iterator<Item = (&'static str, Origin, bool)> {
    hosts().into_iter().map(|(name, host, can_be)| {
        let url = format!("http://{host}/page");
        let origin = Origin::parse(&url).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(origin.host(), host, "{name}");
        assert_eq!(Origin::new("http", &host, None).unwrap(), origin, "{name}");
        (name, origin, can_be)
    })
}

#[test]
fn clients_answer_in_time_for_hosts_of_any_length() {
    let server = Server::start();
    // A name server that never answers.
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let asked = silent.local_addr().unwrap();
    let mut queried = ClientOptions::default().with_name_servers([asked]).unwrap();
    queried.addresses = AddressPolicy::Any;
    queried.connect_timeout = Duration::from_secs(2);
    for (name, origin, can_be) in origins() {
        // The resolver of the options knows every name.
        let mut clients: Vec<_> =
            server.patient_clients().into_iter().map(|client| (client, "success")).collect();
        let queries = reqwest::Client::new(&queried).unwrap();
        clients
            .push((Client::Reqwest(queries, runtime()), if name == "two dots" { "dns" } else { "timeout" }));
        for (client, expected) in clients {
            server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
            let start = Instant::now();
            let outcome = client.fetch(&origin, &Validators::default(), &SiteProfile::RFC9309);
            let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
            let expected = if can_be { expected } else { "dns" };
            assert_eq!(code(&entry), expected, "{} {name}: {:?}", client.name(), entry.cause());
            assert!(start.elapsed() < Duration::from_secs(2) + LATE, "{} {name}", client.name());
            if !can_be {
                assert!(entry.cause().unwrap().to_string().contains("has at most"), "{:?}", entry.cause());
            }
        }
    }
    // FTP looks up names in the same way.
    let client = ftp::Client::new(&server.patient_options()).unwrap();
    for (name, origin, _) in origins().filter(|(.., can_be)| !can_be) {
        let origin = Origin::new("ftp", origin.host(), None).unwrap();
        let outcome = client.fetch(&origin, &Validators::default(), &SiteProfile::RFC9309);
        let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "dns", "{name}: {:?}", entry.cause());
    }
}

/// Keeps an entry of each host, and finds it again under its own origin only.
fn keep_all(store: &impl Store, options: &ClientOptions, server: &Server) {
    let client = blocking::Client::new(options).unwrap();
    let mut entries = Vec::new();
    for (name, origin, _) in origins() {
        server.script([Act::Send(answer(200, &[&format!("ETag: \"{name}\"")], FILE), Then::Close)]);
        let entry = Arc::new(client.refresh(&origin, None, &SiteProfile::RFC9309));
        store.put(&origin, &entry).unwrap_or_else(|error| panic!("{name}: {error}"));
        if !entry.is_local_failure() {
            entries.push((name, origin, entry));
        }
    }
    assert!(entries.len() > 5);
    for (name, origin, entry) in entries {
        assert_eq!(store.get(&origin).unwrap().as_ref(), Some(&entry), "{name}");
        drop(store.claim(&origin).unwrap());
        store.wait(&origin, Duration::ZERO).unwrap();
        store.remove(&origin).unwrap();
        assert_eq!(store.get(&origin).unwrap(), None, "{name}");
    }
}

#[test]
fn caches_and_stores_keep_hosts_of_any_length_apart() {
    let server = Server::start();
    let options = server.patient_options();
    keep_all(&Memory::default(), &options, &server);
    #[cfg(feature = "disk")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("robots.sqlite");
        let limits = robots_fetch::StoreLimits::DEFAULT;
        keep_all(&robots_fetch::Disk::open(path, SiteProfile::RFC9309, limits).unwrap(), &options, &server);
    }
    // A cache answers about each.
    let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), blocking::Client::new(&options).unwrap());
    let bot = Crawler::new("ExampleBot").unwrap();
    let count = origins().count();
    for (name, origin, can_be) in origins() {
        server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
        let url = origin.robots_url().join("/private").unwrap();
        let verdict = cache.check(&url, &bot).unwrap();
        assert_eq!(verdict.line(), can_be.then_some(2), "{name}: {verdict}");
        assert!(!verdict.is_allowed(), "{name}: {verdict}");
        assert_eq!(cache.decide(&url, &bot).unwrap().verdict, verdict, "{name}");
    }
    assert_eq!(cache.len(), count);
}
