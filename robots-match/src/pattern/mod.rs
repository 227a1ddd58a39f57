//! Patterns and paths: their canonical form, and whether one pattern matches one path.

pub(crate) mod canonical;
pub(crate) mod matching;
