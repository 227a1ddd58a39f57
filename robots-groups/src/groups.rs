//! Groups of lines.

use alloc::vec::Vec;
use core::fmt;

use robots_syntax::{Field, Line, Record, Rule};

use crate::policy::GroupPolicy;

/// The groups of a file, in the order of the file.
///
/// The agents and the rules of all groups are kept in one list each, and a group is a slice of both.
///
/// # Memory
///
/// Linear in the number of `user-agent` lines and rules.
///
/// ```
/// use robots_groups::{GroupPolicy, Groups};
///
/// let file = b"User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: c\n";
/// let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
/// let shown: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
/// assert_eq!(shown, ["a b: 3 disallow /x", "c:"]);
/// ```
#[derive(Clone, Debug)]
pub struct Groups<'a> {
    agents: Vec<Field<'a>>,
    rules: Vec<Rule<'a>>,
    /// The end of each group in `agents` and `rules`.
    ends: Vec<(u32, u32)>,
    strays: Vec<Rule<'a>>,
    policy: GroupPolicy,
}

/// The group that is open after the lines so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// No group.
    None,
    /// A group that has no rules yet.
    Agents,
    /// A group with rules.
    Rules,
}

impl<'a> Groups<'a> {
    /// Forms the groups of `lines`.
    #[must_use]
    pub fn from_lines(lines: impl IntoIterator<Item = Line<'a>>, policy: &GroupPolicy) -> Self {
        let mut groups = Self {
            agents: Vec::new(),
            rules: Vec::new(),
            ends: Vec::new(),
            strays: Vec::new(),
            policy: *policy,
        };
        let mut open = Open::None;
        for line in lines {
            match line.record {
                Record::UserAgent(name) => {
                    if open != Open::Agents {
                        groups.close();
                    }
                    open = Open::Agents;
                    groups.agents.push(name);
                }
                Record::Rule(rule) if open == Open::None => groups.strays.push(rule),
                Record::Rule(rule) => {
                    open = Open::Rules;
                    groups.rules.push(rule);
                }
                Record::Blank if policy.blank_line_ends_group => open = Open::None,
                _ => {}
            }
        }
        groups.close();
        groups
    }

    /// Reads the groups of a whole file, its lines as `syntax` says.
    #[must_use]
    pub fn parse(file: &'a [u8], syntax: &robots_syntax::SyntaxPolicy, policy: &GroupPolicy) -> Self {
        Self::from_lines(robots_syntax::Lines::new(file, syntax), policy)
    }

    /// Ends the open group, if there is one.
    fn close(&mut self) {
        #[expect(clippy::cast_possible_truncation, reason = "a file of the largest size has fewer lines")]
        let end = (self.agents.len() as u32, self.rules.len() as u32);
        if end.0 > self.ends.last().map_or(0, |last| last.0) {
            self.ends.push(end);
        }
    }

    /// Returns the number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the file has no groups.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a group by its index, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Group<'_, 'a>> {
        let end = self.ends.get(index)?;
        let start =
            index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        Some(Group {
            agents: self.agents.get(start.0 as usize..end.0 as usize)?,
            rules: self.rules.get(start.1 as usize..end.1 as usize)?,
        })
    }

    /// Returns the groups in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = Group<'_, 'a>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Returns the rules outside of groups, which have no effect (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn strays(&self) -> &[Rule<'a>] {
        &self.strays
    }

    /// Returns the policy by which the groups were formed and are selected.
    #[must_use]
    pub const fn policy(&self) -> &GroupPolicy {
        &self.policy
    }
}

/// One or more `user-agent` lines and the rules for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group<'g, 'a> {
    agents: &'g [Field<'a>],
    rules: &'g [Rule<'a>],
}

impl<'g, 'a> Group<'g, 'a> {
    /// Returns the values of its `user-agent` lines.
    #[must_use]
    pub const fn agents(&self) -> &'g [Field<'a>] {
        self.agents
    }

    /// Returns its rules.
    #[must_use]
    pub const fn rules(&self) -> &'g [Rule<'a>] {
        self.rules
    }
}

/// Writes the agents and the rules with their lines, as `ExampleBot *: 3 disallow /a, 4 allow /b`.
impl fmt::Display for Group<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, agent) in self.agents.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { " " }, agent.escaped())?;
        }
        f.write_str(":")?;
        for (index, rule) in self.rules.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(f, "{separator} {} {}", rule.line(), Record::Rule(*rule))?;
        }
        Ok(())
    }
}
