//! How many URLs each rule decides, for people who read long lists of URLs.

use std::collections::HashMap;

use crate::output::{Style, TextLines};

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
/// The most URLs of a cause that are shown as samples.
const MOST_SAMPLES: usize = 3;

/// A row about a URL.
#[derive(Debug)]
pub(crate) struct UrlRow {
    pub(crate) style: Style,
    pub(crate) word: &'static str,
    /// The text between the word and the URL, such as the site and the crawler, with the spaces around it.
    pub(crate) about: String,
    /// The URL, safe to show.
    pub(crate) url: String,
    /// The line that decides, or what happened.
    pub(crate) cause: String,
}

/// Rows about URLs: each URL of a short list, and one row for each cause of a long one, with the number of its URLs and samples.
#[derive(Debug)]
pub(crate) struct UrlRows {
    /// The texts before one URL, and after the number of several.
    nouns: (&'static str, &'static str),
    cause_style: Style,
    /// The first rows, fewer than [`LONG`].
    rows: Vec<UrlRow>,
    /// The rows of each cause, by what they have in common.
    causes: HashMap<(&'static str, String, String), Cause>,
    urls: usize,
}

/// The rows that have a cause.
#[derive(Debug)]
struct Cause {
    /// The position at which the cause was found first.
    first: usize,
    style: Style,
    urls: usize,
    samples: Vec<String>,
}

impl UrlRows {
    /// Returns a list without rows. `one` is written before a URL, and `many` after the number of several URLs.
    pub(crate) fn new(one: &'static str, many: &'static str, cause_style: Style) -> Self {
        Self { nouns: (one, many), cause_style, rows: Vec::new(), causes: HashMap::new(), urls: 0 }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.urls == 0
    }

    /// Adds a row. Those of causes after the first 10,000 are only counted.
    pub(crate) fn add(&mut self, row: UrlRow) {
        self.urls += 1;
        let key = (row.word, row.about.clone(), row.cause.clone());
        let first = self.causes.len();
        if first < MOST_CAUSES || self.causes.contains_key(&key) {
            let new = || Cause { first, style: row.style, urls: 0, samples: Vec::new() };
            let cause = self.causes.entry(key).or_insert_with(new);
            cause.urls += 1;
            if cause.samples.len() < MOST_SAMPLES {
                cause.samples.push(row.url.clone());
            }
        }
        if self.rows.len() + 1 < LONG {
            self.rows.push(row);
        }
    }

    /// Returns the rows: all of a short list, and the causes of a long one, those with the most URLs first. `all` names the format that has each URL.
    pub(crate) fn lines(&self, all: &str) -> TextLines {
        let mut lines = TextLines::new();
        let (one, many) = self.nouns;
        let mut add = |style: Style, word: &str, about: &str, urls: &str, cause: &str| {
            let (word, cause) = (style.paint(word), self.cause_style.paint(cause));
            lines.add(format_args!("{word}{about}{urls}  {cause}"));
        };
        if self.urls < LONG {
            for UrlRow { style, word, about, url, cause } in &self.rows {
                add(*style, word, about, &format!("{one}{url}"), cause);
            }
            return lines;
        }
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_unstable_by_key(|(_, cause)| (usize::MAX - cause.urls, cause.first));
        let mut shown = 0;
        for ((word, about, text), Cause { style, urls, samples, .. }) in &causes {
            let list = samples.join(", ");
            let more = urls - samples.len();
            shown += samples.len();
            let list = match (*urls, more) {
                (1, _) => format!("{one}{list}"),
                (_, 0) => format!("{urls} {many}: {list}"),
                _ => format!("{urls} {many}: {list} and {more} more"),
            };
            add(*style, word, about, &list, text);
        }
        let counted: usize = causes.iter().map(|(_, cause)| cause.urls).sum();
        if counted < self.urls {
            lines.add(format_args!("{} {many}: other rules", self.urls - counted));
        }
        if shown < self.urls {
            lines.add(format_args!("{all} writes each of these URLs"));
        }
        lines
    }
}

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

    use super::{LONG, MOST_CAUSES, MOST_LISTED, RuleCounts, UrlRow, UrlRows};
    use crate::output::{Printable, Style};

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

    fn row(url: usize, cause: &str) -> UrlRow {
        UrlRow {
            style: Style::Plain,
            word: "disallowed",
            about: "  SITE  ".to_owned(),
            url: format!("/{url}"),
            cause: cause.to_owned(),
        }
    }

    #[test]
    fn a_long_list_has_a_row_for_each_cause() {
        let text = |rows: &UrlRows| {
            let text = Printable::from(rows.lines("`--format csv`")).into_text();
            anstream::adapter::strip_str(&text).to_string()
        };
        let mut rows = UrlRows::new("URL: ", "URLs", Style::Plain);
        assert_eq!(text(&rows), "");
        for url in 1..LONG {
            rows.add(row(url, if url == 1 { "line 2" } else { "line 9" }));
        }
        let short = text(&rows);
        assert_eq!(short.lines().count(), LONG - 1);
        assert!(short.starts_with("disallowed  SITE  URL: /1  line 2\ndisallowed  SITE  URL: /2  line 9\n"));
        rows.add(row(LONG, "line 7"));
        rows.add(row(LONG + 1, "line 7"));
        let expected = [
            "disallowed  SITE  18 URLs: /2, /3, /4 and 15 more  line 9",
            "disallowed  SITE  2 URLs: /20, /21  line 7",
            "disallowed  SITE  URL: /1  line 2",
            "`--format csv` writes each of these URLs",
        ];
        assert_eq!(text(&rows).lines().collect::<Vec<_>>(), expected);
        // The memory has a bound, and no URL is forgotten.
        for url in 0..2 * MOST_CAUSES {
            rows.add(row(url, &format!("cause {url}")));
        }
        assert_eq!((rows.causes.len(), rows.rows.len()), (MOST_CAUSES, LONG - 1));
        let rest =
            format!("{} URLs: other rules\n`--format csv` writes each of these URLs\n", MOST_CAUSES + 3);
        assert!(text(&rows).ends_with(&rest));
    }
}
