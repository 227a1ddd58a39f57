//! Addresses of clients, and published ranges of crawlers.

use core::hash::BuildHasher as _;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use foldhash::fast::RandomState;

use crate::log::raw_line::BYTE_ORDER_MARK;

/// Where the address of the client is in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressField {
    /// The address of the connection.
    #[default]
    Remote,
    /// The address with this number in `X-Forwarded-For`, from 1, counted from the right. The client can write what is further
    /// left.
    Forwarded(usize),
}

/// Reads an address. An IPv4 address that is written as IPv6 is IPv4. A port and brackets are not read.
pub(super) fn parse(text: &[u8]) -> Option<IpAddr> {
    if let Some(address) = parse_v4(text) {
        return Some(IpAddr::V4(address));
    }
    if memchr::memchr(b':', text).is_none() || text.len() > 64 {
        return None;
    }
    let text = core::str::from_utf8(text).ok()?;
    let text = text.strip_prefix('[').and_then(|text| text.split(']').next()).unwrap_or(text);
    // Without the zone of a link-local address.
    let text = text.split('%').next().unwrap_or(text);
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some(address.to_canonical());
    }
    // As in `192.0.2.1:1234`.
    let (host, port) = text.rsplit_once(':')?;
    port.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| parse_v4(host.as_bytes()).map(IpAddr::V4))
        .flatten()
}

fn parse_v4(text: &[u8]) -> Option<Ipv4Addr> {
    let mut parts = [0_u8; 4];
    let mut part = 0;
    let mut value = 0_u32;
    let mut digits = 0;
    for &byte in text {
        match byte {
            b'0'..=b'9' if digits < 3 => {
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
            }
            b'.' if digits > 0 && part < 3 => {
                *parts.get_mut(part)? = u8::try_from(value).ok()?;
                part += 1;
                value = 0;
                digits = 0;
            }
            _ => return None,
        }
    }
    if part != 3 || digits == 0 {
        return None;
    }
    *parts.get_mut(3)? = u8::try_from(value).ok()?;
    Some(parts.into())
}

/// Returns whether a text may be the host of a site: not the addresses of a client and its proxies, and not a number.
pub(super) fn is_host(host: &[u8]) -> bool {
    !host.contains(&b',') && !host.iter().all(u8::is_ascii_digit) && parse(host).is_none()
}

/// Published ranges of addresses, from which a crawler comes.
///
/// ```
/// use robots_fetch::log::Ranges;
///
/// let file = br#"{"creationTime": "2025-11-01T00:00:00", "prefixes": [{"ipv4Prefix": "192.0.2.0/25"}, {"ipv6Prefix": "2001:db8::/32"}]}"#;
/// let ranges = Ranges::parse(file).unwrap();
/// assert!(ranges.contains("192.0.2.127".parse()?) && !ranges.contains("192.0.2.128".parse()?));
/// assert!(ranges.contains("2001:db8::1".parse()?));
/// assert!(Ranges::parse(b"198.51.100.0/24\n# comment\n198.51.101.7\n").unwrap().contains("198.51.101.7".parse()?));
/// # Ok::<(), core::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// First and last addresses, sorted and disjoint.
    v4: Vec<(u32, u32)>,
    v6: Vec<(u128, u128)>,
    created: Option<String>,
}

