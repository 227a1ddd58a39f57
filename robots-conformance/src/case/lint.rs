//! Rows about the findings of lints.

use robots_fetch::matching::lint::{self, Finding, LintContext, LintReport, Severity};

use crate::escape::shortened;
use crate::row::{Answered, Difference, Files, Kind, RowContext, lists, row};

row! {
    /// A row with all findings of a file.
    pub struct Lint {
        robots: String,
        url: Option<String>,
        content_type: Option<String>,
        missing: Option<String>,
        paths: Option<Vec<String>>,
        findings: Vec<String>,
        help: Option<Vec<String>>,
        left_out: Option<Vec<String>>,
        fixed: Option<String>,
    }
}

impl Lint {
    fn report(&self, context: &RowContext<'_>) -> LintReport {
        let mut lint_context = LintContext::default();
        lint_context.profile = context.profile.rules;
        lint_context.url = self.url.as_deref();
        lint_context.content_type = self.content_type.as_deref();
        lint_context.missing = self.missing.as_deref();
        let paths: Vec<Vec<u8>> = self.paths.iter().flatten().map(|path| path.as_bytes().to_vec()).collect();
        lint_context.paths = &paths;
        lint_context.all = true;
        lint_context.lint(context.file(&self.robots))
    }

    /// Whether the row has a finding of this lint.
    pub(crate) fn has(&self, lint: lint::Lint) -> bool {
        self.findings.iter().any(|finding| lint_of(finding) == Some(lint))
    }
}

/// The lint of a finding in a row, if the finding is well-formed up to the lint's name.
fn lint_of(finding: &str) -> Option<lint::Lint> {
    let mut words = finding.split(' ');
    let (line, column) = words.next()?.split_once(':')?;
    let is_number = |text: &str| text.parse::<usize>().is_ok_and(|number| number > 0);
    let severity = words.next()?;
    let is_severity = Severity::ALL.iter().any(|known| known.name() == severity);
    (is_number(line) && is_number(column) && is_severity)
        .then(|| lint::Lint::from_name(words.next()?))
        .flatten()
}

/// Writes a finding as rows do: `2:1 error misspelt-key for rfc9309 koster-1996 at Disalow`.
fn written(finding: &Finding, body: &[u8]) -> String {
    let before = body.get(..finding.span.start()).unwrap_or_default();
    let line = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
    let mut out =
        format!("{}:{} {} {}", finding.line, before.len() - line + 1, finding.severity, finding.lint);
    if !finding.readers.is_empty() {
        let names: Vec<&str> = finding.readers.iter().map(|document| document.name()).collect();
        out.push_str(&format!(" for {}", names.join(" ")));
    }
    if !finding.span.is_empty() {
        out.push_str(&format!(" at {}", shortened(finding.span.of(body))));
    }
    out
}

/// Returns how many findings are left out, by lint, as rows write them.
fn left_out(report: &LintReport) -> Vec<String> {
    report.left_out.iter().map(|((lint, _), count)| format!("{count} {lint}")).collect()
}

/// Returns the help of each finding that has some, as rows write it: `3 rule-for-robots-txt: remove the rule`.
fn helps(report: &LintReport) -> Vec<String> {
    let help =
        |finding: &Finding| Some(format!("{} {}: {}", finding.line, finding.lint, finding.help.as_ref()?));
    report.findings.iter().filter_map(help).collect()
}

/// The number of the line that contains the byte at `at`, from 1.
fn line_of(body: &[u8], at: usize) -> usize {
    let ends =
        |(index, byte): (usize, &u8)| *byte == b'\n' || *byte == b'\r' && body.get(index + 1) != Some(&b'\n');
    1 + body.iter().take(at).enumerate().filter(|&found| ends(found)).count()
}

impl Kind for Lint {
    fn validate(&self, files: &Files) -> Result<(), String> {
        for finding in &self.findings {
            if lint_of(finding).is_none() {
                return Err(format!("`{finding}` does not read `LINE:COLUMN SEVERITY CODE ...`"));
            }
        }
        files.has(&self.robots)?;
        self.fixed.as_ref().map_or(Ok(()), |fixed| files.has(fixed))
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let body = context.file(&self.robots);
        let report = self.report(context);
        let got: Vec<String> = report.findings.iter().map(|finding| written(finding, body)).collect();
        let mut found = lists("finding", &self.findings, &got);
        for finding in &report.findings {
            let line = line_of(body, finding.span.start());
            if line != finding.line {
                let difference =
                    Difference::new("line of a finding", line.to_string(), finding.line.to_string());
                found.push(difference.because(finding.to_string()));
            }
        }
        if let Some(help) = &self.help {
            found.extend(lists("help", help, &helps(&report)));
        }
        found.extend(lists("left out", self.left_out.as_deref().unwrap_or_default(), &left_out(&report)));
        if let Some(fixed) = &self.fixed {
            let (after, _) = report.fix(body);
            let expected = context.file(fixed);
            if after != expected {
                found.push(Difference::new("corrected file", shortened(expected), shortened(&after)));
            }
        }
        found
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let body = context.file(&self.robots);
        let report = self.report(context);
        let mut parts: Vec<String> = report.findings.iter().map(|finding| written(finding, body)).collect();
        if parts.is_empty() {
            parts.push("no findings".to_owned());
        }
        parts.extend(left_out(&report).iter().map(|count| format!("left out {count}")));
        if self.fixed.is_some() {
            let (_, made) = report.fix(body);
            parts.push(format!("corrections {made}"));
        }
        Answered::one(&*self.robots, parts)
    }
}
