//! The crawlers of one file, each with its access.

use std::collections::{HashMap, HashSet};

use robots_match::{Comparer, KnownCrawler, Purpose, Robots};

use super::arguments::Arguments;
use crate::arguments::{NamedCrawler, catalogue};
use crate::extent::{Extent, Measured};
use crate::names::{Applied, FileGroups, Named};
use crate::other_lines::ForCrawler;
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
    /// Delays and parameters.
    pub(super) other: ForCrawler,
    /// The name that was meant, if this one is not known.
    pub(super) suggestion: Option<&'static str>,
}

impl Row {
    pub(super) fn purpose(&self) -> Purpose {
        self.known.map_or(Purpose::Unknown, |known| known.purpose)
    }

    /// Returns whether something is disallowed to the crawler, and it may ignore that.
    pub(super) fn may_ignore(&self) -> bool {
        self.access.extent != Extent::All && self.known.is_some_and(KnownCrawler::may_ignore_robots_txt)
    }
}

impl Listed {
    pub(super) fn new(subject: Subject, chosen: &[NamedCrawler], arguments: &Arguments) -> Self {
        let profile = &arguments.profile.rules;
        // A site without rules has no groups either.
        let robots = Robots::new(subject.body(), *profile);
        let groups = FileGroups::new(&robots);
        let entries = entries(&groups.named(), chosen, arguments);
        let shared = subject.rules_for(entries.iter().map(|(named, ..)| &named.crawler));
        let mut comparer = Comparer::new(Comparer::work_for(subject.body().len()));
        let measured: Vec<Measured> = (0..shared.sets())
            .map(|set| Measured::of_shared(&shared, set, &mut comparer))
            .map(|measured| Measured {
                verdict: measured.verdict.map(|verdict| subject.verdict(verdict)),
                ..measured
            })
            .collect();
        let index = groups.index();
        let other_lines = groups.other_lines(&robots);
        let rows = entries.into_iter().enumerate().filter_map(|(crawler, (named, known, line))| {
            let access = measured.get(shared.set_of(crawler))?.clone();
            let group = index.applied(&named.crawler);
            let other = other_lines.for_crawler(&index.select(&named.crawler), &named.crawler);
            let suggestion =
                if line.is_some() && known.is_none() { catalogue().suggest(&named.name) } else { None };
            let is_wanted = arguments.access.is_empty() || arguments.access.contains(&access.extent);
            is_wanted.then_some(Row { named, known, line, group, access, other, suggestion })
        });
        let rows = rows.collect();
        drop(shared);
        Self { subject, rows }
    }

    /// Returns the number of crawlers of each extent, as text.
    pub(super) fn summary(&self) -> String {
        let counts = Extent::ALL.map(|extent| {
            (extent, self.rows.iter().filter(|row| row.access.extent == extent && !row.may_ignore()).count())
        });
        let mut counts: Vec<String> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(extent, count)| format!("{count} {}", extent.word()))
            .collect();
        match self.rows.iter().filter(|row| row.may_ignore()).count() {
            0 => {}
            count => counts.push(format!("{count} may ignore what is disallowed")),
        }
        match self.rows.len() {
            0 => "no crawlers".to_owned(),
            1 => format!("1 crawler: {}", counts.join(", ")),
            count => format!("{count} crawlers: {}", counts.join(", ")),
        }
    }
}

/// A crawler, its entry in the catalogue, and the number of the line that names it.
type ListedCrawler = (NamedCrawler, Option<&'static KnownCrawler>, Option<usize>);

/// Returns the crawlers that are listed. `in_file` are those that the file names.
fn entries(in_file: &[Named], chosen: &[NamedCrawler], arguments: &Arguments) -> Vec<ListedCrawler> {
    let lines: HashMap<String, usize> =
        in_file.iter().rev().map(|other| (other.named.name.to_ascii_lowercase(), other.line)).collect();
    let (mut entries, mut seen) = (Vec::new(), HashSet::new());
    for named in chosen {
        let name = named.crawler.names().next().unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        entries.push((named.clone(), catalogue().find(name), lines.get(&lower).copied()));
        seen.insert(lower);
    }
    let catalogue = &arguments.catalogue;
    if !catalogue.is_given() {
        if !chosen.is_empty() {
            return entries;
        }
        entries.push((NamedCrawler::everyone(), None, None));
    }
    for other in in_file {
        let is_wanted = catalogue.has(other.known.map_or(Purpose::Unknown, |known| known.purpose));
        if is_wanted && seen.insert(other.named.name.to_ascii_lowercase()) {
            entries.push((other.named.clone(), other.known, Some(other.line)));
        }
    }
    let mut others: Vec<&KnownCrawler> =
        if arguments.named { Vec::new() } else { catalogue.crawlers().collect() };
    others.retain(|known| !seen.contains(&known.name.to_ascii_lowercase()));
    others.sort_by_key(|known| known.purpose);
    entries.extend(others.into_iter().map(|known| (NamedCrawler::known(known), Some(known), None)));
    entries
}
