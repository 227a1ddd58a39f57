//! Explanations: why a URL may or may not be accessed, and which rules almost matched.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Field, Rule, Span};
use robots_groups::{Crawler, Groups, SelectionBasis};

use crate::pattern::canonical::{Role, canonical};
use crate::policy::{MatchPolicy, Precedence};
use crate::robots::Robots;
use crate::rule_set::RuleSet;
use crate::url_text::path_in;
use crate::verdict::{Reason, Verdict};

impl Robots {
    /// Explains whether a crawler may access a path or a whole URL; see [`RuleSet::check`].
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* × *p*) for a file of *n* bytes with *r* rules and a URL of *p* bytes, because every rule of the file is
    /// compared with the URL.
    ///
    /// ```
    /// use robots_match::explain::RuleOutcome;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: *\nDisallow: /\nUser-agent: ExampleBot\nAllow: /page\nDisallow: /*.htm\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let explained = robots.explain(&Crawler::new("ExampleBot")?, "/page.htm");
    /// assert!(!explained.is_allowed());
    /// let matched: Vec<_> = explained.matched.iter().map(|rule| (rule.line, rule.outcome)).collect();
    /// assert_eq!(matched, [(5, RuleOutcome::Decides), (4, RuleOutcome::Shorter)]);
    /// // The group for `*`, which does not apply, has a rule that matches as well.
    /// assert_eq!(explained.other_matches[0].line, 2);
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn explain<'a>(&'a self, crawler: &Crawler, url: &'a (impl AsRef<[u8]> + ?Sized)) -> Explanation<'a> {
        Explanation::new(self, crawler, url.as_ref())
    }
}

/// The explanation of a verdict: the groups, the rules that match, and the rules that almost match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'a> {
    /// The URL as given.
    pub url: &'a [u8],
    /// Path and query of the URL; empty for a text that is not a URL.
    pub path: Cow<'a, [u8]>,
    /// Path and query in the canonical form, which is compared with patterns.
    pub compared: Box<[u8]>,
    /// Why groups apply: by name, for `*`, or none.
    pub basis: SelectionBasis,
    /// All groups of the file, in the order of the file, each with its status for the crawler.
    pub groups: Vec<GroupExplanation<'a>>,
    /// Whether access is allowed, and why.
    pub verdict: Verdict,
    /// The rules that apply and match, in the order of precedence: the first rule decides. Empty for a path that is
    /// allowed without rules.
    pub matched: Vec<MatchedRule<'a>>,
    /// The rules that apply and would match if the URL was written slightly differently.
    pub near_misses: Vec<NearMiss<'a>>,
    /// The rules that match but do not apply, in the order of the file.
    pub other_matches: Vec<MatchedRule<'a>>,
}

impl<'a> Explanation<'a> {
    fn new(robots: &'a Robots, crawler: &Crawler, url: &'a [u8]) -> Self {
        let policy = &robots.profile().matching;
        let groups = robots.groups();
        let selection = groups.select(crawler);
        // Nothing is compared with another text.
        let path = path_in(url, policy).unwrap_or_default();
        let rules = RuleSet::compile(&selection, policy);
        let verdict = rules.check(url);
        let applied: Vec<usize> = selection.indices().collect();
        let statuses = statuses(&groups, crawler, selection.basis(), &applied);

        let mut explained = Self {
            url,
            compared: canonical(&path, policy.path, Role::Path).into_owned().into_boxed_slice(),
            path,
            basis: selection.basis(),
            groups: Vec::new(),
            verdict,
            matched: Vec::new(),
            near_misses: Vec::new(),
            other_matches: Vec::new(),
        };
        for (index, (group, status)) in groups.iter().zip(statuses).enumerate() {
            let (agents, rules) = (group.agents().to_vec(), group.rules().to_vec());
            for rule in &rules {
                explained.compare(rule, Some(index), status.applies(), policy);
            }
            explained.groups.push(GroupExplanation { agents, rules, status });
        }
        for rule in groups.strays() {
            explained.compare(rule, None, false, policy);
        }
        explained.other_matches.sort_by_key(|rule| rule.line);
        explained.rank(policy);
        explained
    }

    /// Compares a rule with the path, and adds it to the list where it belongs.
    fn compare(&mut self, rule: &Rule<'a>, group: Option<usize>, applies: bool, policy: &MatchPolicy) {
        if matches!(self.verdict.reason(), Reason::RobotsTxt | Reason::NotUrl) {
            return;
        }
        match matched(rule, group, &self.path, policy) {
            Some(rule) if applies => self.matched.push(rule),
            Some(rule) if !rule.pattern.is_empty() => self.other_matches.push(rule),
            None if applies => self.near_misses.extend(NearMiss::of(rule, &self.path, policy)),
            _ => {}
        }
    }

