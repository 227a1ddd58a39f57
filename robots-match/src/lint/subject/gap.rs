//! Lines between the lines of one group.

use robots_groups::syntax::{Field, Line, Record, Span};

/// A user-agent line, a later line of the same group, and what is between them.
pub(crate) struct Gap<'a> {
    /// The value of the user-agent line before.
    pub(crate) agent: Field<'a>,
    pub(crate) between: Between<'a>,
}

/// The lines between two lines of a group.
pub(crate) enum Between<'a> {
    /// A blank line: its number, from 1, and its place.
    Blank { line: usize, span: Span },
    /// A record that is neither a rule nor a user-agent line, with the user-agent line after it.
    Record { key: Field<'a>, line: usize, next: Field<'a> },
}

/// Finds gaps while lines go by.
#[derive(Default)]
pub(crate) struct Gaps<'a> {
    agent: Option<Field<'a>>,
    blank: Option<(usize, Span)>,
    other: Option<Field<'a>>,
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
                let gap = match (before, self.other) {
                    (Some(agent), Some(key)) => {
                        Some(Gap { agent, between: Between::Record { key, line: line.number, next: name } })
                    }
                    (Some(_), None) => self.blank(),
                    (None, _) => {
                        self.is_reported = false;
                        None
                    }
                };
                (self.agent, self.blank, self.other, self.has_rules) = (Some(name), None, None, false);
                gap
            }
            Record::Rule(_) => {
                self.has_rules = true;
                self.blank()
            }
            Record::Other { key, .. } => {
                self.other = self.other.or(Some(key));
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
        (!core::mem::replace(&mut self.is_reported, true))
            .then_some(Gap { agent, between: Between::Blank { line, span } })
    }
}
