//! Differences between a row and the implementation.

use crate::escape::shortened;

/// A difference between a row and the implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The part of the result that differs: `decision`, `line`, ...
    pub what: &'static str,
    /// The value of the row.
    pub expected: String,
    /// The value of the implementation.
    pub got: String,
    /// An explanation, such as the text of the line that decided.
    pub because: Option<String>,
}

impl Difference {
    pub(crate) fn new(what: &'static str, expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { what, expected: expected.into(), got: got.into(), because: None }
    }

    pub(crate) fn because(mut self, text: impl Into<String>) -> Self {
        self.because = Some(text.into());
        self
    }
}

/// Returns a difference if `expected` and `got` differ.
pub(crate) fn differs<T: PartialEq + ToString + ?Sized>(
    what: &'static str,
    expected: &T,
    got: &T,
) -> Option<Difference> {
    (expected != got).then(|| Difference::new(what, expected.to_string(), got.to_string()))
}

/// Returns a difference for each index at which two lists differ.
pub(crate) fn lists(what: &'static str, expected: &[String], got: &[String]) -> Vec<Difference> {
    const MISSING: &str = "(nothing)";
    let most = expected.len().max(got.len());
    let item = |list: &[String], index: usize| {
        list.get(index).map_or_else(|| MISSING.to_owned(), |item| shortened(item.as_bytes()))
    };
    (0..most)
        .filter(|&index| expected.get(index) != got.get(index))
        .map(|index| Difference::new(what, item(expected, index), item(got, index)))
        .collect()
}
