//! Exchanges over real sockets, with the expectations of the core: what an answer means does not depend on who brings it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that can't go on ends"
)]
#![allow(clippy::std_instead_of_alloc, clippy::std_instead_of_core, reason = "tests have a standard library")]

#[path = "support/ftp_server.rs"]
#[allow(dead_code, reason = "the test of its client has all of its faults")]
mod ftp_server;
mod support;

use std::io::Write as _;
use std::net::IpAddr;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use flate2::{Compress, Compression, FlushCompress};
use ftp_server::Fault;
use peak_alloc::PeakAlloc;
use robots_conformance::exchange::{Retrieved, Timeline};
use robots_fetch::client::{AddressPolicy, ByScheme, Resolver, ftp};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    Access, AccessResult, AsyncCache, AwaitingHead, Cache, CacheOptions, Entry, FailureKind, Head, NextStep,
    Origin, Outcome, RetrievalResult, SiteProfile, Validators,
};
use support::{Act, Client, Server, Then, answer, head, http2, rows};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

/// How much later than its limit a retrieval may end on a machine that is busy with other things.
const LATE: Duration = Duration::from_millis(1500);

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

/// Runs `test` with each client at the same time, and a server for each.
fn with_each(test: impl Fn(&Server, &Client) + Sync) {
    thread::scope(|scope| {
        for index in 0..2 {
            let test = &test;
            scope.spawn(move || {
                let server = Server::start();
                let client = server.clients().into_iter().nth(index).unwrap();
                test(&server, &client);
                assert_eq!(server.wrong(), Vec::<String>::new());
            });
        }
    });
}

#[test]
fn rows_hold_over_sockets() {
    with_each(|server, client| {
        let mut options = server.options();
        // Many rows wait for the end of it.
        (options.connect_timeout, options.read_timeout) =
            (Duration::from_secs(1), Duration::from_millis(400));
        let clients = server.clients_with(&options);
        let client = clients.iter().find(|other| other.name() == client.name()).unwrap();
        let began = Instant::now();
        let (mut exchanges, mut skipped, mut wrong) = (0, 0, Vec::new());
        for table in rows::all(server.address.port()) {
            for row in table.rows.iter().filter_map(|row| row.case.timeline()) {
                let row = &row;
                for name in &row.profiles {
                    let profile = robots_conformance::turned(
                        robots_conformance::profile_named(name).unwrap(),
                        &row.turn,
                    )
                    .unwrap();
                    let file = |name: &str| table.files.get(name);
                    let mismatches = row.run_over(file, &profile, |retrieval| {
                        if !retrieval.answers.first().is_none_or(|first| rows::is_sampled(row, first)) {
                            return None;
                        }
                        let acts: Option<Vec<Act>> = retrieval.answers.iter().map(rows::act).collect();
                        let Some(acts) =
                            acts.filter(|_| retrieval.origin.scheme() != "ftp" && !leads_to_ftp(row))
                        else {
                            skipped += 1;
                            return None;
                        };
                        exchanges += acts.len();
                        server.tell(acts);
                        let outcome = client.fetch(retrieval.origin, retrieval.validators, retrieval.profile);
                        let (requests, departs) = server.told();
                        Some(Retrieved { outcome, requests, departs })
                    });
                    // A connection that breaks within the body leaves an incomplete one.
                    let mismatches = mismatches
                        .into_iter()
                        .filter(|m| !(m.what == "cause" && m.got == "incomplete" && m.expected == "reset"));
                    wrong.extend(
                        mismatches
                            .map(|mismatch| format!("{} {name} {}: {mismatch:?}", client.name(), row.name)),
                    );
                }
            }
        }
        println!(
            "{}: {exchanges} exchanges of rows in {:.1} s; {skipped} retrievals have answers that no server of HTTP can give",
            client.name(),
            began.elapsed().as_secs_f32()
        );
        assert!(exchanges > 1000, "{exchanges}");
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    });
}

/// Whether a row has a redirect to FTP, which is for a client of FTP.
fn leads_to_ftp(row: &Timeline) -> bool {
    let mut answers = row.steps.iter().flat_map(|step| step.answers.iter().flatten());
    answers.any(|answer| answer.fields.iter().any(|field| field.contains("ftp://")))
}

