//! How much a finding matters.

use core::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Severity {
    /// Good to know; nothing may be wrong.
    Note,
    /// Crawlers differ on it, or it most likely does something else than was meant.
    Warning,
    /// It has no effect, or it breaks more than its own line.
    Error,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// Returns `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
