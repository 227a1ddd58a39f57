//! The program of a process of a fleet. It reads commands from its standard input, one in each line.

use alloc::sync::Arc;
use core::net::Ipv4Addr;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::time::{Instant, SystemTime};

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncFetch, AsyncTransport, CacheOptions, Disk, Failure, FailureKind, Head, Outcome, Redis,
    RedisOptions, Request, Retrieval, SiteProfile, Store, StoreLimits,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use crate::process::{CLAIM, PROFILE, SITES, STORE, TIMEOUT};
use crate::sites::host;

/// The clock of the process, in seconds after the real one.
#[derive(Default)]
struct Clock(AtomicU64);

impl Clock {
    fn now(&self) -> SystemTime {
        SystemTime::now() + Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

/// Runs the program if this process is one of a fleet.
pub(crate) fn run() -> bool {
    let Ok(store) = env::var(STORE) else { return false };
    let number = |name| env::var(name).unwrap().parse::<u64>().unwrap();
    let profile = match env::var(PROFILE).unwrap().as_str() {
        "google" => SiteProfile::GOOGLE,
        _ => SiteProfile::RFC9309,
    };
    let time = |name| Duration::from_millis(number(name));
    let store = open(&store, profile, time(TIMEOUT), time(CLAIM));
    let port = u16::try_from(number(SITES)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (clock, errors) = (Arc::new(Clock::default()), Arc::new(AtomicUsize::new(0)));
    let (time, counted) = (Arc::clone(&clock), Arc::clone(&errors));
    let options = CacheOptions::new(profile).with_store(store);
    let options = options.with_clock(move || time.now()).with_store_error_handler(move |error| {
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            eprintln!("first error of a store: {error}");
        }
    });
    let cache = Arc::new(AsyncCache::new(options, fetch(port, Arc::clone(&clock))));
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: usize| words[word].parse::<usize>().unwrap();
        match words[0] {
            "advance" => drop(clock.0.fetch_add(number(1) as u64, Ordering::SeqCst)),
            _ => {
                let start = Instant::now();
                let right = runtime.block_on(ask(&cache, number(1), number(2), number(3)));
                let (wrong, errors) = (number(3) - right, errors.load(Ordering::SeqCst));
                let mut out = io::stdout().lock();
                writeln!(out, "\nanswered {right} {wrong} {errors} {}", start.elapsed().as_millis()).unwrap();
                out.flush().unwrap();
            }
        }
    }
    true
}

fn open(store: &str, profile: SiteProfile, timeout: Duration, claim: Duration) -> Box<dyn Store> {
    let (kind, rest) = store.split_once(':').unwrap();
    let urls: Vec<&str> = rest.split(',').collect();
    let mut options = match kind {
        "disk" => return Box::new(Disk::open(rest, profile, StoreLimits::DEFAULT).unwrap()),
        "cluster" => RedisOptions::cluster(&urls),
        "sentinel" => RedisOptions::sentinel(&urls, "robots"),
        "tls" => {
            let (url, certificates) = rest.split_once('|').unwrap();
            // The store uses the provider of the process, and installs none.
            assert!(Redis::new(RedisOptions::server(url), profile).is_err());
            rustls::crypto::ring::default_provider().install_default().unwrap();
            let mut options = RedisOptions::server(url);
            options.root_certificates = Some(std::fs::read_to_string(certificates).unwrap());
            options
        }
        _ => RedisOptions::server(rest),
    };
    (options.timeout, options.claim_lifetime) = (timeout, claim);
    Box::new(Redis::new(options, profile).unwrap())
}

/// Returns how many callers got the right answer.
async fn ask<F, S>(cache: &Arc<AsyncCache<F, S>>, first: usize, origins: usize, callers: usize) -> usize
where
    F: AsyncFetch + 'static,
    S: Store + 'static,
{
    let bot = Arc::new(Crawler::new("ExampleBot").unwrap());
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (cache, bot) = (Arc::clone(cache), Arc::clone(&bot));
            tokio::spawn(async move {
                let host = host(first + caller * 7 % origins);
                let url = |path: &str| format!("http://{host}/{path}").parse::<Url>().unwrap();
                let private = cache.check(&url(&format!("private-{host}/page")), &bot).await.unwrap();
                let public = cache.check(&url("private-site/page"), &bot).await.unwrap();
                !private.is_allowed() && public.is_allowed()
            })
        })
        .collect();
    let mut right = 0;
    for task in tasks {
        right += usize::from(task.await.unwrap());
    }
    right
}

fn fetch(port: u16, clock: Arc<Clock>) -> impl AsyncFetch {
    move |retrieval: Retrieval| {
        let mut wire = Wire { port, clock: Arc::clone(&clock) };
        async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            Outcome::retrieve_async(&mut wire, origin, validators, profile).await
        }
    }
}

/// A transport that finds all hosts on one port of this machine.
struct Wire {
    port: u16,
    clock: Arc<Clock>,
}

impl Wire {
    async fn exchange(&self, request: &Request) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?;
        let host = request.url.host_str().unwrap_or_default();
        stream.write_all(format!("GET /robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(answer)
    }
}

impl AsyncTransport for Wire {
    type Body = io::Cursor<Vec<u8>>;

    async fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        let answer = self.exchange(request).await;
        let answer = answer.map_err(|error| Failure::new(FailureKind::Connect, error))?;
        let text = String::from_utf8(answer).unwrap();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            return Err(Failure::new(FailureKind::Reset, ""));
        };
        let mut answer = Head::new(200);
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            answer = answer.with_field(name, value);
        }
        Ok((answer, io::Cursor::new(body.as_bytes().to_vec())))
    }

    async fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        io::Read::read(body, buffer).map_err(|error| Failure::new(FailureKind::Other, error))
    }

    fn now(&self) -> SystemTime {
        self.clock.now()
    }
}
