//! Redirects: to FTP, over connections that are kept, and within the time limit of the whole chain.

use std::time::{Duration, Instant, SystemTime};

use robots_fetch::client::{AddressPolicy, ftp};
use robots_fetch::matching::Crawler;
use robots_fetch::{Access, AccessResult, AsyncCache, Cache, CacheOptions, Entry, SiteProfile};

use crate::support::{self, Act, Client, Server, Then, answer};
use crate::{LATE, code, fetch, hasty, origin, with_each};
use robots_conformance::testing::ftp_server::{self, Fault};

/// A client of both schemes over `client`, and another of the same options for FTP, where all hosts are a server that does
/// this.
fn by_scheme(
    server: &Server,
    client: &Client,
    fault: Fault,
    addresses: AddressPolicy,
) -> Box<dyn Fn(&str) -> Entry> {
    let address = ftp_server::serve(fault);
    let is_slow = matches!(fault, Fault::Slow);
    let mut options = if is_slow { server.options() } else { server.patient_options() };
    options = options.with_resolver(move |_, _| Ok(vec![address]));
    options.addresses = addresses;
    let ftp = ftp::Client::new(&options).unwrap();
    match client {
        Client::Blocking(http) => {
            let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), http.clone().with_ftp(ftp));
            Box::new(move |from| cache.refresh(&origin(from)).as_ref().clone())
        }
        Client::Reqwest(http, _) => {
            let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), http.clone().with_ftp(ftp));
            Box::new(move |from| support::runtime().block_on(cache.refresh(&origin(from))).as_ref().clone())
        }
    }
}

#[test]
fn pages_and_sitemaps_are_redirected_as_robots_txt_files_are() {
    let server = Server::start();
    let mut options = server.patient_options();
    options.addresses = AddressPolicy::Any;
    let client = robots_fetch::client::blocking::Client::new(&options).unwrap();
    let url = origin("http://example.com").robots_url().clone();
    let page = || Act::Send(answer(200, &[], b"x"), Then::Close);
    for (status, fields, expected) in [
        (300, &["Location: /a"][..], Some(true)),
        (305, &["Location: /a#b", "Location: /a#b"], Some(true)),
        (301, &["Location: /a", "Location: /b"], None),
        (302, &["Location: mailto:a@example.com"], None),
        (301, &[], Some(false)),
        (304, &["Location: /a"], Some(false)),
    ] {
        let answers = || [Act::Send(answer(status, fields, b""), Then::Close), page()];
        server.script(answers());
        let looked = client.look(&url, &[], 9);
        let is_redirect = looked.as_ref().ok().map(|looked| looked.location.is_some());
        assert_eq!(is_redirect, expected, "{status} {fields:?} {looked:?}");
        server.script(answers());
        let found = client.download(&url, &[], Duration::from_secs(10));
        assert_eq!(found.is_ok(), expected == Some(true), "{status} {fields:?} {found:?}");
        if expected.is_none() {
            assert_eq!(found.unwrap_err(), looked.unwrap_err());
        }
    }
}

