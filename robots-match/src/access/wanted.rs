//! The access that a crawler should have.

/// The access that a crawler should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WantedAccess {
    /// Nothing, except the robots.txt.
    Nothing,
    /// The site, as far as its other rules say.
    Site,
    /// What it has at present.
    Present,
}
