//! What concerns rules of a group together, and groups together.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Field, Rule, Span};
use robots_groups::{Basis, Crawler, Group, Groups, Merge};

use crate::lint::{Code, Facts, Finding, Found, keys, profiles, shown};
use crate::pattern::canonical::{Role, canonical};
use crate::policy::{Policy, Precedence, Specials};
use crate::profile::Profile;
use crate::robots::Robots;
use crate::rule_set::RuleSet;

pub(super) fn check(body: &[u8], facts: &Facts<'_>, found: &mut Found) {
    let places = Places::new(body);
    let groups = Groups::read(body, &facts.profile.syntax, &facts.profile.groups);
    check_strays(body, &groups, found);
    check_agents(&groups, &places, found);
    for group in groups.iter() {
        check_group(&group, facts, &places, found);
    }
    check_general(&groups, facts, found);
    check_shadows(body, found);
    check_sitemaps(body, facts, &places, found);
}

fn check_strays(body: &[u8], groups: &Groups<'_>, found: &mut Found) {
    if groups.strays().is_empty() {
        return;
    }
    let lines = Profile::NAMED.map(|(name, profile)| {
        let groups = Groups::read(body, &profile.syntax, &profile.groups);
        (name, groups.strays().iter().map(Rule::line).collect::<BTreeSet<_>>())
    });
    for rule in groups.strays() {
        let readers = lines.iter().filter(|(_, lines)| lines.contains(&rule.line())).map(|(name, _)| *name);
        found.add(
            Finding::new(
                Code::RuleOutsideGroup,
                rule.line(),
                rule.pattern.span(),
                "no user-agent line stands before this rule",
            )
            .help("write one before it: the rule is for nobody as it is")
            .readers(readers.collect()),
        );
    }
}

fn check_agents<'a>(groups: &Groups<'a>, places: &Places<'a>, found: &mut Found) {
    let mut seen: BTreeMap<Vec<u8>, (usize, Field<'a>)> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        for agent in group.agents() {
            let is_general = groups.policy().is_general(agent.bytes());
            let key = if is_general { b"*".to_vec() } else { agent.bytes().to_ascii_lowercase() };
            let Some(&(first, before)) = seen.get(&key) else {
                seen.insert(key, (index, *agent));
                continue;
            };
            let (number, named) = (places.line_of(agent.span()), shown(agent.bytes()));
            if first == index {
                let mut finding = Finding::new(
                    Code::DuplicateAgent,
                    number,
                    agent.span(),
                    format!("the group names `{named}` twice"),
                )
                .other(before.span(), "here first");
                if let Some(line) = places.removable(agent.span()) {
                    finding = finding.fix(line, "");
                }
                found.add(finding);
                continue;
            }
            let merge = |profile: &Profile| match is_general {
                true => profile.groups.general,
                false => profile.groups.named,
            };
            found.add(
                Finding::new(Code::DuplicateGroup, number, agent.span(), format!("an earlier group is for `{named}`, too"))
                    .help("put the rules into one group: some readers add them up, others take the first group alone")
                    .other(before.span(), "the first group")
                    .readers(profiles(|profile| merge(profile) == Merge::First)),
            );
        }
        if group.rules().is_empty() {
            if let Some(agent) = group.agents().first() {
                found.add(
                    Finding::new(
                        Code::GroupWithoutRules,
                        places.line_of(agent.span()),
                        agent.span(),
                        "the group has no rules, so its crawlers may access everything",
                    )
                    .help("write `Disallow:` below to say that this is meant"),
                );
            }
        }
    }
}

