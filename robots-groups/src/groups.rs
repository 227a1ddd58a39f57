//! From lines to groups.

use alloc::vec::Vec;
use core::fmt;

use robots_syntax::{Field, Line, Record, Rule};

use crate::policy::{Boundary, Policy};
use crate::selection::Selection;
use crate::token::Crawler;

/// The groups of a file, in its order.
///
/// Agents and rules of all groups stand in one list each; a group is a piece of both. Memory grows with the number of
/// `user-agent` lines and rules.
///
/// ```
/// use robots_groups::{Groups, Policy};
///
/// let file = b"User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: c\n";
/// let groups = Groups::read(file, &Default::default(), &Policy::RFC9309);
/// let shown: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
/// assert_eq!(shown, ["a b: 3 disallow /x", "c:"]);
/// ```
#[derive(Clone, Debug)]
pub struct Groups<'a> {
    agents: Vec<Field<'a>>,
    rules: Vec<Rule<'a>>,
    /// Where the agents and the rules of each group end.
    ends: Vec<(u32, u32)>,
    strays: Vec<Rule<'a>>,
    policy: Policy,
}

/// What the lines so far leave open.
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
    /// The groups that `lines` form.
    #[must_use]
    pub fn collect(lines: impl IntoIterator<Item = Line<'a>>, policy: &Policy) -> Self {
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
                Record::Blank if policy.boundary == Boundary::BlankLine => open = Open::None,
                _ => {}
            }
        }
        groups.close();
        groups
    }

    /// The groups of a whole file, its lines read with `syntax`.
    #[must_use]
    pub fn read(file: &'a [u8], syntax: &robots_syntax::SyntaxPolicy, policy: &Policy) -> Self {
        Self::collect(robots_syntax::Lines::new(file, syntax), policy)
    }

    /// Ends the group at what stands in the lists, if there is one.
    fn close(&mut self) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a file of `Lines::MAX_BYTES` octets has fewer lines"
        )]
        let end = (self.agents.len() as u32, self.rules.len() as u32);
        if end.0 > self.ends.last().map_or(0, |last| last.0) {
            self.ends.push(end);
        }
    }

    /// How many groups there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The group of this index, from 0.
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

    /// The groups, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = Group<'_, 'a>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The rules that stand in no group, and so have no effect (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn strays(&self) -> &[Rule<'a>] {
        &self.strays
    }

    /// The policy by which groups were formed and are found.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The groups that apply to a crawler. Time grows with the number of `user-agent` lines and of tokens.
    ///
    /// ```
    /// use robots_groups::{Basis, Groups, Policy, ProductToken};
    /// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n";
    /// let groups = Groups::read(file, &Default::default(), &Policy::RFC9309);
    /// let selection = groups.select(&ProductToken::new("examplebot")?);
    /// assert_eq!(selection.basis(), Basis::Named);
    /// assert_eq!(selection.rules().map(|rule| rule.line()).collect::<Vec<_>>(), [4]);
    /// # Ok::<(), robots_groups::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn select<'t>(&self, crawler: impl Into<Crawler<'t>>) -> Selection<'_, 'a> {
        Selection::of(self, &crawler.into())
    }
}

/// One or more `user-agent` lines and the rules for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group<'g, 'a> {
    agents: &'g [Field<'a>],
    rules: &'g [Rule<'a>],
}

impl<'g, 'a> Group<'g, 'a> {
    /// The values of its `user-agent` lines.
    #[must_use]
    pub const fn agents(&self) -> &'g [Field<'a>] {
        self.agents
    }

    /// Its rules.
    #[must_use]
    pub const fn rules(&self) -> &'g [Rule<'a>] {
        self.rules
    }
}

/// The agents and the rules with their lines, as `ExampleBot *: 3 disallow /a, 4 allow /b`.
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
