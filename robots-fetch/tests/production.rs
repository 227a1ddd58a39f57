//! The production crawler of the guide visits 30 sites on this machine, of which 8 misbehave. It is stopped and started again, and
//! ends by itself; the logs of the sites show order, gaps and counts.

#![allow(
    clippy::unwrap_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exhaustive_structs,
    unreachable_pub,
    missing_docs,
    missing_debug_implementations,
    dead_code,
    reason = "helpers of tests are tests, and the program of the guide is one"
)]

// The program of the guide.
#[path = "../guide/production.rs"]
mod production;

use core::time::Duration;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use production::{Settings, crawl};
use robots_fetch::GatePolicy;
use robots_fetch::client::AddressPolicy;
use url::Url;

const GOOD: usize = 22;
const DEFAULT_DELAY: Duration = Duration::from_millis(250);
const TIMEOUT: Duration = Duration::from_secs(1);

/// Sites that misbehave, by their number.
const WITHOUT_FILE: usize = 22;
const BROKEN: usize = 23;
const CLOSED: usize = 24;
const DOWN: usize = 25;
const SILENT: usize = 26;
const ENDLESS: usize = 27;
const LOOP: usize = 28;
const MUTE_PAGES: usize = 29;

struct Site {
    number: usize,
    url: String,
    log: Mutex<Vec<(String, Instant)>>,
}

impl Site {
    fn start(number: usize) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let site = Arc::new(Self { number, url, log: Mutex::default() });
        if number != DOWN {
            let at = Arc::clone(&site);
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    // Threads that begin late make no request late.
                    let (site, accepted) = (Arc::clone(&at), Instant::now());
                    thread::spawn(move || site.answer(&stream, accepted));
                }
            });
        }
        site
    }

    fn delay(&self) -> Duration {
        match self.number % 3 {
            0 if self.number < GOOD => Duration::from_millis(200),
            1 if self.number < GOOD => Duration::from_millis(300),
            _ => DEFAULT_DELAY,
        }
    }

    fn answer(&self, mut stream: &TcpStream, accepted: Instant) {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let Some(request) = lines.next() else { return };
        while lines.next().is_some_and(|field| !field.is_empty()) {}
        let path = request.split(' ').nth(1).unwrap().to_owned();
        let (before, now) = {
            let mut log = self.log.lock().unwrap();
            let before = log.iter().filter(|(known, _)| *known == path).count();
            log.push((path.clone(), accepted));
            (before, self.number)
        };
        let is_silent = now == SILENT || now == MUTE_PAGES && path != "/robots.txt";
        if is_silent {
            thread::sleep(TIMEOUT * 4);
            return;
        }
        if now == ENDLESS && path == "/robots.txt" {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(&[b'#'; 4096]).is_ok() {}
            return;
        }
        let (status, fields, body) = self.page(&path, before);
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{fields}\r\n");
        let _ = stream.write_all(&[head.as_bytes(), &body].concat());
    }

    fn page(&self, path: &str, before: usize) -> (u16, String, Vec<u8>) {
        let (number, url) = (self.number, &self.url);
        let field = String::new();
        match path {
            "/robots.txt" => match number {
                WITHOUT_FILE => (404, field, Vec::new()),
                BROKEN => (500, field, Vec::new()),
                CLOSED => (200, field, b"User-agent: *\nDisallow: /\n".to_vec()),
                LOOP => (302, "Location: /robots.txt\r\n".to_owned(), Vec::new()),
                _ => {
                    let delay = match number % 3 {
                        2 => String::new(),
                        _ => format!("Crawl-delay: {}\n", self.delay().as_secs_f64()),
                    };
                    let text = format!(
                        "User-agent: *\n{delay}Disallow: /private\nSitemap: {url}/sitemap\nSitemap: http://example.com/\n"
                    );
                    (200, field, text.into_bytes())
                }
            },
            "/sitemap" => {
                let pages = (1..5).map(|page| format!("<url><loc>{url}/p{page}</loc></url>"));
                let text = format!("<urlset>{}</urlset>", pages.collect::<String>()).into_bytes();
                if number % 6 != 1 {
                    return (200, field, text);
                }
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                packed.write_all(&text).unwrap();
                (200, field, packed.finish().unwrap())
            }
            _ if before == 0 && self.busy(path).is_some() => {
                (self.busy(path).unwrap_or_default(), "Retry-After: 1\r\n".to_owned(), Vec::new())
            }
            "/p2" if number % 7 == 0 => (301, "Location: /p3\r\n".to_owned(), Vec::new()),
            "/" => (200, field, b"<a href=\"/p0\"> <a href=\"/private/x\"> <a href=\"/p3#a\">".to_vec()),
            _ => (200, field, b"page".to_vec()),
        }
    }

    /// Returns the status of the first answer for a page if the site is then too busy for it.
    fn busy(&self, path: &str) -> Option<u16> {
        match path {
            "/p1" if self.number.is_multiple_of(5) => Some(503),
            "/p4" if self.number % 4 == 1 => Some(429),
            _ => None,
        }
    }

    /// Returns how often each path was requested.
    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for (path, _) in &*self.log.lock().unwrap() {
            *counts.entry(path.clone()).or_default() += 1;
        }
        counts
    }

    /// Compares the log of a site that behaves with what a polite crawler does there.
    fn check(&self) {
        let number = self.number;
        let mut expected: BTreeMap<_, _> =
            ["/", "/p0", "/p1", "/p2", "/p3", "/p4", "/sitemap"].map(|path| (path.to_owned(), 1)).into();
        // The file is from the disk after the crawler was started again.
        expected.insert("/robots.txt".to_owned(), 1);
        let busy = ["/p1", "/p4"].into_iter().filter(|path| self.busy(path).is_some());
        expected.extend(busy.clone().map(|path| (path.to_owned(), 2)));
        assert_eq!(self.counts(), expected, "site {number}");
        let log = self.log.lock().unwrap();
        for (before, after) in log.iter().zip(log.iter().skip(1)) {
            let gap = after.1 - before.1;
            // A request that reaches the server late makes the time to the next one shorter.
            assert!(gap + Duration::from_millis(80) >= self.delay(), "site {number}: {gap:?} to {}", after.0);
        }
        for page in busy {
            let first = log.iter().position(|(path, _)| path == page).unwrap();
            let [(_, at), (_, next), ..] = log.get(first..).unwrap_or_default() else {
                panic!("{page} of site {number} is not asked again")
            };
            assert!(*next - *at >= Duration::from_millis(950), "site {number} asked for a second");
        }
    }
}

