//! Answers of the implementation to a row, for snapshots.

/// A question of a row, and the answer of the implementation under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The question in few words; may be empty.
    pub(crate) question: String,
    /// The answers that servers gave, in few words. Variants of a row differ only in these.
    pub(crate) served: Vec<String>,
    /// The parts of the answer, such as the lines of a file.
    pub(crate) parts: Vec<String>,
}

impl Answered {
    /// Returns the answers to a row that has one question.
    pub(crate) fn one(question: impl Into<String>, parts: Vec<String>) -> Vec<Self> {
        vec![Self { question: question.into(), served: Vec::new(), parts }]
    }
}
