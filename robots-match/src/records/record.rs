//! One record and its scope.

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Line, Span, SyntaxPolicy};

use super::field::scoped;
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
        let is_signal = match self.value.as_ref()? {
            RecordValue::ContentSignal(_) => true,
            RecordValue::ContentUsage(_) => false,
            _ => return None,
        };
        let (path, list) = scoped(self.raw);
        let (mut is_quoted, mut is_escaped) = (false, false);
        // A comma in a string ends no term.
        let terms = list.bytes().split(|&byte| {
            is_quoted ^= byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && is_quoted && !is_escaped;
            byte == b',' && !is_quoted
        });
        let mut refused = Vec::new();
        for term in terms.map(<[u8]>::trim_ascii).filter(|term| !term.is_empty()) {
            let equals = memchr::memchr(b'=', term).unwrap_or(term.len() - 1);
            let value = term.get(equals + 1..).unwrap_or_default();
            let permits = match is_signal {
                true => value.trim_ascii().eq_ignore_ascii_case(b"yes"),
                // Parameters may follow.
                false => {
                    value.split(|&byte| byte == b';').next().is_some_and(|value| value.trim_ascii() == b"y")
                }
            };
            if !permits {
                refused.extend_from_slice(if refused.is_empty() { b"" } else { b", " });
                refused.extend_from_slice(term);
            }
        }
        if let Some(path) = path.filter(|_| !refused.is_empty()) {
            refused = [path.bytes(), b" ", &refused].concat();
        }
        (!refused.is_empty()).then_some(refused)
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
