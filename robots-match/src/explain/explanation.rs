//! The explanation of one verdict.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::Rule;
use robots_groups::{Crawler, SelectionBasis};

use super::group_status::{GroupExplanation, statuses};
use super::matched_rule::{MatchedRule, RuleOutcome, matched};
use super::near_miss::NearMiss;
use crate::pattern::canonical::{Role, canonical};
use crate::policy::MatchPolicy;
use crate::robots::Robots;
use crate::rule_set::RuleSet;
use crate::url_text::path_of;
use crate::verdict::{Reason, Verdict};

impl Robots {
    /// Explains whether a crawler may access a URL that is given as text (see [`RuleSet::check_text`]).
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
    /// Path and query of the URL.
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
        let path = path_of(url, policy);
        let rules = RuleSet::compile(&selection, policy);
        let verdict = rules.check(&path);
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
        if self.verdict.reason() == Reason::RobotsTxt {
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
