//! The programs that run a scenario: the core, the clients, and curl.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_fetch::client::{AddressPolicy, ClientOptions, blocking, ftp, reqwest};
use robots_fetch::{
    AccessResult, Failure, FailureKind, Head, Origin, Outcome, Request, RetrievalResult, SiteProfile,
    Transport, Validators,
};
use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use tokio::runtime::Runtime;

use crate::scenario::{Expected, Over, Scenario};
use crate::{ftp as ftp_server, http1, http2, support};

/// The time that a whole retrieval may take.
pub(crate) const DEADLINE: Duration = Duration::from_secs(2);

/// How long a client waits for the next bytes.
const READ: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// The core, over a transport that reports what the scenario is expected to show.
    Core,
    Blocking,
    Reqwest,
    Ftp,
    Curl,
}

impl Client {
    pub(crate) const ALL: [Self; 5] = [Self::Core, Self::Blocking, Self::Reqwest, Self::Ftp, Self::Curl];

    /// Returns the clients that can be asked over this protocol.
    pub(crate) fn of(over: Over, with_curl: bool) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |client| match client {
            Self::Core => true,
            Self::Blocking => matches!(over, Over::Http | Over::Tls),
            Self::Reqwest => over != Over::Ftp,
            Self::Ftp => over == Over::Ftp,
            Self::Curl => with_curl,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Blocking => "blocking",
            Self::Reqwest => "reqwest",
            Self::Ftp => "ftp",
            Self::Curl => "curl",
        }
    }
}

/// The result of a client in a scenario, its message, and how long it took.
#[derive(Clone, Debug)]
pub(crate) struct Result {
    pub(crate) got: Expected,
    pub(crate) says: String,
    pub(crate) took: Duration,
}

/// The identities of servers, and the runtime of clients.
pub(crate) struct Servers {
    http1: (CertificateDer<'static>, Arc<ServerConfig>),
    http2: (CertificateDer<'static>, Arc<ServerConfig>),
    runtime: Runtime,
}

impl Servers {
    pub(crate) fn new() -> Self {
        let runtime = support::runtime();
        Self { http1: support::identity(&[]), http2: support::identity(&[b"h2"]), runtime }
    }

    pub(crate) fn run(&self, client: Client, scenario: &Scenario) -> Result {
        if client == Client::Core {
            return core(scenario);
        }
        let (server, certificate) = match scenario.over {
            Over::Http | Over::Tls => (http1::serve(scenario, &self.http1.1), &self.http1.0),
            Over::Http2 => (http2::serve(scenario, &self.http2.1), &self.http2.0),
            Over::Ftp => (ftp_server::serve(scenario), &self.http1.0),
        };
        let address = server.address;
        let options = options(address, certificate);
        let origin = Origin::parse(match scenario.over {
            Over::Http => "http://example.com",
            Over::Tls | Over::Http2 => "https://example.com",
            Over::Ftp => "ftp://example.com",
        });
        let (origin, profile) = (origin.unwrap(), &SiteProfile::RFC9309);
        let validators = Validators::default();
        let fetch: Box<dyn Fn() -> Outcome> = match client {
            Client::Blocking => {
                let client = blocking::Client::new(&options).unwrap();
                Box::new(move || client.fetch(&origin, &validators, profile))
            }
            Client::Reqwest => {
                let client = reqwest::Client::new(&options).unwrap();
                Box::new(move || self.runtime.block_on(client.fetch(&origin, &validators, profile)))
            }
            Client::Ftp => {
                let client = ftp::Client::new(&options).unwrap();
                Box::new(move || client.fetch(&origin, &validators, profile))
            }
            Client::Core | Client::Curl => return curl(scenario, address),
        };
        let began = Instant::now();
        let outcome = fetch();
        result(&outcome, began.elapsed())
    }
}

fn options(address: SocketAddr, certificate: &CertificateDer<'_>) -> ClientOptions {
    let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
    options.connect_timeout = READ;
    options.read_timeout = READ;
    options.total_timeout = DEADLINE;
    options = options.with_resolver(move |_, _| Ok(vec![address]));
    options.addresses = AddressPolicy::Any;
    options.certificates = support::pem(certificate);
    options
}

fn result(outcome: &Outcome, took: Duration) -> Result {
    let (got, says) = match &outcome.result {
        RetrievalResult::File { body } => (Expected::File(body.to_vec()), "file".to_owned()),
        RetrievalResult::None(AccessResult::Unavailable, cause) => (Expected::Unavailable, cause.to_string()),
        RetrievalResult::None(_, cause) => (Expected::Unreachable, cause.to_string()),
        _ => (Expected::Unreachable, "not modified".to_owned()),
    };
    Result { got, says, took }
}

/// A transport that reports an answer, or breaks at its head or in its body.
struct Scripted<'s> {
    expected: &'s Expected,
    in_body: bool,
}

impl Transport for Scripted<'_> {
    type Body = Vec<u8>;

