//! The robots.txt files of a table.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The robots.txt files of a table by their names.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Arc<[u8]>>);

impl Files {
    pub(crate) fn add(&mut self, name: String, bytes: Vec<u8>) -> bool {
        self.0.insert(name, bytes.into()).is_none()
    }

    /// Returns the file of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|bytes| &**bytes)
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, name: &str) -> Result<(), String> {
        if self.0.contains_key(name) { Ok(()) } else { Err(format!("the table has no file `{name}`")) }
    }
}
