//! Errors of stores.

use core::error::Error;
use core::fmt;
use core::time::Duration;

use crate::text::shown;

/// An error of a [`Store`](crate::Store). No verdict depends on it: an entry that can't be read is retrieved again.
#[non_exhaustive]
pub enum StoreError {
    /// The store stays locked by another process, or by another handle of this one.
    Busy {
        /// The path or name of the store.
        path: String,
    },
    /// The file is not a store, but one of another program, or a store whose first bytes are damaged.
    NotAStore {
        /// The path of the file.
        path: String,
        /// The problem, in one line.
        reason: String,
        /// The error below, if there is one.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// The store is damaged. It has to be replaced, for example by `Disk::recreate`.
    Damaged {
        /// The path or name of the store.
        path: String,
        /// The problem, in one line.
        reason: String,
        /// The error below, if there is one.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// The entry of one origin is damaged. The others can be read.
    Entry {
        /// The origin of the entry.
        origin: String,
        /// The problem, in one line.
        reason: String,
        /// The error below, if there is one.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// Other processes claimed an origin, and have not stored it within the time that a cache waits for claims, see
    /// [`Store::claim_lifetime`](crate::Store::claim_lifetime). The origin is retrieved without a claim.
    Claimed {
        /// The origin.
        origin: String,
        /// How long the caller waited.
        waited: Duration,
    },
    /// The store was opened for another profile than that of the cache or the entry, so it is not used for them.
    OtherProfile {
        /// The path or name of the store; empty if the store has none.
        path: String,
    },
    /// An operation failed, for example because the disk is full.
    Failed {
        /// The path or name of the store.
        path: String,
        /// The problem, in one line.
        reason: String,
        /// The error below, if there is one.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

impl StoreError {
    /// Creates the error of an operation that failed, from the path or name of the store and the error below, which may be
    /// a text.
    #[must_use]
    pub fn failed(path: &str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let source = source.into();
        Self::Failed { path: shown(path), reason: shown(&source.to_string()), source: Some(source) }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { path } => write!(f, "store `{path}` is in use"),
            Self::NotAStore { path, reason, .. } => {
                write!(
                    f,
                    "`{path}` is not a store of robots.txt files: {reason}; name another file, or remove this one"
                )
            }
            Self::Damaged { path, reason, .. } => write!(f, "store `{path}` is damaged: {reason}"),
            Self::Entry { origin, reason, .. } => {
                write!(f, "the stored entry of {origin} is damaged: {reason}")
            }
            Self::Claimed { origin, waited } => write!(
                f,
                "another process claimed {origin} and has not retrieved it for {} s; it is retrieved without a claim",
                waited.as_secs()
            ),
            Self::OtherProfile { path } => {
                let name = if path.is_empty() { String::new() } else { format!(" `{path}`") };
                write!(f, "the store{name} was opened for another profile; open it for that of the cache")
            }
            Self::Failed { path, reason, .. } => write!(f, "store `{path}` failed: {reason}"),
        }
    }
}

/// The message and that of the error below, escaped: a server can send any bytes as its error.
impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Busy { .. } => "Busy",
            Self::NotAStore { .. } => "NotAStore",
            Self::Damaged { .. } => "Damaged",
            Self::Entry { .. } => "Entry",
            Self::Claimed { .. } => "Claimed",
            Self::OtherProfile { .. } => "OtherProfile",
            Self::Failed { .. } => "Failed",
        };
        let mut shown = f.debug_struct(name);
        shown.field("message", &self.to_string());
        if let Some(source) = self.source() {
            shown.field("source", &source.to_string());
        }
        shown.finish()
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Busy { .. } | Self::Claimed { .. } | Self::OtherProfile { .. } => None,
            Self::NotAStore { source, .. }
            | Self::Damaged { source, .. }
            | Self::Entry { source, .. }
            | Self::Failed { source, .. } => source.as_deref().map(|source| source as _),
        }
    }
}
