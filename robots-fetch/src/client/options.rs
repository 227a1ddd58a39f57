//! What all clients can be told.

use alloc::sync::Arc;
use core::fmt;
use core::net::{IpAddr, SocketAddr};
use core::time::Duration;
use std::io;
use std::net::ToSocketAddrs as _;

use url::{Host, Url};

use super::address::AddressPolicy;
use crate::failure::{Failure, FailureKind};
use crate::message::shown;
use crate::retrieval::request::Request;

/// What a client is told: how long it waits, what it sends, and where it connects to.
///
/// ```
/// use core::time::Duration;
/// use robots_fetch::client::{AddressPolicy, ClientOptions};
///
/// let mut options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
/// options.whole = Duration::from_secs(20);
/// options.addresses = AddressPolicy::Public;
/// let options = options.with_field("From", "bot@example.com")?;
/// assert!(options.with_field("Authorization", "Basic bWU6c2VjcmV0").is_err());
/// # Ok::<(), robots_fetch::client::InvalidField>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientOptions {
    /// How long finding the address of a host, connecting, and agreeing on TLS may take: 10 seconds.
    pub connect: Duration,
    /// How long to wait for the next bytes of an answer: 10 seconds. That of `reqwest` waits for the head of an answer as
    /// long as this and [`Self::connect`] together.
    pub read: Duration,
    /// How long a retrieval may take, with all redirects: 30 seconds.
    pub whole: Duration,
    /// The largest head of an answer, in bytes: 64 KiB.
    pub max_head: usize,
    /// Where to connect.
    pub addresses: AddressPolicy,
    /// What finds the addresses of hosts.
    pub resolver: Resolver,
    /// Names in lower case; those that have a default first.
    fields: Vec<(String, String)>,
}

impl ClientOptions {
    /// The options of a client with this `User-Agent`. It should name the crawler by the same product token by which groups
    /// name it (RFC 9309, section 2.2.1), and tell where to read about it.
    ///
    /// # Errors
    ///
    /// The text can't stand in a header field.
    pub fn new(user_agent: &str) -> Result<Self, InvalidField> {
        Self::default().with_field("user-agent", user_agent)
    }

    /// The same with this field in each request, in place of the default one if there is one of this name.
    ///
    /// # Errors
    ///
    /// The name or the value can't stand in a header, or the field is one that is not sent: a cookie, a credential, or one
    /// that is the client's own business.
    pub fn with_field(mut self, name: &str, value: &str) -> Result<Self, InvalidField> {
        let name = name.to_ascii_lowercase();
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let text = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
        if name.is_empty() || !name.bytes().all(token) {
            return Err(InvalidField(format!("`{}` is no name of a header field", shown(&name))));
        }
        if NOT_SENT.contains(&name.as_str()) {
            return Err(InvalidField(format!("`{name}` is not sent with requests for a robots.txt")));
        }
        if !value.bytes().all(text) {
            return Err(InvalidField(format!("`{}` is no value of `{name}`", shown(value))));
        }
        self.fields.retain(|(known, _)| *known != name);
        self.fields.push((name, value.trim_ascii().to_owned()));
        Ok(self)
    }

    /// The header fields of `request`: its own and the client's. Names are in lower case, and none stands twice.
    pub fn fields<'t>(&'t self, request: &'t Request) -> impl Iterator<Item = (&'t str, &'t str)> {
        let all = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.chain(request.fields().map(|(name, value)| -> (&'t str, &'t str) { (name, value) }))
    }

    /// The addresses of a host that may be connected to, as the resolver orders them. It blocks as long as the resolver.
    ///
    /// # Errors
    ///
    /// There is none, or none of them may be.
    pub fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Failure> {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let found = match bare.parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, port)],
            Err(_) => (self.resolver.0)(host, port).map_err(|error| Failure::new(FailureKind::Dns, error))?,
        };
        let Some(first) = found.first().copied() else {
            return Err(Failure::new(FailureKind::Dns, shown(host)));
        };
        let allowed: Vec<_> = found.into_iter().filter(|found| self.addresses.allows(found.ip())).collect();
        if allowed.is_empty() { Err(refused(host, first.ip())) } else { Ok(allowed) }
    }

    /// Whether a URL may be asked for, as far as can be told before its host is looked up.
    ///
    /// # Errors
    ///
    /// Its host is an address that may not be connected to, or it is none of `schemes`.
    pub(super) fn check(&self, url: &Url, schemes: &[&str]) -> Result<(), Failure> {
        if !schemes.contains(&url.scheme()) {
            return Err(Failure::new(FailureKind::UnsupportedScheme, shown(url.scheme())));
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            _ => return Ok(()),
        };
        if self.addresses.allows(address) { Ok(()) } else { Err(refused(&address.to_string(), address)) }
    }
}

