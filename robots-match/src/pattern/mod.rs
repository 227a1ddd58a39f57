//! Patterns and paths: their canonical form, and whether one pattern matches one path.

pub(crate) mod byte_set;
pub(crate) mod canonical;
pub(crate) mod matching;
pub(crate) mod percent;
