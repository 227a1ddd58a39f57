//! Options of all clients.

use core::net::{IpAddr, SocketAddr};
use core::time::Duration;
use std::io;

use url::Host;

use super::address::AddressPolicy;
use super::hosts::Hosts;
use super::limits::{Limit, Limits};
use super::proxy::Proxies;
use super::resolver;
use super::resolver::Resolver;
use crate::failure::{Failure, FailureKind};
use crate::retrieval::request::Request;
use crate::text::shown;

/// The options of a client: timeouts, limits, header fields, addresses, proxies, and certificates.
///
/// A timeout or a limit that is smaller than its default says little about a site. A failure because of such a limit is
/// [local](Failure::local), and begins no outage.
///
/// ```
/// use core::time::Duration;
/// use robots_fetch::client::{AddressPolicy, ClientOptions, Proxies};
///
/// let mut options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
/// options.total_timeout = Duration::from_secs(60);
/// options.addresses = AddressPolicy::Any; // for a crawler of an internal network
/// options.proxies = Proxies::from_env();
/// let options = options.with_field("From", "bot@example.com")?;
/// assert!(options.with_field("Authorization", "Basic bWU6c2VjcmV0").is_err());
/// # Ok::<(), robots_fetch::Failure>(())
/// ```
#[derive(Clone)]
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
    /// The addresses to which the client may connect. Default: [`AddressPolicy::Public`].
    pub addresses: AddressPolicy,
    /// The addresses to which a redirect may lead, in addition to the check of [`Self::addresses`]. It does not apply to
    /// redirects between hosts that all have only addresses that are not public. Default: [`AddressPolicy::Public`].
    pub redirect_addresses: AddressPolicy,
    /// The proxies. Default: none, whatever the environment says.
    pub proxies: Proxies,
    /// Certificates of authorities that the client trusts besides those of Mozilla, in PEM format. Default: none. They are read
    /// when a client is created, which fails if one is not valid. The `reqwest` client needs the feature `reqwest-rustls` for
    /// them.
    pub certificates: Vec<u8>,
    pub(super) resolver: Resolver,
    /// Shared by the clients that are made of these options.
    pub(super) hosts: Hosts,
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
        if name == "user-agent" && value.trim_ascii().is_empty() {
            return Err(invalid(
                "`user-agent` is empty; name your crawler, such as `ExampleBot/1.0`".to_owned(),
            ));
        }
        self.fields.retain(|(known, _)| *known != name);
        self.fields.push((name, value.trim_ascii().to_owned()));
        Ok(self)
    }

    /// Looks up host names with a function of host and port, in place of the resolver of the client. The addresses may have
    /// another port if the URL names none. The function is not called for hosts that are addresses. Errors of the kinds
    /// `TimedOut`, `NetworkDown`, `NetworkUnreachable` and `AddrNotAvailable` mean that the crawler has no network.
    ///
    /// The function may block and can't be cancelled: each call runs in a thread of its own, which is abandoned if the call
    /// takes too long. At most 2,048 such threads run at a time in a process; further look-ups fail at once, as
    /// [local failures](Failure::local).
    #[must_use]
    pub fn with_resolver(
        mut self,
        look: impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
    ) -> Self {
        self.resolver = Resolver::new(look);
        self
    }

    /// Looks up host names with the resolver of the system, with all of its configuration. It can't be cancelled;
    /// [`Self::with_resolver`] has the limit of look-ups at a time. This is the default.
    ///
    /// With the feature `hickory`, the `reqwest` client by default sends queries itself, to the name servers of the system, with
    /// its hosts file and search domains; the configuration is read once, when the first name is looked up.
    #[must_use]
    pub fn with_system_resolver(mut self) -> Self {
        self.resolver = Resolver::system();
        self
    }

    /// Looks up host names with an async function of host and port, which is called in tasks of tokio, and dropped when the
    /// look-up takes too long. Otherwise it is as that of [`Self::with_resolver`].
    #[cfg(feature = "reqwest")]
    #[must_use]
    pub fn with_async_resolver<T>(mut self, look: impl Fn(String, u16) -> T + Send + Sync + 'static) -> Self
    where
        T: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        self.resolver = Resolver::new_async(look);
        self
    }

    /// Looks up host names at these name servers, over UDP and TCP, without hosts file and search domains.
    ///
    /// # Errors
    ///
    /// The list is empty.
    #[cfg(feature = "hickory")]
    pub fn with_name_servers(
        mut self,
        servers: impl IntoIterator<Item = SocketAddr>,
    ) -> Result<Self, Failure> {
        self.resolver = Resolver::name_servers(servers)?;
        Ok(self)
    }

    /// Returns the header fields of `request`: those of the options and those of the condition. Names are in lower case and
    /// unique.
    pub fn fields<'t>(&'t self, request: &'t Request) -> impl Iterator<Item = (&'t str, &'t str)> {
        let all = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.chain(request.fields().map(|(name, value)| -> (&'t str, &'t str) { (name, value) }))
    }

    /// Returns the value of `User-Agent`.
    pub(super) fn user_agent(&self) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == "user-agent").map(|(_, value)| value.as_str())
    }

    /// Returns these options without the proxies, for clients that have their own.
    #[cfg(feature = "reqwest")]
    pub(super) fn without_proxies(&self) -> Self {
        Self { proxies: Proxies::default(), ..self.clone() }
    }

    /// Returns these options for retrievals that take at most `time`.
    #[cfg(feature = "blocking")]
    pub(super) fn within(&self, time: Duration) -> Self {
        Self { total_timeout: self.total_timeout.min(time), ..self.clone() }
    }

    pub(super) const fn limits(&self) -> Limits {
        Limits {
            connect: self.connect_timeout,
            read: self.read_timeout,
            total: self.total_timeout,
            max_head: self.max_head,
        }
    }
}

