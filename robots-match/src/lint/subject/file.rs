//! A file of lines as a whole.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};

use robots_groups::syntax::{Effect, Field, Line, Lines, Record, Rule, Span};
use robots_groups::{Crawler, Group, Groups};

use crate::document::Document;
use crate::lint::context::Facts;
use crate::lint::subject::assets::{ASSETS, Asset};
use crate::lint::subject::damaged::line_end;
use crate::lint::subject::extent::{closing_rule, is_all};
use crate::lint::subject::hosted::is_whole;
use crate::lint::subject::rule_index::RuleIndex;
use crate::profile::Profile;
use crate::records::Records;
use crate::rule_set::RuleSet;

/// A file of lines as a whole.
pub(crate) struct File<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) index: LineIndex<'a>,
    /// The last line, as the profile of the context reads it.
    pub(crate) last: Option<Line<'a>>,
    /// The groups, as the profile of the context reads them.
    pub(crate) groups: Groups<'a>,
    /// The records that are neither rules nor user-agent lines, as the profile of the context reads them.
    pub(crate) records: Records<'a>,
    /// The rules for every crawler.
    pub(crate) general: General<'a>,
    /// The indices of the groups of each name, in lower case.
    names: BTreeMap<Vec<u8>, Vec<usize>>,
    /// The indices of the first groups for every crawler.
    general_groups: Vec<usize>,
    /// The groups, as the profile of each document reads them.
    pub(crate) by_document: [(Document, Profile, Groups<'a>); Document::ALL.len()],
    /// Where the rules are, as each document reads them. Few files need it.
    indices: OnceCell<[RuleIndex; Document::ALL.len()]>,
    /// What is known of the crawlers of search engines, by name.
    engines: RefCell<BTreeMap<&'static str, (Vec<Document>, usize)>>,
    /// The files that pages need, of the platforms that the file speaks of, and whether a pattern has `*/`. All groups share them.
    assets: OnceCell<(Vec<&'static Asset>, bool)>,
    /// The comparisons that verdicts about paths may still take, for all lints.
    comparisons: Cell<usize>,
    /// Whether the last group that was asked about is closed.
    closed: Cell<Option<(usize, bool)>>,
}

/// The most comparisons of patterns with paths that the verdicts for all lints may take: a bound for files that have little besides
/// patterns with `*`, or without a slash at the beginning.
const MOST_COMPARISONS: usize = 32_000_000;

impl<'a> File<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &'a Facts<'a>, last: Option<Line<'a>>) -> Self {
        let groups = |profile: &Profile| Groups::parse(body, &profile.syntax, &profile.groups);
        let own = groups(&facts.profile);
        let syntax = &facts.profile.syntax;
        Self {
            body,
            facts,
            records: Records::from_lines(Lines::new(body, syntax), &own, syntax),
            general: General::new(&own, &facts.profile),
            names: names(&own),
            general_groups: general_groups(&own, &facts.profile),
            index: LineIndex::new(body),
            last,
            groups: own,
            by_document: Document::ALL.map(|document| {
                let profile = Profile::from(document);
                (document, profile, groups(&profile))
            }),
            indices: OnceCell::new(),
            engines: RefCell::default(),
            assets: OnceCell::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
            closed: Cell::default(),
        }
    }

    /// Whether a verdict about a path may be asked for, which spends comparisons. A lint says nothing about what it may not ask.
    pub(crate) fn may_check(&self, rules: &RuleSet, path: &[u8]) -> bool {
        let left = self.comparisons.get().checked_sub(rules.comparisons(path));
        self.comparisons.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Returns the files that pages need, of the platforms that the file speaks of, and whether a pattern has `*/`.
    pub(crate) fn assets(&self) -> (&[&'static Asset], bool) {
        let has = |part: &str| memchr::memmem::find(self.body, part.as_bytes()).is_some();
        let (assets, has_folders) = self.assets.get_or_init(|| {
            // Pages of Squarespace have their style sheets and scripts on another host.
            let is_squarespace = has("format=page-context") || has("/commerce/digital-download/");
            // The default file of PrestaShop closes a folder that its themes do not use.
            let is_prestashop = has("*/modules/*.css");
            let is_elsewhere = |asset: &Asset| {
                is_squarespace && asset.path.starts_with("/static/")
                    || is_prestashop && asset.path.starts_with("/js/")
            };
            let known = ASSETS
                .iter()
                .filter(|asset| (asset.marker.is_empty() || has(asset.marker)) && !is_elsewhere(asset));
            (known.collect(), has("*/"))
        });
        (assets, *has_folders)
    }

    /// Returns those of today's documents by which the crawler of a search engine, with this name, may fetch nothing, and the number of
    /// exceptions that its groups have together.
    pub(crate) fn blocked_engine(&self, name: &'static str) -> (Vec<Document>, usize) {
        let mut engines = self.engines.borrow_mut();
        engines.entry(name).or_insert_with(|| self.blocks(name)).clone()
    }

    fn blocks(&self, name: &str) -> (Vec<Document>, usize) {
        let Ok(crawler) = Crawler::new(name) else { return (Vec::new(), 0) };
        let (mut documents, mut most) = (Vec::new(), 0);
        for (document, profile, groups) in &self.by_document {
            if !Document::CURRENT.contains(document) {
                continue;
            }
            let rules: Vec<Rule<'_>> = groups.select(&crawler).rules().collect();
            let is_closed = rules.iter().any(|rule| is_all(rule, &profile.matching));
            let allows =
                || rules.iter().filter(|rule| rule.effect == Effect::Allow && !rule.pattern.is_empty());
            if is_closed && !allows().any(|rule| is_whole(rule.pattern.bytes())) {
                documents.push(*document);
                most = most.max(allows().count());
            }
        }
        (documents, most)
    }

    /// Where the rules are, as each document reads them.
    pub(crate) fn rule_indices(&self) -> &[RuleIndex; Document::ALL.len()] {
        self.indices.get_or_init(|| {
            self.by_document.each_ref().map(|(_, profile, groups)| RuleIndex::new(groups, &profile.matching))
        })
    }

    /// Whether the line of a rule has to be replaced by `Disallow:` where it is not wanted. Without it, and without other
    /// lines that may be removed, its user-agent lines would be in one group with those of the next group.
    pub(crate) fn is_needed(&self, line: usize) -> bool {
        self.rule_indices().iter().any(|rules| rules.is_needed(line))
    }

    /// Whether a rule is [needed](Self::is_needed), and is the last one of its group: of several rules that may be removed, one has to be
    /// replaced.
    pub(crate) fn is_needed_at_end(&self, line: usize) -> bool {
        self.rule_indices().iter().any(|rules| rules.is_needed(line) && rules.is_last(line))
    }

    /// Returns the rules of all lines, in groups or not.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Rule<'a>> {
        Lines::new(self.body, &self.facts.profile.syntax).filter_map(|line| match line.record {
            Record::Rule(rule) => Some(rule),
            _ => None,
        })
    }

    /// Whether the crawlers of the group with this index may fetch nothing.
    pub(crate) fn is_closed(&self, index: usize) -> bool {
        if let Some((_, closed)) = self.closed.get().filter(|(last, _)| *last == index) {
            return closed;
        }
        let closing =
            |group: Group<'_, '_>| closing_rule(group.rules(), &self.facts.profile.matching).is_some();
        let closed = self.groups.get(index).is_some_and(closing);
        self.closed.set(Some((index, closed)));
        closed
    }

    /// Returns the index of the first group with the name of a crawler.
    pub(crate) fn group_of(&self, name: &str) -> Option<usize> {
        self.names.get(name.to_ascii_lowercase().as_bytes())?.first().copied()
    }

    /// Returns the indices of the groups with a name, or of those for every crawler.
    pub(crate) fn groups_of(&self, name: &[u8], is_general: bool) -> &[usize] {
        if is_general {
            &self.general_groups
        } else {
            self.names.get(&name.to_ascii_lowercase()).map_or(&[], |groups| groups)
        }
    }
}

/// The indices of the first hundred groups for every crawler.
fn general_groups(groups: &Groups<'_>, profile: &Profile) -> Vec<usize> {
    let is_general = |index: &usize| {
        groups
            .get(*index)
            .is_some_and(|group| group.agents().iter().any(|agent| profile.groups.is_general(agent.bytes())))
    };
    (0..groups.len()).filter(is_general).take(100).collect()
}

fn names(groups: &Groups<'_>) -> BTreeMap<Vec<u8>, Vec<usize>> {
    let mut names: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        for agent in group.agents() {
            names.entry(agent.bytes().to_ascii_lowercase()).or_default().push(index);
        }
    }
    names
}

