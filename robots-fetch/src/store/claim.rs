//! Claims on origins.

use core::fmt;

/// The answer of a store to a [claim](crate::Store::claim) on an origin.
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Claim {
    /// The caller retrieves the robots.txt. The claim ends when this value is dropped, or when it expires, so that another
    /// process can retrieve after one that was killed.
    Granted(Box<dyn Send + Sync>),
    /// Another caller has the claim. [`Store::wait`](crate::Store::wait) waits for its end.
    Held,
}

/// A claim that is granted and excludes no other.
impl Default for Claim {
    fn default() -> Self {
        Self::Granted(Box::new(()))
    }
}

/// `Granted` or `Held`.
impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Granted(_) => "Granted",
            Self::Held => "Held",
        })
    }
}
