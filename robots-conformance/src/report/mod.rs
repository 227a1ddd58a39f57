//! Reports: text and HTML for people, JSON and JUnit XML for programs.

mod html;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::columns::aligned;
use crate::run::{Outcome, Unnoticed};
use crate::suite::Suite;
use crate::suite::names::{DOCUMENTS, is_of_pages, profiles_of};
use crate::suite::problem::Problem;

/// The results of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report<'s> {
    /// The suite that was run.
    pub suite: &'s Suite,
    /// The rows that were run.
    pub outcomes: Vec<Outcome<'s>>,
    /// The problems of the files.
    pub problems: Vec<Problem>,
    /// The knobs without a witness.
    pub unnoticed: Vec<Unnoticed>,
}

impl<'s> Report<'s> {
    /// Creates a report.
    #[must_use]
    pub const fn new(
        suite: &'s Suite,
        outcomes: Vec<Outcome<'s>>,
        problems: Vec<Problem>,
        unnoticed: Vec<Unnoticed>,
    ) -> Self {
        Self { suite, outcomes, problems, unnoticed }
    }

    /// Returns how many rows passed, counted once per profile.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.passed()).count()
    }

    /// Returns the number of rows that failed, of problems, and of knobs without a witness, together.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.outcomes.len() - self.passed() + self.problems.len() + self.unnoticed.len()
    }

    fn failures(&self) -> impl Iterator<Item = &Outcome<'s>> {
        self.outcomes.iter().filter(|outcome| !outcome.passed())
    }

    /// Writes text for people: a table of rows held, each failure, and at the end `N passed, N failed` on a line of its
    /// own.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_held(out)?;
        for outcome in self.failures() {
            self.write_failure(outcome, out)?;
        }
        for problem in &self.problems {
            write!(out, "\n{problem}\n")?;
        }
        for unnoticed in &self.unnoticed {
            write!(out, "\nknob without a witness: {unnoticed}\n")?;
        }
        let excepted: Vec<_> =
            self.outcomes.iter().filter(|outcome| outcome.passed() && outcome.exception.is_some()).collect();
        if !excepted.is_empty() {
            writeln!(out, "\nknown to fail:")?;
            for outcome in excepted {
                let reason = outcome.exception.map_or("", |exception| &exception.reason);
                writeln!(out, "  {} under {}: {reason}", name(outcome), outcome.profile)?;
            }
        }
        writeln!(out, "\n{} passed, {} failed", self.passed(), self.failed())
    }

    /// Writes how many rows hold, by document and profile.
    fn write_held(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut held: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for outcome in &self.outcomes {
            let of = held.entry((&outcome.table.document, outcome.profile)).or_default();
            of.0 += usize::from(outcome.passed());
            of.1 += 1;
        }
        for of_pages in [false, true] {
            let mut lines: Vec<Vec<String>> = Vec::new();
            for document in DOCUMENTS.into_iter().filter(|document| is_of_pages(document) == of_pages) {
                let profiles = profiles_of(document);
                if lines.is_empty() {
                    let head = core::iter::once("rows held").chain(profiles.iter().copied());
                    lines.push(head.map(str::to_owned).collect());
                }
                let cells = profiles.iter().map(|profile| match held.get(&(document, *profile)) {
                    Some((held, all)) => format!("{held} of {all}"),
                    None => "-".to_owned(),
                });
                lines.push(core::iter::once(document.to_owned()).chain(cells).collect());
            }
            for line in aligned(&lines) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    fn write_failure(&self, outcome: &Outcome<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nfailed: {} under {}", name(outcome), outcome.profile)?;
        writeln!(out, "  at {}:{} [{}]", outcome.table.file, outcome.row.line, outcome.row.case.kind())?;
        if let Some(exception) = outcome.exception {
            writeln!(
                out,
                "  the row passes, but exceptions.toml:{} lists it as failing; remove the exception",
                exception.line
            )?;
        }
        let mut because = None;
        for difference in &outcome.differences {
            writeln!(out, "  {}", difference.what)?;
            writeln!(out, "    expected  {}", difference.expected)?;
            writeln!(out, "    got       {}", difference.got)?;
            if difference.because.is_some() && difference.because != because {
                because.clone_from(&difference.because);
                writeln!(out, "    because   {}", difference.because.as_deref().unwrap_or_default())?;
            }
        }
        for id in &outcome.row.head.cites {
            writeln!(out, "  {id}: {}", self.suite.says(id).unwrap_or("(unknown)"))?;
        }
        Ok(())
    }

    /// Writes one JSON object.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<Value> = self
            .outcomes
            .iter()
            .map(|outcome| {
                json!({
                    "document": outcome.table.document,
                    "table": outcome.table.name,
                    "row": outcome.row.head.name,
                    "kind": outcome.row.case.kind(),
                    "profile": outcome.profile,
                    "file": outcome.table.file,
                    "line": outcome.row.line,
                    "cites": outcome.row.head.cites,
                    "passed": outcome.passed(),
                    "exception": outcome.exception.map(|exception| &exception.reason),
                    "differences": outcome.differences,
                })
            })
            .collect();
        let unnoticed: Vec<String> = self.unnoticed.iter().map(ToString::to_string).collect();
        let all = json!({
            "passed": self.passed(),
            "failed": self.failed(),
            "rows": rows,
            "problems": self.problems,
            "unnoticed": unnoticed,
        });
        writeln!(out, "{all:#}")
    }

    /// Writes JUnit XML: one suite for each table and profile, and one for the problems.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut suites: BTreeMap<String, Vec<(String, Option<String>)>> = BTreeMap::new();
        for outcome in &self.outcomes {
            let mut failure = Vec::new();
            if !outcome.passed() {
                self.write_failure(outcome, &mut failure)?;
            }
            let failure = (!failure.is_empty()).then(|| String::from_utf8_lossy(&failure).into_owned());
            let suite = format!("{} under {}", outcome.table.id(), outcome.profile);
            suites.entry(suite).or_default().push((outcome.row.head.name.clone(), failure));
        }
        let whole = self.problems.iter().map(ToString::to_string);
        for problem in whole.chain(self.unnoticed.iter().map(ToString::to_string)) {
            suites
                .entry("the tables as a whole".to_owned())
                .or_default()
                .push((problem.clone(), Some(problem)));
        }
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let (tests, failures) = (self.passed() + self.failed(), self.failed());
        writeln!(out, r#"<testsuites tests="{tests}" failures="{failures}">"#)?;
        for (suite, cases) in &suites {
            let failed = cases.iter().filter(|(_, failure)| failure.is_some()).count();
            let suite = xml(suite);
            writeln!(out, r#"  <testsuite name="{suite}" tests="{}" failures="{failed}">"#, cases.len())?;
            for (name, failure) in cases {
                match failure {
                    None => writeln!(out, r#"    <testcase classname="{suite}" name="{}"/>"#, xml(name))?,
                    Some(failure) => {
                        writeln!(out, r#"    <testcase classname="{suite}" name="{}">"#, xml(name))?;
                        writeln!(out, r"      <failure>{}</failure>", xml(failure.trim()))?;
                        writeln!(out, "    </testcase>")?;
                    }
                }
            }
            writeln!(out, "  </testsuite>")?;
        }
        writeln!(out, "</testsuites>")
    }
}

fn name(outcome: &Outcome<'_>) -> String {
    format!("{}/{}", outcome.table.id(), outcome.row.head.name)
}

/// Escapes text for XML. Characters that XML can't contain become U+FFFD.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(char),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_is_escaped() {
        assert_eq!(xml("a<b>&\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;\u{FFFD}\n");
    }
}