// The runtime of the program has several threads, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thirty_sites_are_visited_politely_and_the_crawler_ends() {
    let sites: Vec<_> = (0..30).map(Site::start).collect();
    let folder = tempfile::tempdir().unwrap();
    let settings = || {
        let mut gate = GatePolicy::default();
        gate.default_delay = DEFAULT_DELAY;
        gate.first_pause = Duration::from_millis(300);
        // A site without an answer is given up early, so that the test does not take minutes.
        gate.max_stall = Duration::from_secs(3);
        Settings {
            folder: folder.path().to_owned(),
            seeds: sites.iter().map(|site| Url::parse(&site.url).unwrap()).collect(),
            addresses: AddressPolicy::Any,
            gate,
            timeout: TIMEOUT,
            most_pages: 10_000,
        }
    };
    let start = Instant::now();
    // The signal to stop comes early.
    let first = crawl(settings(), tokio::time::sleep(Duration::from_millis(900))).await.unwrap();
    println!("until the signal: {first:?} in {:?}", start.elapsed());
    tokio::time::sleep(DEFAULT_DELAY * 2).await;
    let second = crawl(settings(), core::future::pending()).await.unwrap();
    println!("to the end: {second:?} in {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(90));

    for site in sites.iter().take(GOOD) {
        site.check();
    }
    let of = |number: usize| sites.get(number).unwrap().counts();
    for number in [BROKEN, CLOSED, SILENT] {
        assert!(of(number).keys().all(|path| path == "/robots.txt"), "{number}: {:?}", of(number));
    }
    for number in [WITHOUT_FILE, ENDLESS, LOOP] {
        let counts = of(number);
        for path in ["/", "/p0", "/p3", "/private/x"] {
            assert_eq!(counts.get(path), Some(&1), "{number}: {counts:?}");
        }
    }
    assert!(of(MUTE_PAGES).get("/").is_some_and(|count| (1..=6).contains(count)));
    assert!(of(DOWN).is_empty());

    // All is done except the sites that are away.
    let third = crawl(settings(), core::future::pending()).await.unwrap();
    println!("once more: {third:?}");
    assert_eq!(third.pages, 0);
    for site in sites.iter().take(GOOD) {
        site.check();
    }
}
