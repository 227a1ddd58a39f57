//! One record and its scope.

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Line, Span, SyntaxPolicy};

use super::kind::RecordKind;
use super::problem::{ProblemKind, RecordProblem};
use super::value::RecordValue;

/// A record other than `user-agent`, `allow` and `disallow`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherRecord<'a> {
    /// The line number, from 1.
    pub line: usize,
    /// The place of the line, line end included.
    pub span: Span,
    /// The key as written.
    pub key: Field<'a>,
    /// The value as written.
    pub raw: Field<'a>,
    /// The index of the group that the record is in, from 0; `None` outside of groups.
    pub group: Option<usize>,
    /// The kind of record, by the key.
    pub kind: RecordKind,
    /// The value, if it is valid.
    pub value: Option<RecordValue<'a>>,
    /// The problems of the record.
    pub problems: Box<[RecordProblem]>,
}

impl<'a> OtherRecord<'a> {
    pub(super) fn read(
        line: &Line<'a>,
        key: Field<'a>,
        raw: Field<'a>,
        group: Option<usize>,
        policy: &SyntaxPolicy,
    ) -> Self {
        let kind = RecordKind::of(key.bytes(), policy);
        let mut problems = Vec::new();
        let value = if raw.is_empty() && kind != RecordKind::Unknown {
            problems.push(RecordProblem::new(ProblemKind::Empty, line.content().span()));
            None
        } else {
            RecordValue::read(kind, raw, &mut problems)
        };
        if kind.is_of_groups() && group.is_none() {
            problems.push(RecordProblem::new(ProblemKind::NoGroup, key.span()));
        }
        let problems = problems.into_boxed_slice();
        Self { line: line.number, span: line.span(), key, raw, group, kind, value, problems }
    }

    /// Returns the crawlers that the record concerns, as the documents for its kind say.
    ///
    /// ```
    /// use robots_match::records::{Records, RecordScope};
    /// use robots_match::{Profile, Robots};
    ///
    /// let body = "User-agent: *\nCrawl-delay: 1\nSitemap: https://example.com/map.xml\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let scopes: Vec<RecordScope> = Records::new(&robots, &groups).all().iter().map(|record| record.scope()).collect();
    /// assert_eq!(scopes, [RecordScope::Group(0), RecordScope::File]);
    /// ```
    #[must_use]
    pub const fn scope(&self) -> RecordScope {
        match self.group {
            Some(group) if self.kind.is_of_groups() || matches!(self.kind, RecordKind::License) => {
                RecordScope::Group(group)
            }
            None if self.kind.is_of_groups() => RecordScope::None,
            _ => RecordScope::File,
        }
    }
}

/// The crawlers that a record concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordScope {
    /// All crawlers.
    File,
    /// The crawlers of the group of this index, from 0.
    Group(usize),
    /// No crawlers, because the record is outside of groups but has to be in a group.
    None,
}