/// What the core says about a status without a socket.
fn by_script(status: u16, profile: &SiteProfile) -> Outcome {
    let now = SystemTime::now();
    let awaiting = AwaitingHead::new(&origin("http://example.com"), &Validators::default(), profile, now);
    match awaiting.head(&Head::new(status), now) {
        NextStep::Done(outcome) => outcome,
        NextStep::Read(mut reading) => {
            let _ = reading.push(if status == 204 { b"" } else { FILE });
            reading.end(now)
        }
        NextStep::Send(..) => panic!("{status} without a location is not a redirect"),
    }
}

#[test]
fn every_status_means_what_the_core_says() {
    with_each(|server, client| {
        let token = Crawler::new("ExampleBot").unwrap();
        for (name, profile) in robots_conformance::PROFILES {
            for status in 100..600 {
                let body = if matches!(status, 100..200 | 204 | 304) { b"".as_slice() } else { FILE };
                let bytes = if body.is_empty() { head(status, &[]) } else { answer(status, &[], body) };
                server.tell([Act::Send(bytes, Then::Close)]);
                let got = fetch(client, &origin("http://example.com"), &profile);
                let place = format!("{} {name} {status}: {:?}", client.name(), got.cause());
                assert_eq!(server.told().1, None, "{place}");
                let now = SystemTime::now();
                if status < 200 {
                    // Interim, and nothing follows.
                    assert!(matches!(got.access(now), Access::Nothing(..)), "{place}");
                    assert_eq!(got.access_result(), AccessResult::Unreachable, "{place}");
                    continue;
                }
                let expected = Entry::from_outcome(None, by_script(status, &profile), &profile);
                assert_eq!(
                    (got.access_result(), code(&got)),
                    (expected.access_result(), code(&expected)),
                    "{place}"
                );
                assert_eq!(got.status(), Some(status), "{place}");
                assert_eq!(got.access(now).name(), expected.access(now).name(), "{place}");
                let allowed = |entry: &Entry| entry.permission(&token, now).check(b"/private").is_allowed();
                assert_eq!(allowed(&got), allowed(&expected), "{place}");
            }
        }
    });
}

#[test]
fn interim_answers_are_passed_over() {
    with_each(|server, client| {
        for interim in [100, 102, 103, 199] {
            let bytes =
                [format!("HTTP/1.1 {interim} Wait\r\n\r\n").into_bytes(), answer(200, &[], FILE)].concat();
            server.tell([Act::Send(bytes, Then::Close)]);
            let entry = fetch(client, &origin("http://example.com"), &SiteProfile::RFC9309);
            println!("{} {interim}: {}", client.name(), code(&entry));
            assert!(
                matches!(entry.access(SystemTime::now()), Access::Rules(_)),
                "{} {interim}",
                client.name()
            );
        }
    });
}

/// Deflate blocks of 64 KiB of line ends, which may be repeated.
fn unfolding() -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut all = Vec::with_capacity(4096);
    compress.compress_vec(&[b'\n'; 1 << 16], &mut all, FlushCompress::Full).unwrap();
    assert!(all.len() < 1000);
    all
}

/// 64 MiB of line ends by brotli.
const BROTLI: [u8; 54] = [
    0xCF, 0xFF, 0xFF, 0x7F, 0xF8, 0x25, 0x14, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x9F, 0xFF, 0xFF, 0xFF,
    0xF0, 0x4B, 0x00, 0xC4, 0x61, 0x01, 0x80, 0xEE, 0xFD, 0x3F, 0xFF, 0xFF, 0xFF, 0xE1, 0x97, 0x00, 0x88,
    0xC3, 0x22, 0x00, 0xDD, 0xFB, 0x7F, 0xFE, 0xFF, 0xFF, 0xC3, 0x2F, 0x01, 0x10, 0x87, 0x05, 0x00, 0xBA,
    0xF7, 0xFF, 0x03,
];