// Without the values of the other fields, which may be secrets.
debug!([] ClientOptions as "ClientOptions", |options|
    "user_agent": options.user_agent(),
    "fields": options.fields.iter().map(|(name, _)| name).collect::<Vec<_>>(),
    "addresses": options.addresses, "redirect_addresses": options.redirect_addresses, "proxies": options.proxies,
    "connect_timeout": options.connect_timeout, "read_timeout": options.read_timeout,
    "total_timeout": options.total_timeout, "max_head": options.max_head, "certificates": options.certificates.len());

/// The default `User-Agent` is the name and version of this crate.
impl Default for ClientOptions {
    fn default() -> Self {
        let fields = [
            ("user-agent", concat!("robots-fetch/", env!("CARGO_PKG_VERSION"))),
            ("accept", "text/plain, */*;q=0.5"),
        ];
        let Limits { connect, read, total, max_head } = Limits::DEFAULT;
        Self {
            connect_timeout: connect,
            read_timeout: read,
            total_timeout: total,
            max_head,
            addresses: AddressPolicy::Public,
            redirect_addresses: AddressPolicy::Public,
            resolver: Resolver::default(),
            proxies: Proxies::default(),
            certificates: Vec::new(),
            hosts: Hosts::default(),
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        }
    }
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidOption, message)
}

/// Fields that callers can't set.
#[rustfmt::skip]
const NOT_SENT: &[&str] = &[
    "accept-encoding", "authorization", "connection", "content-length", "cookie", "cookie2", "expect",
    "host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
    "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
    "upgrade",
];

impl ClientOptions {
    /// Returns the allowed addresses of a host, in the order of the resolver, except those to which the machine has no route.
    /// Blocks for at most [`Self::connect_timeout`].
    ///
    /// # Errors
    ///
    /// The host has no address, or none that is allowed.
    pub fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Failure> {
        self.look_up_within(host, port, Reach::First, self.connect_timeout)
    }

    /// As [`Self::look_up`], for a connection of this reach, within `time`.
    pub(super) fn look_up_within(
        &self,
        host: &str,
        port: u16,
        reach: Reach,
        time: Duration,
    ) -> Result<Vec<SocketAddr>, Failure> {
        if let Some(address) = literal(host) {
            return resolver::with_route(
                host,
                self.checked(host, vec![SocketAddr::new(address, port)], reach)?,
            );
        }
        let found = self.resolver.look_up(host, port, time)?;
        let found = found.ok_or_else(|| self.no_name_server())?;
        let mut found = found.map_err(|error| resolver::failure(&error))?;
        // Port 0 means the port of the URL.
        found.iter_mut().filter(|address| address.port() == 0).for_each(|address| address.set_port(port));
        resolver::with_route(host, self.checked(host, found, reach)?)
    }

