//! Look-ups of names, and machines without a network.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use robots_fetch::client::{AddressPolicy, ClientOptions, blocking, ftp, reqwest};
use robots_fetch::{Entry, SiteProfile};

use crate::support::{Act, Server, Then, answer, runtime};
use crate::{FILE, code, origin};

/// How many names never get an answer.
const SILENT: usize = 520;

/// A name server. Names that begin with `silent` get no answer, those that begin with `missing` do not exist, and all others
/// have the address 127.0.0.1.
fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((bytes, from)) = socket.recv_from(&mut buffer) {
            let query = &buffer[..bytes];
            let Some(first) = query.get(13..).filter(|_| query.len() > 16) else { continue };
            let first = first.to_ascii_lowercase();
            if first.starts_with(b"silent") {
                continue;
            }
            let name = query[12..].iter().position(|byte| *byte == 0).unwrap();
            let question = &query[12..12 + name + 5];
            let is_a = question[name + 2] == 1;
            let exists = !first.starts_with(b"missing");
            let has_answer = exists && is_a;
            // The identifier of the query; an answer, recursion available; no error, or no such name.
            let mut reply = query[..2].to_vec();
            reply.extend([0x81, if exists { 0x80 } else { 0x83 }, 0, 1, 0, u8::from(has_answer), 0, 0, 0, 0]);
            reply.extend(question);
            if has_answer {
                reply.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
            }
            let _ = socket.send_to(&reply, from);
        }
    });
    address
}

fn options(server: &Server) -> ClientOptions {
    server.patient_options().with_name_servers([name_server()]).unwrap()
}

async fn refreshed(client: &reqwest::Client, url: &str) -> Entry {
    client.refresh(&origin(url), None, &SiteProfile::RFC9309).await
}

#[test]
fn names_that_never_get_an_answer_do_not_delay_others() {
    let server = Server::start();
    let mut options = options(&server);
    options.connect_timeout = Duration::from_secs(60);
    options.total_timeout = Duration::from_secs(120);
    let client = Arc::new(reqwest::Client::new(&options).unwrap());
    let fast = format!("http://fast.test:{}", server.address.port());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        // The first request starts threads.
        server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
        assert_eq!(code(&refreshed(&client, &fast).await), "success");
        let silent: Vec<_> = (0..SILENT)
            .map(|number| {
                let client = Arc::clone(&client);
                tokio::spawn(async move { refreshed(&client, &format!("http://silent{number}.test")).await })
            })
            .collect();
        // Other tests may keep the machine busy, so one of several names has to be fast.
        let mut fastest = Duration::MAX;
        for number in 0..5 {
            server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
            let url = format!("http://fast{number}.test:{}", server.address.port());
            let began = Instant::now();
            let entry = refreshed(&client, &url).await;
            assert_eq!(code(&entry), "success", "{:?}", entry.cause());
            // The others are still waiting.
            assert!(!silent.iter().all(tokio::task::JoinHandle::is_finished));
            fastest = fastest.min(began.elapsed());
            if fastest < Duration::from_secs(1) {
                break;
            }
        }
        println!("a name beside {SILENT} silent ones took {fastest:.2?}");
        assert!(fastest < Duration::from_secs(1), "{fastest:?}");
        silent.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

#[test]
fn names_that_block_a_thread_do_not_delay_others_either() {
    let server = Server::start();
    let mut options = server.patient_options();
    let address = server.address;
    options = options.with_resolver(move |host, _| {
        if host.starts_with("silent") {
            thread::sleep(Duration::from_secs(4));
        }
        Ok(vec![address])
    });
    let client = Arc::new(reqwest::Client::new(&options).unwrap());
    let blocking = blocking::Client::new(&options).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let silent: Vec<_> = (0..SILENT)
            .map(|number| {
                let client = Arc::clone(&client);
                tokio::spawn(async move { refreshed(&client, &format!("http://silent{number}.test")).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
        assert_eq!(code(&refreshed(&client, "http://fast.test").await), "success");
        silent.iter().for_each(tokio::task::JoinHandle::abort);
    });
    server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
    assert_eq!(code(&blocking.refresh(&origin("http://fast.test"), None, &SiteProfile::RFC9309)), "success");
}

#[test]
fn names_are_looked_up_by_all_clients() {
    let server = Server::start();
    let options = options(&server);
    let port = server.address.port();
    let asynchronous = reqwest::Client::new(&options).unwrap();
    let blocking = blocking::Client::new(&options).unwrap();
    let runtime = runtime();
    for (host, expected) in [("fast.test", "success"), ("missing.test", "dns"), ("localhost", "success")] {
        let url = format!("http://{host}:{port}");
        server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
        let entry = runtime.block_on(refreshed(&asynchronous, &url));
        assert_eq!(code(&entry), expected, "reqwest {host}: {:?}", entry.cause());
        assert!(!entry.is_local_failure());
        server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
        let entry = blocking.refresh(&origin(&url), None, &SiteProfile::RFC9309);
        assert_eq!(code(&entry), expected, "blocking {host}: {:?}", entry.cause());
    }
    let entry = ftp::Client::new(&options).unwrap().refresh(
        &origin("ftp://missing.test"),
        None,
        &SiteProfile::RFC9309,
    );
    assert_eq!(code(&entry), "dns", "{:?}", entry.cause());
    assert!(ClientOptions::default().with_name_servers([]).is_err());
}

#[test]
fn the_default_resolver_knows_the_hosts_file() {
    let server = Server::start();
    // Without the resolver of the other tests.
    let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
    options.addresses = AddressPolicy::Any;
    let client = reqwest::Client::new(&options).unwrap();
    server.script([Act::Send(answer(200, &[], FILE), Then::Close)]);
    let url = format!("http://localhost:{}", server.address.port());
    let entry = runtime().block_on(refreshed(&client, &url));
    assert_eq!(code(&entry), "success", "{:?}", entry.cause());
}

#[test]
fn a_machine_without_a_network_is_not_an_outage_of_the_site() {
    let server = Server::start();
    for kind in [
        io::ErrorKind::TimedOut,
        io::ErrorKind::NetworkUnreachable,
        io::ErrorKind::NetworkDown,
        io::ErrorKind::AddrNotAvailable,
    ] {
        let mut options = server.patient_options();
        options = options.with_resolver(move |_, _| Err(kind.into()));
        let runtime = runtime();
        let entries = [
            blocking::Client::new(&options).unwrap().refresh(
                &origin("http://example.com"),
                None,
                &SiteProfile::RFC9309,
            ),
            runtime.block_on(refreshed(&reqwest::Client::new(&options).unwrap(), "http://example.com")),
            ftp::Client::new(&options).unwrap().refresh(
                &origin("ftp://example.com"),
                None,
                &SiteProfile::RFC9309,
            ),
        ];
        for entry in entries {
            assert_eq!(code(&entry), "no-network", "{kind:?} {:?}", entry.cause());
            assert!(entry.is_local_failure() && entry.outage().is_none());
        }
    }
}

#[test]
fn a_timeout_of_the_client_is_named_as_the_clients() {
    let server = Server::start();
    let mut options = options(&server);
    // Below the default, so that the limit is the client's.
    options.connect_timeout = Duration::from_millis(300);
    let client = reqwest::Client::new(&options).unwrap();
    let entry = runtime().block_on(refreshed(&client, "http://silent.test"));
    assert_eq!(code(&entry), "timeout", "{:?}", entry.cause());
    assert!(entry.is_local_failure());
    let cause = entry.cause().unwrap().to_string();
    assert!(cause.contains("client's own connect timeout of 0.3 s"), "{cause}");
}
