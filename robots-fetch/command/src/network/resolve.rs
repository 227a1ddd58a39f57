//! Addresses that the user names for hosts.

use alloc::sync::Arc;
use core::net::{IpAddr, SocketAddr};
use core::str::FromStr;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::io;
use std::net::ToSocketAddrs as _;

use robots_fetch::Origin;

use crate::output::{self, Style};
use crate::text::Text;

/// An address to which requests for a host and port are sent, in place of those of its name, as `www.example.com:443:192.0.2.7`.
#[derive(Clone, Debug)]
pub(crate) struct Resolve {
    host: String,
    port: u16,
    address: IpAddr,
    /// Whether the host was looked up. Copies share it.
    is_used: Arc<AtomicBool>,
}

impl FromStr for Resolve {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected HOST:PORT:ADDRESS, such as www.example.com:443:192.0.2.7";
        let mut parts = text.splitn(3, ':');
        let (Some(host), Some(port), Some(address)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(EXPECTED);
        };
        let address = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        // A host as a URL has it, also one with other characters than ASCII.
        let origin = Origin::parse(&format!("http://{host}")).map_err(|_| EXPECTED)?;
        match (port.parse(), address.parse()) {
            (Ok(port), Ok(address)) if !host.is_empty() => {
                Ok(Self { host: origin.host().to_owned(), port, address, is_used: Arc::default() })
            }
            _ => Err(EXPECTED),
        }
    }
}

impl Resolve {
    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Returns whether it is about a site.
    pub(crate) fn is_of(&self, origin: &Origin) -> bool {
        self.host == origin.host() && self.port == port_of(origin)
    }

    /// Says so if no request was sent to the address, as where `www.` is missing.
    pub(crate) fn note_if_unused(&self) {
        if !self.is_used.load(Relaxed) {
            let Self { host, port, address, .. } = self;
            let host = Text(host.as_bytes());
            let note = format!(
                "--resolve: no request was sent to {address}, because no URL was asked at the host {host} and port {port}"
            );
            output::complain("note", Style::Note, &note);
        }
    }

    /// Looks up a host: among these, and otherwise as the system does.
    pub(super) fn look_up(all: &[Self], host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let is_it = |own: &&Self| own.host.eq_ignore_ascii_case(host) && own.port == port;
        let address = |own: &Self| {
            own.is_used.store(true, Relaxed);
            SocketAddr::new(own.address, port)
        };
        let own: Vec<SocketAddr> = all.iter().filter(is_it).map(address).collect();
        if own.is_empty() { (host, port).to_socket_addrs().map(Iterator::collect) } else { Ok(own) }
    }
}

fn port_of(origin: &Origin) -> u16 {
    origin.robots_url().port_or_known_default().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_a_port_and_an_address_are_named() {
        let parsed =
            |text: &str| text.parse::<Resolve>().map(|own| (own.host, own.port, own.address.to_string()));
        assert_eq!(parsed("Example.com:443:192.0.2.7"), Ok(("example.com".into(), 443, "192.0.2.7".into())));
        assert_eq!(
            parsed("example.com:80:[2001:db8::1]"),
            Ok(("example.com".into(), 80, "2001:db8::1".into()))
        );
        assert_eq!(
            parsed("example.com:80:2001:db8::1"),
            Ok(("example.com".into(), 80, "2001:db8::1".into()))
        );
        for text in ["", "example.com", "example.com:443", "example.com:x:192.0.2.7", ":1:192.0.2.7", "a:1:b"]
        {
            assert!(parsed(text).is_err(), "{text}");
        }
        let own: Resolve = "example.com:443:192.0.2.7".parse().unwrap();
        assert!(own.is_of(&Origin::parse("https://example.com").unwrap()));
        assert!(!own.is_of(&Origin::parse("http://example.com").unwrap()));
    }
}
