//! Finding patterns with `*` among many.

use alloc::boxed::Box;

/// What a path has to have for a pattern to match.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Needs(u64);

impl Needs {
    /// Of a pattern, its special `$` left away.
    pub(crate) fn of(stem: &[u8]) -> Self {
        Self(stem.iter().filter(|&&octet| octet != b'*').fold(0, |needs, &octet| needs | bit(octet)))
    }
}

/// The patterns with `*`, in the order in which they prevail.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Wild {
    needs: Box<[Needs]>,
}

impl Wild {
    pub(crate) fn new(needs: &[Needs]) -> Self {
        Self { needs: needs.into() }
    }

    /// The first pattern that matches, as long as patterns prevail over what is found already.
    pub(crate) fn first(
        &self,
        path: &[u8],
        prevails: impl Fn(usize) -> bool,
        matches: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.needs.is_empty() || !prevails(0) {
            return None;
        }
        let has = path.iter().fold(0, |has, &octet| has | bit(octet));
        for (index, needs) in self.needs.iter().enumerate() {
            if needs.0 & !has == 0 {
                if !prevails(index) {
                    return None;
                }
                if matches(index) {
                    return Some(index);
                }
            }
        }
        None
    }
}

const fn bit(octet: u8) -> u64 {
    1 << (octet & 63)
}