impl Ranges {
    /// Reads a file of ranges: a list of one range or address a line (also with a mask, or as `FIRST - LAST`), or JSON as Google,
    /// OpenAI, AWS and others publish it, in which every text that is a range or an address counts. `None` if the file has none.
    ///
    /// # Complexity
    ///
    /// O(*n* log *n*) for *n* bytes.
    #[must_use]
    pub fn parse(file: &[u8]) -> Option<Self> {
        let mut ranges = Self::default();
        let file = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
        let is_json = matches!(file.trim_ascii_start().first(), Some(b'{' | b'['));
        if is_json {
            let mut texts = file.split(|&byte| byte == b'"');
            texts.next();
            let mut is_time = false;
            while let Some(text) = texts.next() {
                if core::mem::replace(&mut is_time, text == b"creationTime") && ranges.created.is_none() {
                    ranges.created = core::str::from_utf8(text).ok().map(str::to_owned);
                }
                // Some programs write `\/` for `/`.
                let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'\\').collect();
                ranges.add(&text);
                // The text between two strings.
                texts.next();
            }
        } else {
            for line in file.split(|&byte| byte == b'\n') {
                let line = line.split(|&byte| byte == b'#').next().unwrap_or(line);
                if ranges.add_first_and_last(line) {
                    continue;
                }
                for text in
                    line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'"'))
                {
                    ranges.add(text);
                }
            }
        }
        ranges.join();
        (!ranges.v4.is_empty() || !ranges.v6.is_empty()).then_some(ranges)
    }

    /// Sorts the ranges, and joins those that overlap.
    fn join(&mut self) {
        self.v4.sort_unstable();
        self.v6.sort_unstable();
        merge(&mut self.v4);
        merge(&mut self.v6);
    }

    /// Adds the ranges of another file.
    pub fn extend(&mut self, other: Self) {
        self.v4.extend(other.v4);
        self.v6.extend(other.v6);
        self.join();
        self.created = self.created.take().or(other.created);
    }

    /// Returns when the ranges were published, as the file says it in `creationTime`.
    #[must_use]
    pub fn created(&self) -> Option<&str> {
        self.created.as_deref()
    }

    /// Returns whether an address is in a range. An IPv4 address that is written as IPv6 is IPv4.
    ///
    /// # Complexity
    ///
    /// The logarithm of the number of ranges.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match address.to_canonical() {
            IpAddr::V4(address) => is_in(&self.v4, address.to_bits()),
            IpAddr::V6(address) => is_in(&self.v6, address.to_bits()),
        }
    }

    /// Adds a range that is written as its first and its last address, with `-` between them. Returns whether it is.
    fn add_first_and_last(&mut self, text: &[u8]) -> bool {
        let Some(at) = memchr::memchr(b'-', text) else { return false };
        let (first, last) = text.split_at_checked(at).unwrap_or_default();
        match (parse(first.trim_ascii()), parse(last.get(1..).unwrap_or_default().trim_ascii())) {
            (Some(IpAddr::V4(first)), Some(IpAddr::V4(last))) if first <= last => {
                self.v4.push((first.to_bits(), last.to_bits()));
                true
            }
            (Some(IpAddr::V6(first)), Some(IpAddr::V6(last))) if first <= last => {
                self.v6.push((first.to_bits(), last.to_bits()));
                true
            }
            _ => false,
        }
    }

    /// Adds a range or an address, if the text is one.
    fn add(&mut self, text: &[u8]) {
        let (address, length) = match memchr::memchr(b'/', text) {
            Some(at) => {
                let (address, length) = text.split_at_checked(at).unwrap_or_default();
                let digits = length.get(1..).unwrap_or_default();
                let length = core::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
                // As in `192.0.2.0/255.255.255.0`.
                let mask = || parse_v4(digits).map(Ipv4Addr::to_bits);
                let is_mask = |mask: &u32| mask.leading_ones() + mask.trailing_zeros() == 32;
                let length = length.or_else(|| mask().filter(is_mask).map(u32::leading_ones));
                if length.is_none() {
                    return;
                }
                (address, length)
            }
            None => (text, None),
        };
        // A port is part of no range.
        match parse(address) {
            Some(IpAddr::V4(first)) => {
                let mapped = memchr::memchr(b':', address).is_some();
                let length =
                    length.map_or(Some(32), |length| length.checked_sub(if mapped { 96 } else { 0 }));
                if let Some(length @ 0..=32) = length {
                    let rest = u32::MAX.checked_shr(length).unwrap_or(0);
                    let first = first.to_bits() & !rest;
                    self.v4.push((first, first | rest));
                }
            }
            Some(IpAddr::V6(first)) if length.unwrap_or(128) <= 128 => {
                let rest = u128::MAX.checked_shr(length.unwrap_or(128)).unwrap_or(0);
                let first = first.to_bits() & !rest;
                self.v6.push((first, first | rest));
            }
            _ => {}
        }
    }
}

impl FromIterator<IpAddr> for Ranges {
    /// Each address is a range of its own.
    fn from_iter<I: IntoIterator<Item = IpAddr>>(addresses: I) -> Self {
        let mut ranges = Self::default();
        for address in addresses {
            match address.to_canonical() {
                IpAddr::V4(address) => ranges.v4.push((address.to_bits(), address.to_bits())),
                IpAddr::V6(address) => ranges.v6.push((address.to_bits(), address.to_bits())),
            }
        }
        ranges.join();
        ranges
    }
}

/// Joins sorted ranges that overlap.
fn merge<T: Copy + Ord>(ranges: &mut Vec<(T, T)>) {
    ranges.dedup_by(|next, kept| {
        let is_joined = next.0 <= kept.1;
        if is_joined {
            kept.1 = kept.1.max(next.1);
        }
        is_joined
    });
}

