//! Properties of groups and of their selection.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::groups::{self, Boundary, Groups, Merge, Name, Wildcard};
use robots_fetch::matching::syntax::{Line, Record, lines};
use robots_fetch::matching::{Basis, Crawler, ProductToken, Profile};

use crate::properties::input::{shown, with_crawler};

/// Groups are formed and selected as the documents say.
pub fn grouping(agents: &[u8], file: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let policy = &profile.groups;
        let found = Groups::read(file, &profile.syntax, policy);
        let (expected, strays) = expected_groups(lines(file, &profile.syntax), policy);
        let of = |rules: &[robots_fetch::matching::syntax::Rule<'_>]| -> Vec<usize> {
            rules.iter().map(|rule| rule.line()).collect()
        };
        assert_eq!(of(found.strays()), strays);
        assert_eq!((found.len(), found.is_empty()), (expected.len(), expected.is_empty()));
        assert!(found.get(expected.len()).is_none());
        for (group, expected) in found.iter().zip(&expected) {
            let agents: Vec<&[u8]> = group.agents().iter().map(|agent| agent.octets()).collect();
            assert_eq!((&agents, &of(group.rules())), (&expected.names, &expected.rules));
            shown(&group.to_string());
        }
        with_crawler(agents, policy, |crawler| {
            let selection = found.select(crawler);
            let (basis, indices) = expected_selection(&expected, &crawler, policy);
            assert_eq!(
                (selection.basis(), selection.indices().collect::<Vec<_>>()),
                (basis, indices.clone())
            );
            let rules: Vec<usize> = selection.rules().map(|rule| rule.line()).collect();
            let added: Vec<usize> = indices
                .iter()
                .filter_map(|&index| expected.get(index))
                .flat_map(|group| group.rules.clone())
                .collect();
            assert_eq!(rules, added);
            assert!(rules.is_sorted());
        });
        let header = String::from_utf8_lossy(agents);
        if let Some(token) = ProductToken::of_user_agent(&header, policy) {
            assert!(token.is_substring_of(&header));
            assert_eq!(ProductToken::admitted(token.as_str(), policy), Ok(token));
        }
    }
}

/// A group, formed without the tested code.
#[derive(Debug)]
struct ExpectedGroup<'a> {
    /// The values of its user-agent lines.
    names: Vec<&'a [u8]>,
    /// The lines of its rules, from 1.
    rules: Vec<usize>,
}

fn expected_groups<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    policy: &groups::Policy,
) -> (Vec<ExpectedGroup<'a>>, Vec<usize>) {
    let (mut groups, mut strays): (Vec<ExpectedGroup<'a>>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut is_open = false;
    for line in lines {
        match (line.record, groups.last_mut().filter(|_| is_open)) {
            (Record::UserAgent(name), Some(group)) if group.rules.is_empty() => {
                group.names.push(name.octets());
            }
            (Record::UserAgent(name), _) => {
                groups.push(ExpectedGroup { names: vec![name.octets()], rules: Vec::new() });
                is_open = true;
            }
            (Record::Rule(rule), Some(group)) => group.rules.push(rule.line()),
            (Record::Rule(rule), None) => strays.push(rule.line()),
            (Record::Blank, _) if policy.boundary == Boundary::BlankLine => is_open = false,
            _ => {}
        }
    }
    (groups, strays)
}

fn expected_selection(
    groups: &[ExpectedGroup<'_>],
    crawler: &Crawler<'_>,
    policy: &groups::Policy,
) -> (Basis, Vec<usize>) {
    let with = |merge: Merge, fits: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        let mut indices: Vec<usize> = (0..groups.len())
            .filter(|&index| groups.get(index).is_some_and(|group| group.names.iter().any(|name| fits(name))))
            .collect();
        if merge == Merge::First {
            indices.truncate(1);
        }
        indices
    };
    let names = |value: &[u8], token: &ProductToken<'_>| {
        let end = match policy.name {
            Name::Leading => value.iter().position(|&byte| !policy.alphabet.contains(byte)),
            _ => None,
        };
        let name = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
        name.eq_ignore_ascii_case(token.as_str().as_bytes())
    };
    // Tokens are tried one by one in order, or all at once if they count together.
    let mut rounds: Vec<&[ProductToken<'_>]> = crawler.tokens().chunks(1).collect();
    if *crawler == crawler.together() {
        rounds = vec![crawler.tokens()];
    }
    for round in rounds {
        let named = with(policy.named, &|value| round.iter().any(|token| names(value, token)));
        if !named.is_empty() {
            return (Basis::Named, named);
        }
    }
    if crawler.obeys_wildcard() {
        let general = with(policy.general, &|value| match policy.wildcard {
            Wildcard::BeforeWhiteSpace => value.strip_prefix(b"*").is_some_and(|rest| {
                rest.first().is_none_or(|next| next.is_ascii_whitespace() || *next == 0x0B)
            }),
            _ => value == b"*",
        });
        if !general.is_empty() {
            return (Basis::Wildcard, general);
        }
    }
    (Basis::None, Vec::new())
}