/// What a server may do to a crawler that asks over http, and what comes of it.
fn faults() -> Vec<(&'static str, Act, &'static [&'static str])> {
    let send = |bytes: Vec<u8>, then| Act::Send(bytes, then);
    let with = |field: &str, body: &[u8]| [&head(200, &[field]), body].concat();
    let endless = |start: Vec<u8>, again: &[u8]| Act::Endless(start, again.to_vec(), Duration::ZERO);
    let chunked = |chunks: &[u8]| with("Transfer-Encoding: chunked", chunks);
    let slow = |start: &[u8]| Act::Endless(start.to_vec(), b"x".to_vec(), Duration::from_millis(250));
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF";
    let part = b"user-agent: *\n".as_slice();
    let line = [b'x'; 9998].as_slice();
    let large = [b"X-Field: ".as_slice(), line, b"\r\n"].concat();
    vec![
        ("closed before the head", send(Vec::new(), Then::Close), &["reset"]),
        ("reset before the head", send(Vec::new(), Then::Reset), &["reset"]),
        ("closed within the head", send(b"HTTP/1.1 200 OK\r\nServ".to_vec(), Then::Close), &["reset"]),
        ("reset within the head", send(b"HTTP/1.1 200 OK\r\nServ".to_vec(), Then::Reset), &["reset"]),
        (
            "reset within a body with a length",
            send(with("Content-Length: 99", part), Then::Reset),
            &["incomplete"],
        ),
        (
            "reset within a body in chunks",
            send(chunked(b"e\r\nuser-agent: *\n\r\n"), Then::Reset),
            &["incomplete"],
        ),
        ("reset within a body until the end", send(with("X: y", part), Then::Reset), &["incomplete"]),
        ("shorter than its length", send(with("Content-Length: 99", part), Then::Close), &["incomplete"]),
        ("without the last chunk", send(chunked(b"e\r\nuser-agent: *\n\r\n"), Then::Close), &["incomplete"]),
        ("within a chunk", send(chunked(b"ff\r\nuser-agent: *\n"), Then::Close), &["incomplete"]),
        ("silence before the head", send(Vec::new(), Then::Silence), &["timeout"]),
        ("silence within the head", send(b"HTTP/1.1 200 OK\r\nServ".to_vec(), Then::Silence), &["timeout"]),
        ("silence within the body", send(with("Content-Length: 99", part), Then::Silence), &["timeout"]),
        ("an byte now and then in the head", slow(b"HTTP/1.1 200 OK\r\nX-Y: "), &["timeout"]),
        ("an byte now and then in the body", slow(&with("Content-Length: 999", b"")), &["timeout"]),
        ("a chunk without length", send(chunked(b"xyz\r\nuser"), Then::Close), &["chunking"]),
        ("a chunk with a negative length", send(chunked(b"-5\r\nuser"), Then::Close), &["chunking"]),
        (
            "a chunk longer than all memory",
            send(chunked(b"fffffffffffffffff\r\nuser"), Then::Close),
            &["chunking"],
        ),
        (
            "a chunk longer than it says",
            send(chunked(b"2\r\nuser-agent: *\n\r\n0\r\n\r\n"), Then::Close),
            &["chunking"],
        ),
        ("an endless length of a chunk", endless(chunked(b""), &[b'0'; 1000]), &["chunking", "timeout"]),
        ("an endless extension of a chunk", endless(chunked(b"5;"), &[b'x'; 1000]), &["chunking", "timeout"]),
        ("endless trailers", endless(chunked(b"0\r\n"), b"A: b\r\n"), &["chunking", "timeout", "success"]),
        ("no HTTP", send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec(), Then::Close), &["invalid-response"]),
        ("no status", send(b"HTTP/1.1 abc OK\r\n\r\n".to_vec(), Then::Close), &["invalid-response"]),
        (
            "a field without colon",
            send(b"HTTP/1.1 200 OK\r\nX\r\n\r\n".to_vec(), Then::Close),
            &["invalid-response"],
        ),
        (
            "two lengths",
            send(head(200, &["Content-Length: 1", "Content-Length: 2"]), Then::Close),
            &["invalid-response"],
        ),
        ("no length", send(with("Content-Length: x", b""), Then::Close), &["invalid-response"]),
        ("a field of 10 MB", endless(b"HTTP/1.1 200 OK\r\nX-Field: ".to_vec(), line), &["head-too-large"]),
        ("a thousand fields of 10 kB", endless(b"HTTP/1.1 200 OK\r\n".to_vec(), &large), &["head-too-large"]),
        ("endless fields", endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"A: b\r\n"), &["head-too-large"]),
        // A client may take all interim answers together for a head that is too large, or each for one of its own; then
        // only time ends them.
        (
            "endless interim answers",
            endless(Vec::new(), b"HTTP/1.1 103 Wait\r\n\r\n"),
            &["timeout", "head-too-large"],
        ),
        ("an unknown coding", send(with("Content-Encoding: zstd", part), Then::Close), &["unknown-coding"]),
        ("two codings", send(with("Content-Encoding: gzip, gzip", part), Then::Close), &["unknown-coding"]),
        ("no gzip", send(with("Content-Encoding: gzip", part), Then::Close), &["decoding"]),
        ("no deflate", send(with("Content-Encoding: deflate", b"\xFF\xFF\xFF"), Then::Close), &["decoding"]),
        ("no brotli", send(with("Content-Encoding: br", part), Then::Close), &["decoding"]),
        (
            "gzip that is cut",
            send(with("Content-Encoding: gzip", &[gzip, unfolding().as_slice()].concat()), Then::Close),
            &["decoding"],
        ),
        ("brotli that is cut", send(with("Content-Encoding: br", &BROTLI[..10]), Then::Close), &["decoding"]),
        (
            "gzip that unfolds to nothing",
            endless(with("Content-Encoding: gzip", gzip), b"\0\0\0\xFF\xFF"),
            &["decoding"],
        ),
        (
            "brotli that unfolds to nothing",
            endless(with("Content-Encoding: br", b"\x0C"), b"\x06"),
            &["decoding"],
        ),
        // A body longer than the limit is not a failure.
        ("an endless body", endless(with("X: y", b""), FILE), &["success"]),
        (
            "endless chunks",
            endless(chunked(b""), &[b"3e8\r\n", [b'#'; 1000].as_slice(), b"\r\n"].concat()),
            &["success"],
        ),
        ("a bomb of gzip", endless(with("Content-Encoding: gzip", gzip), &unfolding()), &["success"]),
        (
            "a bomb of deflate",
            endless(with("Content-Encoding: deflate", b"\x78\xDA"), &unfolding()),
            &["success"],
        ),
        (
            "a bomb of bare deflate",
            endless(with("Content-Encoding: deflate", b""), &unfolding()),
            &["success"],
        ),
        ("a bomb of brotli", send(with("Content-Encoding: br", &BROTLI), Then::Close), &["success"]),
    ]
}

