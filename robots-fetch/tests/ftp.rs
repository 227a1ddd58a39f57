//! The FTP client, against a scripted server and a real one.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that can't go on ends"
)]
#![allow(clippy::std_instead_of_alloc, clippy::std_instead_of_core, reason = "tests have a standard library")]

use std::io::{self, BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use robots_conformance::testing::ClosedPort;
use robots_conformance::testing::ftp_server::{FILE, Fault, serve};
use robots_fetch::client::ftp::Client;
use robots_fetch::client::{AddressPolicy, ClientOptions};
use robots_fetch::matching::Crawler;
use robots_fetch::{Access, AccessResult, Entry, Origin, SiteProfile};

/// How much later than its limit a retrieval may end on a machine that is busy with other things.
const LATE: Duration = Duration::from_millis(1500);

fn options(address: SocketAddr) -> ClientOptions {
    let mut options = ClientOptions::default();
    options.addresses = AddressPolicy::Any;
    options.connect_timeout = Duration::from_secs(2);
    options.read_timeout = Duration::from_millis(800);
    options.total_timeout = Duration::from_secs(2);
    options = options.with_resolver(move |_, _| Ok(vec![address]));
    options
}

fn fetch(options: &ClientOptions, origin: &str) -> Entry {
    Client::new(options).unwrap().refresh(&Origin::parse(origin).unwrap(), None, &SiteProfile::RFC9309)
}

/// `success`, or the code of why not.
fn code(entry: &Entry) -> &'static str {
    entry.cause().map_or("success", |cause| cause.code())
}

fn has_the_file(entry: &Entry) {
    assert_eq!(
        (entry.access_result(), entry.status()),
        (AccessResult::Success, Some(150)),
        "{:?}",
        entry.cause()
    );
    let permission = entry.permission(&Crawler::new("ExampleBot").unwrap(), SystemTime::now());
    assert_eq!(permission.check(b"/private").line(), Some(2));
    assert!(permission.check(b"/").is_allowed());
}

#[test]
fn a_file_is_retrieved_in_both_passive_modes() {
    for fault in [Fault::None, Fault::Old] {
        has_the_file(&fetch(&options(serve(fault)), "ftp://ftp.example.com"));
    }
}

#[test]
fn only_a_missing_file_is_unavailable() {
    for (command, reply, status, class) in [
        ("RETR", "550 No such file", Some(550), AccessResult::Unavailable),
        ("", "421 Too many users", Some(421), AccessResult::Unreachable),
        ("", "550 Go away", None, AccessResult::Unreachable),
        ("", "120 In a minute", None, AccessResult::Unreachable),
        ("", "226 Done", None, AccessResult::Unreachable),
        ("", "999 What", None, AccessResult::Unreachable),
        ("", "hello", None, AccessResult::Unreachable),
        ("USER", "530 Not you", Some(530), AccessResult::Unreachable),
        ("PASS", "530 Not you", Some(530), AccessResult::Unreachable),
        ("PASS", "550 Not you", None, AccessResult::Unreachable),
        ("EPSV", "550 Not you", None, AccessResult::Unreachable),
        ("EPSV", "229 Nonsense", None, AccessResult::Unreachable),
        ("EPSV", "425 No connection", Some(425), AccessResult::Unreachable),
        ("RETR", "421 Going down", Some(421), AccessResult::Unreachable),
        ("RETR", "450 Busy", Some(450), AccessResult::Unreachable),
        ("RETR", "226 Done", None, AccessResult::Unreachable),
        ("RETR", "200 Done", None, AccessResult::Unreachable),
        ("RETR", "331 Password", None, AccessResult::Unreachable),
    ] {
        let entry = fetch(&options(serve(Fault::Replies(command, reply))), "ftp://ftp.example.com");
        let place = format!("{command} {reply}: {:?}", entry.cause());
        assert_eq!((entry.access_result(), entry.status()), (class, status), "{place}");
        let everything = matches!(entry.access(SystemTime::now()), Access::Everything(..));
        assert_eq!(everything, class == AccessResult::Unavailable, "{place}");
    }
}

