//! The lines of rules and their groups.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use robots_groups::Groups;
use robots_groups::syntax::{Effect, Rule};

use crate::lint::form::form;
use crate::lint::subject::hosted::Hosted;
use crate::lint::subject::robots_txt_rule::is_for_robots_txt;
use crate::policy::MatchPolicy;

/// The lines of the rules of a file, as one profile reads it.
pub(crate) struct RuleIndex {
    /// The line of each rule in a group, its position in the group, and the position of the group, sorted.
    lines: Vec<(usize, usize, usize)>,
    /// The number of different rules of each group that no lint advises to remove because of what they are by themselves.
    staying: Vec<usize>,
    /// The lines of these rules, sorted.
    staying_lines: Vec<usize>,
}

impl RuleIndex {
    pub(crate) fn new(groups: &Groups<'_>, policy: &MatchPolicy) -> Self {
        let (mut lines, mut staying, mut staying_lines) = (Vec::new(), Vec::new(), Vec::new());
        for (index, group) in groups.iter().enumerate() {
            let mut different = BTreeSet::new();
            for (position, rule) in group.rules().iter().enumerate() {
                lines.push((rule.line(), position, index));
                if stays(rule, policy) {
                    different.insert((rule.effect, form(rule.pattern.bytes(), policy).into_owned()));
                    staying_lines.push(rule.line());
                }
            }
            staying.push(different.len());
        }
        lines.sort_unstable();
        staying_lines.sort_unstable();
        Self { lines, staying, staying_lines }
    }

    /// Returns the position of the group with the rule in a line, and the position of the rule in it.
    pub(crate) fn place(&self, line: usize) -> Option<(usize, usize)> {
        let at = self.lines.partition_point(|(other, ..)| *other < line);
        let (found, position, group) = self.lines.get(at)?;
        (*found == line).then_some((*group, *position))
    }

    /// Whether the group of a rule would be one with the next group without the rule.
    pub(crate) fn is_needed(&self, line: usize) -> bool {
        let Some((group, _)) = self.place(line) else { return false };
        let others = self.staying.get(group).copied().unwrap_or_default()
            - usize::from(self.staying_lines.binary_search(&line).is_ok());
        others == 0 && group + 1 < self.staying.len()
    }

    /// Whether the rule in a line is the last one of its group.
    pub(crate) fn is_last(&self, line: usize) -> bool {
        let next = self.lines.partition_point(|(other, ..)| *other <= line);
        let group = |(.., group): &(usize, usize, usize)| *group;
        self.place(line).is_some_and(|(own, _)| self.lines.get(next).map(group) != Some(own))
    }
}

/// Whether no lint advises to remove a rule because of what it is by itself.
fn stays(rule: &Rule<'_>, policy: &MatchPolicy) -> bool {
    let is_empty_allow = rule.pattern.is_empty() && rule.effect == Effect::Allow;
    let pattern = rule.pattern.bytes();
    !is_empty_allow && !is_for_robots_txt(rule, policy) && Hosted::find(pattern, policy).is_none()
}
