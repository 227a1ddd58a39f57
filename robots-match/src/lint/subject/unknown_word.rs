//! Comments for the lints that are not understood.

use robots_groups::syntax::Field;

/// A word of a comment for the lints that is not understood.
pub(crate) struct UnknownWord<'a> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The word; empty if one is missing.
    pub(crate) word: Field<'a>,
}
