//! A server with scripted answers, on one port of the loopback interface, with and without TLS; and clients that take
//! all hosts to be there.

pub(crate) mod http2;
mod identity;
mod outcome;
#[allow(dead_code, reason = "the test of scenarios needs no proxy")]
pub(crate) mod proxy;
pub(crate) mod rows;

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

pub(crate) use identity::{identity, pem};
use outcome::with_default_timeouts;
use robots_conformance::testing::ClosedPort;
use robots_fetch::client::{AddressPolicy, ClientOptions, blocking, reqwest};
use robots_fetch::{AsyncFetch, Fetch, Origin, Outcome, Retrieval, SiteProfile, Validators};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

/// The reaction of the server to the next request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// It sends these bytes, and then does that.
    Send(Vec<u8>, Then),
    /// It sends the first bytes, and then the second again and again, with a pause before each time.
    Endless(Vec<u8>, Vec<u8>, Duration),
    /// It speaks no TLS where it is spoken to so.
    Plain,
    /// Its host has no address.
    NoAddress,
    /// Its host has an address at which no program listens.
    Refused,
}

/// The action of the server after an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    /// It closes the connection.
    Close,
    /// It closes it without a word of TLS.
    Cut,
    /// It breaks it.
    Reset,
    /// It does nothing more.
    Silence,
    /// It waits for the next request.
    Keep,
}

/// The state that the server and the resolver share.
#[derive(Debug)]
struct Shared {
    acts: VecDeque<Act>,
    requests: Vec<String>,
    wrong: Vec<String>,
    connections: usize,
    missing: usize,
}

