//! Why a URL may or may not be accessed: all that led to a verdict, and what nearly did.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Field, Rule, Span};
use robots_groups::{Basis, Crawler, Groups, ProductToken};

use crate::pattern::canonical::{Role, canonical};
use crate::policy::{Policy, Precedence};
use crate::profile::Profile;
use crate::robots::Robots;
use crate::rule_set::RuleSet;
use crate::url_text::path_of;
use crate::verdict::Reason;

impl Robots {
    /// Why a crawler may or may not access a URL that is given as text (see [`path_of`]).
    ///
    /// Every rule of the file is held against the URL: time grows with the octets of the file, and for each of its rules
    /// with those of the URL.
    ///
    /// ```
    /// use robots_match::explain::Fate;
    /// use robots_match::{ProductToken, Profile, Robots};
    ///
    /// let body = "User-agent: *\nDisallow: /\nUser-agent: ExampleBot\nAllow: /page\nDisallow: /*.htm\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let explained = robots.explain(&ProductToken::new("ExampleBot")?, b"/page.htm");
    /// assert!(!explained.is_allowed());
    /// let matched: Vec<_> = explained.matched.iter().map(|rule| (rule.line, rule.fate)).collect();
    /// assert_eq!(matched, [(5, Fate::Decides), (4, Fate::Shorter)]);
    /// // The group for `*` would have disallowed it as well.
    /// assert_eq!(explained.elsewhere[0].rule.line, 2);
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn explain<'a, 't>(&'a self, crawler: impl Into<Crawler<'t>>, url: &'a [u8]) -> Explanation<'a> {
        Explanation::of(self, &crawler.into(), url)
    }
}

/// Why a crawler may or may not access a URL.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'a> {
    /// The URL as it was given.
    pub url: &'a [u8],
    /// Its path and query, as they were cut out.
    pub path: Cow<'a, [u8]>,
    /// The same in the form that is held against patterns.
    pub compared: Box<[u8]>,
    /// Which groups apply.
    pub basis: Basis,
    /// All groups of the file, in its order, each with what it is for the crawler.
    pub groups: Vec<ExplainedGroup<'a>>,
    /// Why it may or may not be accessed.
    pub decision: Decision,
    /// The rules that match, in the order of precedence: the first decides. Empty where rules do not apply.
    pub matched: Vec<Matched<'a>>,
    /// Rules that apply and would match if the URL was written a little differently.
    pub near: Vec<Near<'a>>,
    /// Rules that match and do not apply, in the order of the file.
    pub elsewhere: Vec<Elsewhere<'a>>,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// A rule: the first of those that matched.
    Rule,
    /// Groups apply, and none of their rules matches.
    NoRule,
    /// No group applies.
    NoGroup,
    /// It is `/robots.txt`.
    RobotsTxt,
}

impl Decision {
    const fn of(reason: &Reason<'_>) -> Self {
        match reason {
            Reason::Rule(_) => Self::Rule,
            Reason::NoRule => Self::NoRule,
            Reason::NoGroup => Self::NoGroup,
            Reason::RobotsTxt => Self::RobotsTxt,
        }
    }

    /// A short name for programs: `rule`, `no-rule`, `no-group`, `robots-txt`, as [`Reason::code`] has them.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsTxt => "robots-txt",
        }
    }
}

/// A group, and what it is for the crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedGroup<'a> {
    /// The values of its `user-agent` lines.
    pub agents: Vec<Field<'a>>,
    /// Its rules.
    pub rules: Vec<Rule<'a>>,
    /// Why it applies, or why not.
    pub standing: Standing,
}

/// Why a group applies to a crawler, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// It applies: this one of its agents names the crawler by this one of its tokens (both counted from 0).
    Named {
        /// Which agent of the group.
        agent: usize,
        /// Which token of the crawler.
        token: usize,
    },
    /// It applies: it is for every crawler, and no group names this one.
    General {
        /// Which agent of the group.
        agent: usize,
    },
    /// It is for every crawler, and another names this one.
    Replaced,
    /// It is for every crawler, and this one does not obey such groups.
    WildcardIgnored,
    /// It names the crawler by a token that comes later than one by which another group does.
    LaterToken {
        /// Which token of the crawler.
        token: usize,
    },
    /// It would apply, were it the first such group of the file.
    NotFirst,
    /// It is for others.
    Others,
}

impl Standing {
    /// Whether the group applies.
    #[must_use]
    pub const fn applies(self) -> bool {
        matches!(self, Self::Named { .. } | Self::General { .. })
    }