/// Where lines begin.
pub(crate) struct LineIndex<'a> {
    body: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    fn new(body: &'a [u8]) -> Self {
        let mut starts = Vec::new();
        starts.push(0);
        for at in memchr::memchr2_iter(b'\n', b'\r', body) {
            let is_within = body.get(at..at + 2) == Some(b"\r\n");
            if !is_within {
                starts.push(at + 1);
            }
        }
        Self { body, starts }
    }

    /// The bytes that end the first line, which most likely end the others, too.
    pub(crate) fn line_end(&self) -> &'a [u8] {
        line_end(self.body)
    }

    /// The number of the line in which a span starts, from 1.
    pub(crate) fn line_of(&self, span: Span) -> usize {
        self.starts.partition_point(|&start| start <= span.start())
    }

    /// Whether an empty line, or one of white space, is between two lines.
    pub(crate) fn has_blank_line(&self, first: usize, second: usize) -> bool {
        let starts = self.starts.get(first..second.min(self.starts.len())).unwrap_or_default();
        let line = |pair: &[usize]| self.body.get(*pair.first()?..*pair.last()?);
        starts.windows(2).filter_map(line).any(|line| line.trim_ascii().is_empty())
    }

    /// The whole line in which a span starts, unless there is a comment in it or in the line above, which would then be about
    /// another line.
    pub(crate) fn removable(&self, span: Span) -> Option<Span> {
        let number = self.line_of(span);
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let end = self.starts.get(number).copied().unwrap_or(self.body.len());
        let line = Span::new(start, end);
        let above = number.checked_sub(2).and_then(|above| self.starts.get(above)).copied();
        let above = above.map_or(&[][..], |above| Span::new(above, start).of(self.body));
        let has_comment = line.of(self.body).contains(&b'#') || above.trim_ascii_start().starts_with(b"#");
        (!has_comment).then_some(line)
    }
}

