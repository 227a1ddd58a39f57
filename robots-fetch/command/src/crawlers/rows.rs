//! The crawlers of one file, each with its access.

use std::collections::{HashMap, HashSet};

use robots_match::{KnownCrawler, Purpose, Robots, RuleSet};

use super::arguments::Arguments;
use crate::arguments::NamedCrawler;
use crate::extent::{Extent, Measured};
use crate::names::{Applied, FileGroups};
use crate::subject::Subject;

/// A robots.txt, and what crawlers may access.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) subject: Subject,
    pub(super) rows: Vec<Row>,
}

/// A crawler, and what it may access.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) named: NamedCrawler,
    pub(super) known: Option<&'static KnownCrawler>,
    /// The number of the line that names the crawler, if one does.
    pub(super) line: Option<usize>,
    /// The group that applies.
    pub(super) group: Option<Applied>,
    pub(super) access: Measured,
    /// The name that was meant, if this one is not known.
    pub(super) suggestion: Option<&'static str>,
}

impl Row {
    pub(super) fn purpose(&self) -> Purpose {
        self.known.map_or(Purpose::Unknown, |known| known.purpose)
    }
}

impl Listed {
    pub(super) fn new(subject: Subject, chosen: &[NamedCrawler], arguments: &Arguments) -> Self {
        // A site without rules has no groups either.
        let robots = Robots::new(subject.body(), arguments.profile.rules);
        let groups = FileGroups::new(&robots);
        // Equal rules are measured once: most crawlers have those for `*`.
        let mut measured: HashMap<RuleSet, Measured> = HashMap::new();
        let mut row = |named: NamedCrawler, known: Option<&'static KnownCrawler>, line: Option<usize>| {
            let rules = subject.rules_of(&groups, &named.crawler);
            let profile = &arguments.profile.rules;
            let mut access =
                measured.entry(rules).or_insert_with_key(|rules| Measured::new(rules, profile)).clone();
            access.verdict = subject.verdict(access.verdict);
            let group = groups.of(&named.crawler);
            let suggestion =
                if line.is_some() && known.is_none() { KnownCrawler::suggest(&named.name) } else { None };
            Row { named, known, line, group, access, suggestion }
        };
        let in_file = groups.named();
        let line_of = |name: &str| {
            in_file.iter().find(|other| other.named.name.eq_ignore_ascii_case(name)).map(|other| other.line)
        };
        let mut rows = Vec::new();
        if !chosen.is_empty() {
            for named in chosen {
                let name = named.crawler.names().next().unwrap_or_default();
                rows.push(row(named.clone(), KnownCrawler::find(name), line_of(name)));
            }
            return Self { subject, rows };
        }
        let catalogue = &arguments.catalogue;
        if !catalogue.is_given() {
            rows.push(row(NamedCrawler::everyone(), None, None));
        }
        let mut seen = HashSet::new();
        for other in &in_file {
            if catalogue.has(other.known.map_or(Purpose::Unknown, |known| known.purpose)) {
                seen.insert(other.named.name.to_ascii_lowercase());
                rows.push(row(other.named.clone(), other.known, Some(other.line)));
            }
        }
        let mut others: Vec<&KnownCrawler> =
            if arguments.named { Vec::new() } else { catalogue.crawlers().collect() };
        others.retain(|known| !seen.contains(&known.name.to_ascii_lowercase()));
        others.sort_by_key(|known| known.purpose);
        rows.extend(others.into_iter().map(|known| row(NamedCrawler::known(known), Some(known), None)));
        Self { subject, rows }
    }

    /// Returns the number of crawlers of each extent, as text.
    pub(super) fn summary(&self) -> String {
        let counts = Extent::ALL
            .map(|extent| (extent, self.rows.iter().filter(|row| row.access.extent == extent).count()));
        let counts: Vec<String> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(extent, count)| format!("{count} {}", extent.name()))
            .collect();
        match self.rows.len() {
            0 => "no crawlers".to_owned(),
            1 => format!("1 crawler: {}", counts.join(", ")),
            count => format!("{count} crawlers: {}", counts.join(", ")),
        }
    }
}
