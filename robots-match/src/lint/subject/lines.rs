//! One line, as each profile reads it.

use alloc::vec::Vec;

use robots_groups::syntax::{self, Line};

use crate::document::Document;
use crate::lint::context::Facts;
use crate::profile::Profile;

/// A byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// One line, as each profile reads it.
pub(crate) struct Lines<'a> {
    /// As the profile of the context reads it.
    pub(crate) line: Line<'a>,
    /// As the profile of each document reads it; `None` where a limit leaves it out.
    by_document: [Option<Line<'a>>; Document::ALL.len()],
}

impl<'a> Lines<'a> {
    /// Returns the documents whose profiles read a line for which `holds`.
    pub(crate) fn readers(&self, holds: impl Fn(&Line<'a>, &Profile) -> bool) -> Vec<Document> {
        self.each().filter(|(_, profile, line)| holds(line, profile)).map(|(document, ..)| document).collect()
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (Document, Profile, &Line<'a>)> {
        let lines = Document::ALL.into_iter().zip(&self.by_document);
        lines.filter_map(|(document, line)| Some((document, document.into(), line.as_ref()?)))
    }
}

/// The lines of a file, each as all profiles read it: they agree on where lines end.
pub(crate) struct AllLines<'a> {
    lines: syntax::Lines<'a>,
    by_document: [syntax::Lines<'a>; Document::ALL.len()],
}

impl<'a> AllLines<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &Facts<'_>) -> Self {
        Self {
            lines: syntax::Lines::new(body, &facts.profile.syntax),
            by_document: Document::ALL
                .map(|document| syntax::Lines::new(body, &Profile::from(document).syntax)),
        }
    }
}

impl<'a> Iterator for AllLines<'a> {
    type Item = Lines<'a>;

    fn next(&mut self) -> Option<Lines<'a>> {
        let line = self.lines.next()?;
        Some(Lines { line, by_document: self.by_document.each_mut().map(Iterator::next) })
    }
}