/// With the name and version of this crate as `User-Agent`.
impl Default for ClientOptions {
    fn default() -> Self {
        let fields = [
            ("user-agent", concat!("robots-fetch/", env!("CARGO_PKG_VERSION"))),
            ("accept", "text/plain, */*;q=0.5"),
        ];
        Self {
            connect: Duration::from_secs(10),
            read: Duration::from_secs(10),
            whole: Duration::from_secs(30),
            max_head: 64 * 1024,
            addresses: AddressPolicy::Any,
            resolver: Resolver::default(),
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        }
    }
}

fn refused(host: &str, address: IpAddr) -> Failure {
    let address = address.to_string();
    let host = if host == address { String::new() } else { format!(" of {}", shown(host)) };
    Failure::new(FailureKind::RefusedAddress, format!("{address}{host}"))
}

/// Fields that are not the caller's to set.
const NOT_SENT: &[&str] = &[
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "cookie",
    "cookie2",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

type Look = dyn Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// What finds the addresses of a host: that of the system, or one of one's own.
#[derive(Clone)]
pub struct Resolver(Arc<Look>);

impl Resolver {
    /// A resolver of one's own: given a host and a port, the addresses to connect to, which may have another port where the
    /// URL names none. It may block; it is not asked about hosts that are addresses.
    pub fn new(look: impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }
}

/// That of the system.
impl Default for Resolver {
    fn default() -> Self {
        Self::new(|host, port| Ok((host, port).to_socket_addrs()?.collect()))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}

/// A header field that can't be sent, or is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidField(String);

impl fmt::Display for InvalidField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for InvalidField {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, Validators};

    #[test]
    fn fields_are_valid_and_carry_no_credential() {
        for (name, value) in [
            ("", "x"),
            ("a b", "x"),
            ("x", "a\r\nb"),
            ("x", "ä"),
            ("Cookie", "a=b"),
            ("AUTHORIZATION", "x"),
            ("Proxy-Authorization", "x"),
            ("Host", "x"),
            ("User-Agent", "a\0"),
        ] {
            assert!(ClientOptions::default().with_field(name, value).is_err(), "{name}");
        }
        let options = ClientOptions::new("A/1").unwrap().with_field("Accept", " x ").unwrap();
        let origin = Origin::parse("https://example.com").unwrap();
        let awaiting = crate::AwaitingHead::new(
            &origin,
            &Validators::default(),
            &crate::Profile::RFC9309,
            std::time::UNIX_EPOCH,
        );
        let fields: Vec<_> = options.fields(awaiting.request()).collect();
        assert_eq!(fields, [("user-agent", "A/1"), ("accept", "x")]);
    }

    #[test]
    fn only_addresses_that_may_be_connected_to_are_found() {
        let mut options = ClientOptions::default();
        let addresses = ["10.0.0.1:1", "1.1.1.1:1", "[::1]:1"].map(|address| address.parse().unwrap());
        options.resolver = Resolver::new(move |host, _| match host {
            "mixed" => Ok(addresses.to_vec()),
            "private" => Ok(addresses.iter().copied().step_by(2).collect()),
            "none" => Ok(Vec::new()),
            _ => Err(io::Error::other("no such host")),
        });
        let found = |options: &ClientOptions, host: &str| match options.look_up(host, 80) {
            Ok(found) => format!("{found:?}"),
            Err(failure) => failure.to_string(),
        };
        assert_eq!(found(&options, "mixed"), "[10.0.0.1:1, 1.1.1.1:1, [::1]:1]");
        options.addresses = AddressPolicy::Public;
        assert_eq!(found(&options, "mixed"), "[1.1.1.1:1]");
        assert_eq!(found(&options, "private"), "address is not allowed: 10.0.0.1 of private");
        assert_eq!(found(&options, "none"), "host name not found: none");
        assert_eq!(found(&options, "other"), "host name not found: no such host");
        assert_eq!(found(&options, "[::1]"), "address is not allowed: ::1 of [::1]");
        assert_eq!(found(&options, "1.1.1.1"), "[1.1.1.1:80]");
        for (url, passes) in [
            ("http://127.0.0.1/", false),
            ("http://2130706433/", false),
            ("http://0x7f.1/", false),
            ("http://[::ffff:127.0.0.1]/", false),
            ("http://1.1.1.1/", true),
            ("http://localhost/", true),
            ("gopher://1.1.1.1/", false),
        ] {
            assert_eq!(options.check(&url.parse().unwrap(), &["http"]).is_ok(), passes, "{url}");
        }
    }
}
