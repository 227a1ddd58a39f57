//! A file or compiled rules, and their key.

use alloc::boxed::Box;
use alloc::sync::Arc;

use robots_match::syntax::BodyKind;
use robots_match::{Robots, RuleSet};

/// About how many bytes an entry takes in a table and for the allocator.
pub(super) const OVERHEAD: usize = 80;

/// The largest number of bytes of a key that has no allocation of its own.
pub(super) const SHORT: usize = 46;

/// A value that is kept.
pub(super) enum Value {
    /// The file of a name. In a box, because entries of rules would have its size.
    File(Box<Robots>),
    /// The rules of a file for an agent, and what the file is.
    Rules(RuleSet, BodyKind),
}

/// A value and its key. A key is the name of a file, or of a file and an agent with a tab between, as in a line of input.
///
/// A short key is in the same allocation as the value: what comparing it reads into the caches of the processor is needed for the
/// verdict.
pub(super) struct Entry {
    key: Key,
    value: Value,
}

impl Entry {
    pub(super) fn new(key: &[u8], value: Value) -> Arc<Self> {
        Arc::new(Self { key: Key::new(key), value })
    }

    /// Returns the rules of a file for an agent, and what the file is.
    pub(super) fn rules(&self) -> Option<(&RuleSet, BodyKind)> {
        match &self.value {
            Value::Rules(rules, kind) => Some((rules, *kind)),
            Value::File(_) => None,
        }
    }

    /// Returns the file of a name.
    pub(super) fn file(&self) -> Option<&Robots> {
        match &self.value {
            Value::File(robots) => Some(robots),
            Value::Rules(..) => None,
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        match &self.key {
            Key::Short(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Key::Long(bytes) => bytes,
        }
    }

    /// Returns how many bytes the entry takes.
    pub(super) fn memory(&self) -> usize {
        let key = match &self.key {
            Key::Short(..) => 0,
            Key::Long(bytes) => bytes.len(),
        };
        let value = match &self.value {
            Value::File(robots) => size_of::<Robots>() + robots.body().len(),
            Value::Rules(rules, _) => rules.memory() - size_of::<RuleSet>(),
        };
        size_of::<Self>() + key + value + OVERHEAD
    }
}

/// The bytes of a key, in place if they are few.
enum Key {
    Short(u8, [u8; SHORT]),
    Long(Box<[u8]>),
}

impl Key {
    fn new(bytes: &[u8]) -> Self {
        let mut short = [0; SHORT];
        match short.get_mut(..bytes.len()) {
            Some(start) => {
                start.copy_from_slice(bytes);
                Self::Short(bytes.len() as u8, short)
            }
            None => Self::Long(bytes.into()),
        }
    }
}
