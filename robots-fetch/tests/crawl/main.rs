//! The crawler of the guide crawls sites on nginx, Apache and lighttpd. The logs of the servers show order, delays and counts.
//!
//! Each server has 70 sites, at addresses of the loopback network. A server that is not installed is skipped with a printed line.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    unreachable_pub,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

// The example of the guide.
#[cfg(target_os = "linux")]
#[path = "../../guide/crawler.rs"]
mod crawler;
#[cfg(target_os = "linux")]
mod server;

#[cfg(target_os = "linux")]
mod linux {
    use alloc::collections::BTreeMap;
    use core::time::Duration;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;
    use std::time::Instant;

    use robots_fetch::client::{AddressPolicy, ClientOptions, reqwest::Client};
    use robots_fetch::matching::Crawler;
    use robots_fetch::{
        AsyncCache, AsyncGate, CacheOptions, GatePolicy, Refusal, RefusalReason, SiteProfile,
    };

    use crate::crawler::{Page, crawl};
    use crate::server::{Request, SERVERS, Server};

    /// How many sites each server has.
    const SITES: u8 = 70;

    /// The delay of sites that ask for none.
    const DEFAULT_DELAY: Duration = Duration::from_secs(1);

    /// The pages of a site: the first, those that it links to, and one that does not exist.
    const PAGES: [&str; 5] = ["/", "/a.html", "/moved", "/b.html", "/gone.html"];

    fn gate(policy: GatePolicy) -> AsyncGate {
        let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
        options.addresses = AddressPolicy::Any;
        let client = Client::new(&options).unwrap();
        let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), client);
        AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy)
    }

    /// Compares the log of a site with what a polite crawler does there.
    fn check(site: &str, requests: &[Request], server: &Server) {
        let paths: Vec<_> = requests.iter().map(|request| request.path.as_str()).collect();
        assert_eq!(paths[0], "/robots.txt", "{site}: {paths:?}");
        assert_eq!(paths[1..], PAGES, "{site}: each page once, in the order in which its link was found");
        // A request that reaches the server late makes the time to the next one shorter.
        for pair in requests.windows(2) {
            let gap = pair[1].time.saturating_sub(pair[0].time);
            assert!(gap >= server.delay / 2, "{site}: {} came {gap:?} after {}", pair[1].path, pair[0].path);
            // The server asks for a pause of 4 seconds with its 503.
            let is_busy = pair[0].status == 503;
            assert_eq!(is_busy, server.is_busy && pair[0].path == "/a.html", "{site}");
            assert!(!is_busy || gap >= Duration::from_secs(3), "{site}: {gap:?} after a 503");
        }
        let took = requests[requests.len() - 1].time - requests[0].time;
        let gaps = u32::try_from(requests.len() - 1).unwrap();
        assert!(took >= server.delay * gaps * 9 / 10, "{site}: {took:?}");
    }

    // On one thread, tasks ask for permits in the order in which they were started.
    #[tokio::test]
    async fn the_logs_of_the_servers_show_a_polite_crawler() {
        let mut servers = Vec::new();
        for kind in SERVERS {
            match Server::start(kind) {
                Some(server) => servers.push(server),
                None => println!("skipped: {kind} is not installed"),
            }
        }
        if servers.is_empty() {
            return;
        }
        let hosts: Vec<_> = (1..=SITES).map(|site| format!("127.0.{site}.1")).collect();
        let seeds = servers.iter().flat_map(|server| {
            hosts.iter().map(move |host| format!("http://{host}:{}/", server.port).parse().unwrap())
        });
        let seeds: Vec<_> = seeds.collect();
        let start = Instant::now();
        let mut policy = GatePolicy::default();
        policy.default_delay = DEFAULT_DELAY;
        let pages = crawl(gate(policy), seeds.clone(), 10_000).await.unwrap();
        println!("{} pages of {} sites in {:?}", pages.len(), seeds.len(), start.elapsed());

        let mut urls: Vec<_> = pages.iter().map(|page| &page.url).collect();
        urls.sort_unstable();
        urls.dedup();
        assert_eq!(urls.len(), pages.len(), "each page once");
        // The disallowed page, and the page whose redirect leads to it, were refused on each site.
        let refused = |page: &Page| match &page.result {
            Err(reqwest_middleware::Error::Middleware(error)) => error
                .downcast_ref::<Refusal>()
                .is_some_and(|refusal| matches!(refusal.reason(), RefusalReason::Disallowed(_))),
            _ => false,
        };
        let count = pages.iter().filter(|page| refused(page)).count();
        let others = pages.iter().filter(|page| page.result.is_err() && !refused(page));
        let others: Vec<_> = others.map(|page| format!("{}: {:?}", page.url, page.result)).collect();
        assert!(others.is_empty(), "{others:#?}");
        assert_eq!(count, 2 * seeds.len());

        for server in &mut servers {
            let mut log: BTreeMap<String, Vec<Request>> = BTreeMap::new();
            for request in server.stop() {
                log.entry(request.host.clone()).or_default().push(request);
            }
            assert_eq!(log.len(), usize::from(SITES), "{}", server.kind);
            for (host, requests) in &mut log {
                requests.sort_by_key(|request| request.time);
                check(&format!("{host} on {}", server.kind), requests, server);
            }
            println!("{}: {} requests", server.kind, log.values().map(Vec::len).sum::<usize>());
        }
    }

    #[tokio::test]
    async fn the_crawler_ends_if_a_robots_txt_never_decides() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let seed = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
                while lines.next().is_some_and(|line| !line.is_empty()) {}
                let head =
                    "HTTP/1.1 429 X\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                let _ = (&stream).write_all(head.as_bytes());
            }
        });
        let mut policy = GatePolicy::default();
        policy.max_stall = Duration::from_secs(3);
        policy.min_rules_lifetime = Duration::from_secs(1);
        let ended = tokio::time::timeout(Duration::from_secs(30), crawl(gate(policy), vec![seed], 10)).await;
        let pages = ended.expect("the crawl ends").unwrap();
        assert_eq!(pages.len(), 1);
        assert!(pages[0].result.is_err(), "{:?}", pages[0].result);
    }
}

#[cfg(not(target_os = "linux"))]
#[test]
fn other_systems_are_skipped() {
    // Only on Linux does each address of the loopback network exist.
    println!("skipped: the sites need addresses of the loopback network");
}
