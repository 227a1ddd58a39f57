//! Which entries of a file of wanted access close something to a crawler.

use std::collections::HashMap;

use robots_match::{Effect, Purpose};

use super::files::Entry;
use crate::arguments::catalogue;

/// The entries that close something, by whom they are about. A file can have thousands of entries and crawlers.
#[derive(Debug)]
pub(super) struct ClosingEntries {
    by_name: HashMap<String, Vec<usize>>,
    by_purpose: Vec<(Purpose, usize)>,
}

impl ClosingEntries {
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut closing = Self { by_name: HashMap::new(), by_purpose: Vec::new() };
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.wanted() != Effect::Allow)
        {
            for name in &entry.crawlers {
                closing.by_name.entry(name.to_ascii_lowercase()).or_default().push(index);
            }
            let purposes = entry.purposes.iter().flat_map(|purpose| Purpose::named(purpose));
            closing.by_purpose.extend(purposes.map(|purpose| (purpose, index)));
        }
        closing
    }

    /// Returns the numbers of the entries about a crawler, by its name or its purpose.
    pub(super) fn of(&self, name: &str) -> impl Iterator<Item = usize> {
        let named = self.by_name.get(&name.to_ascii_lowercase()).into_iter().flatten().copied();
        let purpose = catalogue().find(name).map(|known| known.purpose);
        let of_purpose = self.by_purpose.iter().filter(move |(own, _)| Some(*own) == purpose);
        named.chain(of_purpose.map(|(_, index)| *index))
    }
}
