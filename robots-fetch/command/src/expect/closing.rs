//! Which entries of a file of wanted access close something to a crawler.

use std::collections::HashMap;

use robots_match::{Effect, Purpose};

use super::files::Entry;
use crate::arguments::catalogue;

/// The entries that close something, by the names and purposes that they give. A file can have thousands of entries and crawlers.
#[derive(Debug)]
pub(super) struct ClosingEntries {
    by_name: HashMap<String, Vec<usize>>,
    by_purpose: HashMap<String, Vec<usize>>,
}

impl ClosingEntries {
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut closing = Self { by_name: HashMap::new(), by_purpose: HashMap::new() };
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.wanted() != Effect::Allow)
        {
            for name in &entry.crawlers {
                closing.by_name.entry(name.to_ascii_lowercase()).or_default().push(index);
            }
            for purpose in &entry.purposes {
                closing.by_purpose.entry(purpose.clone()).or_default().push(index);
            }
        }
        closing
    }

    /// Returns the numbers of the entries about a crawler, by its name or its purpose.
    pub(super) fn of(&self, name: &str) -> impl Iterator<Item = usize> {
        let named = self.by_name.get(&name.to_ascii_lowercase()).into_iter().flatten().copied();
        let purpose = catalogue().find(name).map(|known| known.purpose);
        let is_own = move |name: &str| purpose.is_some_and(|own| Purpose::named(name).contains(&own));
        let of_purpose = self.by_purpose.iter().filter(move |(name, _)| is_own(name));
        named.chain(of_purpose.flat_map(|(_, entries)| entries).copied())
    }
}
