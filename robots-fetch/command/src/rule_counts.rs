//! How many URLs each rule decides, for people who read long lists of URLs.

use std::collections::HashMap;

use crate::output::TextLines;

/// The numbers of URLs that have the same cause, such as the line that disallows them.
#[derive(Debug, Default)]
pub(crate) struct RuleCounts {
    /// The position at which a cause was found first, and its number of URLs.
    counts: HashMap<String, (usize, usize)>,
    urls: usize,
}

/// The most different causes that are counted, which bounds the memory.
const MOST_CAUSES: usize = 10_000;
/// The most causes that are listed, and the number of URLs from which on they are.
const MOST_LISTED: usize = 20;
const LONG: usize = 20;

impl RuleCounts {
    /// Counts a URL.
    pub(crate) fn add(&mut self, cause: String) {
        self.urls += 1;
        let next = self.counts.len();
        match self.counts.get_mut(&cause) {
            Some((_, count)) => *count += 1,
            None if next < MOST_CAUSES => {
                self.counts.insert(cause, (next, 1));
            }
            // Counted among the other rules.
            None => {}
        }
    }

    /// Returns the causes with the most URLs, after a list of many URLs, and nothing after a short one.
    pub(crate) fn lines(&self) -> TextLines {
        let mut lines = TextLines::new();
        if self.urls < LONG {
            return lines;
        }
        let mut all: Vec<_> = self.counts.iter().collect();
        all.sort_unstable_by_key(|(_, (first, count))| (usize::MAX - count, *first));
        for (cause, (_, count)) in all.iter().take(MOST_LISTED) {
            lines.add(format_args!("{count} {}: {cause}", if *count == 1 { "URL" } else { "URLs" }));
        }
        let listed: usize = all.iter().take(MOST_LISTED).map(|(_, (_, count))| count).sum();
        if listed < self.urls {
            lines.add(format_args!("{} URLs: other rules", self.urls - listed));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{LONG, MOST_CAUSES, MOST_LISTED, RuleCounts};
    use crate::output::Printable;

    fn text(counts: &RuleCounts) -> String {
        Printable::from(counts.lines()).into_text()
    }

    #[test]
    fn the_most_frequent_causes_come_first() {
        let mut counts = RuleCounts::default();
        for number in 1..LONG {
            counts.add(if number < 4 { "line 2" } else { "line 9" }.to_owned());
        }
        assert_eq!(text(&counts), "");
        counts.add("line 2".to_owned());
        assert_eq!(text(&counts), "16 URLs: line 9\n4 URLs: line 2\n");
        // The memory has a bound, and no URL is forgotten.
        for number in 0..2 * MOST_CAUSES {
            counts.add(format!("cause {number}"));
        }
        assert_eq!(counts.counts.len(), MOST_CAUSES);
        let last = text(&counts).lines().last().unwrap().to_owned();
        assert_eq!(last, format!("{} URLs: other rules", LONG + 2 * MOST_CAUSES - 20 - (MOST_LISTED - 2)));
    }
}
