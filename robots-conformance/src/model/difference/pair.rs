//! The question of a search, and the reasons for no answer.

/// The reason for no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Limit {
    /// The search reached its limit.
    Work,
    /// A pattern has more than 126 bytes between two stars.
    Pattern,
}

/// The remains of both rule sets, and those of the removed rules if a difference needs one of them.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) lists: [Vec<u32>; 2],
    pub(super) removed: Option<Vec<u32>>,
    pub(super) has_decoded: bool,
}
