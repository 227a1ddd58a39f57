//! Groups, and user-agent lines that name the same crawler.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::OnceCell;

use robots_groups::Group;
use robots_groups::syntax::Field;

use crate::lint::subject::extent::Extent;
use crate::lint::subject::file::File;

/// A group and the file it is in.
pub(crate) struct GroupView<'g, 'a> {
    pub(crate) group: Group<'g, 'a>,
    /// The position of the group in the file, from 0.
    pub(crate) index: usize,
    pub(crate) file: &'g File<'a>,
    /// How much the rules close. Few groups need it.
    closes: OnceCell<Option<Extent>>,
}

impl<'g, 'a> GroupView<'g, 'a> {
    pub(crate) const fn new(group: Group<'g, 'a>, index: usize, file: &'g File<'a>) -> Self {
        Self { group, index, file, closes: OnceCell::new() }
    }

    /// Returns how much of the site a crawler may not fetch if it obeys the group, or `None` if that is not much.
    ///
    /// No lint suggests a name for a group that closes much: a crawler that reads the site now would no longer read it, and with it
    /// the site could leave a search engine.
    pub(crate) fn closes(&self) -> Option<Extent> {
        let policy = &self.file.facts.profile.matching;
        *self.closes.get_or_init(|| Extent::of_rules(self.group.rules(), policy))
    }
}

/// Two user-agent lines that name the same crawler.
pub(crate) struct AgentPair<'a> {
    /// The value of the first line.
    pub(crate) first: Field<'a>,
    /// The value of the second line.
    pub(crate) agent: Field<'a>,
    /// The number of the second line, from 1.
    pub(crate) line: usize,
    pub(crate) is_one_group: bool,
    /// Whether both lines are for every crawler.
    pub(crate) is_general: bool,
    pub(crate) file: &'a File<'a>,
}

/// Finds user-agent lines that name the same crawler while groups go by.
#[derive(Default)]
pub(crate) struct AgentPairs<'a> {
    seen: BTreeMap<Vec<u8>, (usize, Field<'a>)>,
}

impl<'a> AgentPairs<'a> {
    /// The line before that names the same crawler as `agent`, which is in the group of this index.
    pub(crate) fn find(
        &mut self,
        index: usize,
        agent: Field<'a>,
        file: &'a File<'a>,
    ) -> Option<AgentPair<'a>> {
        let is_general = file.groups.policy().is_general(agent.bytes());
        let key = if is_general { b"*".to_vec() } else { agent.bytes().to_ascii_lowercase() };
        let Some(&(first_index, first)) = self.seen.get(&key) else {
            self.seen.insert(key, (index, agent));
            return None;
        };
        let line = file.index.line_of(agent.span());
        Some(AgentPair { first, agent, line, is_one_group: first_index == index, is_general, file })
    }
}