/// The rules of the groups for every crawler, all together: the first of each kind.
#[derive(Default)]
pub(crate) struct General<'a> {
    /// The first allow rule, and whether its group is for `*` only. In a group that names crawlers as well, an allow rule
    /// keeps the rules for `*` away from them.
    pub(crate) allow: Option<(Rule<'a>, bool)>,
    pub(crate) disallow: Option<Rule<'a>>,
    /// The first rule that disallows everything.
    pub(crate) all: Option<Rule<'a>>,
}

impl<'a> General<'a> {
    pub(crate) fn new(groups: &Groups<'a>, profile: &Profile) -> Self {
        let is_general = |agent: &Field<'_>| profile.groups.is_general(agent.bytes());
        let count = if profile.groups.first_general_only { 1 } else { usize::MAX };
        let mut general = Self::default();
        for group in groups.iter().filter(|group| group.agents().iter().any(is_general)).take(count) {
            let is_pure = group.agents().iter().all(is_general);
            for &rule in group.rules().iter().filter(|rule| !rule.pattern.is_empty() && !is_dead(rule)) {
                match rule.effect {
                    Effect::Allow => general.allow = general.allow.or(Some((rule, is_pure))),
                    Effect::Disallow => general.disallow = general.disallow.or(Some(rule)),
                }
                if general.all.is_none() && is_all(&rule, &profile.matching) {
                    general.all = Some(rule);
                }
            }
        }
        general
    }
}

/// Whether a rule is an exception that matches nothing, such as `Allow: images/`.
pub(crate) fn is_dead(rule: &Rule<'_>) -> bool {
    rule.effect == Effect::Allow && !matches!(rule.pattern.bytes().first(), Some(b'/' | b'*'))
}
