//! Decisions about one body for many crawlers and paths.

use alloc::collections::VecDeque;

use robots_match::groups::{GroupPolicy, Groups, NameIndex, Selection};
use robots_match::syntax::{BodyKind, Lines, Record};
use robots_match::{Crawler, Profile, RuleSet, SelectionBasis, Verdict};

use crate::profile::SiteProfile;

/// Properties of a body as a whole, for studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flags {
    /// What kind of thing the body is.
    pub kind: BodyKind,
    /// The number of rules in groups. Rules without a path count.
    pub rules: usize,
    /// The body is longer than the profile reads.
    pub cut: bool,
    /// The body is not UTF-8.
    pub not_utf8: bool,
}

impl Flags {
    /// Returns the names of the properties that are unusual: the [kind](BodyKind::name) of a body that is not a robots.txt file
    /// with text, `accidental-group` for a verdict that has one, `cut` and `not-utf8`.
    pub fn names(self, accidental_group: bool) -> impl Iterator<Item = &'static str> {
        let is_usual = matches!(self.kind, BodyKind::Rules | BodyKind::NoGroup);
        let all = [
            (!is_usual, self.kind.name()),
            (accidental_group, "accidental-group"),
            (self.cut, "cut"),
            (self.not_utf8, "not-utf8"),
        ];
        all.into_iter().filter_map(|(is_set, name)| is_set.then_some(name))
    }
}

/// The number of rule sets of a body that are kept for the crawlers to which the same groups apply.
const SHARED: usize = 16;

/// A decision about a path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decided<'c> {
    /// The index of the crawler.
    pub agent: usize,
    /// The path.
    pub path: &'c str,
    /// Whether the crawler may access the path, and which rule decides.
    pub verdict: Verdict,
    /// The groups that apply to the crawler.
    pub basis: SelectionBasis,
    /// Whether a group that applies goes on after the crawler's line across a line that looks as if it ended the group.
    pub accidental_group: bool,
}

/// Reads a body once, and decides about each path for each crawler. Calls `take` for each decision, in this order.
///
/// # Complexity
///
/// Linear in the bytes of the body, plus the time of compiling the rules for each crawler and of comparing them with each path.
pub fn decide<'c>(
    body: &[u8],
    crawlers: &[Crawler],
    paths: &'c [String],
    profile: &Profile,
    mut take: impl FnMut(Decided<'c>),
) -> Flags {
    let (groups, flags, joined) = read(body, profile);
    let mut shared: VecDeque<(Selection<'_, '_>, RuleSet)> = VecDeque::new();
    for (agent, crawler) in crawlers.iter().enumerate() {
        let selection = groups.select(crawler);
        let is_same = |(other, _): &(Selection<'_, '_>, RuleSet)| {
            other.basis() == selection.basis() && other.indices().eq(selection.indices())
        };
        let known = shared.iter().position(is_same);
        let place = known.unwrap_or_else(|| {
            if shared.len() == SHARED {
                shared.pop_front();
            }
            shared.push_back((selection.clone(), RuleSet::compile(&selection, &profile.matching)));
            shared.len() - 1
        });
        let Some((_, rules)) = shared.get(place) else { continue };
        let accidental_group = joined.concerns(&selection, crawler, &profile.groups);
        for path in paths {
            let verdict = rules.check(path.as_bytes());
            take(Decided { agent, path, verdict, basis: rules.basis(), accidental_group });
        }
    }
    flags
}

/// Reads a body once, and returns its flags, and for each crawler whether a group that applies to it goes on after its line as
/// [`Decided::accidental_group`] says.
pub fn examine<'c>(
    body: &[u8],
    crawlers: impl IntoIterator<Item = &'c Crawler>,
    profile: &Profile,
) -> (Flags, Vec<bool>) {
    let (groups, flags, joined) = read(body, profile);
    let index = NameIndex::new(&groups);
    let concerns = |crawler| joined.concerns(&index.select(crawler), crawler, &profile.groups);
    (flags, crawlers.into_iter().map(concerns).collect())
}

