//! Several processes share the delays and pauses of sites through a server. The times at which requests reach the sites show the gaps.
//!
//! The server comes from Debian's package redis-server. Where it is missing, the test prints that it was skipped.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

use alloc::sync::Arc;
use core::future::poll_fn;
use core::task::Poll;
use core::time::Duration;
use std::collections::HashMap;
use std::env;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncGate, AsyncTransport, CacheOptions, Failure, FailureKind, GatePolicy, Head, Outcome,
    Redis, RedisOptions, Request, Retrieval, SharedDelays, SiteProfile, WithoutServer,
};
use tokio::task::JoinSet;

const PROCESSES: usize = 3;
const SITES: usize = 20;
const PAGES: usize = 4;

/// Every such site is busy at its third page, and asks for this pause.
const BUSY: usize = 5;
const PAUSE: Duration = Duration::from_secs(4);

/// The requests that reached each site: which path, and when.
type Log = Arc<Mutex<HashMap<usize, Vec<(Instant, String)>>>>;

/// Starts a site, and returns its port.
fn site(number: usize, log: &Log) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let log = Arc::clone(log);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            if reader.read_line(&mut line).is_err() {
                continue;
            }
            let now = Instant::now();
            let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            let body = if path == "/robots.txt" { "User-agent: *\nCrawl-delay: 1\n" } else { "page" };
            let before = {
                let mut log = log.lock().unwrap();
                let requests = log.entry(number).or_default();
                requests.push((now, path));
                requests.iter().filter(|(_, path)| path != "/robots.txt").count()
            };
            let busy = match number.is_multiple_of(BUSY) && before == 3 && body == "page" {
                true => format!("503 busy\r\nRetry-After: {}", PAUSE.as_secs()),
                false => "200 OK".to_owned(),
            };
            while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {}
            let length = body.len();
            let _ = write!(
                &stream,
                "HTTP/1.1 {busy}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    port
}

/// Requests a path of a site on this machine, and returns the head and the body.
fn get(port: u16, path: &str) -> std::io::Result<(Head, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let (status, rest) = head.split_once("\r\n").unwrap_or_default();
    let head = Head::new(status.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(200));
    let pause = rest.lines().find_map(|field| field.strip_prefix("Retry-After: "));
    Ok((pause.iter().fold(head, |head, pause| head.with_field("Retry-After", pause)), body.to_owned()))
}

struct Plain;

impl AsyncTransport for Plain {
    type Body = Vec<u8>;

    async fn send(&mut self, request: &Request) -> Result<(Head, Vec<u8>), Failure> {
        let (port, path) = (request.url.port().unwrap(), request.url.path().to_owned());
        let body = tokio::task::spawn_blocking(move || get(port, &path)).await.unwrap();
        let (head, body) = body.map_err(|error| Failure::new(FailureKind::Connect, error))?;
        Ok((head, body.into_bytes()))
    }

    async fn read(&mut self, body: &mut Vec<u8>, buffer: &mut [u8]) -> Result<usize, Failure> {
        let count = body.len().min(buffer.len());
        buffer[..count].copy_from_slice(&body[..count]);
        body.drain(..count);
        Ok(count)
    }
}

fn gate(redis: &str, without: WithoutServer) -> AsyncGate {
    let mut policy = GatePolicy::default();
    policy.max_stall = Duration::from_secs(5);
    gate_with(redis, without, policy)
}

fn gate_with(redis: &str, without: WithoutServer, policy: GatePolicy) -> AsyncGate {
    let mut options = RedisOptions::server(redis);
    options.timeout = Duration::from_millis(500);
    let redis = Redis::new(options, SiteProfile::RFC9309).unwrap();
    let fetch = |retrieval: Retrieval| async move {
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        Outcome::retrieve_async(&mut Plain, origin, validators, profile).await
    };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309).with_store(redis.clone()), fetch);
    let bot = Crawler::new("ExampleBot").unwrap();
    AsyncGate::in_fleet(cache, bot, policy, SharedDelays::new(redis, without))
}

/// The program of a process: requests pages of all sites.
fn crawl(process: usize, redis: &str, ports: &[u16]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let gate = gate(redis, WithoutServer::Refuse);
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for &port in ports {
            for page in 0..PAGES {
                let gate = gate.clone();
                tasks.spawn(async move {
                    let path = format!("/{process}/{page}");
                    let url = format!("http://127.0.0.1:{port}{path}").parse().unwrap();
                    let permit = gate.permit(&url).await.unwrap();
                    let (head, _) =
                        tokio::task::spawn_blocking(move || get(port, &path)).await.unwrap().unwrap();
                    permit.note(Some(&head));
                });
            }
        }
        while let Some(task) = tasks.join_next().await {
            task.unwrap();
        }
    });
}

