//! The registries of special-purpose addresses (RFC 6890).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an address can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum AddressScope {
    /// On the public Internet.
    Public,
    /// In a network of its owner: loopback, private, shared and link-local addresses.
    Local,
    /// Nowhere, or not by one host: unspecified, multicast, reserved and documentation addresses, and those of protocols.
    Special,
}

impl AddressScope {
    /// Returns the scope of an address. An IPv6 address that embeds an IPv4 address has the scope of that.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    const fn of_v4(address: Ipv4Addr) -> Self {
        match address.octets() {
            [10 | 127, ..] | [100, 64..128, ..] | [169, 254, ..] | [172, 16..32, ..] | [192, 168, ..] => {
                Self::Local
            }
            [0 | 224.., ..] | [192, 0, 0 | 2, _] | [192, 88, 99, _] => Self::Special,
            [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => Self::Special,
            _ => Self::Public,
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        let v4 =
            |high: u16, low: u16| Self::of_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
        match address.segments() {
            // Mapped and translated IPv4 addresses.
            [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => v4(high, low),
            // 6to4.
            [0x2002, high, low, ..] => v4(high, low),
            [0, 0, 0, 0, 0, 0, 0, 1] | [0xFC00..0xFE00 | 0xFE80..0xFF00, ..] => Self::Local,
            // Protocol assignments (Teredo and others), and documentation.
            [0x2001, 0..0x200 | 0xDB8, ..] | [0x3FFF, 0..0x1000, ..] => Self::Special,
            // Global unicast addresses, as far as they are assigned.
            [0x2000..0x4000, ..] => Self::Public,
            _ => Self::Special,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_one_scope() {
        for (scope, addresses) in [
            (AddressScope::Public, "1.1.1.1 100.63.0.1 100.128.0.1 ::ffff:1.1.1.1 2606:4700::1"),
            (AddressScope::Local, "127.0.0.1 100.64.0.1 172.31.0.1 ::ffff:10.0.0.1 ::1 fd00::1 fe80::1"),
            (AddressScope::Special, "0.0.0.0 192.0.2.1 198.18.0.1 240.0.0.1 :: 2001:db8::1 ff02::1"),
        ] {
            for address in addresses.split(' ') {
                assert_eq!(AddressScope::of(address.parse().unwrap()), scope, "{address}");
            }
        }
    }
}
