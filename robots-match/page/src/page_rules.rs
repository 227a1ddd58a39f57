//! The rules of a page.

use alloc::vec::Vec;

use crate::policy::PagePolicy;
use crate::record::{FieldName, PageProblem, Record, Source};

/// The rules of a page, for all crawlers. It owns the rules and not the page, so it can be stored.
#[derive(Clone, Debug)]
pub struct PageRules {
    pub(crate) policy: PagePolicy,
    /// The fields that the response has.
    pub(crate) present: Vec<FieldName>,
    pub(crate) records: Vec<Record>,
    pub(crate) problems: Vec<PageProblem>,
    pub(crate) reading: Reading,
}

/// How far a page was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) has_all_fields: bool,
    pub(crate) has_all_records: bool,
    /// Whether the part of the body that can have rules was read, or the body is not HTML.
    pub(crate) html_is_whole: bool,
    pub(crate) html_is_read: bool,
    pub(crate) limit: usize,
}

impl PageRules {
    /// Returns the rules in the order of the response: fields, then `meta` elements. Rules of elements that do not count are
    /// included.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns what deviates from the documents, or has no effect.
    #[must_use]
    pub fn problems(&self) -> &[PageProblem] {
        &self.problems
    }

    /// Returns the policy by which the page was read.
    #[must_use]
    pub const fn policy(&self) -> &PagePolicy {
        &self.policy
    }

    /// Returns whether all that can have rules was read. Otherwise, an answer without a rule means that none was found in what
    /// was read.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        let Reading { has_all_fields, has_all_records, html_is_whole, .. } = self.reading;
        has_all_fields && has_all_records && html_is_whole
    }

    /// Returns why the rules are not complete, for people; `None` if they are.
    ///
    /// ```
    /// use robots_page::{PagePolicy, PageReader};
    ///
    /// let page = PageReader::new(PagePolicy::REPEXT).finish();
    /// assert_eq!(page.incomplete_because(), Some("the HTML was not read"));
    /// ```
    #[must_use]
    pub const fn incomplete_because(&self) -> Option<&'static str> {
        let Reading { has_all_fields, has_all_records, html_is_whole, html_is_read, .. } = self.reading;
        if !has_all_fields {
            Some("a response field is longer than the limit")
        } else if !has_all_records {
            Some("there are more or longer rules than the limit")
        } else if !html_is_whole && !html_is_read {
            Some("the HTML was not read")
        } else if !html_is_whole {
            Some("the HTML was not read to the end: it is cut, compressed, or longer than the limit")
        } else {
            None
        }
    }

    /// Returns how many bytes of HTML are read at most.
    #[must_use]
    pub const fn html_limit(&self) -> usize {
        self.reading.limit
    }

    /// Returns the union of the rules of this page and of another reading of it, such as the document after scripts ran
    /// (draft-illyes-repext-03, section 4).
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.present.extend(other.present);
        self.records.extend(other.records);
        self.problems.extend(other.problems);
        self.reading.has_all_fields &= other.reading.has_all_fields;
        self.reading.has_all_records &= other.reading.has_all_records;
        self.reading.html_is_whole &= other.reading.html_is_whole;
        self
    }

    /// Returns the rules after a response with status 304: these rules stay in force, except that fields of the response
    /// replace those that are stored (draft-illyes-repext-03, section 3.1.4; RFC 9111, section 3.2).
    #[must_use]
    pub fn revalidated(mut self, not_modified: Self) -> Self {
        let stays = |source: &Source| match source {
            Source::Field { name, .. } => !not_modified.present.contains(name),
            _ => true,
        };
        self.records.retain(|record| stays(&record.source));
        self.problems.retain(|found| stays(&found.source));
        let is_of_field = |source: &Source| matches!(source, Source::Field { .. });
        let mut records: Vec<Record> = not_modified.records;
        records.retain(|record| is_of_field(&record.source));
        self.records.splice(0..0, records);
        self.problems.extend(not_modified.problems.into_iter().filter(|found| is_of_field(&found.source)));
        self.reading.has_all_fields &= not_modified.reading.has_all_fields;
        self.reading.has_all_records &= not_modified.reading.has_all_records;
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, PagePolicy, PageReader};

    #[test]
    fn a_cut_field_of_a_later_response_is_not_complete() {
        let read = |fields: &[(&[u8], &[u8])]| {
            let limits = Limits::new(Limits::MIN_FIELD, Limits::MIN_HTML).unwrap();
            let mut reader = PageReader::new(PagePolicy::REPEXT).with_limits(limits);
            reader.media_type(b"application/pdf");
            for (name, value) in fields {
                reader.field(name, value);
            }
            reader.finish()
        };
        let cut = [&b"noindex, "[..], &b"x".repeat(Limits::MIN_FIELD)].concat();
        let many = "noindex, ".repeat(257);
        for (value, is_complete) in [(&b"noindex"[..], true), (&cut, false), (many.as_bytes(), false)] {
            let page = read(&[]).revalidated(read(&[(b"X-Robots-Tag", value)]));
            assert_eq!(page.is_complete(), is_complete);
        }
    }
}
