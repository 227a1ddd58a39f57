//! The declaration of a lint.

use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::{
    Agent, AgentPair, Bytes, Damaged, File, Gap, GroupView, KeyProblem, Lines, Pattern, RecordView, RulePair,
    UnknownWord,
};

/// A lint: its name, how much it matters, and the function that looks for it.
pub(crate) struct Declaration {
    /// The name, in lower case with hyphens. A published name stays.
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    /// Whether the lint reports without being asked for.
    pub(crate) is_on: bool,
    /// A sentence without a full stop, as on the first line of the page.
    pub(crate) title: &'static str,
    /// Whether the lint makes corrections. Others do not run if only corrections are wanted.
    pub(crate) corrects: bool,
    pub(crate) check: Check,
}

/// Declares the lint of a file, with its page: the title, why it matters, what to do, a file that has it and one that does not.
macro_rules! lint {
    (
        code: $code:literal,
        severity: $severity:ident,
        $(default: $default:ident,)?
        title: $title:literal,
        $(corrects: $corrects:literal,)?
        check: $kind:ident($check:path),
        $(#[doc = $line:literal])*
    ) => {
        pub(crate) const LINT: $crate::lint::declaration::Declaration = $crate::lint::declaration::Declaration {
            code: $code,
            severity: $crate::lint::declaration::severity!($severity),
            is_on: $crate::lint::declaration::is_on!($($default)?),
            title: $title,
            corrects: $crate::lint::declaration::corrects!($($corrects)?),
            check: $crate::lint::declaration::Check::$kind($check),
        };

        /// The page, as a literal. Lines after the first paragraphs begin with a space.
        macro_rules! page {
            () => {
                concat!("# ", $code, "\n\n", $title, " (", stringify!($severity), $(", ", stringify!($default), " by default",)? ").\n\n", $($line, "\n"),*)
            };
        }
        pub(crate) use page;
    };
}

macro_rules! severity {
    (note) => {
        $crate::lint::severity::Severity::Note
    };
    (warning) => {
        $crate::lint::severity::Severity::Warning
    };
    (error) => {
        $crate::lint::severity::Severity::Error
    };
}

macro_rules! is_on {
    () => {
        true
    };
    (off) => {
        false
    };
}

/// Whether a lint says that it makes corrections.
macro_rules! corrects {
    () => {
        false
    };
    ($corrects:literal) => {
        $corrects
    };
}

pub(crate) use {corrects, is_on, lint, severity};

/// Returns the number of bytes of `page` without the space at the start of each line.
pub(crate) const fn len_of_page(page: &str) -> usize {
    let (bytes, mut at, mut len) = (page.as_bytes(), 0, 0);
    while at < bytes.len() {
        len += !is_margin(bytes, at) as usize;
        at += 1;
    }
    len
}

/// Returns `page` without the space at the start of each line.
#[expect(clippy::indexing_slicing, reason = "computed when the crate is compiled")]
pub(crate) const fn without_margin<const LEN: usize>(page: &str) -> [u8; LEN] {
    let (bytes, mut at, mut len, mut out) = (page.as_bytes(), 0, 0, [0; LEN]);
    while at < bytes.len() {
        if !is_margin(bytes, at) {
            out[len] = bytes[at];
            len += 1;
        }
        at += 1;
    }
    out
}

#[expect(clippy::indexing_slicing, reason = "computed when the crate is compiled")]
const fn is_margin(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b' ' && at > 0 && bytes[at - 1] == b'\n'
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
    /// A line that is not what was meant, about which no other lint of lines reports.
    Damaged(damaged: &Damaged<'_>);
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