fn read<'f>(body: &'f [u8], profile: &Profile) -> (Groups<'f>, Flags, Joined) {
    let mut lines = Lines::new(body, &profile.syntax);
    let mut joined = Joined::default();
    let groups =
        Groups::from_lines(lines.by_ref().inspect(|line| joined.after(&line.record)), &profile.groups);
    let flags = Flags {
        kind: BodyKind::of(body, &profile.syntax),
        rules: groups.iter().map(|group| group.rules().len()).sum(),
        cut: SiteProfile::unread(body, &profile.syntax, lines.dropped_len()) > 0,
        not_utf8: core::str::from_utf8(body).is_err(),
    };
    (groups, flags, joined)
}

/// Finds the user-agent lines that belong to a group only because a line such as `Sitemap` does not end it, as the lint
/// `accidental-group` does.
#[derive(Default)]
struct Joined {
    /// The first bytes of the names on these lines.
    starts: Vec<usize>,
    /// Whether the last line that counts is a user-agent line.
    in_agents: bool,
    /// Whether another record followed it.
    other: bool,
}

impl Joined {
    fn after(&mut self, record: &Record<'_>) {
        match record {
            Record::UserAgent(name) => {
                if self.in_agents && self.other {
                    self.starts.push(name.span().start());
                }
                (self.in_agents, self.other) = (true, false);
            }
            Record::Rule(_) => self.in_agents = false,
            Record::Other { .. } => self.other = true,
            _ => {}
        }
    }

    /// Returns whether a group of the selection continues in this way after the last line for the crawler.
    fn concerns(&self, selection: &Selection<'_, '_>, crawler: &Crawler, policy: &GroupPolicy) -> bool {
        if self.starts.is_empty() {
            return false;
        }
        let named = selection.basis() == SelectionBasis::Named;
        let is_own = |value: &[u8]| match named {
            true => crawler.names().any(|name| policy.names(value, name)),
            false => policy.is_general(value),
        };
        selection.groups().any(|group| {
            let own = group.agents().iter().rposition(|agent| is_own(agent.bytes()));
            let after = own.and_then(|own| group.agents().get(own + 1..)).unwrap_or_default();
            after.iter().any(|agent| self.starts.binary_search(&agent.span().start()).is_ok())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_match::Robots;

    #[test]
    fn decisions_are_those_of_a_file() {
        let body = "User-agent: *\nSitemap: https://example.com/a\nUser-agent: a\nDisallow: /x\n";
        let crawlers = [Crawler::new("a").unwrap(), Crawler::new("b").unwrap()];
        let paths = ["/x".to_owned(), "/y".to_owned()];
        let mut found = Vec::new();
        let flags = decide(body.as_bytes(), &crawlers, &paths, &Profile::RFC9309, |decided| {
            // Only those crawlers are concerned whose line is before `Sitemap`.
            assert_eq!(decided.accidental_group, decided.agent == 1);
            found.push((decided.agent, decided.path, decided.verdict));
        });
        assert_eq!((flags.kind, flags.rules), (BodyKind::Rules, 1));
        let robots = Robots::new(body, Profile::RFC9309);
        let expected: Vec<_> = crawlers
            .iter()
            .enumerate()
            .flat_map(|(index, crawler)| paths.iter().map(move |path| (index, path.as_str(), crawler)))
            .map(|(index, path, crawler)| (index, path, robots.check(crawler, path)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn flags_are_about_the_body() {
        let flags = |body: &[u8]| decide(body, &[], &[], &Profile::RFC9309, |_| ());
        assert_eq!(flags(b"<html>").kind, BodyKind::Html);
        assert!(flags(b"\xFF").not_utf8);
        let expected = Flags { kind: BodyKind::Rules, rules: 1, cut: false, not_utf8: false };
        assert_eq!(flags(b"User-agent: *\nDisallow:\n"), expected);
        let mut small = Profile::RFC9309;
        small.syntax.max_size = Some(4);
        assert!(decide(b"User-agent: *\n", &[], &[], &small, |_| ()).cut);
        // The limit may be the end of a line.
        assert!(decide(b"a:b\n\nUser-agent: *\n", &[], &[], &small, |_| ()).cut);
        assert!(decide(b"a:bc\n", &[], &[], &small, |_| ()).cut);
        assert!(!decide(b"a:b\n", &[], &[], &small, |_| ()).cut);
    }
}
