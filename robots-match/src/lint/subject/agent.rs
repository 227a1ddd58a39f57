//! User-agent lines whose value is not the name of a crawler.

use robots_groups::syntax::{Field, Record};
use robots_groups::{Alphabet, GroupPolicy};

use crate::document::Document;
use crate::lint::context::LintContext;
use crate::lint::subject::lines::Lines;
use crate::profile::Profile;

/// A user-agent line whose value is not the name of a crawler.
pub(crate) struct Agent<'a> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    pub(crate) value: Field<'a>,
    pub(crate) fault: AgentFault,
    /// How the profile of the context reads names.
    pub(crate) policy: &'a GroupPolicy,
}

/// Why a value is not the name of a crawler.
pub(crate) enum AgentFault {
    Empty,
    List,
    /// It looks like the value of a `User-Agent` header field.
    Header,
    /// It has a byte at this position that some profiles do not allow.
    Byte(usize),
}

impl<'a> Agent<'a> {
    pub(crate) fn find(lines: &Lines<'a>, context: &'a LintContext<'a>) -> Option<Self> {
        let Record::UserAgent(value) = lines.line.record else { return None };
        let policy = &context.profile.groups;
        let fault = fault(value.bytes(), policy)?;
        Some(Self { line: lines.line.number, value, fault, policy })
    }
}

fn fault(value: &[u8], policy: &GroupPolicy) -> Option<AgentFault> {
    if value.is_empty() {
        return Some(AgentFault::Empty);
    }
    if value.contains(&b',') {
        return Some(AgentFault::List);
    }
    // A name that the profile of the context reads may not be one for others.
    let at = stray(value, policy).or_else(|| {
        Document::ALL.into_iter().find_map(|document| stray(value, &Profile::from(document).groups))
    })?;
    let is_header = value.contains(&b'(') || value.contains(&b'/');
    Some(if is_header { AgentFault::Header } else { AgentFault::Byte(at) })
}

/// The position of the first byte that may not be in a name.
pub(crate) fn stray(value: &[u8], policy: &GroupPolicy) -> Option<usize> {
    let of = |alphabet: Alphabet| value.iter().position(|&byte| !alphabet.contains(byte));
    of(policy.alphabet).filter(|_| !policy.is_general(value))
}