/// Makes one exchange with each fault, and says how long it took; what may be had is never more than what was sent.
fn endure(
    server: &Server,
    client: &Client,
    whole: Duration,
    wanted: impl Fn(&Act) -> bool,
    mut each: impl FnMut(&str, Duration),
) {
    for (name, act, codes) in faults().into_iter().filter(|(_, act, _)| wanted(act)) {
        server.tell([act]);
        let began = Instant::now();
        let entry = fetch(client, &origin("http://example.com"), &SiteProfile::RFC9309);
        let took = began.elapsed();
        let place = format!("{}, {name}: {:?}", client.name(), entry.cause().map(ToString::to_string));
        assert!(codes.contains(&code(&entry)), "{place}");
        let (_, departs) = server.told();
        assert_eq!(departs, None, "{place}");
        assert!(took < whole + LATE, "{place}: {took:?}");
        match entry.access(SystemTime::now()) {
            Access::Rules(_) => {
                assert_eq!(entry.access_result(), AccessResult::Success, "{place}");
                assert!(entry.body_bytes() <= SiteProfile::RFC9309.max_size() + 1, "{place}");
            }
            Access::Nothing(..) => assert_ne!(code(&entry), "success", "{place}"),
            Access::Everything(..) => panic!("{place}: everything may be had"),
        }
        each(name, took);
    }
}

#[test]
fn faults_end_in_time_and_allow_nothing() {
    with_each(|server, client| {
        let whole = server.options().total_timeout;
        let (mut count, mut longest, mut by) = (0, Duration::ZERO, String::new());
        endure(
            server,
            client,
            whole,
            |_| true,
            |name, took| {
                count += 1;
                if took > longest {
                    (longest, by) = (took, name.to_owned());
                }
            },
        );
        println!(
            "{}: {count} faults; of at most {whole:?}, the longest took {longest:.2?} ({by})",
            client.name()
        );
    });
}

