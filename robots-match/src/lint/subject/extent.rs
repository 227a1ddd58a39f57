//! How much of a site a rule closes, and what to say in place of advice that would close it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use robots_groups::syntax::{Effect, Line, Lines, Record, Rule};

use crate::document::Document;
use crate::lint::form::form;
use crate::lint::subject::hosted::is_whole;
use crate::lint::vocabulary::meant;
use crate::policy::MatchPolicy;
use crate::profile::Profile;

/// How much of the site rules keep a crawler from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// The home page, all folders, or all except a few paths.
    Much,
}

impl Extent {
    /// Returns how much of the site a rule closes, or `None` if that is not much.
    fn of(rule: &Rule<'_>, policy: &MatchPolicy) -> Option<Self> {
        if rule.effect != Effect::Disallow || rule.pattern.is_empty() {
            None
        } else if is_all(rule, policy) {
            Some(Self::Whole)
        } else {
            let mut bytes = rule.pattern.bytes().iter();
            bytes.all(|byte| matches!(byte, b'/' | b'*' | b'$')).then_some(Self::Much)
        }
    }

    /// Returns how much of the site the rules in these lines close, if one of today's parsers reads them.
    pub(crate) fn of_lines(text: &[u8], policy: &MatchPolicy) -> Option<Self> {
        let rules: Vec<Rule<'_>> = today(text).filter_map(|lines| rule(&lines)).collect();
        Self::of_rules(&rules, policy)
    }

    /// Returns how much of the site the rules of a group close.
    pub(crate) fn of_rules(rules: &[Rule<'_>], policy: &MatchPolicy) -> Option<Self> {
        let (mut widest, mut has_allow) = (None, false);
        for rule in rules.iter().filter(|rule| !rule.pattern.is_empty()) {
            match rule.effect {
                Effect::Allow if is_whole(rule.pattern.bytes()) => return None,
                Effect::Allow => has_allow = true,
                Effect::Disallow if widest != Some(Self::Whole) => {
                    widest = Self::of(rule, policy).or(widest);
                }
                Effect::Disallow => {}
            }
        }
        widest.map(|extent| if has_allow { Self::Much } else { extent })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Whole => "the whole site",
            Self::Much => "much of the site",
        }
    }

    /// Returns what to say in place of a suggestion of a name.
    pub(crate) fn in_place_of_a_name(self) -> String {
        format!(
            "with that name, the group would block the crawler from {}; write the name only if you want this",
            self.name()
        )
    }

    /// Returns what to say in place of a suggestion of `*`.
    pub(crate) fn in_place_of_a_star(self) -> String {
        format!(
            "write the name of the crawler that is meant; with `*`, the group would block every crawler from {}",
            self.name()
        )
    }

    /// Returns what to say in place of a suggestion of a line.
    pub(crate) fn in_place_of_a_line(self, line: &str) -> String {
        format!(
            "with {line}, the group would block its crawlers from {}; write this only if you want it",
            self.name()
        )
    }
}

/// Whether a rule disallows everything.
pub(crate) fn is_all(rule: &Rule<'_>, policy: &MatchPolicy) -> bool {
    let is_whole = match *form(rule.pattern.bytes(), policy) {
        [b'/'] => true,
        // Also `/**`, `/*$` and `*$`.
        [] => false,
        ref pattern => policy.wildcards && is_whole(pattern),
    };
    rule.effect == Effect::Disallow && is_whole
}

/// The lines of a text, each as the parsers of today read it.
fn today(text: &[u8]) -> impl Iterator<Item = Vec<Line<'_>>> {
    let mut lines = Document::CURRENT.map(|document| Lines::new(text, &Profile::from(document).syntax));
    core::iter::from_fn(move || lines.iter_mut().map(Iterator::next).collect())
}

fn rule<'a>(lines: &[Line<'a>]) -> Option<Rule<'a>> {
    lines.iter().find_map(|line| match line.record {
        Record::Rule(rule) => Some(rule),
        _ => None,
    })
}

/// How much the rules close that follow each other: those of a group, if its user-agent line were read.
pub(crate) struct RuleBlocks<'a> {
    body: &'a [u8],
    policy: MatchPolicy,
    /// The number of the first line with a rule, and the extent, of each block in order. Few files need them.
    blocks: OnceCell<Vec<(usize, Option<Extent>)>>,
}

impl<'a> RuleBlocks<'a> {
    pub(crate) const fn new(body: &'a [u8], policy: MatchPolicy) -> Self {
        Self { body, policy, blocks: OnceCell::new() }
    }

    /// Returns how much the rules close that come next after a line.
    pub(crate) fn after(&self, line: usize) -> Option<Extent> {
        let blocks = self.blocks.get_or_init(|| blocks(self.body, &self.policy));
        let index = blocks.partition_point(|(first, _)| *first <= line);
        blocks.get(index)?.1
    }

    /// Returns how much a line closes that is a user-agent line before such rules, or a rule itself.
    pub(crate) fn closed_by(&self, text: &[u8], line: usize) -> Option<Extent> {
        let is_agent = today(text).flatten().any(|line| matches!(line.record, Record::UserAgent(_)));
        let own = Extent::of_lines(text, &self.policy);
        own.or_else(|| if is_agent { self.after(line) } else { None })
    }
}

fn blocks(body: &[u8], policy: &MatchPolicy) -> Vec<(usize, Option<Extent>)> {
    let mut blocks: Vec<(usize, Vec<Rule<'_>>)> = Vec::new();
    let mut is_open = false;
    for lines in today(body) {
        if let Some(rule) = rule(&lines) {
            match blocks.last_mut().filter(|_| is_open) {
                Some((_, rules)) => rules.push(rule),
                None => blocks.push((rule.line(), [rule].into())),
            }
            is_open = true;
        } else if lines.iter().any(|line| matches!(line.record, Record::UserAgent(_)) || means_agent(line)) {
            is_open = false;
        }
    }
    let extent = |(line, rules): (usize, Vec<Rule<'_>>)| (line, Extent::of_rules(&rules, policy));
    blocks.into_iter().map(extent).collect()
}

/// Whether a line that is not read as a user-agent line was meant as one, such as `User-agent = ExampleBot` and `User_agent: *`.
pub(crate) fn means_agent(line: &Line<'_>) -> bool {
    let start = line.content().bytes().iter().filter(|byte| byte.is_ascii_alphabetic()).take(6);
    let is_word = |key: &[u8]| meant(key).is_some_and(|(meant, _)| meant == "user-agent");
    match line.record {
        Record::UserAgent(_) | Record::Comment | Record::Blank => false,
        Record::Other { key, .. } if is_word(key.bytes()) => true,
        _ => start.map(u8::to_ascii_lowercase).eq(*b"userag"),
    }
}
