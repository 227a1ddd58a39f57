//! The number of files that were checked, and of findings.

use core::fmt;

use robots_match::lint::{LintReport, Severity};
use schemars::JsonSchema;
use serde::Serialize;

/// The number of files, and of findings of each severity. `Display` is the line that people read.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Totals {
    files: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Totals {
    /// Counts one file, with the findings that its report only counts.
    pub(super) fn add(&mut self, report: &LintReport) {
        self.files += 1;
        let shown = report.findings.iter().map(|finding| (finding.severity, 1));
        let left_out = report.left_out.iter().map(|((_, severity), count)| (*severity, *count));
        for (severity, count) in shown.chain(left_out) {
            match severity {
                Severity::Error => self.errors += count,
                Severity::Warning => self.warnings += count,
                Severity::Note => self.notes += count,
            }
        }
    }

    /// Whether no file was checked.
    pub(super) const fn is_empty(&self) -> bool {
        self.files == 0
    }

    /// Whether nothing was found.
    pub(super) const fn is_clean(&self) -> bool {
        self.errors + self.warnings + self.notes == 0
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} checked", Count(self.files, "file"))?;
        if self.is_clean() {
            return f.write_str(", no findings");
        }
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let mut separator = ": ";
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{}", Count(count, what))?;
            separator = ", ";
        }
        Ok(())
    }
}

/// As `1 file`, `2 files`.
struct Count(usize, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, what) = self;
        write!(f, "{count} {what}{}", if *count == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_one_line() {
        for (totals, line) in [
            (Totals { files: 3, ..Totals::default() }, "3 files checked, no findings"),
            (Totals { files: 1, errors: 1, ..Totals::default() }, "1 file checked: 1 error"),
            (
                Totals { files: 2, errors: 2, warnings: 1, notes: 10 },
                "2 files checked: 2 errors, 1 warning, 10 notes",
            ),
        ] {
            assert_eq!(totals.to_string(), line);
        }
    }
}