    /// A short name for programs, in lower case with hyphens.
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

/// A rule that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matched<'a> {
    /// Whether it allows or disallows.
    pub effect: Effect,
    /// The pattern as it is written.
    pub written: &'a [u8],
    /// The pattern in the form in which it is compared; its octets are counted for precedence.
    pub pattern: Box<[u8]>,
    /// The number of its line, from 1.
    pub line: usize,
    /// Where the pattern stands in the file.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a rule that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// It decides.
    Decides,
    /// The one that decides has more octets.
    Shorter,
    /// The one that decides has as many octets, and allows.
    OtherKind,
    /// The one that decides is as good, and stands before it.
    Later,
    /// It says what the one that decides says.
    Duplicate,
    /// It was not asked, for it does not apply.
    NotAsked,
}

impl Fate {
    /// A short name for programs, in lower case with hyphens.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Decides => "decides",
            Self::Shorter => "shorter",
            Self::OtherKind => "other-kind",
            Self::Later => "later",
            Self::Duplicate => "duplicate",
            Self::NotAsked => "not-asked",
        }
    }

    fn against(winner: &Matched<'_>, rule: &Matched<'_>, precedence: Precedence) -> Self {
        if rule.effect == winner.effect && rule.pattern == winner.pattern {
            return Self::Duplicate;
        }
        match precedence {
            Precedence::First => Self::Later,
            Precedence::MostOctets if rule.pattern.len() < winner.pattern.len() => Self::Shorter,
            Precedence::MostOctets if rule.effect != winner.effect => Self::OtherKind,
            Precedence::MostOctets => Self::Later,
        }
    }
}

/// A rule that applies, and would match a URL that is written a little differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Near<'a> {
    /// The rule.
    pub rule: Rule<'a>,
    /// What is different.
    pub miss: Miss,
}

/// Why a rule does not match a URL to which it comes near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Miss {
    /// The path would have to end with a slash.
    Slash,
    /// Letters would have to be in other case.
    Case,
}

impl Miss {
    /// A short name for programs: `slash` or `case`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Slash => "slash",
            Self::Case => "case",
        }
    }
}

/// A rule that matches and does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Elsewhere<'a> {
    /// The rule.
    pub rule: Matched<'a>,
    /// The index of its group, from 0; `None` for a rule that stands in no group.
    pub group: Option<usize>,
}

impl<'a> Explanation<'a> {
    fn of(robots: &'a Robots, crawler: &Crawler<'_>, url: &'a [u8]) -> Self {
        let policy = &robots.profile().matching;
        let groups = robots.groups();
        let selection = groups.select(*crawler);
        let path = path_of(url, policy);
        let rules = RuleSet::compile(&selection, policy);
        let verdict = rules.check(&path);
        let decision = Decision::of(&verdict.reason());
        let taken: Vec<usize> = selection.indices().collect();
        let standings = standings(&groups, crawler, selection.basis(), &taken);

        let mut explained = Self {
            url,
            compared: canonical(&path, policy.path, Role::Path).into_owned().into_boxed_slice(),
            path,
            basis: selection.basis(),
            groups: Vec::new(),
            decision,
            matched: Vec::new(),
            near: Vec::new(),
            elsewhere: Vec::new(),
        };
        for (index, (group, standing)) in groups.iter().zip(standings).enumerate() {
            let (agents, rules) = (group.agents().to_vec(), group.rules().to_vec());
            for rule in &rules {
                explained.hold(rule, standing.applies().then_some(()).ok_or(Some(index)), policy);
            }
            explained.groups.push(ExplainedGroup { agents, rules, standing });
        }
        for rule in groups.strays() {
            explained.hold(rule, Err(None), policy);
        }
        explained.elsewhere.sort_by_key(|elsewhere| elsewhere.rule.line);
        explained.rank(policy);
        explained
    }

    /// Holds a rule against the path. `place` tells whether it applies, or else its group.
    fn hold(&mut self, rule: &Rule<'a>, place: Result<(), Option<usize>>, policy: &Policy) {
        if self.decision == Decision::RobotsTxt {
            return;
        }
        match (matched(rule, &self.path, policy), place) {
            (Some(rule), Ok(())) => self.matched.push(rule),
            (Some(rule), Err(group)) if !rule.pattern.is_empty() => {
                self.elsewhere.push(Elsewhere { rule, group });
            }
            (None, Ok(())) => {
                if let Some(miss) = miss(rule, &self.path, policy) {
                    self.near.push(Near { rule: *rule, miss });
                }
            }
            _ => {}
        }
    }

    fn rank(&mut self, policy: &Policy) {
        self.matched.sort_by_key(|rule| policy.precedence.rank(rule.pattern.len(), rule.effect, rule.line));
        let Some((winner, losers)) = self.matched.split_first_mut() else { return };
        winner.fate = Fate::Decides;
        for loser in losers {
            loser.fate = Fate::against(winner, loser, policy.precedence);
        }
    }

