//! Generated files, and what they were made of.

/// A group as it was meant.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group {
    /// The values of its user-agent lines.
    pub agents: Vec<Vec<u8>>,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

/// A rule as it was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Whether it allows access.
    pub allows: bool,
    /// The pattern.
    pub pattern: Vec<u8>,
}

/// A file, and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedFile {
    /// Its bytes.
    pub file: Vec<u8>,
    /// The groups that were meant.
    pub groups: Vec<Group>,
    /// The productions that were productions.
    pub productions: Vec<&'static str>,
}
