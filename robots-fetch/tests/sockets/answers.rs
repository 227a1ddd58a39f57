//! Answers over sockets have the results that the core gives them.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use flate2::Compression;
use robots_conformance::exchange::{Retrieved, Scripted, Timeline};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    Access, AccessResult, AwaitingHead, Entry, FailureKind, Head, NextStep, Outcome, RetrievalResult,
    SiteProfile, Validators,
};

use crate::support::{self, Act, Server, Then, answer, head, http2, rows};
use crate::{FILE, code, fetch, origin, with_each, with_lanes};

/// The number of servers for each client that answer at the same time.
const LANES: usize = 4;

#[test]
fn rows_hold_over_sockets() {
    let total = AtomicUsize::new(0);
    with_lanes(LANES, |server, client, lane| {
        // Many rows wait until this limit.
        let mut options = server.options();
        (options.connect_timeout, options.read_timeout) =
            (Duration::from_secs(1), Duration::from_millis(400));
        let mut clients = server.clients_with(&options).into_iter();
        let hasty = clients.find(|other| other.name() == client.name()).unwrap();
        let began = Instant::now();
        let (mut exchanges, mut skipped, mut wrong) = (0, 0, Vec::new());
        for table in rows::all(server.address.port()) {
            let all = table.rows.iter().filter_map(|row| row.case.timeline()).enumerate();
            for (_, row) in all.filter(|(number, _)| number % LANES == lane) {
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
                        let Some(mut acts) =
                            acts.filter(|_| retrieval.origin.scheme() != "ftp" && !leads_to_ftp(row))
                        else {
                            skipped += 1;
                            return None;
                        };
                        exchanges += acts.len();
                        let is_silent = matches!(acts.last(), Some(Act::Send(_, Then::Silence)));
                        let client = if is_silent { &hasty } else { client };
                        // `hyper` refuses such a head, so the client asks once more, to read it by itself.
                        let refused = |last: &Scripted| last.head == Err(FailureKind::InvalidResponse);
                        let asks_again =
                            client.name() == "reqwest" && retrieval.answers.last().is_some_and(refused);
                        acts.extend(acts.last().filter(|_| asks_again).cloned());
                        server.script(acts);
                        let outcome = client.fetch_checked(
                            retrieval.origin,
                            retrieval.validators,
                            retrieval.profile,
                            retrieval.disallowed,
                        );
                        let (mut requests, departs) = server.record();
                        if asks_again {
                            requests.pop();
                        }
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
            "{}, lane {lane}: {exchanges} exchanges of rows in {:.1} s; {skipped} retrievals have answers that no server of HTTP can give",
            client.name(),
            began.elapsed().as_secs_f32()
        );
        total.fetch_add(exchanges, Ordering::Relaxed);
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    });
    let total = total.into_inner();
    assert!(total > 2000, "{total}");
}

/// Whether a row has a redirect to FTP, which is for a client of FTP.
fn leads_to_ftp(row: &Timeline) -> bool {
    let mut answers = row.steps.iter().flat_map(|step| step.answers.iter().flatten());
    answers.any(|answer| answer.fields.iter().any(|field| field.contains("ftp://")))
}

/// The outcome of a status without a socket.
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
fn every_status_has_the_same_result_as_in_the_core() {
    with_lanes(LANES, |server, client, lane| {
        let token = Crawler::new("ExampleBot").unwrap();
        for (name, profile) in robots_conformance::PROFILES {
            for status in (100..600).filter(|status| usize::from(*status) % LANES == lane) {
                let body = if matches!(status, 100..200 | 204 | 304) { b"".as_slice() } else { FILE };
                let bytes = if body.is_empty() { head(status, &[]) } else { answer(status, &[], body) };
                server.script([Act::Send(bytes, Then::Close)]);
                let got = fetch(client, &origin("http://example.com"), &profile);
                let place = format!("{} {name} {status}: {:?}", client.name(), got.cause());
                assert_eq!(server.record().1, None, "{place}");
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
fn interim_answers_are_skipped() {
    with_each(|server, client| {
        for interim in [100, 102, 103, 199] {
            let bytes =
                [format!("HTTP/1.1 {interim} Wait\r\n\r\n").into_bytes(), answer(200, &[], FILE)].concat();
            server.script([Act::Send(bytes, Then::Close)]);
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

#[test]
fn bodies_are_decoded() {
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
            server.script([Act::Send(
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

#[test]
fn http2_gives_the_same_results() {
    use http2::Act;
    let (address, certificate, sender) = http2::start();
    let server = Server::start();
    let mut options = server.patient_options();
    options = options.with_resolver(move |_, _| Ok(vec![address]));
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
        if expected == "timeout" {
            (options.connect_timeout, options.read_timeout) =
                (Duration::from_secs(1), Duration::from_millis(800));
        }
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
