//! What in a robots.txt is not as its author most likely meant it, or is not read by all alike.
//!
//! [`lint`] reads any octets and gives [`Finding`]s; each has a [`Code`] that stays, with a page that explains it.
//! [`fixed`] makes those corrections that change no verdict under any named profile.
//!
//! ```
//! use robots_match::lint::{Facts, lint};
//! let report = lint(b"User-agent: *\nDisallow: /a\nDisallow: private\n", &Facts::default());
//! let shown: Vec<String> = report.findings.iter().map(|finding| finding.to_string()).collect();
//! assert_eq!(shown, ["3: error[pattern-without-slash]: no path begins with `private`"]);
//! ```

mod agents;
mod code;
mod fix;
mod keys;
mod patterns;
mod records;
mod rules;
mod whole;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::{Line, Lines, Span};

use crate::profile::Profile;

pub use code::{Code, Severity};
pub use fix::{Edit, fixed};

/// What is known of a file beyond its octets. All of it is optional.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Facts<'f> {
    /// How the file is read, where the profiles do not have to be told apart.
    pub profile: Profile,
    /// The URL of the file.
    pub url: Option<&'f str>,
    /// The value of the `Content-Type` field with which it was served.
    pub content_type: Option<&'f str>,
}

/// What was found in a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// In the order of the file.
    pub findings: Vec<Finding>,
    /// How many more there are for each code of which [`MOST`] are listed.
    pub left_out: BTreeMap<Code, usize>,
}

impl Report {
    /// The severest of the findings.
    #[must_use]
    pub fn severest(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.code.severity()).max()
    }
}

/// The most findings that are listed for one code and file.
pub const MOST: usize = 100;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// The number of the line in which it is, from 1.
    pub line: usize,
    /// Where it is.
    pub span: Span,
    /// What it is: one line of text, in which octets of the file are escaped.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Another place it has to do with, and what is there.
    pub other: Option<(Span, String)>,
    /// The names of the profiles whose readers it concerns; all if it is empty.
    pub readers: Vec<&'static str>,
    /// The correction, if there is one. It may change verdicts: [`fixed`] tells those apart.
    pub fix: Option<Edit>,
}

impl Finding {
    fn new(code: Code, line: usize, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            line,
            span,
            message: message.into(),
            help: None,
            other: None,
            readers: Vec::new(),
            fix: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn other(mut self, span: Span, what: impl Into<String>) -> Self {
        self.other = Some((span, what.into()));
        self
    }

    /// All profiles is what no name stands for.
    fn readers(mut self, readers: Vec<&'static str>) -> Self {
        if readers.len() < Profile::NAMED.len() {
            self.readers = readers;
        }
        self
    }

    fn fix(mut self, span: Span, replacement: impl Into<Vec<u8>>) -> Self {
        self.fix = Some(Edit { span, replacement: replacement.into() });
        self
    }
}

/// As `3: error[pattern-without-slash]: no path begins with this`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}[{}]: {}", self.line, self.code.severity(), self.code, self.message)
    }
}

/// What is found in `body`. Any octets will do. Time grows with their number, and with the logarithm of that of rules.
#[must_use]
pub fn lint(body: &[u8], facts: &Facts<'_>) -> Report {
    let mut found = Found::default();
    if !whole::check(body, facts, &mut found) {
        return found.report();
    }
    for lines in Readings::new(body, facts) {
        keys::check(&lines, &mut found);
        agents::check(&lines, facts, &mut found);
        patterns::check(&lines, facts, &mut found);
    }
    agents::check_runs(body, facts, &mut found);
    rules::check(body, facts, &mut found);
    records::check(body, facts, &mut found);
    found.report()
}

#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
    counts: BTreeMap<Code, usize>,
}

impl Found {
    fn add(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.code).or_default();
        *count += 1;
        if *count <= MOST {
            self.findings.push(finding);
        }
    }

    fn report(mut self) -> Report {
        self.findings.sort_by_key(|finding| (finding.span.start(), finding.code));
        self.counts.retain(|_, count| *count > MOST);
        self.counts.values_mut().for_each(|count| *count -= MOST);
        Report { findings: self.findings, left_out: self.counts }
    }
}

/// One line, as each profile reads it.
struct Reading<'a> {
    /// As the profile of the facts reads it.
    line: Line<'a>,
    /// As each named profile reads it; `None` where a limit leaves it out.
    named: [Option<Line<'a>>; Profile::NAMED.len()],
}

impl<'a> Reading<'a> {
    /// The names of the profiles whose readers see a line for which `holds`.
    fn readers(&self, holds: impl Fn(&Line<'a>, &Profile) -> bool) -> Vec<&'static str> {
        self.each().filter(|(_, profile, line)| holds(line, profile)).map(|(name, ..)| name).collect()
    }

    fn each(&self) -> impl Iterator<Item = (&'static str, &'static Profile, &Line<'a>)> {
        NAMED
            .iter()
            .zip(&self.named)
            .filter_map(|((name, profile), line)| Some((*name, profile, line.as_ref()?)))
    }
}

/// The lines of a file, each as all profiles read it: they agree on where lines end.
struct Readings<'a> {
    lines: Lines<'a>,
    named: [Lines<'a>; Profile::NAMED.len()],
}

impl<'a> Readings<'a> {
    fn new(body: &'a [u8], facts: &Facts<'_>) -> Self {
        Self {
            lines: Lines::new(body, &facts.profile.syntax),
            named: Profile::NAMED.map(|(_, profile)| Lines::new(body, &profile.syntax)),
        }
    }
}

impl<'a> Iterator for Readings<'a> {
    type Item = Reading<'a>;

    fn next(&mut self) -> Option<Reading<'a>> {
        let line = self.lines.next()?;
        Some(Reading { line, named: self.named.each_mut().map(Iterator::next) })
    }
}

const NAMED: &[(&str, Profile)] = &Profile::NAMED;

/// The names of the profiles of which `holds`.
fn profiles(holds: impl Fn(&Profile) -> bool) -> Vec<&'static str> {
    Profile::NAMED.iter().filter(|(_, profile)| holds(profile)).map(|(name, _)| *name).collect()
}

/// Octets in a message: quoted by the one who writes it, and short.
fn shown(octets: &[u8]) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    for chunk in octets.get(..MOST.min(octets.len())).unwrap_or_default().utf8_chunks() {
        for char in chunk.valid().chars() {
            if char.is_control()
                || matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
            {
                text.extend(char.escape_unicode());
            } else {
                text.push(char);
            }
        }
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    if octets.len() > MOST {
        text.push_str("...");
    }
    text
}