    /// As [`Self::look_up_within`], without blocking, within four fifths of [`Self::connect_timeout`]: so that the rest is
    /// left to connect, and that a silent name server is not taken for a silent site.
    #[cfg(feature = "reqwest")]
    pub(super) async fn look_up_async(&self, host: &str, reach: Reach) -> Result<Vec<SocketAddr>, Failure> {
        // Port 0 means the port of the URL.
        let found = self.resolver.look_up_async(host, 0, self.connect_timeout / 5 * 4).await?;
        let found = found.ok_or_else(|| self.no_name_server())?;
        let found = found.map_err(|error| resolver::failure(&error))?;
        resolver::with_route(host, self.checked(host, found, reach)?)
    }

    /// The failure of a look-up that took too long.
    fn no_name_server(&self) -> Failure {
        let limits = self.limits();
        if limits.is_short(Limit::Connect) {
            return limits.timed_out(Limit::Connect);
        }
        Failure::new(FailureKind::NoNetwork, "no name server answers")
    }

    /// Returns the addresses to connect to.
    fn checked(&self, host: &str, found: Vec<SocketAddr>, reach: Reach) -> Result<Vec<SocketAddr>, Failure> {
        let Some(first) = found.first().copied() else {
            return Err(Failure::new(FailureKind::Dns, shown(host)));
        };
        if reach != Reach::Proxy {
            self.hosts.note(host, found.iter().map(SocketAddr::ip));
        }
        let allowed: Vec<_> = found.into_iter().filter(|found| self.allows(reach, found.ip())).collect();
        if allowed.is_empty() { Err(refused(host, first.ip())) } else { Ok(allowed) }
    }

    /// Returns whether a connection of this reach may lead to an address.
    fn allows(&self, reach: Reach, address: IpAddr) -> bool {
        match reach {
            Reach::First => self.addresses.allows(address),
            Reach::Redirect => self.addresses.allows(address) && self.redirect_addresses.allows(address),
            Reach::Proxy => true,
        }
    }

    /// Returns the reach of a request: that of a redirect only if it is restricted further.
    pub(super) fn reach(&self, request: &Request) -> Reach {
        let is_inside = request.before.iter().all(|url| self.hosts.is_private(url));
        if is_inside || !self.restricts_redirects() { Reach::First } else { Reach::Redirect }
    }

    /// Returns whether redirects are restricted further than other requests.
    pub(super) fn restricts_redirects(&self) -> bool {
        !matches!(
            (&self.addresses, &self.redirect_addresses),
            (_, AddressPolicy::Any) | (AddressPolicy::Public, AddressPolicy::Public)
        )
    }

    /// Checks the URL of a request before its host is looked up.
    ///
    /// # Errors
    ///
    /// The host is an address that is not allowed or a name that is too long, or the scheme is not in `schemes`.
    pub(super) fn check(&self, request: &Request, schemes: &[&str]) -> Result<(), Failure> {
        let url = &request.url;
        if !schemes.contains(&url.scheme()) {
            return Err(Failure::new(FailureKind::UnsupportedScheme, shown(url.scheme())));
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(name)) => return require_short(name),
            None => return Ok(()),
        };
        let is_allowed = self.allows(self.reach(request), address);
        if is_allowed { Ok(()) } else { Err(refused(&address.to_string(), address)) }
    }
}

/// The kind of a connection, which decides about the addresses that it may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the host of the origin, or between hosts whose addresses are not public.
    First,
    /// To a host to which a redirect of a public host led.
    Redirect,
    /// To a proxy.
    Proxy,
}

/// Checks the lengths of a name, which no resolver can look up otherwise (RFC 1035, section 2.3.4): without the dot at its end, a
/// name has at most 253 bytes, and a label at most 63.
fn require_short(name: &str) -> Result<(), Failure> {
    let (len, label) = (name.strip_suffix('.').unwrap_or(name).len(), name.split('.').map(str::len).max());
    let too_long = match label {
        _ if len > 253 => format!("a host of {len} bytes; a name has at most 253"),
        Some(label @ 64..) => format!("a label of {label} bytes in the host; a label has at most 63"),
        _ => return Ok(()),
    };
    Err(Failure::new(FailureKind::Dns, too_long))
}