    /// Sorts the rules that match by precedence, and sets their outcomes.
    fn rank(&mut self, policy: &MatchPolicy) {
        self.matched.sort_by_key(|rule| policy.precedence.rank(rule.pattern.len(), rule.effect, rule.line));
        let Some((winner, losers)) = self.matched.split_first_mut() else { return };
        winner.outcome = RuleOutcome::Decides;
        for loser in losers {
            loser.outcome = RuleOutcome::against(winner, loser, policy.precedence);
        }
    }

    /// Returns whether access is allowed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.verdict.is_allowed()
    }

    /// Returns the rule that decides.
    #[must_use]
    pub fn winner(&self) -> Option<&MatchedRule<'a>> {
        self.matched.first()
    }

    /// Iterates over the rules of all groups that apply, in the order of the file.
    pub fn applied(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.groups.iter().filter(|group| group.status.applies()).flat_map(|group| &group.rules)
    }
}

/// A group, and its status for the crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GroupExplanation<'a> {
    /// The values of the `user-agent` lines.
    pub agents: Vec<Field<'a>>,
    /// The rules.
    pub rules: Vec<Rule<'a>>,
    /// The reason why the group applies or does not apply.
    pub status: GroupStatus,
}

/// The reason why a group applies to a crawler or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupStatus {
    /// The group applies, because one of its `user-agent` lines names the crawler.
    Named {
        /// The index of the `user-agent` line in the group, from 0.
        agent: usize,
        /// The index of the crawler's token, from 0.
        token: usize,
    },
    /// The group applies, because it is for every crawler and no group names this crawler.
    General {
        /// The index of the `user-agent` line in the group, from 0.
        agent: usize,
    },
    /// The group is for every crawler, but another group names this crawler.
    Replaced,
    /// The group is for every crawler, but this crawler does not obey such groups.
    WildcardIgnored,
    /// The group names the crawler, but another group names an earlier token of the crawler.
    LaterToken {
        /// The index of the crawler's token, from 0.
        token: usize,
    },
    /// The group would apply if it was the first such group of the file.
    NotFirst,
    /// The group is for other crawlers.
    Others,
}

impl GroupStatus {
    /// Returns whether the group applies.
    #[must_use]
    pub const fn applies(self) -> bool {
        matches!(self, Self::Named { .. } | Self::General { .. })
    }

    /// Returns a short name for programs, in lower case with hyphens.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Named { .. } => "named",
            Self::General { .. } => "wildcard",
            Self::Replaced => "replaced",
            Self::WildcardIgnored => "wildcard-ignored",
            Self::LaterToken { .. } => "later-token",
            Self::NotFirst => "not-first",
            Self::Others => "others",
        }
    }
}

/// Returns the status of each group for the crawler. `applied` has the indices of the groups that apply.
fn statuses(
    groups: &Groups<'_>,
    crawler: &Crawler,
    basis: SelectionBasis,
    applied: &[usize],
) -> Vec<GroupStatus> {
    let policy = groups.policy();
    let mut statuses: Vec<GroupStatus> = groups
        .iter()
        .map(|group| {
            let agents = || group.agents().iter().map(|agent| agent.bytes()).enumerate();
            let named = crawler.names().enumerate().find_map(|(token, name)| {
                let (agent, _) = agents().find(|(_, value)| policy.names(value, name))?;
                Some(GroupStatus::Named { agent, token })
            });
            let general = || {
                let (agent, _) = agents().find(|(_, value)| policy.is_general(value))?;
                Some(GroupStatus::General { agent })
            };
            named.or_else(general).unwrap_or(GroupStatus::Others)
        })
        .collect();
    let first_token = applied.iter().find_map(|&index| match statuses.get(index) {
        Some(&GroupStatus::Named { token, .. }) => Some(token),
        _ => None,
    });
    // A file may have thousands of groups that apply.
    let applied: BTreeSet<usize> = applied.iter().copied().collect();
    for (_, status) in statuses.iter_mut().enumerate().filter(|(index, _)| !applied.contains(index)) {
        *status = match *status {
            GroupStatus::Named { token, .. } if Some(token) == first_token => GroupStatus::NotFirst,
            GroupStatus::Named { token, .. } => GroupStatus::LaterToken { token },
            GroupStatus::General { .. } if basis == SelectionBasis::Named => GroupStatus::Replaced,
            GroupStatus::General { .. } if !crawler.obeys_wildcard() => GroupStatus::WildcardIgnored,
            GroupStatus::General { .. } => GroupStatus::NotFirst,
            other => other,
        };
    }
    statuses
}