#[test]
fn redirects_lead_from_http_to_ftp() {
    with_each(|server, client| {
        let token = Crawler::new("ExampleBot").unwrap();
        let leads = |to: &str| {
            [
                Act::Send(answer(302, &["Location: http://example.org/a"], b""), Then::Close),
                Act::Send(answer(301, &[&format!("Location: {to}")], b""), Then::Close),
            ]
        };
        let fetch = by_scheme(server, client, Fault::None, AddressPolicy::Any);
        server.script(leads("ftp://ftp.example.com/robots.txt"));
        let entry = fetch("http://example.com");
        assert_eq!(
            (entry.access_result(), entry.status()),
            (AccessResult::Success, Some(150)),
            "{:?}",
            entry.cause()
        );
        let hops: Vec<_> = entry.hops().iter().map(|hop| (hop.url.as_str(), hop.status)).collect();
        assert_eq!(
            hops,
            [
                ("http://example.com/robots.txt", Some(302)),
                ("http://example.org/a", Some(301)),
                ("ftp://ftp.example.com/robots.txt", Some(150)),
            ]
        );
        let permission = entry.permission(&token, SystemTime::now());
        assert_eq!(permission.check(b"/private").line(), Some(2));
        assert_eq!(server.record().1, None);
        // A file from FTP does not make the next request conditional.
        server.script([Act::Send(answer(200, &[], b""), Then::Close)]);
        let entry = fetch("http://example.com");
        assert_eq!((entry.hops().len(), entry.body_bytes()), (1, 0), "{}", client.name());
        assert_eq!(server.record(), (vec!["http://example.com/robots.txt".to_owned()], None));

        server.script([]);
        let entry = fetch("ftp://ftp.example.com");
        assert_eq!((entry.status(), entry.hops().len()), (Some(150), 1));
        assert_eq!(server.connections(), 0);

        server.script(leads("ftp://ftp.example.com/none"));
        let entry = fetch("http://example.com");
        assert_eq!(
            (entry.access_result(), entry.status()),
            (AccessResult::Unavailable, Some(550)),
            "{:?}",
            entry.cause()
        );

        // NUL ends names, and CR and LF end commands.
        for path in ["%00", "robots.txt%00.html", "a%0D%0ADELE%20b", "a%0Ab", "%7F"] {
            server.script(leads(&format!("ftp://ftp.example.com/{path}")));
            let entry = fetch("http://example.com");
            assert_eq!(
                (code(&entry), entry.access_result()),
                ("other", AccessResult::Unreachable),
                "{path}: {:?}",
                entry.cause()
            );
        }

        let whole = server.options().total_timeout;
        for (fault, addresses, expected) in [
            (Fault::None, AddressPolicy::Public, "refused-address"),
            (Fault::Gone("RETR"), AddressPolicy::Any, "reset"),
            (Fault::Cut, AddressPolicy::Any, "incomplete"),
            (Fault::Slow, AddressPolicy::Any, "timeout"),
            (Fault::Endless, AddressPolicy::Any, "success"),
        ] {
            let fetch = by_scheme(server, client, fault, addresses);
            server.script(leads("ftp://ftp.example.com/robots.txt"));
            let began = Instant::now();
            let entry = fetch("http://example.com");
            assert_eq!((code(&entry), entry.hops().len()), (expected, 3), "{} {fault:?}", client.name());
            let is_slow = expected == "timeout";
            assert!(!is_slow || began.elapsed() < whole + LATE, "{:?}", began.elapsed());
            let nothing = matches!(entry.access(SystemTime::now()), Access::Nothing(..));
            assert_eq!(nothing, expected != "success");
        }
    });
}

#[test]
fn connections_are_reused() {
    with_each(|server, client| {
        let kept = |status: u16, field: &str, body: &str| {
            format!("HTTP/1.1 {status} X\r\n{field}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
                .into_bytes()
        };
        server.script([
            Act::Send(kept(302, "Location: /a", ""), Then::Keep),
            Act::Send(kept(302, "Location: /b", ""), Then::Keep),
            Act::Send(kept(200, "X: y", "user-agent: *"), Then::Keep),
        ]);
        let entry = fetch(client, &origin("https://example.com"), &SiteProfile::RFC9309);
        assert_eq!((code(&entry), entry.hops().len()), ("success", 3));
        assert_eq!(server.connections(), 1, "{}", client.name());
    });
}

#[test]
fn the_whole_chain_of_redirects_ends_in_time() {
    with_each(|server, client| {
        // Each answer comes within the time to wait for bytes; all of them together do not.
        let hops = (0..6).map(|hop| {
            let start = format!("HTTP/1.1 302 X\r\nLocation: /{hop}\r\nX: ").into_bytes();
            let act = Act::Endless(start, b"x".to_vec(), Duration::from_millis(300));
            if hop < 5 {
                Act::Send(answer(302, &[&format!("Location: /{hop}")], b""), Then::Close)
            } else {
                act
            }
        });
        server.script(hops);
        let began = Instant::now();
        let entry = fetch(&hasty(server, client), &origin("http://example.com"), &SiteProfile::RFC9309);
        assert_eq!((code(&entry), entry.hops().len()), ("timeout", 6), "{}", client.name());
        assert!(began.elapsed() < server.options().total_timeout + LATE);
    });
}