/// Returns the address of a host that is one.
fn literal(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.parse().ok()
}

fn refused(host: &str, address: IpAddr) -> Failure {
    let address = address.to_string();
    let host = if host == address { String::new() } else { format!(" of {}", shown(host)) };
    Failure::new(FailureKind::RefusedAddress, format!("{address}{host}"))
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
}

#[cfg(test)]
mod look_up_tests {
    use super::*;
    use crate::Validators;

    #[test]
    fn only_addresses_that_may_be_connected_to_are_found() {
        let mut options = ClientOptions::default();
        let of = |addresses: &[&str]| addresses.iter().map(|address| address.parse().unwrap()).collect();
        let found = |options: &ClientOptions, host: &str, addresses: &[&str], reach| match options.checked(
            host,
            of(addresses),
            reach,
        ) {
            Ok(found) => format!("{found:?}"),
            Err(failure) => failure.to_string(),
        };
        let mixed = ["10.0.0.1:1", "1.1.1.1:1", "[::1]:1"];
        let private = ["10.0.0.1:1", "[::1]:1"];
        use Reach::{First, Proxy, Redirect};
        assert_eq!(found(&options, "mixed", &mixed, First), "[1.1.1.1:1]");
        let refused = "address is not allowed: 10.0.0.1 of private";
        assert_eq!(found(&options, "private", &private, First), refused);
        assert_eq!(found(&options, "private", &private, Proxy), "[10.0.0.1:1, [::1]:1]");
        assert_eq!(found(&options, "none", &[], First), "host name not found: none");
        assert_eq!(found(&options, "[::1]", &["[::1]:1"], First), "address is not allowed: ::1 of [::1]");
        for (url, passes) in [
            ("http://127.0.0.1/", false),
            ("http://2130706433/", false),
            ("http://0x7f.1/", false),
            ("http://[::ffff:127.0.0.1]/", false),
            ("http://1.1.1.1/", true),
            ("http://localhost/", true),
            ("gopher://1.1.1.1/", false),
        ] {
            assert_eq!(options.check(&request(url, &[]), &["http"]).is_ok(), passes, "{url}");
        }
        options.addresses = AddressPolicy::Any;
        assert_eq!(found(&options, "mixed", &mixed, First), "[10.0.0.1:1, 1.1.1.1:1, [::1]:1]");
        assert_eq!(found(&options, "mixed", &mixed, Redirect), "[1.1.1.1:1]");
        assert_eq!(found(&options, "private", &private, Redirect), refused);
    }

    fn request(url: &str, before: &[&str]) -> Request {
        let before = before.iter().map(|url| url.parse().unwrap()).collect();
        Request { url: url.parse().unwrap(), validators: Validators::default(), before }
    }

    #[test]
    fn a_redirect_from_a_public_host_does_not_lead_inside() {
        let mut options = ClientOptions::new("ExampleBot/1.0").unwrap();
        options.addresses = AddressPolicy::Any;
        let address = |text: &str| [text.parse().unwrap()];
        options.hosts.note("public.test", address("1.1.1.1"));
        options.hosts.note("inside.test", address("10.0.0.1"));
        let inside = "http://169.254.169.254/";
        for (before, passes) in [
            (&[][..], true),
            (&["http://public.test/"], false),
            (&["http://inside.test/"], true),
            (&["http://inside.test/", "http://public.test/"], false),
            (&["http://public.test/", "http://inside.test/"], false),
            (&["http://unknown.test/"], false),
            (&["http://192.168.1.1/"], true),
            (&["http://1.1.1.1/"], false),
        ] {
            assert_eq!(options.check(&request(inside, before), &["http"]).is_ok(), passes, "{before:?}");
        }
        options.redirect_addresses = AddressPolicy::Any;
        assert!(options.check(&request(inside, &["http://public.test/"]), &["http"]).is_ok());
    }
}
