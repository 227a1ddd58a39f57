//! The groups of the lines of a file.

use alloc::vec::Vec;

use robots_groups::Groups;
use robots_groups::syntax::{Line, Record};

/// Finds the group of each line.
pub(super) struct Place {
    /// The position of the first `user-agent` value of each group.
    starts: Vec<usize>,
    blank_line_ends_group: bool,
    /// The number of groups that have begun.
    begun: usize,
    is_open: bool,
}

impl Place {
    pub(super) fn new(groups: &Groups<'_>) -> Self {
        let starts = groups.iter().filter_map(|group| Some(group.agents().first()?.span().start())).collect();
        Self {
            starts,
            blank_line_ends_group: groups.policy().blank_line_ends_group,
            begun: 0,
            is_open: false,
        }
    }

    /// Returns the index of the group of `line`. Lines have to be passed in the order of the file.
    pub(super) fn of(&mut self, line: &Line<'_>) -> Option<usize> {
        // The value of the first `user-agent` line, even an empty value, is within the span of that line.
        let begins = self.starts.get(self.begun).is_some_and(|&start| start <= line.span().end());
        if begins && matches!(line.record, Record::UserAgent(_)) {
            self.begun += 1;
            self.is_open = true;
        }
        if self.blank_line_ends_group && line.record == Record::Blank {
            self.is_open = false;
        }
        if self.is_open { self.begun.checked_sub(1) } else { None }
    }
}
