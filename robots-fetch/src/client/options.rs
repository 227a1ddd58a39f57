//! Options of all clients.

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

/// The options of a client: timeouts, limits, header fields, and addresses.
///
/// ```
/// use core::time::Duration;
/// use robots_fetch::client::{AddressPolicy, ClientOptions};
///
/// let mut options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
/// options.total_timeout = Duration::from_secs(20);
/// options.addresses = AddressPolicy::Public;
/// let options = options.with_field("From", "bot@example.com")?;
/// assert!(options.with_field("Authorization", "Basic bWU6c2VjcmV0").is_err());
/// # Ok::<(), robots_fetch::Failure>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientOptions {
    /// The timeout for looking up a host, connecting, and the TLS handshake. Default: 10 seconds.
    pub connect_timeout: Duration,
    /// The timeout for the next bytes of an answer. Default: 10 seconds. The `reqwest` client waits for the head of an answer
    /// for as long as this and [`Self::connect_timeout`] together.
    pub read_timeout: Duration,
    /// The timeout of a retrieval, with all redirects. Default: 30 seconds.
    pub total_timeout: Duration,
    /// The largest head of an answer, in bytes: the names and values of all fields, and 4 bytes for each field. Default: 64
    /// KiB. A head may have at most 4,096 fields.
    pub max_head: usize,
    /// The addresses to which the client may connect. Default: [`AddressPolicy::Any`].
    pub addresses: AddressPolicy,
    resolver: Resolver,
    /// Names are in lower case; the fields that have a default come first.
    fields: Vec<(String, String)>,
}

impl ClientOptions {
    /// Creates options with this `User-Agent` and the defaults. The text should contain the product token of the crawler (RFC
    /// 9309, section 2.2.1), and a URL that describes the crawler.
    ///
    /// # Errors
    ///
    /// The text is not valid in a header field.
    pub fn new(user_agent: &str) -> Result<Self, Failure> {
        Self::default().with_field("user-agent", user_agent)
    }

    /// Sends this field with each request, in place of the default field of this name, if there is one.
    ///
    /// # Errors
    ///
    /// The name or the value is not valid, or the field is never sent: a cookie, a credential, or a field that the client
    /// sets itself.
    pub fn with_field(mut self, name: &str, value: &str) -> Result<Self, Failure> {
        let name = name.to_ascii_lowercase();
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let text = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
        if name.is_empty() || !name.bytes().all(token) {
            return Err(invalid(format!("`{}` is not a valid name of a header field", shown(&name))));
        }
        if NOT_SENT.contains(&name.as_str()) {
            return Err(invalid(format!("`{name}` can't be set for requests for a robots.txt")));
        }
        if !value.bytes().all(text) {
            return Err(invalid(format!("`{}` is not a valid value of `{name}`", shown(value))));
        }
        self.fields.retain(|(known, _)| *known != name);
        self.fields.push((name, value.trim_ascii().to_owned()));
        Ok(self)
    }

    /// Looks up host names with a function of host and port, in place of the resolver of the system. The addresses may have
    /// another port if the URL names none. The function may block; it is not called for hosts that are addresses.
    #[must_use]
    pub fn with_resolver(
        mut self,
        look: impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
    ) -> Self {
        self.resolver = Resolver(Arc::new(look));
        self
    }

    /// Returns the header fields of `request`: those of the options and those of the condition. Names are in lower case and
    /// unique.
    pub fn fields<'t>(&'t self, request: &'t Request) -> impl Iterator<Item = (&'t str, &'t str)> {
        let all = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.chain(request.fields().map(|(name, value)| -> (&'t str, &'t str) { (name, value) }))
    }

    /// Returns the allowed addresses of a host, in the order of the resolver. Blocks as long as the resolver does.
    ///
    /// # Errors
    ///
    /// The host has no address, or none that is allowed.
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

    /// Checks a URL before its host is looked up.
    ///
    /// # Errors
    ///
    /// The host is an address that is not allowed, or the scheme is not in `schemes`.
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

/// The default `User-Agent` is the name and version of this crate.
impl Default for ClientOptions {
    fn default() -> Self {
        let fields = [
            ("user-agent", concat!("robots-fetch/", env!("CARGO_PKG_VERSION"))),
            ("accept", "text/plain, */*;q=0.5"),
        ];
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            max_head: 64 * 1024,
            addresses: AddressPolicy::Any,
            resolver: Resolver::default(),
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        }
    }
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidOption, message)
}

fn refused(host: &str, address: IpAddr) -> Failure {
    let address = address.to_string();
    let host = if host == address { String::new() } else { format!(" of {}", shown(host)) };
    Failure::new(FailureKind::RefusedAddress, format!("{address}{host}"))
}

/// Fields that callers can't set.
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

/// A resolver of host names: the one of the system, or the caller's.
#[derive(Clone)]
struct Resolver(Arc<Look>);

/// The resolver of the system.
impl Default for Resolver {
    fn default() -> Self {
        Self(Arc::new(|host, port| Ok((host, port).to_socket_addrs()?.collect())))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, Validators};

    #[test]
    fn fields_are_valid_and_contain_no_credential() {
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
            &crate::SiteProfile::RFC9309,
            std::time::UNIX_EPOCH,
        );
        let fields: Vec<_> = options.fields(awaiting.request()).collect();
        assert_eq!(fields, [("user-agent", "A/1"), ("accept", "x")]);
    }

    #[test]
    fn only_addresses_that_may_be_connected_to_are_found() {
        let mut options = ClientOptions::default();
        let addresses = ["10.0.0.1:1", "1.1.1.1:1", "[::1]:1"].map(|address| address.parse().unwrap());
        options = options.with_resolver(move |host, _| match host {
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