#[test]
fn faults_below_http_are_told_apart() {
    with_each(|server, client| {
        for kind in [FailureKind::Dns, FailureKind::Connect, FailureKind::Tls, FailureKind::Timeout] {
            server.tell([rows::failing(kind).unwrap()]);
            let entry = fetch(client, &origin("https://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), kind.name(), "{} {:?}", client.name(), entry.cause());
        }
        // A certificate of another host.
        server.tell([]);
        let entry = fetch(client, &origin("https://example.net"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "tls", "{} {:?}", client.name(), entry.cause());
        // An end that TLS does not tell of may be anyone's.
        for (then, expected) in
            [(Then::Close, "success"), (Then::Cut, "incomplete"), (Then::Reset, "incomplete")]
        {
            server.tell([Act::Send([head(200, &[]).as_slice(), FILE].concat(), then)]);
            let entry = fetch(client, &origin("https://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), expected, "{} {then:?} {:?}", client.name(), entry.cause());
        }
        let entry = fetch(client, &origin("ftp://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "unsupported-scheme");
    });
}

/// A client of both schemes over `client`, and another of the same options for FTP, where all hosts are a server that does
/// this.
fn by_scheme(
    server: &Server,
    client: &Client,
    fault: Fault,
    addresses: AddressPolicy,
) -> Box<dyn Fn(&str) -> Entry> {
    let address = ftp_server::serve(fault);
    let mut options = server.options();
    options.resolver = Resolver::new(move |_, _| Ok(vec![address]));
    options.addresses = addresses;
    let ftp = ftp::Client::new(&options).unwrap();
    match client {
        Client::Ureq(http) => {
            let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), ByScheme::new(http.clone(), ftp));
            Box::new(move |from| cache.refresh(&origin(from)).as_ref().clone())
        }
        Client::Reqwest(http, _) => {
            let cache =
                AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), ByScheme::new(http.clone(), ftp));
            Box::new(move |from| support::runtime().block_on(cache.refresh(&origin(from))).as_ref().clone())
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
        server.tell(leads("ftp://ftp.example.com/robots.txt"));
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
        assert_eq!(server.told().1, None);
        // A file from FTP does not make the next request conditional.
        server.tell([Act::Send(answer(200, &[], b""), Then::Close)]);
        let entry = fetch("http://example.com");
        assert_eq!((entry.hops().len(), entry.body_bytes()), (1, 0), "{}", client.name());
        assert_eq!(server.told(), (vec!["http://example.com/robots.txt".to_owned()], None));

        server.tell([]);
        let entry = fetch("ftp://ftp.example.com");
        assert_eq!((entry.status(), entry.hops().len()), (Some(150), 1));
        assert_eq!(server.connections(), 0);

        server.tell(leads("ftp://ftp.example.com/none"));
        let entry = fetch("http://example.com");
        assert_eq!(
            (entry.access_result(), entry.status()),
            (AccessResult::Unavailable, Some(550)),
            "{:?}",
            entry.cause()
        );

        // NUL ends names, and CR and LF end commands.
        for path in ["%00", "robots.txt%00.html", "a%0D%0ADELE%20b", "a%0Ab", "%7F"] {
            server.tell(leads(&format!("ftp://ftp.example.com/{path}")));
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
            server.tell(leads("ftp://ftp.example.com/robots.txt"));
            let began = Instant::now();
            let entry = fetch("http://example.com");
            assert_eq!((code(&entry), entry.hops().len()), (expected, 3), "{} {fault:?}", client.name());
            assert!(began.elapsed() < whole + LATE, "{:?}", began.elapsed());
            let nothing = matches!(entry.access(SystemTime::now()), Access::Nothing(..));
            assert_eq!(nothing, expected != "success");
        }
    });
}

#[test]
fn connections_are_kept() {
    with_each(|server, client| {
        let kept = |status: u16, field: &str, body: &str| {
            format!("HTTP/1.1 {status} X\r\n{field}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
                .into_bytes()
        };
        server.tell([
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
        server.tell(hops);
        let began = Instant::now();
        let entry = fetch(client, &origin("http://example.com"), &SiteProfile::RFC9309);
        assert_eq!((code(&entry), entry.hops().len()), ("timeout", 6), "{}", client.name());
        assert!(began.elapsed() < server.options().total_timeout + LATE);
    });
}

#[test]
fn addresses_are_refused_at_every_step() {
    let server = Server::start();
    let mut options = server.options();
    // The server's address stands for a public one; all others of the loopback interface are what must not be reached.
    options.addresses = AddressPolicy::Custom(|address: IpAddr| {
        address == IpAddr::from([127, 0, 0, 1]) || AddressPolicy::Public.allows(address)
    });
    let usual = options.resolver.clone();
    let address = server.address;
    options.resolver = Resolver::new(move |host, _| match host {
        "private.example.com" => Ok(vec!["10.0.0.1:80".parse().unwrap()]),
        "metadata.example.com" => {
            Ok(vec!["169.254.169.254:80".parse().unwrap(), "[fe80::1]:80".parse().unwrap()])
        }
        _ => Ok(vec![address]),
    });
    drop(usual);
    for client in server.clients_with(&options) {
        let port = server.address.port();
        for host in [
            "private.example.com",
            "metadata.example.com",
            "127.0.0.2",
            "2130706434",
            "0x7f.2",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.2]",
            "[fd00::1]",
            "10.1.2.3",
        ] {
            // At first, and after a redirect.
            server.tell([]);
            let entry = fetch(&client, &origin(&format!("http://{host}:{port}")), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host} {:?}", client.name(), entry.cause());
            assert_eq!(server.connections(), 0, "{} {host}", client.name());
            server.tell([Act::Send(
                answer(302, &[&format!("Location: http://{host}:{port}/")], b""),
                Then::Close,
            )]);
            let entry = fetch(&client, &origin("http://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host} {:?}", client.name(), entry.cause());
            assert_eq!(server.connections(), 1, "{} {host}", client.name());
            assert!(matches!(entry.access(SystemTime::now()), Access::Nothing(..)));
        }
    }
    options.addresses = AddressPolicy::Public;
    for client in server.clients_with(&options) {
        server.tell([]);
        for url in ["http://example.com", "https://example.com"] {
            let entry = fetch(&client, &origin(url), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {url}", client.name());
        }
        assert_eq!(server.connections(), 0);
    }
}

#[test]
fn http2_means_the_same() {
    use http2::Act;
    let (address, certificate, sender) = http2::start();
    let server = Server::start();
    let mut options = server.options();
    options.resolver = Resolver::new(move |_, _| Ok(vec![address]));
    let file = |status| Act::Answer(status, vec![("cache-control", "max-age=60".to_owned())], FILE.to_vec());
    let large = || vec![("x-field", "x".repeat(100_000))];
    for (name, acts, expected) in [
        ("a file", vec![file(200)], "success"),
        ("none", vec![file(404)], "status"),
        ("an error", vec![file(503)], "status"),
        (
            "a redirect",
            vec![
                Act::Answer(301, vec![("location", "https://example.org/a".to_owned())], Vec::new()),
                file(200),
            ],
            "success",
        ),
        ("a reset in place of the head", vec![Act::Reset], "reset"),
        ("a reset within the body", vec![Act::Cut(FILE.to_vec())], "incomplete"),
        ("an end within the body", vec![Act::Gone(FILE.to_vec())], "incomplete"),
        ("silence", vec![Act::Silence], "timeout"),
        (
            "no gzip",
            vec![Act::Answer(200, vec![("content-encoding", "gzip".to_owned())], FILE.to_vec())],
            "decoding",
        ),
        (
            "shorter than its length",
            vec![Act::Answer(200, vec![("content-length", "99".to_owned())], FILE.to_vec())],
            "invalid-response",
        ),
        ("a large head", vec![Act::Answer(200, large(), FILE.to_vec())], "head-too-large"),
    ] {
        // A client for each, and so a connection.
        let client = support::reqwest_client(&certificate, &options);
        let hops = acts.len();
        acts.into_iter().for_each(|act| sender.send(act).unwrap());
        let entry = support::runtime().block_on(client.refresh(
            &origin("https://example.com"),
            None,
            &SiteProfile::RFC9309,
        ));
        assert_eq!((code(&entry), entry.hops().len()), (expected, hops), "{name}: {:?}", entry.cause());
    }
}

#[test]
fn clients_of_ones_own_are_held_to_it() {
    // Whose client it is has to have that; a test beside this one may be faster.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start();
    let options = server.options();
    // One that follows redirects, and one that does not.
    let direct = |policy| {
        let builder =
            ::reqwest::Client::builder().redirect(policy).no_proxy().resolve("example.com", server.address);
        robots_fetch::client::reqwest::Client::with_client(builder.build().unwrap(), &options)
    };
    let redirect = || {
        [
            Act::Send(answer(302, &["Location: /a"], b""), Then::Close),
            Act::Send(answer(200, &[], FILE), Then::Close),
        ]
    };
    let fetched = |client: &robots_fetch::client::reqwest::Client| {
        support::runtime().block_on(client.refresh(
            &origin("http://example.com"),
            None,
            &SiteProfile::RFC9309,
        ))
    };
    server.tell(redirect());
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::none()))), "success");
    server.tell(redirect());
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::limited(5)))), "other");
    server.tell([Act::Send(Vec::new(), Then::Silence)]);
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::none()))), "timeout");
    let agent = ::ureq::Agent::new_with_config(::ureq::Agent::config_builder().proxy(None).build());
    let client = robots_fetch::client::ureq::Client::with_agent(agent, &options);
    server.tell(redirect());
    let local = origin(&format!("http://{}", server.address));
    let entry = client.refresh(&local, None, &SiteProfile::RFC9309);
    assert_eq!((code(&entry), entry.hops().len()), ("success", 2));
    server.tell([Act::Send(answer(404, &[], FILE), Then::Close)]);
    assert_eq!(code(&client.refresh(&local, None, &SiteProfile::RFC9309)), "status");
    server.tell([Act::Send(Vec::new(), Then::Silence)]);
    assert_eq!(code(&client.refresh(&local, None, &SiteProfile::RFC9309)), "timeout");
    // What keeps a connection busy holds no timeout up.
    let flood = || {
        let start = head(200, &["Transfer-Encoding: chunked"]);
        [Act::Endless(start, vec![b'0'; 100_000], Duration::ZERO)]
    };
    let ends = |fetched: &dyn Fn() -> Entry| {
        server.tell(flood());
        let began = Instant::now();
        let entry = fetched();
        assert!(["timeout", "chunking"].contains(&code(&entry)), "{:?}", entry.cause());
        assert!(began.elapsed() < options.total_timeout + LATE, "{:?}", began.elapsed());
    };
    ends(&|| fetched(&direct(::reqwest::redirect::Policy::none())));
    ends(&|| client.refresh(&local, None, &SiteProfile::RFC9309));
}