fn is_in<T: Copy + Ord>(ranges: &[(T, T)], address: T) -> bool {
    let at = ranges.partition_point(|(first, _)| *first <= address);
    at.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| address <= *last)
}

/// An address as a number, so that addresses are compared and forgotten. 0 stands for none.
///
/// IPv4 addresses and the first halves of IPv6 addresses, which are those of networks, are kept as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AddressKey(u128);

impl AddressKey {
    pub(super) fn new(address: Option<IpAddr>) -> Self {
        match address {
            None => Self(0),
            Some(IpAddr::V4(address)) => Self(u128::from(address.to_bits()) | 1 << 32),
            Some(IpAddr::V6(address)) => Self(address.to_bits().max(1 << 33)),
        }
    }

    /// Returns a number for each address: 0 for none, and for IPv6 a hash with the seed of the log.
    pub(super) fn number(self, seed: &RandomState) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "addresses of IPv4 have 33 bits here")]
        if self.0 == 0 || self.is_v4() { self.0 as u64 } else { seed.hash_one(self.0) | 1 << 63 }
    }

    /// Returns the number of the network: the /24 of IPv4, the /48 of IPv6; 0 if there is no address.
    pub(super) const fn network(self) -> u64 {
        if self.0 == 0 {
            0
        } else if self.is_v4() {
            (self.0 >> 8) as u64
        } else {
            (self.0 >> 80) as u64 | 1 << 63
        }
    }

    const fn is_v4(self) -> bool {
        self.0 >> 32 == 1
    }
}

/// Returns the text of the number of a network.
pub(super) fn network_text(network: u64) -> String {
    if network >> 63 == 0 {
        #[expect(clippy::cast_possible_truncation, reason = "the upper bits say that it is IPv4")]
        let address = Ipv4Addr::from_bits((network << 8) as u32);
        return format!("{address}/24");
    }
    let address = Ipv6Addr::from_bits(u128::from(network & !(1 << 63)) << 80);
    format!("{address}/48")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_in_all_forms() {
        let v4 = Some(IpAddr::from([192, 0, 2, 1]));
        for text in ["192.0.2.1", "::ffff:192.0.2.1", "[::ffff:192.0.2.1]", "192.0.2.1:8080"] {
            assert_eq!(parse(text.as_bytes()), v4, "{text}");
        }
        for text in ["", "-", "192.0.2", "192.0.2.256", "192.0.2.1.2", "crawler.example.com", "1.2.3.4x", ":"]
        {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse(b"fe80::1%eth0"), "fe80::1".parse().ok());
    }

    #[test]
    fn networks_have_texts() {
        let text = |text: &[u8]| network_text(AddressKey::new(parse(text)).network());
        assert_eq!(text(b"192.0.2.1"), "192.0.2.0/24");
        assert_eq!(text(b"2001:db8:1:2::3"), "2001:db8:1::/48");
        let number = |text: &[u8]| AddressKey::new(parse(text)).number(&RandomState::default());
        assert!(number(b"0.0.0.0") != 0 && number(b"::") != 0 && number(b"-") == 0);
    }

    #[test]
    fn ranges_of_all_lengths_are_read() {
        let ranges = Ranges::parse(b"0.0.0.0/0\n::/0").unwrap();
        assert!(
            ranges.contains(IpAddr::from([255, 255, 255, 255])) && ranges.contains("ffff::".parse().unwrap())
        );
        let one = Ranges::parse(br#"["192.0.2.7", "x/y", "192.0.2.9/33", "::ffff:192.0.2.8/127"]"#).unwrap();
        let contained: Vec<u8> =
            (0..=255).filter(|last| one.contains(IpAddr::from([192, 0, 2, *last]))).collect();
        assert_eq!(contained, [7, 8, 9]);
        for text in [
            "192.0.2.4/30",
            "192.0.2.4/255.255.255.252 # mask",
            "192.0.2.4-192.0.2.7",
            "\u{feff}192.0.2.4 - 192.0.2.7\r\n",
            r#"["192.0.2.4\/30"]"#,
        ] {
            assert_eq!(Ranges::parse(text.as_bytes()), Ranges::parse(b"192.0.2.4/30"), "{text}");
        }
        let v6 = Ranges::parse(b"2001:db8::/127");
        assert_eq!(Ranges::parse(b"2001:db8::0 - 2001:db8::1"), v6);
        for none in ["{}", "192.0.2.4/255.0.255.0", "192.0.2.7-192.0.2.4", "a-b"] {
            assert_eq!(Ranges::parse(none.as_bytes()), None, "{none}");
        }
    }
}
