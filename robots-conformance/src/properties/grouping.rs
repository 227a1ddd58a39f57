//! Properties of groups and of their selection.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::groups::{self, Groups, NameMatch};
use robots_fetch::matching::syntax::{Line, Lines, Record};
use robots_fetch::matching::{Crawler, KNOWN_NAMES, SelectionBasis};

use crate::properties::input::{crawler_from_list, shown};
use crate::suite::names::READING_PROFILES;

/// Groups are formed and selected as the documents say.
pub fn grouping(agents: &[u8], file: &[u8]) {
    for (_, profile) in READING_PROFILES {
        let policy = &profile.groups;
        let found = Groups::parse(file, &profile.syntax, policy);
        let (expected, strays) = expected_groups(Lines::new(file, &profile.syntax), policy);
        let of = |rules: &[robots_fetch::matching::syntax::Rule<'_>]| -> Vec<usize> {
            rules.iter().map(|rule| rule.line()).collect()
        };
        assert_eq!(of(found.strays()), strays);
        assert_eq!((found.len(), found.is_empty()), (expected.len(), expected.is_empty()));
        assert!(found.get(expected.len()).is_none());
        for (group, expected) in found.iter().zip(&expected) {
            let agents: Vec<&[u8]> = group.agents().iter().map(|agent| agent.bytes()).collect();
            assert_eq!((&agents, &of(group.rules())), (&expected.names, &expected.rules));
            shown(&group.to_string());
        }
        let crawler = crawler_from_list(agents);
        let selection = found.select(&crawler);
        let (basis, indices) = expected_selection(&expected, &crawler, policy);
        assert_eq!((selection.basis(), selection.indices().collect::<Vec<_>>()), (basis, indices.clone()));
        let rules: Vec<usize> = selection.rules().map(|rule| rule.line()).collect();
        let added: Vec<usize> = indices
            .iter()
            .filter_map(|&index| expected.get(index))
            .flat_map(|group| group.rules.clone())
            .collect();
        assert_eq!(rules, added);
        assert!(rules.is_sorted());
        let header = String::from_utf8_lossy(agents);
        if let Some(crawler) = Crawler::from_user_agent(&header, &KNOWN_NAMES) {
            assert!(crawler.is_named_in(&header));
            assert_eq!(Crawler::with_names(crawler.names()), Ok(crawler.clone()));
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
    policy: &groups::GroupPolicy,
) -> (Vec<ExpectedGroup<'a>>, Vec<usize>) {
    let (mut groups, mut strays): (Vec<ExpectedGroup<'a>>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut is_open = false;
    for line in lines {
        match (line.record, groups.last_mut().filter(|_| is_open)) {
            (Record::UserAgent(name), Some(group)) if group.rules.is_empty() => {
                group.names.push(name.bytes());
            }
            (Record::UserAgent(name), _) => {
                groups.push(ExpectedGroup { names: vec![name.bytes()], rules: Vec::new() });
                is_open = true;
            }
            (Record::Rule(rule), Some(group)) => group.rules.push(rule.line()),
            (Record::Rule(rule), None) => strays.push(rule.line()),
            (Record::Blank, _) if policy.blank_line_ends_group => is_open = false,
            _ => {}
        }
    }
    (groups, strays)
}

fn expected_selection(
    groups: &[ExpectedGroup<'_>],
    crawler: &Crawler,
    policy: &groups::GroupPolicy,
) -> (SelectionBasis, Vec<usize>) {
    let with = |first_only: bool, fits: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        let mut indices: Vec<usize> = (0..groups.len())
            .filter(|&index| groups.get(index).is_some_and(|group| group.names.iter().any(|name| fits(name))))
            .collect();
        if first_only {
            indices.truncate(1);
        }
        indices
    };
    let names = |value: &[u8], own: &str| {
        let value = value.to_ascii_lowercase();
        let own = own.to_ascii_lowercase();
        match policy.name_match {
            NameMatch::Whole => value == own.as_bytes(),
            NameMatch::Name => value.strip_prefix(own.as_bytes()).is_some_and(|rest| {
                !rest.first().is_some_and(|next| next.is_ascii_alphanumeric() || b"_-.".contains(next))
            }),
            _ => {
                let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
                let end = value.iter().position(|byte| !is_letter(byte)).unwrap_or(value.len());
                end > 0 && value.get(..end) == Some(own.as_bytes())
            }
        }
    };
    // Names are tried one by one in order, or all at once if they count together.
    let own: Vec<&str> = crawler.names().collect();
    let rounds: Vec<&[&str]> = if crawler.is_together() { vec![&own[..]] } else { own.chunks(1).collect() };
    for round in rounds {
        let named = with(policy.first_named_only, &|value| round.iter().any(|own| names(value, own)));
        if !named.is_empty() {
            return (SelectionBasis::Named, named);
        }
    }
    if crawler.obeys_wildcard() {
        let general = with(policy.first_general_only, &|value| match policy.text_after_wildcard {
            true => value.strip_prefix(b"*").is_some_and(|rest| {
                rest.first().is_none_or(|next| next.is_ascii_whitespace() || *next == 0x0B)
            }),
            false => value == b"*",
        });
        if !general.is_empty() {
            return (SelectionBasis::Wildcard, general);
        }
    }
    (SelectionBasis::None, Vec::new())
}
