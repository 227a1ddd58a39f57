//! What is found in a file that is most likely not as it was meant.

use robots_fetch::matching::Profile as Rules;
use robots_fetch::matching::lint::{self, Code, Facts, Finding, Severity, lint};

use crate::escape::{shortened, shown};
use crate::row::description::Description;
use crate::row::difference::{Difference, lists};
use crate::row::files::Files;
use crate::row::{Kind, RowContext, row};

row! {
    /// A row of findings.
    pub struct Lint {
        robots: String,
        url: Option<String>,
        content_type: Option<String>,
        findings: Vec<String>,
        left_out: Option<Vec<String>>,
        fixed: Option<String>,
    }
}

impl Lint {
    /// Whether the row has a finding of this code.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| code_of(finding) == Some(code))
    }
}

/// The code that a finding as rows write it has, if it is written as it should be up to there.
fn code_of(finding: &str) -> Option<Code> {
    let mut words = finding.split(' ');
    let (line, column) = words.next()?.split_once(':')?;
    let is_number = |text: &str| text.parse::<usize>().is_ok_and(|number| number > 0);
    let severity = words.next()?;
    let is_severity = Severity::ALL.iter().any(|known| known.name() == severity);
    (is_number(line) && is_number(column) && is_severity).then(|| Code::named(words.next()?)).flatten()
}

/// A finding as rows write it: `2:1 error misspelt-key for rfc9309 koster-1996 at Disalow`.
fn written(finding: &Finding, body: &[u8]) -> String {
    let before = body.get(..finding.span.start()).unwrap_or_default();
    let line = before.iter().rposition(|octet| matches!(octet, b'\n' | b'\r')).map_or(0, |end| end + 1);
    let mut out =
        format!("{}:{} {} {}", finding.line, before.len() - line + 1, finding.code.severity(), finding.code);
    if !finding.readers.is_empty() {
        out.push_str(&format!(" for {}", finding.readers.join(" ")));
    }
    if !finding.span.is_empty() {
        out.push_str(&format!(" at {}", shortened(finding.span.of(body))));
    }
    out
}

/// The number of the line in which the octet at `at` stands.
fn line_of(body: &[u8], at: usize) -> usize {
    let ends = |(index, octet): (usize, &u8)| {
        *octet == b'\n' || *octet == b'\r' && body.get(index + 1) != Some(&b'\n')
    };
    1 + body.iter().take(at).enumerate().filter(|&found| ends(found)).count()
}

impl Kind for Lint {
    fn validate(&self, files: &Files) -> Result<(), String> {
        for finding in &self.findings {
            if code_of(finding).is_none() {
                return Err(format!("`{finding}` does not read `LINE:COLUMN SEVERITY CODE ...`"));
            }
        }
        files.has(&self.robots)?;
        self.fixed.as_ref().map_or(Ok(()), |fixed| files.has(fixed))
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let body = context.file(&self.robots);
        let rules: Rules = context.profile.rules;
        let mut facts = Facts::default();
        facts.profile = rules;
        facts.url = self.url.as_deref();
        facts.content_type = self.content_type.as_deref();
        let report = lint(body, &facts);
        let got: Vec<String> = report.findings.iter().map(|finding| written(finding, body)).collect();
        let mut found = lists("finding", &self.findings, &got);
        for finding in &report.findings {
            let line = line_of(body, finding.span.start());
            if line != finding.line {
                let told = Difference::new("line of a finding", line.to_string(), finding.line.to_string());
                found.push(told.because(finding.to_string()));
            }
        }
        let left_out: Vec<String> =
            report.left_out.iter().map(|(code, count)| format!("{count} {code}")).collect();
        found.extend(lists("left out", self.left_out.as_deref().unwrap_or_default(), &left_out));
        if let Some(fixed) = &self.fixed {
            let (after, _) = lint::fixed(body, &report);
            let expected = context.file(fixed);
            if after != expected {
                found.push(Difference::new("corrected file", shortened(expected), shortened(&after)));
            }
        }
        found
    }

    fn describe(&self) -> Description {
        let mut description = Description::for_file(&self.robots);
        description.add_input_if_given("URL of the file", self.url.as_ref());
        description.add_input_if_given("content type", self.content_type.as_ref());
        description.expect_all("finding", &self.findings);
        if let Some(left_out) = &self.left_out {
            description.expect_all("left out", left_out);
        }
        if let Some(fixed) = &self.fixed {
            description.add_file(fixed);
            description.expect("corrected", shown(fixed.as_bytes()));
        }
        description
    }
}
