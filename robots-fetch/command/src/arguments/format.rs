//! The formats of `check`, `explain` and `fetch`.

use super::one_of::OneOf;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    Json,
}

impl Format {
    /// The parser of the argument.
    pub(crate) fn parser() -> OneOf<Self> {
        OneOf::new([("human", Self::Human), ("json", Self::Json)])
    }
}