/// The server. Its threads end with the test.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) certificate: CertificateDer<'static>,
    shared: Arc<Mutex<Shared>>,
    closed: Arc<ClosedPort>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let (certificate, config) = identity(&[]);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let closed = Arc::new(ClosedPort::new());
        let shared = Shared {
            acts: VecDeque::new(),
            requests: Vec::new(),
            wrong: Vec::new(),
            connections: 0,
            missing: 0,
        };
        let shared = Arc::new(Mutex::new(shared));
        let of_threads = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, config) = (Arc::clone(&of_threads), Arc::clone(&config));
                lock(&shared).connections += 1;
                // A client that goes away is not a fault of the server.
                thread::spawn(move || connection(stream, &shared, config).ok());
            }
        });
        Self { address, certificate, shared, closed }
    }

    /// Sets the reactions to the next requests, in order.
    pub(crate) fn script(&self, acts: impl IntoIterator<Item = Act>) {
        let mut shared = lock(&self.shared);
        shared.acts = acts.into_iter().collect();
        shared.requests.clear();
        shared.missing = 0;
        shared.connections = 0;
    }

    /// The requests since then, as rows show them; and what is wrong with their number.
    pub(crate) fn record(&self) -> (Vec<String>, Option<String>) {
        let shared = lock(&self.shared);
        let departs = match (shared.acts.len(), shared.missing) {
            (0, 0) => None,
            (0, more) => Some(format!("{more} requests more")),
            (less, _) => Some(format!("{less} requests less")),
        };
        (shared.requests.clone(), departs)
    }

    /// Returns the parts that a request had and should not have had.
    pub(crate) fn wrong(&self) -> Vec<String> {
        lock(&self.shared).wrong.clone()
    }

    pub(crate) fn connections(&self) -> usize {
        lock(&self.shared).connections
    }

    /// Returns a function by which all hosts are the server.
    fn resolver(&self) -> impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static + use<> {
        let (shared, address, closed) = (Arc::clone(&self.shared), self.address, Arc::clone(&self.closed));
        move |host: &str, port| {
            let mut shared = lock(&shared);
            let given = match shared.acts.front() {
                Some(Act::NoAddress) => Err(io::Error::other("no such host")),
                Some(Act::Refused) => Ok(vec![closed.address]),
                _ => return Ok(vec![address]),
            };
            shared.acts.pop_front();
            // No request comes to the server, so it is noted here. Only robots.txt of https are asked for so.
            let _ = port;
            shared.requests.push(format!("https://{host}/robots.txt"));
            given
        }
    }

    /// Options with short timeouts, for servers that are silent.
    pub(crate) fn options(&self) -> ClientOptions {
        let mut options = self.patient_options();
        options.connect_timeout = Duration::from_secs(2);
        options.read_timeout = Duration::from_millis(800);
        options.total_timeout = Duration::from_secs(3);
        options
    }

    /// Options with the default timeouts, which pass only where the machine is very busy.
    pub(crate) fn patient_options(&self) -> ClientOptions {
        let mut options = ClientOptions::new("ExampleBot/1.0").unwrap().with_resolver(self.resolver());
        options.addresses = AddressPolicy::Any;
        options.certificates = pem(&self.certificate);
        options
    }

    pub(crate) fn patient_clients(&self) -> [Client; 2] {
        self.clients_with(&self.patient_options())
    }

    pub(crate) fn clients_with(&self, options: &ClientOptions) -> [Client; 2] {
        let blocking = blocking::Client::new(options).unwrap();
        let asynchronous = reqwest::Client::new(options).unwrap();
        [Client::Blocking(blocking), Client::Reqwest(asynchronous, runtime())]
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub(crate) fn reqwest_client(
    certificate: &CertificateDer<'static>,
    options: &ClientOptions,
) -> reqwest::Client {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut tls = tls.with_root_certificates(roots).with_no_client_auth();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let builder = ::reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy();
    reqwest::Client::with_builder(builder, options).unwrap()
}

/// The clients, as one.
#[derive(Debug)]
pub(crate) enum Client {
    Blocking(blocking::Client),
    Reqwest(reqwest::Client, tokio::runtime::Runtime),
}

impl Client {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Blocking(_) => "blocking",
            Self::Reqwest(..) => "reqwest",
        }
    }

    pub(crate) fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        with_default_timeouts(match self {
            Self::Blocking(client) => client.fetch(origin, validators, profile),
            Self::Reqwest(client, runtime) => runtime.block_on(client.fetch(origin, validators, profile)),
        })
    }

    /// Fetches, and follows no redirect to a URL in `disallowed` where the profile says so.
    pub(crate) fn fetch_checked(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        disallowed: &[String],
    ) -> Outcome {
        let disallowed = disallowed.to_vec();
        let retrieval = Retrieval::new(origin.clone(), validators.clone(), *profile)
            .knowing(move |url| Some(disallowed.iter().any(|disallowed| disallowed == url.as_str())));
        with_default_timeouts(match self {
            Self::Blocking(client) => Fetch::fetch(client, retrieval),
            Self::Reqwest(client, runtime) => runtime.block_on(AsyncFetch::fetch(client, retrieval)),
        })
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

pub(crate) trait Wire: Read + Write {
    /// Ends the output of the server, as its protocol requires.
    fn end(&mut self) -> io::Result<()>;
}

impl Wire for TcpStream {
    fn end(&mut self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}

impl Wire for StreamOwned<ServerConnection, TcpStream> {
    fn end(&mut self) -> io::Result<()> {
        self.conn.send_close_notify();
        self.flush()?;
        self.sock.shutdown(Shutdown::Write)
    }
}

fn connection(tcp: TcpStream, shared: &Mutex<Shared>, config: Arc<ServerConfig>) -> io::Result<()> {
    tcp.set_read_timeout(Some(Duration::from_secs(10)))?;
    tcp.set_write_timeout(Some(Duration::from_secs(10)))?;
    tcp.set_nodelay(true)?;
    let mut first = [0];
    if tcp.peek(&mut first)? == 0 {
        return Ok(());
    }
    let secure = first == [0x16];
    let mut wire: Box<dyn Wire> = if secure {
        if matches!(lock(shared).acts.front(), Some(Act::Plain)) {
            let mut shared = lock(shared);
            shared.acts.pop_front();
            shared.requests.push("https://example.com/robots.txt".to_owned());
            drop(shared);
            (&tcp).write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")?;
            return wait_for_end(&mut &tcp);
        }
        let connection = ServerConnection::new(config).map_err(io::Error::other)?;
        Box::new(StreamOwned::new(connection, tcp.try_clone()?))
    } else {
        Box::new(tcp.try_clone()?)
    };
    while let Some(head) = request(&mut wire)? {
        let act = {
            let mut shared = lock(shared);
            note(&head, secure, &mut shared);
            let act = shared.acts.pop_front();
            shared.missing += usize::from(act.is_none());
            act
        };
        match act {
            Some(Act::Send(bytes, then)) => {
                wire.write_all(&bytes)?;
                wire.flush()?;
                match then {
                    Then::Keep => {}
                    Then::Close => return wire.end().and_then(|()| wait_for_end(&mut wire)),
                    Then::Cut => return tcp.shutdown(Shutdown::Write).and_then(|()| wait_for_end(&mut wire)),
                    Then::Reset => {
                        // Bytes that have not left by then are lost: a long answer needs longer.
                        thread::sleep(Duration::from_millis(30 + bytes.len() as u64 / 1024));
                        return SockRef::from(&tcp).set_linger(Some(Duration::ZERO));
                    }
                    Then::Silence => return wait_for_end(&mut wire),
                }
            }
            Some(Act::Endless(start, again, pause)) => {
                wire.write_all(&start)?;
                loop {
                    thread::sleep(pause);
                    wire.write_all(&again)?;
                    wire.flush()?;
                }
            }
            _ => {
                wire.write_all(b"HTTP/1.1 500 Unexpected\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
                return wait_for_end(&mut wire);
            }
        }
    }
    Ok(())
}

/// Waits until the client has gone.
fn wait_for_end(wire: &mut impl Read) -> io::Result<()> {
    let mut buffer = [0; 1024];
    while wire.read(&mut buffer)? > 0 {}
    Ok(())
}

/// The head of the next request; nothing where there is none.
fn request(wire: &mut impl Read) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if wire.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

/// Notes a request, and what is wrong with it.
fn note(head: &str, secure: bool, shared: &mut Shared) {
    let mut lines = head.lines();
    let path = lines.next().and_then(|line| line.strip_prefix("GET ")?.strip_suffix(" HTTP/1.1"));
    let (mut host, mut condition, mut names) = (String::new(), Vec::new(), Vec::new());
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "host" => host = value.to_owned(),
            "if-none-match" | "if-modified-since" => condition.push(format!("{name}: {value}")),
            "cookie" | "authorization" | "proxy-authorization" | "referer" => {
                shared.wrong.push(format!("sent {name}: {value}"));
            }
            _ => {}
        }
        names.push(name);
    }
    for expected in ["host", "user-agent", "accept", "accept-encoding"] {
        if names.iter().filter(|name| *name == expected).count() != 1 {
            shared.wrong.push(format!("{expected} is not exactly once in {head:?}"));
        }
    }
    let scheme = if secure { "https" } else { "http" };
    let url = format!("{scheme}://{host}{}", path.unwrap_or("?"));
    shared.requests.push(robots_conformance::exchange::shown(&url, &condition));
}

/// An answer with a body, by `Content-Length`.
pub(crate) fn answer(status: u16, fields: &[&str], body: &[u8]) -> Vec<u8> {
    let length = format!("Content-Length: {}", body.len());
    let mut fields = fields.to_vec();
    fields.push(&length);
    [&head(status, &fields), body].concat()
}

/// The head of an answer, after which the connection is closed.
pub(crate) fn head(status: u16, fields: &[&str]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Reason\r\n");
    for field in fields.iter().chain(&["Connection: close"]) {
        head.push_str(field);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}
