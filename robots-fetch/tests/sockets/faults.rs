//! Faults of servers: each retrieval ends in time, and none allows more than the bytes that came.

use std::iter;
use std::time::{Duration, Instant, SystemTime};

use flate2::{Compress, Compression, FlushCompress};
use robots_fetch::{Access, AccessResult, FailureKind, SiteProfile};

use crate::support::{Act, Client, Server, Then, head, rows};
use crate::{FILE, LATE, code, fetch, hasty, origin, with_each};

/// Deflate blocks of 64 KiB of line ends, which may be repeated.
fn unfolding() -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut all = Vec::with_capacity(4096);
    compress.compress_vec(&[b'\n'; 1 << 16], &mut all, FlushCompress::Full).unwrap();
    assert!(all.len() < 1000);
    all
}

/// 64 MiB of line ends by brotli.
pub(crate) const BROTLI: [u8; 54] = [
    0xCF, 0xFF, 0xFF, 0x7F, 0xF8, 0x25, 0x14, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x9F, 0xFF, 0xFF, 0xFF,
    0xF0, 0x4B, 0x00, 0xC4, 0x61, 0x01, 0x80, 0xEE, 0xFD, 0x3F, 0xFF, 0xFF, 0xFF, 0xE1, 0x97, 0x00, 0x88,
    0xC3, 0x22, 0x00, 0xDD, 0xFB, 0x7F, 0xFE, 0xFF, 0xFF, 0xC3, 0x2F, 0x01, 0x10, 0x87, 0x05, 0x00, 0xBA,
    0xF7, 0xFF, 0x03,
];

/// The faults of a server over http, each with the causes that may follow.
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
        ("a byte now and then in the head", slow(b"HTTP/1.1 200 OK\r\nX-Y: "), &["timeout"]),
        ("a byte now and then in the body", slow(&with("Content-Length: 999", b"")), &["timeout"]),
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

/// Makes one exchange with each fault, and passes its duration to `each`. The second client asks servers that are silent.
pub(crate) fn endure(
    server: &Server,
    clients: [&Client; 2],
    whole: Duration,
    wanted: impl Fn(&Act) -> bool,
    mut each: impl FnMut(&str, Duration),
) {
    for (name, act, codes) in faults().into_iter().filter(|(_, act, _)| wanted(act)) {
        let [patient, hasty] = clients;
        let client = if codes.contains(&"timeout") { hasty } else { patient };
        // `hyper` refuses such a head, so the client asks once more, to read it by itself.
        let asks_again = client.name() == "reqwest" && codes.contains(&"invalid-response");
        server.script(iter::repeat_n(act, 1 + usize::from(asks_again)));
        let began = Instant::now();
        let entry = fetch(client, &origin("http://example.com"), &SiteProfile::RFC9309);
        let took = began.elapsed();
        let place = format!("{}, {name}: {:?}", client.name(), entry.cause().map(ToString::to_string));
        assert!(codes.contains(&code(&entry)), "{place}");
        let (_, departs) = server.record();
        assert_eq!(departs, None, "{place}");
        assert!(took < whole + LATE || !codes.contains(&"timeout"), "{place}: {took:?}");
        match entry.access(SystemTime::now()) {
            Access::Rules(_) => {
                assert_eq!(entry.access_result(), AccessResult::Success, "{place}");
                assert!(entry.body_bytes() <= SiteProfile::RFC9309.max_size() + 1, "{place}");
            }
            Access::Nothing(..) => assert_ne!(code(&entry), "success", "{place}"),
            Access::Everything(..) => panic!("{place}: everything is allowed"),
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
            [client, &hasty(server, client)],
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
fn faults_below_http_are_distinguished() {
    with_each(|server, client| {
        for kind in [FailureKind::Dns, FailureKind::Connect, FailureKind::Tls, FailureKind::Timeout] {
            server.script([rows::failing(kind).unwrap()]);
            let hasty = hasty(server, client);
            let client = if kind == FailureKind::Timeout { &hasty } else { client };
            let entry = fetch(client, &origin("https://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), kind.name(), "{} {:?}", client.name(), entry.cause());
        }
        // A certificate of another host.
        server.script([]);
        let entry = fetch(client, &origin("https://example.net"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "tls", "{} {:?}", client.name(), entry.cause());
        // Without a close_notify of TLS, anyone may have ended the connection.
        for (then, expected) in
            [(Then::Close, "success"), (Then::Cut, "incomplete"), (Then::Reset, "incomplete")]
        {
            server.script([Act::Send([head(200, &[]).as_slice(), FILE].concat(), then)]);
            let entry = fetch(client, &origin("https://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), expected, "{} {then:?} {:?}", client.name(), entry.cause());
        }
        let entry = fetch(client, &origin("ftp://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "unsupported-scheme");
    });
}

/// Bytes after a body are not the answer to the next request, also where TLS has received them with the body.
#[test]
fn bytes_after_a_body_are_no_answer() {
    let kept = |body: &[u8]| {
        [format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
    };
    with_each(|server, client| {
        for url in ["http://example.com", "https://example.com"] {
            // Records of TLS have up to 16 KiB. The rest comes in the next one.
            for body in [1000, 16 * 1024 - 42, 16 * 1024 - 41, 20 * 1024] {
                let wrong = kept(b"User-agent: *\nDisallow: /wrong\n");
                let first = [kept(&vec![b'#'; body]), wrong].concat();
                server.script([Act::Send(first, Then::Keep), Act::Send(kept(FILE), Then::Close)]);
                let entry = fetch(client, &origin(url), &SiteProfile::RFC9309);
                assert_eq!(code(&entry), "success", "{} {:?}", client.name(), entry.cause());
                let entry = fetch(client, &origin(url), &SiteProfile::RFC9309);
                let read = entry.good_file().map(|file| file.robots.body());
                assert_eq!(read, Some(FILE), "{} {url} {body} {:?}", client.name(), entry.cause());
            }
            // Without them, the connection serves the next request, too.
            server.script([Act::Send(kept(FILE), Then::Keep), Act::Send(kept(FILE), Then::Close)]);
            for _ in 0..2 {
                let entry = fetch(client, &origin(url), &SiteProfile::RFC9309);
                assert_eq!(code(&entry), "success", "{} {:?}", client.name(), entry.cause());
            }
            assert_eq!(server.connections(), 1, "{} {url}", client.name());
        }
    });
}