/// A server that runs until this is dropped.
struct Server(Child, u16);

impl Server {
    fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let arguments = ["--port", &port.to_string(), "--save", "", "--appendonly", "no"];
        let child = Command::new("redis-server").args(arguments).stdout(Stdio::null()).spawn().ok()?;
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "redis-server does not start");
            thread::sleep(Duration::from_millis(20));
        }
        Some(Self(child, port))
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.1)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

/// This test is also the program of the processes.
#[test]
fn processes_share_the_delays_of_sites() {
    if let Ok(work) = env::var("ROBOTS_FLEET_GATE") {
        let words: Vec<_> = work.split(' ').collect();
        let ports: Vec<_> = words[2..].iter().map(|port| port.parse().unwrap()).collect();
        return crawl(words[0].parse().unwrap(), words[1], &ports);
    }
    let Some(server) = Server::start() else {
        return println!("skipped: redis-server is not installed");
    };
    let log = Log::default();
    let ports: Vec<_> = (0..SITES).map(|number| site(number, &log).to_string()).collect();
    let start = Instant::now();
    let processes: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let work = format!("{process} {} {}", server.url(), ports.join(" "));
            let arguments = ["--exact", "processes_share_the_delays_of_sites"];
            let mut command = Command::new(env::current_exe().unwrap());
            command.args(arguments).env("ROBOTS_FLEET_GATE", work).stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    assert!(processes.into_iter().all(|mut process| process.wait().unwrap().success()));
    let log = log.lock().unwrap();
    let mut shortest = Duration::MAX;
    for (number, requests) in &*log {
        let pages = requests.iter().filter(|(_, path)| path != "/robots.txt").count();
        assert_eq!(pages, PROCESSES * PAGES, "each page once: {requests:?}");
        for pair in requests.windows(2) {
            shortest = shortest.min(pair[1].0 - pair[0].0);
        }
        if number % BUSY == 0 {
            // Whichever process got the answer, all of them let the site rest.
            let mut pages = requests.iter().filter(|(_, path)| path != "/robots.txt").skip(2);
            let busy = pages.next().unwrap().0;
            let next = requests.iter().find(|(time, _)| *time > busy).unwrap().0;
            assert!(next - busy >= PAUSE - Duration::from_millis(50), "{number}: {:?}", next - busy);
        }
    }
    let retrievals: usize = log.values().flatten().filter(|(_, path)| path == "/robots.txt").count();
    println!("shortest gap {shortest:?}, {retrievals} retrievals, {:?} in all", start.elapsed());
    assert_eq!(log.len(), SITES);
    assert!(shortest >= Duration::from_millis(950), "{shortest:?}");
}

#[tokio::test]
async fn without_the_server_the_choice_of_the_user_applies() {
    let log = Log::default();
    let port = site(0, &log);
    let page = |path: &str| format!("http://127.0.0.1:{port}{path}").parse().unwrap();
    // No server is there.
    let nowhere = format!(
        "redis://127.0.0.1:{}",
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
    );
    let refusal = gate(&nowhere, WithoutServer::Refuse).permit(&page("/a")).await.unwrap_err();
    assert_eq!(refusal.code(), "no-server");
    let start = Instant::now();
    let refusal = gate(&nowhere, WithoutServer::Wait).permit(&page("/a")).await.unwrap_err();
    assert!(refusal.code() == "no-server" && start.elapsed() >= Duration::from_secs(4), "{refusal}");
    // The URLs of a site wait together.
    let start = Instant::now();
    let waiting = gate(&nowhere, WithoutServer::Wait);
    let mut tasks = JoinSet::new();
    for number in 0..5 {
        let (waiting, page) = (waiting.clone(), page(&format!("/{number}")));
        tasks.spawn(async move { waiting.permit(&page).await.unwrap_err().code() });
    }
    assert_eq!(tasks.join_all().await, ["no-server"; 5]);
    assert!(start.elapsed() < Duration::from_secs(7), "{:?}", start.elapsed());
    let start = Instant::now();
    let alone = gate(&nowhere, WithoutServer::Alone { processes: 2 });
    for path in ["/a", "/b"] {
        alone.permit(&page(path)).await.unwrap().note(Some(&Head::new(200)));
    }
    assert!(start.elapsed() >= Duration::from_millis(3900), "twice the delay: {:?}", start.elapsed());
}