#[test]
fn bodies_come_decoded() {
    with_each(|server, client| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(FILE).unwrap();
        zlib.write_all(FILE).unwrap();
        // `hello` by an encoder of brotli, in an uncompressed block.
        let brotli = b"\x8B\x02\x80hello\n\x03".to_vec();
        for (coding, body, expected) in [
            ("gzip", gzip.finish().unwrap(), FILE),
            ("deflate", zlib.finish().unwrap(), FILE),
            ("br", brotli, b"hello\n"),
            ("identity", FILE.to_vec(), FILE),
        ] {
            server.tell([Act::Send(
                answer(200, &[&format!("Content-Encoding: {coding}")], &body),
                Then::Close,
            )]);
            let outcome =
                client.fetch(&origin("https://example.com"), &Validators::default(), &SiteProfile::RFC9309);
            assert_eq!(
                outcome.result,
                RetrievalResult::File { body: expected.into() },
                "{} {coding}",
                client.name()
            );
        }
    });
}

/// Runs in a process of its own, where nothing else takes memory.
#[test]
fn memory_is_bounded_whatever_comes() {
    const CHILD: &str = "ROBOTS_FETCH_MEASURES_MEMORY";
    if std::env::var_os(CHILD).is_none() {
        let this = std::env::current_exe().unwrap();
        let mut child = Command::new(this);
        let child =
            child.args(["--exact", "memory_is_bounded_whatever_comes", "--nocapture"]).env(CHILD, "1");
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        said.lines().filter(|line| line.contains("MiB")).for_each(|line| println!("{line}"));
        return;
    }
    for index in 0..2 {
        let server = Server::start();
        let mut options = server.options();
        // Most of them would go on for as long as one listens.
        options.total_timeout = Duration::from_millis(1500);
        let client = server.clients_with(&options).into_iter().nth(index).unwrap();
        // Those that send much: again and again without much of a pause, or a bomb in one piece.
        let sends_much = |act: &Act| match act {
            Act::Endless(.., pause) => *pause < Duration::from_millis(10),
            Act::Send(bytes, _) => bytes.ends_with(&BROTLI),
            _ => false,
        };
        let (mut most, mut by) = (0, String::new());
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        endure(&server, &client, options.total_timeout, sends_much, |name, _| {
            let peak = MEMORY.peak_usage().saturating_sub(before);
            if peak > most {
                (most, by) = (peak, name.to_owned());
            }
            MEMORY.reset_peak_usage();
        });
        let mebibytes = most >> 20;
        println!("{}: at most {mebibytes} MiB more than before, server included ({by})", client.name());
        assert!(most < 40 << 20, "{most} bytes: {by}");
    }
}
