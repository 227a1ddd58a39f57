//! Changes of a file.

use alloc::vec::Vec;

use robots_groups::syntax::Span;

/// A change of a file: the bytes of a span are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes that are replaced.
    pub span: Span,
    /// The new bytes.
    pub replacement: Vec<u8>,
}
