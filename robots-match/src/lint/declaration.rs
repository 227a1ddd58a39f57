//! The declaration of a lint.

use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::{
    Agent, AgentPair, Bytes, File, Gap, GroupView, KeyProblem, Lines, Pattern, RecordView, RulePair,
    UnknownWord,
};

/// A lint: its name, how much it matters, and the function that looks for it.
pub(crate) struct Declaration {
    /// The name, in lower case with hyphens. A published name stays.
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    /// A sentence without a full stop, as on the first line of the page.
    pub(crate) title: &'static str,
    pub(crate) check: Check,
}

macro_rules! checks {
    ($($(#[doc = $doc:literal])* $kind:ident($field:ident: $subject:ty);)*) => {
        /// The subject of a lint. Each subject is made once, for all lints that look at it.
        pub(crate) enum Check {
            $($(#[doc = $doc])* $kind(fn($subject, &mut Drafts<'_>)),)*
        }

        /// The functions of all lints by what they look at, each with the position of its lint in the list.
        #[derive(Default)]
        pub(crate) struct Checks {
            $(pub(crate) $field: alloc::vec::Vec<(usize, fn($subject, &mut Drafts<'_>))>,)*
        }

        impl Checks {
            pub(crate) fn new<'d>(all: impl IntoIterator<Item = &'d Declaration>) -> Self {
                let mut checks = Self::default();
                for (index, declaration) in all.into_iter().enumerate() {
                    match declaration.check {
                        $(Check::$kind(check) => checks.$field.push((index, check)),)*
                    }
                }
                checks
            }
        }
    };
}

checks! {
    /// The bytes as they were served, whatever they are.
    Bytes(bytes: &Bytes<'_>);
    /// A file of lines as a whole, after its lines were read.
    File(file: &File<'_>);
    /// A comment for the lints that is not understood.
    UnknownWord(unknown_word: &UnknownWord<'_>);
    /// A line, as each profile reads it.
    Line(line: &Lines<'_>);
    /// A line whose key is missing, misspelt or not one of the standard keys.
    Key(key: &KeyProblem<'_>);
    /// A user-agent line.
    Agent(agent: &Agent<'_>);
    /// Two lines of one group with other lines between them.
    Gap(gap: &Gap<'_>);
    /// A rule whose pattern is not empty.
    Pattern(pattern: &Pattern<'_>);
    /// A record that is neither a rule nor a user-agent line.
    Record(record: &RecordView<'_>);
    /// A group.
    Group(group: &GroupView<'_, '_>);
    /// Two user-agent lines that name the same crawler.
    AgentPair(agent_pair: &AgentPair<'_>);
    /// Two rules of a group whose patterns are equal, or equal except for the case of letters.
    RulePair(rule_pair: &RulePair<'_>);
}
