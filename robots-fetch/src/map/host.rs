//! The host of a key, as the map keeps it.

/// A host. Usual ones are kept in place, so that comparing them follows no pointer.
pub(super) enum Host {
    Short { len: u8, bytes: [u8; Self::SHORT] },
    Long(Box<[u8]>),
}

impl Host {
    /// The longest host that is kept in place.
    const SHORT: usize = 22;

    pub(super) fn new(host: &str) -> Self {
        let mut bytes = [0; Self::SHORT];
        match (bytes.get_mut(..host.len()), u8::try_from(host.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(host.as_bytes());
                Self::Short { len, bytes }
            }
            _ => Self::Long(host.as_bytes().into()),
        }
    }

    #[inline]
    pub(super) fn is(&self, host: &str) -> bool {
        match self {
            Self::Short { len, bytes } => bytes.get(..usize::from(*len)) == Some(host.as_bytes()),
            Self::Long(bytes) => **bytes == *host.as_bytes(),
        }
    }

    /// Returns the bytes that a host takes outside of the value.
    pub(super) fn memory(host: &str) -> usize {
        if host.len() <= Self::SHORT { 0 } else { allocated(host.len()) }
    }
}

/// Returns how many bytes an allocation takes: allocators add a few and round up to 16.
pub(crate) const fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_any_length_are_kept() {
        assert_eq!(size_of::<Host>(), 24);
        let text = "a.example-with-a-long-name.test";
        for len in 0..text.len() {
            let host = Host::new(&text[..len]);
            assert_eq!(matches!(host, Host::Short { .. }), len <= Host::SHORT);
            assert_eq!(Host::memory(&text[..len]) > 0, len > Host::SHORT);
            for other in 0..text.len() {
                assert_eq!(host.is(&text[..other]), len == other);
            }
        }
        assert!(!Host::new("a.test").is("b.test"));
    }
}
