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
        let mut closing = Closing::default();
        rules.iter().for_each(|rule| closing.add(rule, policy));
        closing.extent()
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

/// Returns the rule that disallows everything, in a group that allows nothing.
pub(crate) fn closing_rule<'a>(rules: &[Rule<'a>], policy: &MatchPolicy) -> Option<Rule<'a>> {
    let allows = |rule: &Rule<'_>| rule.effect == Effect::Allow && !rule.pattern.is_empty();
    let all = rules.iter().find(|rule| is_all(rule, policy)).copied();
    all.filter(|_| !rules.iter().any(allows))
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

/// What the rules of a group do together.
#[derive(Default)]
struct Closing {
    widest: Option<Extent>,
    has_allow: bool,
    is_open: bool,
}

impl Closing {
    fn add(&mut self, rule: &Rule<'_>, policy: &MatchPolicy) {
        match rule.effect {
            _ if rule.pattern.is_empty() => {}
            Effect::Allow if is_whole(rule.pattern.bytes()) => self.is_open = true,
            Effect::Allow => self.has_allow = true,
            Effect::Disallow if self.widest != Some(Extent::Whole) => {
                self.widest = Extent::of(rule, policy).or(self.widest);
            }
            Effect::Disallow => {}
        }
    }

    fn extent(&self) -> Option<Extent> {
        let extent = self.widest.filter(|_| !self.is_open)?;
        Some(if self.has_allow { Extent::Much } else { extent })
    }
}

/// How much the rules close that follow each other: those of a group, if its user-agent line were read.
pub(crate) struct RuleBlocks<'a> {
    body: &'a [u8],
    policy: MatchPolicy,
    /// The rules in their order. Few files need them.
    rules: OnceCell<Vec<RuleInBlock>>,
}

/// A rule between two user-agent lines, or after the last one.
struct RuleInBlock {
    line: usize,
    /// The number of the last user-agent line above it, or 0.
    agent: usize,
    /// How much this rule and those below it close.
    extent: Option<Extent>,
}

impl<'a> RuleBlocks<'a> {
    pub(crate) const fn new(body: &'a [u8], policy: MatchPolicy) -> Self {
        Self { body, policy, rules: OnceCell::new() }
    }

    /// Returns how much the rules close that come next after a line. A group that has a rule ends at the next user-agent line.
    fn after(&self, line: usize, has_rule: bool) -> Option<Extent> {
        let rules = self.rules.get_or_init(|| rules(self.body, &self.policy));
        let next = rules.get(rules.partition_point(|rule| rule.line <= line))?;
        if has_rule && next.agent > line { None } else { next.extent }
    }

    /// Returns how much a line closes that is a user-agent line before such rules, or a rule itself.
    pub(crate) fn closed_by(&self, text: &[u8], line: usize) -> Option<Extent> {
        let has = |is: fn(&Record<'_>) -> bool| today(text).flatten().any(|line| is(&line.record));
        Extent::of_lines(text, &self.policy).or_else(|| {
            let is_agent = has(|record| matches!(record, Record::UserAgent(_)));
            if is_agent { self.after(line, has(|record| matches!(record, Record::Rule(_)))) } else { None }
        })
    }
}

fn rules(body: &[u8], policy: &MatchPolicy) -> Vec<RuleInBlock> {
    let (mut found, mut agent) = (Vec::new(), 0);
    for lines in today(body) {
        let is_agent = |line: &&Line<'_>| matches!(line.record, Record::UserAgent(_)) || means_agent(line);
        if let Some(rule) = rule(&lines) {
            found.push((rule, agent));
        } else if let Some(line) = lines.iter().find(is_agent) {
            agent = line.number;
        }
    }
    let (mut closing, mut block) = (Closing::default(), None);
    let mut rules = Vec::with_capacity(found.len());
    for (rule, agent) in found.into_iter().rev() {
        if block.replace(agent) != Some(agent) {
            closing = Closing::default();
        }
        closing.add(&rule, policy);
        rules.push(RuleInBlock { line: rule.line(), agent, extent: closing.extent() });
    }
    rules.reverse();
    rules
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