fn check_group(group: &Group<'_, '_>, facts: &Facts<'_>, places: &Places<'_>, found: &mut Found) {
    let policy = &facts.profile.matching;
    let mut seen: BTreeMap<Vec<u8>, [Option<Rule<'_>>; 2]> = BTreeMap::new();
    let mut folded: BTreeMap<(Effect, Vec<u8>), Rule<'_>> = BTreeMap::new();
    for rule in group.rules().iter().filter(|rule| !rule.pattern.is_empty()) {
        let pattern =
            canonical(rule.pattern.bytes(), policy.pattern, Role::Pattern(policy.specials)).into_owned();
        let span = rule.pattern.span();
        let [allow, disallow] = seen.entry(pattern.clone()).or_default();
        let (same, other) = match rule.effect {
            Effect::Allow => (allow, disallow),
            Effect::Disallow => (disallow, allow),
        };
        if let Some(first) = same {
            let mut finding = Finding::new(
                Code::DuplicateRule,
                rule.line(),
                span,
                format!("line {} says the same", first.line()),
            )
            .other(first.pattern.span(), "here first");
            if let Some(line) = places.removable(span) {
                finding = finding.fix(line, "");
            }
            found.add(finding);
            continue;
        }
        if let Some(other) = other {
            found.add(
                Finding::new(
                    Code::ConflictingRules,
                    rule.line(),
                    span,
                    format!("line {} says the opposite of the same paths", other.line()),
                )
                .help("remove one: most readers allow, some obey the first")
                .other(other.pattern.span(), "here first"),
            );
        }
        *same = Some(*rule);
        let lower = (rule.effect, pattern.to_ascii_lowercase());
        match folded.get(&lower) {
            // Not the same: that was told above.
            Some(first) => found.add(
                Finding::new(
                    Code::CaseVariant,
                    rule.line(),
                    span,
                    format!("line {} differs from this in upper and lower case alone", first.line()),
                )
                .help("case counts in paths: keep both only if both exist")
                .other(first.pattern.span(), "here first"),
            ),
            None => {
                folded.insert(lower, *rule);
            }
        }
    }
}

/// Whether a rule disallows everything.
fn is_all(rule: &Rule<'_>, policy: &Policy) -> bool {
    let pattern = canonical(rule.pattern.bytes(), policy.pattern, Role::Pattern(policy.specials));
    let is_whole = match *pattern {
        [b'/'] => true,
        [b'*'] | [b'/', b'*'] => policy.specials == Specials::StarAndDollar,
        _ => false,
    };
    rule.effect == Effect::Disallow && is_whole
}

/// What the groups for every crawler allow and disallow altogether.
fn check_general(groups: &Groups<'_>, facts: &Facts<'_>, found: &mut Found) {
    let is_general = |agent: &Field<'_>| facts.profile.groups.is_general(agent.bytes());
    let count = if facts.profile.groups.general == Merge::First { 1 } else { usize::MAX };
    let general = groups.iter().filter(|group| group.agents().iter().any(is_general)).take(count);
    let (mut allow, mut disallow, mut whole) = (None, None, None);
    for group in general {
        // Where a group names crawlers, too, an allow rule keeps the groups for every crawler away from them.
        let is_pure = group.agents().iter().all(is_general);
        for rule in group.rules().iter().filter(|rule| !rule.pattern.is_empty()) {
            match rule.effect {
                Effect::Allow => allow = allow.or(Some((*rule, is_pure))),
                Effect::Disallow => disallow = disallow.or(Some(*rule)),
            }
            if whole.is_none() && is_all(rule, &facts.profile.matching) {
                whole = Some(*rule);
            }
        }
    }
    match (allow, disallow, whole) {
        (Some((allow, true)), None, _) => found.add(
            Finding::new(Code::AllowAlone, allow.line(), allow.pattern.span(), "nothing that this allows is disallowed")
                .help("remove it, or write what it should be an exception from: allowed is whatever no rule disallows"),
        ),
        (None, _, Some(rule)) => found.add(
            Finding::new(Code::BlocksAll, rule.line(), rule.pattern.span(), "this keeps every crawler out of the whole site")
                .help("remove the slash (`Disallow:`) if that is not meant; such a rule often stays behind when a site goes live"),
        ),
        _ => {}
    }
}

/// How often a rule is held against a pattern to find out whether it ever decides: a bound for files made of little
/// else.
const MOST_QUESTIONS: usize = 10_000_000;

/// Rules that lose against another on every path that they match.
fn check_shadows(body: &[u8], found: &mut Found) {
    let mut shadowed: BTreeMap<usize, (Finding, Vec<&'static str>)> = BTreeMap::new();
    for (name, profile) in Profile::NAMED {
        let policy = &profile.matching;
        let groups = Groups::read(body, &profile.syntax, &profile.groups);
        for group in groups.iter() {
            let rules = RuleSet::of(group.rules().iter().copied(), Basis::Named, policy);
            // With stars in patterns each question takes time for each of them.
            let stars = group.rules().iter().filter(|rule| rule.pattern.bytes().contains(&b'*')).count();
            let with_patterns = group.rules().iter().filter(|rule| !rule.pattern.is_empty());
            for rule in with_patterns.take(MOST_QUESTIONS / stars.max(1)) {
                let pattern = canonical(rule.pattern.bytes(), policy.pattern, Role::Pattern(policy.specials));
                let has_specials = policy.specials == Specials::StarAndDollar;
                if has_specials && (pattern.contains(&b'*') || pattern.ends_with(b"$")) {
                    continue;
                }
                // What wins on the path that is the pattern itself wins on all that begin with it, if it does not say
                // where they end.
                let Some(winner) = rules.check(&pattern).ruling() else { continue };
                let says_end = has_specials && winner.pattern.ends_with(b"$");
                if says_end || winner.effect == rule.effect || winner.pattern == &*pattern {
                    continue;
                }
                let (_, readers) = shadowed.entry(rule.line()).or_insert_with(|| {
                    let finding = Finding::new(
                        Code::ShadowedRule,
                        rule.line(),
                        rule.pattern.span(),
                        format!("to some readers line {} always prevails over this rule", winner.line),
                    )
                    .help(match policy.precedence {
                        Precedence::First => {
                            "put the more specific rule first: to these readers the first that matches counts"
                        }
                        Precedence::MostOctets => {
                            "remove it: to these readers the pattern with the most octets counts"
                        }
                    })
                    .other(winner.span, "prevails");
                    (finding, Vec::new())
                });
                if readers.last() != Some(&name) {
                    readers.push(name);
                }
            }
        }
    }
    for (finding, readers) in shadowed.into_values() {
        found.add(finding.readers(readers));
    }
}

/// Sitemaps of the same origin that crawlers may not fetch.
fn check_sitemaps(body: &[u8], facts: &Facts<'_>, places: &Places<'_>, found: &mut Found) {
    let origin = |url: &[u8]| -> Option<Vec<u8>> {
        let scheme = keys::scheme(url)?;
        let rest = url.get(scheme.len() + 3..)?;
        let end = rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len());
        Some(url.get(..scheme.len() + 3 + end)?.to_ascii_lowercase())
    };
    let Some(own) = facts.url.and_then(|url| origin(url.as_bytes())) else { return };
    let robots = Robots::new(body, facts.profile);
    let rules = robots.rules(Crawler::unnamed());
    for (key, value) in robots.other_records() {
        let is_sitemap = key.bytes().eq_ignore_ascii_case(b"sitemap");
        if !is_sitemap || origin(value.bytes()).as_ref() != Some(&own) {
            continue;
        }
        let verdict = rules.check_text(value.bytes());
        if let Some(ruling) = verdict.ruling().filter(|_| !verdict.is_allowed()) {
            found.add(
                Finding::new(
                    Code::SitemapDisallowed,
                    places.line_of(value.span()),
                    value.span(),
                    format!("line {} disallows this sitemap", ruling.line),
                )
                .help("allow it, so that crawlers can fetch it")
                .other(ruling.span, "by this rule"),
            );
        }
    }
}

/// Where lines are.
struct Places<'a> {
    body: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
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

    /// The number of the line in which a span starts, from 1.
    fn line_of(&self, span: Span) -> usize {
        self.starts.partition_point(|&start| start <= span.start())
    }

    /// The whole line in which a span starts, unless it holds a comment, too.
    fn removable(&self, span: Span) -> Option<Span> {
        let number = self.line_of(span);
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let end = self.starts.get(number).copied().unwrap_or(self.body.len());
        let line = Span::new(start, end);
        (!line.of(self.body).contains(&b'#')).then_some(line)
    }
}
