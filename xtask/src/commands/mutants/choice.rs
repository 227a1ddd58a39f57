//! Which mutants a run takes: parts and samples.

use std::fmt;
use std::str::FromStr;

/// One of several equal parts, written `I/N` and counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Returns every `N`th of `all`, so that each part has mutants of all files.
    pub(super) fn part<T>(self, all: &[T]) -> impl Iterator<Item = &T> {
        all.iter().skip(self.index - 1).step_by(self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if index >= 1 && index <= of => Ok(Self { index, of }),
            _ => Err("write a part as I/N, with I from 1 to N, such as 2/8".to_owned()),
        }
    }
}

/// Writes `2/8`; the alternate form `2-of-8` can be part of a file name.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if f.alternate() { "-of-" } else { "/" };
        write!(f, "{}{between}{}", self.index, self.of)
    }
}

/// Returns a seed that differs from commit to commit, so that samples of different commits have different mutants.
pub(super) fn seed_of(commit: &str) -> u64 {
    let digits = commit.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    digits.unwrap_or_default()
}

/// Brings `all` in an order that depends only on the seed, and keeps the first `count`.
pub(super) fn sample<T>(all: &mut Vec<T>, count: usize, seed: u64) {
    let mut state = seed;
    for last in (1..all.len()).rev() {
        let bound = u64::try_from(last + 1).unwrap_or(u64::MAX);
        let other = usize::try_from(next(&mut state) % bound).unwrap_or(last);
        all.swap(last, other);
    }
    all.truncate(count);
}

/// Returns the next number of the generator SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_complete() {
        let all: Vec<usize> = (0..10).collect();
        let mut found: Vec<usize> = ["1/3", "2/3", "3/3"]
            .iter()
            .flat_map(|part| part.parse::<Shard>().unwrap().part(&all).copied().collect::<Vec<_>>())
            .collect();
        assert_eq!(found[..4], [0, 3, 6, 9]);
        found.sort_unstable();
        assert_eq!(found, all);
        assert_eq!(format!("{0} {0:#}", "2/8".parse::<Shard>().unwrap()), "2/8 2-of-8");
        for wrong in ["", "1", "0/3", "4/3", "a/3", "1/3/5", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_sample_depends_only_on_its_seed() {
        let of = |seed: u64, count: usize| {
            let mut all: Vec<u32> = (0..100).collect();
            sample(&mut all, count, seed);
            all
        };
        assert_eq!(of(7, 5), of(7, 5));
        assert_ne!(of(7, 5), of(8, 5));
        assert_eq!(of(7, 100)[..5], of(7, 5));
        let mut all = of(7, usize::MAX);
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_ne!(seed_of("0123456789"), seed_of("1123456789"));
    }
}