#[tokio::test]
async fn a_server_that_refuses_is_not_said_to_be_away() {
    let Some(server) = Server::start() else {
        return println!("skipped: redis-server is not installed");
    };
    let log = Log::default();
    let page = format!("http://127.0.0.1:{}/a", site(0, &log)).parse().unwrap();
    let wrong = server.url().replace("redis://", "redis://:TOPSECRET@");
    let refusal = gate(&wrong, WithoutServer::Refuse).permit(&page).await.unwrap_err();
    let text = refusal.to_string();
    assert_eq!(refusal.code(), "no-server");
    assert!(text.contains("authentication failed") && !text.contains("TOPSECRET"), "{text}");
}

#[tokio::test]
async fn a_dropped_future_reserves_nothing_on_the_server() {
    let Some(server) = Server::start() else {
        return println!("skipped: redis-server is not installed");
    };
    let log = Log::default();
    let port = site(0, &log);
    let gate = gate(&server.url(), WithoutServer::Refuse);
    let page = |path: &str| format!("http://127.0.0.1:{port}{path}").parse().unwrap();
    gate.permit(&page("/a")).await.unwrap().note(Some(&Head::new(200)));
    let dropped = page("/dropped");
    let mut was_waiting = false;
    for _ in 0..10 {
        // From here on, the server begins a request at once.
        tokio::time::sleep(Duration::from_millis(1100)).await;
        let mut permit = Box::pin(gate.permit(&dropped));
        was_waiting = poll_fn(|context| Poll::Ready(permit.as_mut().poll(context).is_pending())).await;
        // On a busy machine, the answer can be there before the first poll ends.
        if was_waiting {
            break;
        }
    }
    assert!(was_waiting, "no future was dropped while the server was asked");
    let (start, next) = (Instant::now(), page("/b"));
    let permit = tokio::time::timeout(Duration::from_secs(20), gate.permit(&next)).await.unwrap().unwrap();
    // Not for as long as a request counts whose process does not end it.
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    permit.note(Some(&Head::new(200)));
}

#[tokio::test]
async fn pauses_are_those_of_all_processes() {
    let Some(server) = Server::start() else {
        return println!("skipped: redis-server is not installed");
    };
    let log = Log::default();
    let mut policy = GatePolicy::default();
    policy.first_pause = Duration::from_secs(1);
    // Each has its own connection, cache and clock, as in a process of its own.
    let gates = [0; 3].map(|_| gate_with(&server.url(), WithoutServer::Refuse, policy.clone()));
    let port = site(1, &log);
    let page: url::Url = format!("http://127.0.0.1:{port}/a").parse().unwrap();
    let busy = Head::new(503);
    let next = async |gate: usize, head: &Head| {
        let start = Instant::now();
        let permit =
            tokio::time::timeout(Duration::from_secs(20), gates[gate].permit(&page)).await.unwrap().unwrap();
        permit.note(Some(head));
        start.elapsed().as_millis()
    };
    let waited = next(0, &busy).await;
    assert!(waited < 1_500, "the robots.txt, a delay, and the page: {waited} ms");
    // The failures in a row are those of all processes: pauses of 1, 2 and 4 seconds.
    for (gate, head, pause) in [(1, &busy, 1_000), (2, &busy, 2_000), (0, &Head::new(200), 4_000)] {
        let waited = next(gate, head).await;
        assert!(waited + 50 >= pause && waited < pause + 900, "gate {gate}: {waited} ms instead of {pause}");
    }
    // An answer that is not a failure ends the row.
    let waited = next(1, &Head::new(429).with_field("Retry-After", "3")).await;
    assert!(waited < 1_500, "{waited}");
    let waited = next(2, &Head::new(200)).await;
    assert!((2_900..4_500).contains(&waited), "{waited}");
    // A pause that is too long to wait for is a refusal at once, for all of them.
    next(0, &Head::new(429).with_field("Retry-After", "3600")).await;
    let start = Instant::now();
    let refused = tokio::time::timeout(Duration::from_secs(20), gates[1].permit(&page));
    let refusal = refused.await.unwrap().unwrap_err();
    assert_eq!(refusal.code(), "not-now", "{refusal}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}