    /// Whether it may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.winner().is_none_or(|rule| rule.effect == Effect::Allow || rule.pattern.is_empty())
    }

    /// The rule that decides.
    #[must_use]
    pub fn winner(&self) -> Option<&Matched<'a>> {
        self.matched.first()
    }

    /// The rules that apply, as if of one group, in the order of the file.
    pub fn applied(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.groups.iter().filter(|group| group.standing.applies()).flat_map(|group| &group.rules)
    }
}

/// What each group is for the crawler. `taken` are the indices of those that apply.
fn standings(groups: &Groups<'_>, crawler: &Crawler<'_>, basis: Basis, taken: &[usize]) -> Vec<Standing> {
    let policy = groups.policy();
    let mut standings: Vec<Standing> = groups
        .iter()
        .map(|group| {
            let agents = || group.agents().iter().map(|agent| agent.bytes()).enumerate();
            let named = crawler.tokens().iter().enumerate().find_map(|(token, &name)| {
                let (agent, _) = agents().find(|(_, value)| policy.names(value, name))?;
                Some(Standing::Named { agent, token })
            });
            let general = || {
                let (agent, _) = agents().find(|(_, value)| policy.is_general(value))?;
                Some(Standing::General { agent })
            };
            named.or_else(general).unwrap_or(Standing::Others)
        })
        .collect();
    let first_token = taken.iter().find_map(|&index| match standings.get(index) {
        Some(&Standing::Named { token, .. }) => Some(token),
        _ => None,
    });
    for (index, standing) in standings.iter_mut().enumerate() {
        if taken.contains(&index) {
            continue;
        }
        *standing = match *standing {
            Standing::Named { token, .. } if Some(token) == first_token => Standing::NotFirst,
            Standing::Named { token, .. } => Standing::LaterToken { token },
            Standing::General { .. } if basis == Basis::Named => Standing::Replaced,
            Standing::General { .. } if !crawler.obeys_wildcard() => Standing::WildcardIgnored,
            Standing::General { .. } => Standing::NotFirst,
            other => other,
        };
    }
    standings
}

/// The rule as it matches `path`, if it does.
fn matched<'a>(rule: &Rule<'a>, path: &[u8], policy: &Policy) -> Option<Matched<'a>> {
    let alone = RuleSet::of(core::iter::once(*rule), Basis::Named, policy);
    let ruling = alone.check(path).ruling()?;
    Some(Matched {
        effect: ruling.effect,
        written: rule.pattern.bytes(),
        pattern: ruling.pattern.into(),
        line: ruling.line,
        span: ruling.span,
        fate: Fate::NotAsked,
    })
}

/// What would have to be different for `rule` to match `path`, if it is little.
fn miss(rule: &Rule<'_>, path: &[u8], policy: &Policy) -> Option<Miss> {
    if !path.ends_with(b"/") && matched(rule, &[path, b"/"].concat(), policy).is_some() {
        return Some(Miss::Slash);
    }
    let pattern = rule.pattern.bytes().to_ascii_lowercase();
    let lower = Rule::new(rule.effect, Field::new(&pattern, 0), rule.line());
    matched(&lower, &path.to_ascii_lowercase(), policy).is_some().then_some(Miss::Case)
}

/// What a profile answers, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The name of the profile.
    pub profile: &'static str,
    /// Whether the URL may be accessed.
    pub is_allowed: bool,
    /// Why.
    pub decision: Decision,
    /// The line that decides, and where its pattern stands.
    pub line: Option<(usize, Span)>,
    /// Which groups apply.
    pub basis: Basis,
}

/// What each named profile answers to a crawler that goes by the first of `names` that a group names, in the order of
/// [`Profile::NAMED`]. A name that is no product token under a profile is passed over there.
///
/// ```
/// use robots_match::explain::answers;
/// let body = b"User-agent: *\nDisallow: /\nAllow: /page\n";
/// let allowed: Vec<_> = answers(body, &["ExampleBot"], b"/page").iter().map(|answer| answer.is_allowed).collect();
/// assert_eq!(allowed, [true, true, true, false]);
/// ```
#[must_use]
pub fn answers(body: &[u8], names: &[&str], url: &[u8]) -> Vec<Answer> {
    let answer = |&(name, profile): &(&'static str, Profile)| {
        let tokens: Vec<ProductToken<'_>> =
            names.iter().filter_map(|name| ProductToken::admitted(name, &profile.groups).ok()).collect();
        let rules = RuleSet::read(body, Crawler::new(&tokens), &profile);
        let verdict = rules.check_text(url);
        Answer {
            profile: name,
            is_allowed: verdict.is_allowed(),
            decision: Decision::of(&verdict.reason()),
            line: verdict.ruling().map(|ruling| (ruling.line, ruling.span)),
            basis: rules.basis(),
        }
    };
    Profile::NAMED.iter().map(answer).collect()
}
