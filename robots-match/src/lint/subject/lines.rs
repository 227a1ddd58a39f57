//! One line, as each profile reads it.

use alloc::vec::Vec;

use robots_groups::syntax::{self, Line};

use crate::lint::context::LintContext;
use crate::profile::Profile;

/// A byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

const NAMED: &[(&str, Profile)] = &Profile::NAMED;

/// One line, as each profile reads it.
pub(crate) struct Lines<'a> {
    /// As the profile of the context reads it.
    pub(crate) line: Line<'a>,
    /// As each named profile reads it; `None` where a limit leaves it out.
    named: [Option<Line<'a>>; Profile::NAMED.len()],
}

impl<'a> Lines<'a> {
    /// The names of the profiles that read a line for which `holds`.
    pub(crate) fn readers(&self, holds: impl Fn(&Line<'a>, &Profile) -> bool) -> Vec<&'static str> {
        self.each().filter(|(_, profile, line)| holds(line, profile)).map(|(name, ..)| name).collect()
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &'static Profile, &Line<'a>)> {
        NAMED
            .iter()
            .zip(&self.named)
            .filter_map(|((name, profile), line)| Some((*name, profile, line.as_ref()?)))
    }
}

/// The lines of a file, each as all profiles read it: they agree on where lines end.
pub(crate) struct AllLines<'a> {
    lines: syntax::Lines<'a>,
    named: [syntax::Lines<'a>; Profile::NAMED.len()],
}

impl<'a> AllLines<'a> {
    pub(crate) fn new(body: &'a [u8], context: &LintContext<'_>) -> Self {
        Self {
            lines: syntax::Lines::new(body, &context.profile.syntax),
            named: Profile::NAMED.map(|(_, profile)| syntax::Lines::new(body, &profile.syntax)),
        }
    }
}

impl<'a> Iterator for AllLines<'a> {
    type Item = Lines<'a>;

    fn next(&mut self) -> Option<Lines<'a>> {
        let line = self.lines.next()?;
        Some(Lines { line, named: self.named.each_mut().map(Iterator::next) })
    }
}
