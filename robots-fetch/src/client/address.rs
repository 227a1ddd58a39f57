//! Addresses that a client may connect to.

use alloc::sync::Arc;
use core::fmt;
use core::net::IpAddr;

use robots_match::AddressScope;

/// Which addresses a client connects to.
///
/// Links and redirects of strangers can lead a crawler to machines that only its own network can reach.
///
/// ```
/// use robots_fetch::client::AddressPolicy;
///
/// assert!(!AddressPolicy::Public.allows("169.254.169.254".parse()?));
/// assert!(!AddressPolicy::Public.allows("::ffff:127.0.0.1".parse()?));
/// assert!(AddressPolicy::Public.allows("93.184.215.14".parse()?));
/// assert!(AddressPolicy::Any.allows("127.0.0.1".parse()?));
/// # Ok::<(), core::net::AddrParseError>(())
/// ```
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AddressPolicy {
    /// All addresses.
    Any,
    /// Addresses on the public Internet: none of the registries of special-purpose addresses (RFC 6890), such as loopback,
    /// private, shared, link-local, unspecified, multicast, reserved and documentation addresses, and no IPv6 address that
    /// embeds such an IPv4 address.
    #[default]
    Public,
    /// Addresses for which this function returns `true`; see [`Self::custom`].
    #[cfg_attr(feature = "serde", serde(skip))]
    Custom(Arc<dyn Fn(IpAddr) -> bool + Send + Sync>),
}

impl AddressPolicy {
    /// Creates a policy from a function, which may have state, such as a list.
    ///
    /// ```
    /// use robots_fetch::client::AddressPolicy;
    ///
    /// let allowed: Vec<core::net::IpAddr> = vec!["192.0.2.1".parse()?];
    /// let policy = AddressPolicy::custom(move |address| allowed.contains(&address));
    /// assert!(policy.allows("192.0.2.1".parse()?) && !policy.allows("192.0.2.2".parse()?));
    /// # Ok::<(), core::net::AddrParseError>(())
    /// ```
    #[must_use]
    pub fn custom(allows: impl Fn(IpAddr) -> bool + Send + Sync + 'static) -> Self {
        Self::Custom(Arc::new(allows))
    }

    /// Returns whether a client may connect to `address`.
    #[must_use]
    pub fn allows(&self, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::Public => AddressScope::of(address) == AddressScope::Public,
            Self::Custom(allows) => allows(address),
        }
    }
}

impl fmt::Debug for AddressPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "Any",
            Self::Public => "Public",
            Self::Custom(_) => "Custom(..)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_public_are_refused() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::a00:1",
            "64:ff9b:1::a00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!AddressPolicy::Public.allows(address.parse().unwrap()), "{address}");
            assert!(AddressPolicy::Any.allows(address.parse().unwrap()));
        }
    }

    #[test]
    fn public_addresses_next_to_refused_ranges_are_accepted() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.0.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(AddressPolicy::Public.allows(address.parse().unwrap()), "{address}");
        }
    }
}