/// A rule that matches the path: one that applies, or one of another group.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatchedRule<'a> {
    /// Whether the rule allows or disallows access.
    pub effect: Effect,
    /// The pattern as written.
    pub written: &'a [u8],
    /// The pattern in the canonical form, which is compared with the path. Precedence counts the bytes of this form.
    pub pattern: Cow<'a, [u8]>,
    /// The line number, from 1.
    pub line: usize,
    /// The place of the pattern in the file.
    pub span: Span,
    /// The outcome: whether the rule decides, and otherwise why not.
    pub outcome: RuleOutcome,
    /// The index of the group that the rule is in, from 0; `None` for a rule outside of groups.
    pub group: Option<usize>,
}

/// The outcome of a rule that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleOutcome {
    /// The rule decides.
    Decides,
    /// The deciding rule has more bytes.
    Shorter,
    /// The deciding rule has the same number of bytes, and allows access.
    OtherKind,
    /// The deciding rule has the same precedence, and comes earlier in the file.
    Later,
    /// The rule is the same as the deciding rule.
    Duplicate,
    /// The rule does not apply to the crawler.
    NotApplied,
}

impl RuleOutcome {
    /// Returns a short name for programs, in lower case with hyphens.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Decides => "decides",
            Self::Shorter => "shorter",
            Self::OtherKind => "other-kind",
            Self::Later => "later",
            Self::Duplicate => "duplicate",
            Self::NotApplied => "not-asked",
        }
    }

    /// Returns the outcome of `rule`, which loses against `winner`.
    fn against(winner: &MatchedRule<'_>, rule: &MatchedRule<'_>, precedence: Precedence) -> Self {
        if rule.effect == winner.effect && rule.pattern == winner.pattern {
            return Self::Duplicate;
        }
        match precedence {
            Precedence::First => Self::Later,
            Precedence::MostBytes if rule.pattern.len() < winner.pattern.len() => Self::Shorter,
            Precedence::MostBytes if rule.effect != winner.effect => Self::OtherKind,
            Precedence::MostBytes => Self::Later,
        }
    }
}

/// Returns the rule if it matches `path`. `group` is the index of its group.
fn matched<'a>(
    rule: &Rule<'a>,
    group: Option<usize>,
    path: &[u8],
    policy: &MatchPolicy,
) -> Option<MatchedRule<'a>> {
    let rules = RuleSet::from_rules(core::iter::once(*rule), SelectionBasis::Named, policy);
    let ruling = rules.deciding_rule(path)?;
    let written = rule.pattern.bytes();
    // Most patterns are written in the canonical form.
    let pattern =
        if ruling.pattern == written { Cow::Borrowed(written) } else { Cow::Owned(ruling.pattern.to_vec()) };
    Some(MatchedRule {
        effect: ruling.effect,
        written,
        pattern,
        line: ruling.line,
        span: ruling.span,
        outcome: RuleOutcome::NotApplied,
        group,
    })
}

/// A rule that applies, and would match if the URL was written slightly differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMiss<'a> {
    /// The rule matches the path with a slash at the end.
    Slash(Rule<'a>),
    /// The rule matches if upper and lower case of letters do not count.
    Case(Rule<'a>),
}

impl<'a> NearMiss<'a> {
    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> &Rule<'a> {
        match self {
            Self::Slash(rule) | Self::Case(rule) => rule,
        }
    }

    /// Returns a short name of the difference for programs: `slash` or `case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Slash(_) => "slash",
            Self::Case(_) => "case",
        }
    }

    /// Returns the near miss of `rule`, if a small change of `path` would make the rule match.
    fn of(rule: &Rule<'a>, path: &[u8], policy: &MatchPolicy) -> Option<Self> {
        if !path.ends_with(b"/") && matched(rule, None, &[path, b"/"].concat(), policy).is_some() {
            return Some(Self::Slash(*rule));
        }
        let pattern = rule.pattern.bytes().to_ascii_lowercase();
        let lower = Rule::new(rule.effect, Field::new(&pattern, 0), rule.line());
        matched(&lower, None, &path.to_ascii_lowercase(), policy).is_some().then_some(Self::Case(*rule))
    }
}