    fn send(&mut self, _: &Request) -> std::result::Result<(Head, Vec<u8>), Failure> {
        match self.expected {
            Expected::File(file) => Ok((Head::new(200), file.clone())),
            Expected::Unavailable => Ok((Head::new(404), b"user-agent: *\ndisallow: /\n".to_vec())),
            Expected::Unreachable if self.in_body => Ok((Head::new(200), b"user-agent: *\n".to_vec())),
            Expected::Unreachable => Err(Failure::new(FailureKind::InvalidResponse, "scripted")),
        }
    }

    fn read(&mut self, body: &mut Vec<u8>, buffer: &mut [u8]) -> std::result::Result<usize, Failure> {
        if body.is_empty() && *self.expected == Expected::Unreachable {
            return Err(Failure::new(FailureKind::Incomplete, "scripted"));
        }
        // In small parts, unless that takes long.
        let bytes = body.len().min(buffer.len()).min(7.max(body.len() / 10));
        buffer[..bytes].copy_from_slice(&body[..bytes]);
        body.drain(..bytes);
        Ok(bytes)
    }
}

fn core(scenario: &Scenario) -> Result {
    let origin = Origin::parse("http://example.com").unwrap();
    let began = Instant::now();
    let both = [false, true].map(|in_body| {
        let mut transport = Scripted { expected: &scenario.expected[0], in_body };
        let outcome =
            Outcome::retrieve(&mut transport, &origin, &Validators::default(), &SiteProfile::RFC9309);
        result(&outcome, began.elapsed())
    });
    let [at_head, in_body] = both;
    if scenario.expected.contains(&at_head.got) { in_body } else { at_head }
}

pub(crate) fn has_curl() -> bool {
    let found = Command::new("curl").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Asks curl, as an ordinary user agent that decodes bodies and follows redirects.
fn curl(scenario: &Scenario, address: SocketAddr) -> Result {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--insecure", "--compressed", "--location", "--noproxy", "*"]);
    command.args(["--max-time", &DEADLINE.as_secs().to_string(), "--write-out", "%{stderr}\n%{http_code}"]);
    let elsewhere = format!("::{address}");
    match scenario.over {
        Over::Http => {
            command.args(["--http1.1", "--connect-to", &elsewhere, "http://example.com/robots.txt"])
        }
        Over::Tls => {
            command.args(["--http1.1", "--connect-to", &elsewhere, "https://example.com/robots.txt"])
        }
        Over::Http2 => {
            command.args(["--http2", "--connect-to", &elsewhere, "https://example.com/robots.txt"])
        }
        Over::Ftp => command.arg(format!("ftp://{address}/robots.txt")),
    };
    let began = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let took = began.elapsed();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let status: u16 = text.lines().last().and_then(|line| line.trim().parse().ok()).unwrap_or_default();
    let got = match (output.status.code(), status, scenario.over) {
        (Some(0), _, Over::Ftp) | (Some(0), 200..300, _) => Expected::File(output.stdout),
        (Some(78), _, Over::Ftp) | (Some(0), 400..500, _) => Expected::Unavailable,
        _ => Expected::Unreachable,
    };
    Result { got, says: text.lines().next().unwrap_or_default().to_owned(), took }
}
