//! The rules for one crawler, found while the lines go by.

use robots_syntax::{GroupLine, GroupLineKind, Rule};

use crate::groups::Open;
use crate::policy::{Boundary, Merge, Policy};
use crate::selection::Basis;
use crate::token::Crawler;

/// The rules of the groups that apply to one crawler, found while the lines go by: nothing is kept of other groups.
///
/// It takes what [`Groups::select`](crate::Groups::select) selects. But only the last line tells that no group names a
/// crawler, so it hands out what applies as far as it can know yet, and says when all of that is void:
///
/// ```
/// use robots_groups::syntax::Lines;
/// use robots_groups::{Applicable, Basis, Policy, ProductToken, Step};
///
/// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n";
/// let token = ProductToken::new("ExampleBot")?;
/// let lines = Lines::new(file, &Default::default()).of_groups();
/// let mut applicable = Applicable::new(lines, &token, &Policy::RFC9309);
/// let mut rules = Vec::new();
/// while let Some(step) = applicable.next() {
///     match step {
///         Step::Rule(rule) => rules.push(rule.line()),
///         Step::Anew => rules.clear(),
///     }
/// }
/// assert_eq!((rules, applicable.basis()), (vec![4], Basis::Named));
/// # Ok::<(), robots_groups::InvalidToken>(())
/// ```
#[derive(Clone, Debug)]
pub struct Applicable<'t, I> {
    lines: I,
    crawler: Crawler<'t>,
    policy: Policy,
    /// The round of the crawler's tokens that a group has matched: lower is better. Behind the last is that of groups
    /// for every crawler.
    best: usize,
    /// Whether a group of that round has ended.
    ended: bool,
    open: Open,
    /// Whether the rules of the open group are taken.
    takes: bool,
}

/// What a line adds to the rules for a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Step<'a> {
    /// Another group prevails over those before: none of the rules so far apply.
    Anew,
    /// A rule of a group that applies.
    Rule(Rule<'a>),
}

/// The round of groups that do not apply.
const NONE: usize = usize::MAX;

impl<'a, 't, I: Iterator<Item = GroupLine<'a>>> Applicable<'t, I> {
    /// Of all lines of a file, for a crawler.
    #[must_use]
    pub fn new(lines: I, crawler: impl Into<Crawler<'t>>, policy: &Policy) -> Self {
        Self {
            lines,
            crawler: crawler.into(),
            policy: *policy,
            best: NONE,
            ended: false,
            open: Open::None,
            takes: false,
        }
    }

    /// Why the groups so far apply: what holds for the file, after the last line.
    #[must_use]
    pub fn basis(&self) -> Basis {
        if self.best == NONE {
            Basis::None
        } else if self.best == self.crawler.rounds().len() {
            Basis::Wildcard
        } else {
            Basis::Named
        }
    }

    /// A line with the name of a crawler; whether the rules before it no longer apply.
    fn agent(&mut self, name: &[u8]) -> bool {
        if self.open != Open::Agents {
            self.open = Open::Agents;
            self.ended |= self.takes;
            self.takes = false;
        }
        let round = self.round(name);
        if round < self.best {
            self.best = round;
            self.ended = false;
            self.takes = true;
            return true;
        }
        if round == self.best && round != NONE {
            let is_general = round == self.crawler.rounds().len();
            let merge = if is_general { self.policy.general } else { self.policy.named };
            self.takes = !self.ended || merge == Merge::All;
        }
        false
    }

    /// The first round in which `name` is the crawler's.
    fn round(&self, name: &[u8]) -> usize {
        let mut rounds = self.crawler.rounds();
        let named = rounds.position(|tokens| self.policy.names_any(name, tokens));
        let general = || {
            let applies = self.crawler.obeys_wildcard() && self.policy.is_general(name);
            applies.then(|| self.crawler.rounds().len())
        };
        named.or_else(general).unwrap_or(NONE)
    }
}

impl<'a, I: Iterator<Item = GroupLine<'a>>> Iterator for Applicable<'_, I> {
    type Item = Step<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Step<'a>> {
        loop {
            let line = self.lines.next()?;
            match line.kind {
                GroupLineKind::UserAgent if self.agent(line.value.bytes()) => return Some(Step::Anew),
                GroupLineKind::Rule(_) if self.open != Open::None => {
                    self.open = Open::Rules;
                    if self.takes {
                        return line.rule().map(Step::Rule);
                    }
                }
                GroupLineKind::Blank if self.policy.boundary == Boundary::BlankLine => {
                    self.open = Open::None;
                }
                // Rules in no group have no effect.
                _ => {}
            }
        }
    }
}
