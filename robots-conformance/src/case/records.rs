//! Rows about the other records of a file.

use robots_fetch::matching::{Robots, syntax};

use crate::escape::shown;
use crate::row::{Answered, Difference, Files, Kind, RowContext, lists, record, row};

row! {
    /// A row `[[records]]`.
    pub struct Records {
        robots: String,
        sitemaps: Option<Vec<String>>,
        others: Option<Vec<String>>,
    }
}

/// Returns the other records of a file, as rows write them.
fn other_records(robots: &Robots) -> Vec<String> {
    robots
        .lines()
        .filter(|line| matches!(line.record, syntax::Record::Other { .. }))
        .map(|line| {
            let shown = record(&line.record);
            format!("{} {}", line.number, shown.strip_prefix("other ").unwrap_or(&shown))
        })
        .collect()
}

impl Kind for Records {
    fn validate(&self, files: &Files) -> Result<(), String> {
        if self.sitemaps.is_none() && self.others.is_none() {
            return Err("neither `sitemaps` nor `others` is given; add one of them".to_owned());
        }
        files.has(&self.robots)
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let mut found = Vec::new();
        if let Some(sitemaps) = &self.sitemaps {
            let got: Vec<String> = robots.sitemaps().map(shown).collect();
            found.extend(lists("sitemap", sitemaps, &got));
        }
        if let Some(others) = &self.others {
            found.extend(lists("other record", others, &other_records(&robots)));
            let listed: Vec<String> =
                robots.other_records().map(|(key, value)| format!("{:?} {:?}", key, value)).collect();
            let read: Vec<String> = robots
                .lines()
                .filter_map(|line| match line.record {
                    syntax::Record::Other { key, value } => Some(format!("{key:?} {value:?}")),
                    _ => None,
                })
                .collect();
            found.extend(lists("list of other records", &read, &listed));
        }
        found
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let robots = Robots::new(context.file(&self.robots), context.profile.rules);
        let mut parts = Vec::new();
        if self.sitemaps.is_some() {
            parts.extend(robots.sitemaps().map(|sitemap| format!("sitemap {}", shown(sitemap))));
        }
        if self.others.is_some() {
            parts.extend(other_records(&robots));
        }
        Answered::one(&*self.robots, parts)
    }
}
