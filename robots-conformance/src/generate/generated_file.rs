//! Generated files, with their groups and productions.

/// A group of a generated file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group {
    /// The values of its user-agent lines.
    pub agents: Vec<Vec<u8>>,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

/// A rule of a generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Whether it allows access.
    pub allows: bool,
    /// The pattern.
    pub pattern: Vec<u8>,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedFile {
    /// The file.
    pub file: Vec<u8>,
    /// The groups that a reader should find.
    pub groups: Vec<Group>,
    /// The productions that were used.
    pub productions: Vec<&'static str>,
}
