//! What goes wrong with stores.

use core::fmt;

/// Why a store could not do what it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It is in use: of this name, by another process or another part of this one.
    Busy(String),
    /// It can't be read, for it is damaged or was never a store: of this name, for this reason. A new one has to be begun
    /// in its place.
    Damaged(String, String),
    /// One entry, that of this origin, is not as it was written: for this reason.
    Entry(String, String),
    /// The store of this name failed, for this reason.
    Failed(String, String),
}

impl StoreError {
    /// The failure of the store of this name, for this reason.
    #[must_use]
    pub fn failed(name: &str, why: &str) -> Self {
        Self::Failed(name.to_owned(), why.to_owned())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(name) => write!(f, "store `{name}` is in use"),
            Self::Damaged(name, why) => write!(f, "store `{name}` is damaged or none: {why}"),
            Self::Entry(origin, why) => write!(f, "the store's entry of {origin} is damaged: {why}"),
            Self::Failed(name, why) => write!(f, "store `{name}` failed: {why}"),
        }
    }
}

impl core::error::Error for StoreError {}
