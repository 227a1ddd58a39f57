//! The times between requests.

use alloc::collections::BTreeMap;

/// Counts gaps between requests by classes: a second, from one hour on a minute, and from one day on an hour.
///
/// # Memory
///
/// Few gaps are pairs of a class and a count. From a thousand gaps on, all classes below one day have a place: 20 KB.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    /// Classes that are not counted yet. The counts of all crawlers together are larger than caches of processors, and counting
    /// some at a time waits for the memory only once.
    recent: Vec<u16>,
    few: BTreeMap<u16, u32>,
    many: Vec<u32>,
    count: u32,
}

/// The most classes that are not counted yet.
const MOST_RECENT: usize = 64;

/// The class of one day.
const DAY: u16 = 4980;

/// The number of gaps from which on all classes have a place.
const MANY: u32 = 1000;

impl Gaps {
    /// Counts a gap in milliseconds.
    pub(super) fn add(&mut self, gap: i64) {
        self.recent.push(class_of(gap));
        if self.recent.len() == MOST_RECENT {
            self.settle();
        }
    }

    /// Counts all gaps that were added.
    pub(super) fn settle(&mut self) {
        let mut recent = core::mem::take(&mut self.recent);
        for class in recent.drain(..) {
            self.count(class);
        }
        self.recent = recent;
    }

    fn count(&mut self, class: u16) {
        if let Some(count) = self.many.get_mut(usize::from(class)) {
            *count = count.saturating_add(1);
            return;
        }
        let count = self.few.entry(class).or_insert(0);
        *count = count.saturating_add(1);
        self.count = self.count.saturating_add(1);
        if self.count == MANY {
            self.many = vec![0; usize::from(DAY)];
            let days = self.few.split_off(&DAY);
            for (class, count) in core::mem::replace(&mut self.few, days) {
                if let Some(place) = self.many.get_mut(usize::from(class)) {
                    *place = count;
                }
            }
        }
    }

    /// Returns the lower median in seconds: that of the class, of which it is the shortest gap. [`settle`](Self::settle) comes first.
    pub(super) fn median(&self) -> Option<u64> {
        let counts = || {
            let many = (0..).zip(self.many.iter().copied()).filter(|(_, count)| *count > 0);
            many.chain(self.few.iter().map(|(class, count)| (*class, *count)))
        };
        let all: u64 = counts().map(|(_, count)| u64::from(count)).sum();
        let mut left = all.checked_sub(1)? / 2;
        for (class, count) in counts() {
            match left.checked_sub(u64::from(count)) {
                Some(rest) => left = rest,
                None => return Some(shortest(class)),
            }
        }
        None
    }
}

/// Returns the class of a gap in milliseconds.
fn class_of(gap: i64) -> u16 {
    let seconds = gap.div_euclid(1000).max(0);
    let class = match seconds {
        0..3_600 => seconds,
        3_600..86_400 => 3_600 + (seconds - 3_600) / 60,
        _ => 3_600 + 1_380 + (seconds - 86_400) / 3_600,
    };
    u16::try_from(class).unwrap_or(u16::MAX)
}

/// Returns the shortest gap of a class, in seconds.
fn shortest(class: u16) -> u64 {
    let class = u64::from(class);
    match class {
        0..3_600 => class,
        3_600..4980 => 3_600 + (class - 3_600) * 60,
        _ => 86_400 + (class - 4980) * 3_600,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_shortest_gap() {
        for seconds in [0, 1, 3_599, 3_600, 3_660, 86_340, 86_400, 90_000, 864_000] {
            assert_eq!(shortest(class_of(seconds * 1_000)), u64::try_from(seconds).unwrap());
        }
        assert_eq!(shortest(class_of(3_601_000)), 3_600);
    }

    #[test]
    fn few_and_many_gaps_have_a_median() {
        for count in [1_i64, 2, 999, 1000, 1001, 5000] {
            let mut gaps = Gaps::default();
            let mut all: Vec<i64> = (0..count).map(|number| number * 7919 % 1000 * 100).collect();
            for gap in &all {
                gaps.add(gap * 1000);
            }
            gaps.settle();
            all.sort_unstable();
            let median = all[(all.len() - 1) / 2];
            assert_eq!(gaps.median(), Some(shortest(class_of(median * 1000))), "{count}");
        }
        assert_eq!(Gaps::default().median(), None);
    }
}
