//! Groups of their own for some crawlers, in a file whose other lines stay.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use robots_groups::Crawler;
use robots_groups::syntax::{Lines, Record};

use crate::access::wanted::WantedAccess;
use crate::records::Records;
use crate::robots::Robots;

/// A crawler that gets a group of its own.
pub(super) struct Own<'w> {
    pub(super) crawler: &'w Crawler,
    pub(super) wanted: WantedAccess,
    /// The lines of rules that are left out.
    pub(super) dropped: Vec<usize>,
}

/// The lines of a file, by their groups.
pub(super) struct Layout<'f> {
    robots: &'f Robots,
    /// The bytes of each line, line end included.
    lines: Vec<&'f [u8]>,
    /// The lines of rules and records of each group.
    rules: Vec<Vec<usize>>,
    /// The values of the `user-agent` lines of each group, with their lines.
    agents: Vec<Vec<(&'f [u8], usize)>>,
}

impl<'f> Layout<'f> {
    pub(super) fn new(robots: &'f Robots) -> Self {
        let groups = robots.groups();
        let policy = &robots.profile().syntax;
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for line in Lines::new(robots.body(), policy) {
            lines.push(line.bytes());
            if let Record::UserAgent(name) = line.record {
                names.push((name.span().start(), line.number));
            }
        }
        let line_of = |start: usize| {
            names
                .binary_search_by_key(&start, |&(at, _)| at)
                .ok()
                .and_then(|at| names.get(at))
                .map_or(0, |&(_, line)| line)
        };
        let agents = groups
            .iter()
            .map(|group| {
                group.agents().iter().map(|name| (name.bytes(), line_of(name.span().start()))).collect()
            })
            .collect();
        let mut rules: Vec<Vec<usize>> =
            groups.iter().map(|group| group.rules().iter().map(|rule| rule.line()).collect()).collect();
        for record in Records::new(robots, &groups).all().iter().filter(|record| !record.concerns_all()) {
            if let Some(lines) = record.group.and_then(|group| rules.get_mut(group)) {
                lines.push(record.line);
            }
        }
        rules.iter_mut().for_each(|lines| lines.sort_unstable());
        Self { robots, lines, rules, agents }
    }

    fn line(&self, number: usize) -> &'f [u8] {
        number.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or_default()
    }

    /// Returns the line end that the file uses.
    fn line_end(&self) -> &'static [u8] {
        match self.lines.first() {
            Some(line) if line.ends_with(b"\r\n") => b"\r\n",
            _ => b"\n",
        }
    }

    /// Returns the lines of the group that a crawler gets, without its names.
    fn content(&self, own: &Own<'_>) -> Vec<u8> {
        let end = self.line_end();
        if own.wanted == WantedAccess::Nothing {
            return [b"Disallow: /", end].concat();
        }
        let groups = self.robots.groups();
        let mut content = Vec::new();
        let mut has_rule = false;
        for group in groups.select(own.crawler).indices() {
            let own_rules: BTreeSet<usize> = groups
                .get(group)
                .into_iter()
                .flat_map(|group| group.rules())
                .map(|rule| rule.line())
                .collect();
            for &number in self.rules.get(group).map(Vec::as_slice).unwrap_or_default() {
                if own.dropped.contains(&number) {
                    continue;
                }
                has_rule |= own_rules.contains(&number);
                let line = self.line(number);
                let line = line.strip_suffix(b"\n").unwrap_or(line);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                content.extend_from_slice(line.trim_ascii());
                content.extend_from_slice(end);
            }
        }
        if !has_rule {
            // A group without rules would become one with the next group.
            content.extend_from_slice(b"Disallow:");
            content.extend_from_slice(end);
        }
        content
    }

    /// Returns the file in which each of these crawlers has a group of its own.
    pub(super) fn with_groups(&self, owned: &[Own<'_>]) -> Vec<u8> {
        let end = self.line_end();
        let policy = self.robots.profile().groups;
        let names: Vec<&str> = owned.iter().filter_map(|own| own.crawler.names().next()).collect();
        let mut removed = BTreeSet::new();
        for (agents, rules) in self.agents.iter().zip(&self.rules) {
            let is_taken = |value: &[u8]| names.iter().any(|name| policy.names(value, name));
            let taken: Vec<usize> =
                agents.iter().filter(|(value, _)| is_taken(value)).map(|&(_, line)| line).collect();
            // Rules without a crawler would belong to the group before.
            if taken.len() == agents.len() {
                removed.extend(rules);
            }
            removed.extend(taken);
        }
        let mut body: Vec<u8> = Vec::with_capacity(self.robots.body().len() + 64 * owned.len());
        let mut is_open = false;
        for (line, number) in Lines::new(self.robots.body(), &self.robots.profile().syntax).zip(1_usize..) {
            if removed.contains(&number) {
                continue;
            }
            match line.record {
                Record::UserAgent(_) => is_open = true,
                Record::Rule(_) => is_open = false,
                _ => {}
            }
            body.extend_from_slice(line.bytes());
        }
        if owned.is_empty() {
            return body;
        }
        if !body.is_empty() && !body.ends_with(b"\n") {
            body.extend_from_slice(end);
        }
        if is_open {
            body.extend_from_slice(b"Disallow:");
            body.extend_from_slice(end);
        }
        // Crawlers with the same rules share a group. Those that are blocked come first.
        let mut groups: BTreeMap<(bool, Vec<u8>), Vec<&str>> = BTreeMap::new();
        for own in owned {
            if let Some(name) = own.crawler.names().next() {
                groups
                    .entry((own.wanted != WantedAccess::Nothing, self.content(own)))
                    .or_default()
                    .push(name);
            }
        }
        for ((_, content), mut names) in groups {
            names.sort_by_key(|name| name.to_ascii_lowercase());
            names.dedup();
            if !body.is_empty() {
                body.extend_from_slice(end);
            }
            for name in names {
                body.extend_from_slice(b"User-agent: ");
                body.extend_from_slice(name.as_bytes());
                body.extend_from_slice(end);
            }
            body.extend_from_slice(&content);
        }
        body
    }
}
