//! Selecting the rules for one crawler in one pass over the lines.

use robots_syntax::{Effect, GroupLine, GroupLineKind, GroupLines, Rule};

use crate::crawler::Crawler;
use crate::groups::Open;
use crate::policy::GroupPolicy;
use crate::selection::SelectionBasis;

/// Selects the rules for one crawler in one pass over the lines, and keeps nothing of other groups.
///
/// The selector finds the rules that [`Groups::select`](crate::Groups::select) selects. Only after the last line is it
/// certain that no better group follows, so the selector returns each rule that may apply, and
/// [`Restart`](Selected::Restart) where no rule before it applies any longer:
///
/// ```
/// use robots_groups::syntax::Lines;
/// use robots_groups::{Crawler, GroupPolicy, RuleSelector, Selected, SelectionBasis};
///
/// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n";
/// let bot = Crawler::new("ExampleBot")?;
/// let lines = Lines::new(file, &Default::default()).of_groups();
/// let mut selector = RuleSelector::new(lines, &bot, &GroupPolicy::RFC9309);
/// let mut rules = Vec::new();
/// while let Some(selected) = selector.next() {
///     match selected {
///         Selected::Rule(rule) => rules.push(rule.line()),
///         Selected::Restart => rules.clear(),
///     }
/// }
/// assert_eq!((rules, selector.basis()), (vec![4], SelectionBasis::Named));
/// # Ok::<(), robots_groups::InvalidName>(())
/// ```
#[derive(Clone, Debug)]
pub struct RuleSelector<'c, 'a> {
    lines: GroupLines<'a>,
    crawler: &'c Crawler,
    policy: GroupPolicy,
    /// The best round of the crawler's names that a group has matched; lower is better.
    best: usize,
    /// The round of groups for every crawler, which follows the last round of names.
    general: usize,
    /// Whether a group of the best round has ended.
    ended: bool,
    open: Open,
    /// Whether the rules of the open group are selected.
    takes: bool,
}

/// The contribution of a line to the rules for a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Selected<'a> {
    /// A better group follows: none of the rules so far apply.
    Restart,
    /// A rule of a group that applies.
    Rule(Rule<'a>),
}

/// The round of groups that do not apply.
const NONE: usize = usize::MAX;

impl<'c, 'a> RuleSelector<'c, 'a> {
    /// Creates a selector over the lines of one file.
    #[must_use]
    pub fn new(lines: GroupLines<'a>, crawler: &'c Crawler, policy: &GroupPolicy) -> Self {
        let general = crawler.rounds().len();
        Self {
            lines,
            crawler,
            policy: *policy,
            best: NONE,
            general,
            ended: false,
            open: Open::None,
            takes: false,
        }
    }

    /// Returns why the groups so far apply; after the last line, why those of the file do.
    #[must_use]
    pub fn basis(&self) -> SelectionBasis {
        if self.best == NONE {
            SelectionBasis::None
        } else if self.best == self.general {
            SelectionBasis::Wildcard
        } else {
            SelectionBasis::Named
        }
    }

    /// Takes a `user-agent` line, and returns whether the rules before it no longer apply.
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
            let is_general = round == self.general;
            let GroupPolicy { first_general_only, first_named_only, .. } = self.policy;
            let first_only = if is_general { first_general_only } else { first_named_only };
            self.takes = !self.ended || !first_only;
        }
        false
    }

    /// Returns the first round in which `name` is one of the crawler's.
    fn round(&self, name: &[u8]) -> usize {
        let mut rounds = self.crawler.rounds();
        let named = rounds.position(|names| names.iter().any(|own| self.policy.names(name, own)));
        let general = || {
            let applies = self.crawler.obeys_wildcard() && self.policy.is_general(name);
            applies.then_some(self.general)
        };
        named.or_else(general).unwrap_or(NONE)
    }
}

impl<'a> RuleSelector<'_, 'a> {
    /// Does the same as [`Iterator::next`], but may leave out rules for which `matters` is false. `matters` gets the effect of a
    /// rule and the first eight bytes of its value and what follows: where these have a line end or a `#`, the value ends.
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn next_that(&mut self, matters: impl Fn(Effect, &[u8; 8]) -> bool) -> Option<Selected<'a>> {
        // The first rule ends the `user-agent` lines of its group.
        self.next_by(|lines, open| {
            lines.next_that(|effect, start| open != Open::Rules || matters(effect, start))
        })
    }

    /// Returns the next contribution. `next` returns the next line of a group that may be selected.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next_by(
        &mut self,
        next: impl Fn(&mut GroupLines<'a>, Open) -> Option<GroupLine<'a>>,
    ) -> Option<Selected<'a>> {
        loop {
            // Rules matter where they are selected, and where they end the `user-agent` lines of a group.
            if !self.takes && self.open != Open::Agents {
                let line = self.lines.next_user_agent()?;
                if self.agent(line.value.bytes()) {
                    return Some(Selected::Restart);
                }
                continue;
            }
            let line = next(&mut self.lines, self.open)?;
            match line.kind {
                GroupLineKind::UserAgent if self.agent(line.value.bytes()) => {
                    return Some(Selected::Restart);
                }
                GroupLineKind::Rule(_) if self.open != Open::None => {
                    self.open = Open::Rules;
                    if self.takes {
                        return line.rule().map(Selected::Rule);
                    }
                }
                GroupLineKind::Blank if self.policy.blank_line_ends_group => {
                    self.open = Open::None;
                }
                // Rules outside of groups have no effect.
                _ => {}
            }
        }
    }
}

impl<'a> Iterator for RuleSelector<'_, 'a> {
    type Item = Selected<'a>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<Selected<'a>> {
        self.next_by(|lines, _| lines.next())
    }
}
