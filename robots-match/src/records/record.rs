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

    /// Returns the value of a `Content-Signal` or `Content-Usage` record without the terms that permit a use. `None` if nothing
    /// is left, and for all other records. Terms that no document defines are kept.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Profile, Robots};
    ///
    /// let body = "User-agent: *\nContent-Signal: search=yes, ai-train=no\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// assert_eq!(records.all()[0].refusals().as_deref(), Some(&b"ai-train=no"[..]));
    /// ```
    #[must_use]
    pub fn refusals(&self) -> Option<Vec<u8>> {
        let (path, refused): (_, Vec<&[u8]>) = match self.value.as_ref()? {
            RecordValue::ContentSignal(signal) => (signal.path(), signal.refusals().collect()),
            RecordValue::ContentUsage(usage) => (usage.path(), usage.refusals().collect()),
            _ => return None,
        };
        let path = path.map(|path| [path.bytes(), b" "].concat()).unwrap_or_default();
        (!refused.is_empty()).then(|| [path, refused.join(&b", "[..])].concat())
    }

    /// Returns whether the record concerns all crawlers, as the documents for its kind say.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Profile, Robots};
    ///
    /// let body = "User-agent: *\nCrawl-delay: 1\nSitemap: https://example.com/map.xml\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let [delay, sitemap] = records.all() else { unreachable!() };
    /// assert!(delay.concerns_group(0) && !delay.concerns_all());
    /// assert!(sitemap.concerns_all());
    /// ```
    #[must_use]
    pub const fn concerns_all(&self) -> bool {
        match self.group {
            Some(_) => !self.kind.is_of_groups() && !matches!(self.kind, RecordKind::License),
            None => !self.kind.is_of_groups(),
        }
    }

    /// Returns whether the record concerns the crawlers of the group with this index, from 0. A record that has to be in a
    /// group and is outside of groups concerns no crawlers.
    #[must_use]
    pub const fn concerns_group(&self, index: usize) -> bool {
        self.concerns_all() || matches!(self.group, Some(group) if group == index)
    }
}
