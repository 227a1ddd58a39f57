//! Looking up hosts, and which of their addresses a client may connect to.

use core::net::{IpAddr, SocketAddr};
use core::time::Duration;

use url::Host;

#[cfg(any(feature = "reqwest", feature = "ureq", test))]
use super::address::AddressPolicy;
use super::limits::Limit;
use super::options::ClientOptions;
use super::resolver;
use crate::failure::{Failure, FailureKind};
use crate::retrieval::request::Request;
use crate::text::shown;

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

    /// Returns the reach of a request.
    pub(super) fn reach(&self, request: &Request) -> Reach {
        let is_inside = request.before.iter().all(|url| self.hosts.is_private(url));
        if is_inside { Reach::First } else { Reach::Redirect }
    }

    /// Returns whether redirects are restricted further than other requests.
    #[cfg(any(feature = "reqwest", feature = "ureq"))]
    pub(super) const fn restricts_redirects(&self) -> bool {
        !matches!(
            (self.addresses, self.redirect_addresses),
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
