//! Lines between the lines of one group.

use robots_groups::syntax::{Field, Line, Record, Span};

/// A blank line between a user-agent line and a later line of the same group.
pub(crate) struct Gap<'a> {
    /// The value of the user-agent line before.
    pub(crate) agent: Field<'a>,
    /// The number of the blank line, from 1.
    pub(crate) line: usize,
    /// The place of the blank line.
    pub(crate) span: Span,
}

/// Finds gaps while lines go by.
#[derive(Default)]
pub(crate) struct Gaps<'a> {
    agent: Option<Field<'a>>,
    blank: Option<(usize, Span)>,
    /// Whether another record is in between, about which a lint of its own reports.
    has_other: bool,
    has_rules: bool,
    /// Whether a blank line of this group was reported.
    is_reported: bool,
}

impl<'a> Gaps<'a> {
    /// The gap that ends with `line`, if one does.
    pub(crate) fn after(&mut self, line: &Line<'a>) -> Option<Gap<'a>> {
        match line.record {
            Record::UserAgent(name) => {
                let before = self.agent.filter(|_| !self.has_rules);
                let gap = match (before, self.has_other) {
                    (Some(_), true) => None,
                    (Some(_), false) => self.blank(),
                    (None, _) => {
                        self.is_reported = false;
                        None
                    }
                };
                (self.agent, self.blank, self.has_other, self.has_rules) = (Some(name), None, false, false);
                gap
            }
            Record::Rule(_) => {
                self.has_rules = true;
                self.blank()
            }
            Record::Other { .. } => {
                self.has_other = true;
                None
            }
            Record::Blank if self.agent.is_some() => {
                self.blank = self.blank.or(Some((line.number, line.content().span())));
                None
            }
            _ => None,
        }
    }

    /// The blank line of this group, the first time.
    fn blank(&mut self) -> Option<Gap<'a>> {
        let (agent, (line, span)) = (self.agent?, self.blank?);
        (!core::mem::replace(&mut self.is_reported, true)).then_some(Gap { agent, line, span })
    }
}