#[test]
fn faults_end_in_time_and_allow_nothing() {
    for (fault, expected) in [
        (Fault::Silent(""), "timeout"),
        (Fault::Silent("PASS"), "timeout"),
        (Fault::Silent("RETR"), "timeout"),
        (Fault::Silent("data"), "timeout"),
        (Fault::Slow, "timeout"),
        (Fault::Gone(""), "reset"),
        (Fault::Gone("EPSV"), "reset"),
        (Fault::Gone("RETR"), "reset"),
        (Fault::Cut, "incomplete"),
        (Fault::Lost, "incomplete"),
        (Fault::Chatty, "head-too-large"),
    ] {
        let options = options(serve(fault));
        let began = Instant::now();
        let entry = fetch(&options, "ftp://ftp.example.com");
        assert_eq!(code(&entry), expected, "{fault:?} {:?}", entry.cause());
        assert!(matches!(entry.access(SystemTime::now()), Access::Nothing(..)), "{fault:?}");
        assert!(began.elapsed() < options.total_timeout + LATE, "{fault:?} {:?}", began.elapsed());
    }
}

#[test]
fn endless_data_is_read_up_to_the_limit() {
    let began = Instant::now();
    let entry = fetch(&options(serve(Fault::Endless)), "ftp://ftp.example.com");
    assert_eq!((code(&entry), entry.body_bytes()), ("success", SiteProfile::RFC9309.max_size() + 1));
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn failures_below_ftp_are_distinguished() {
    let closed = ClosedPort::new();
    assert_eq!(code(&fetch(&options(closed.address), "ftp://ftp.example.com")), "connect");
    let server = serve(Fault::None);
    assert_eq!(code(&fetch(&options(server), "http://ftp.example.com")), "unsupported-scheme");
    let mut refusing = options(server);
    refusing.addresses = AddressPolicy::Public;
    for host in ["ftp.example.com", "127.0.0.1", "[::1]"] {
        assert_eq!(code(&fetch(&refusing, &format!("ftp://{host}"))), "refused-address");
    }
    let mut unknown = options(server);
    unknown = unknown.with_resolver(|_, _| Err(io::Error::other("no such host")));
    assert_eq!(code(&fetch(&unknown, "ftp://ftp.example.com")), "dns");
    unknown = unknown.with_resolver(|_, _| {
        thread::sleep(Duration::from_secs(10));
        Ok(Vec::new())
    });
    let began = Instant::now();
    assert_eq!(code(&fetch(&unknown, "ftp://ftp.example.com")), "timeout");
    assert!(began.elapsed() < Duration::from_secs(4));
}

/// A server of Python's `pyftpdlib`.
const REAL: &str = "
import sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer
authorizer = DummyAuthorizer()
authorizer.add_anonymous(sys.argv[1])
handler = FTPHandler
handler.authorizer = authorizer
server = FTPServer(('127.0.0.1', 0), handler)
print(server.address[1], flush=True)
server.serve_forever()
";

#[test]
fn a_real_server_gives_its_file() {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let own = target.parent().unwrap().join("venv/bin/python");
    let has = |python: &PathBuf| {
        let found = Command::new(python).args(["-c", "import pyftpdlib"]).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    let Some(python) = [own, PathBuf::from("python3")].into_iter().find(has) else {
        println!(
            "skipped: pyftpdlib is not installed; `python3 -m venv target/venv && target/venv/bin/pip install pyftpdlib` gets it"
        );
        return;
    };
    for (name, file) in
        [("with", Some(FILE.to_vec())), ("large", Some(FILE.repeat(20_000))), ("without", None)]
    {
        let folder = target.join(format!("ftp-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(file) = &file {
            std::fs::write(folder.join("robots.txt"), file).unwrap();
        }
        let mut server = Command::new(&python)
            .args(["-c", REAL])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, port) = mpsc::channel();
        let mut lines = BufReader::new(server.stdout.take().unwrap());
        thread::spawn(move || {
            let mut line = String::new();
            lines.read_line(&mut line).ok().map(|_| sender.send(line))
        });
        let port: Result<u16, _> =
            port.recv_timeout(Duration::from_secs(20)).unwrap_or_default().trim().parse();
        let mut options = ClientOptions::default();
        options.addresses = AddressPolicy::Any;
        options.total_timeout = Duration::from_secs(10);
        let entry = port.map(|port| fetch(&options, &format!("ftp://127.0.0.1:{port}")));
        server.kill().unwrap();
        server.wait().unwrap();
        let entry = entry.unwrap();
        match file {
            Some(file) => {
                has_the_file(&entry);
                assert_eq!(entry.body_bytes(), file.len().min(SiteProfile::RFC9309.max_size() + 1));
            }
            None => {
                assert_eq!((entry.access_result(), entry.status()), (AccessResult::Unavailable, Some(550)));
            }
        }
    }
    println!("three retrievals from a real server, by {}", python.display());
}
