//! Findings as workflow commands of GitHub.

use core::fmt::Write as _;

use robots_match::lint::Severity;

use super::checked_file::Checked;
use crate::github::{data, property};
use crate::text_view::View;

pub(super) fn github(file: &Checked<'_>) -> String {
    let view = View::new(&file.body);
    let mut text = String::new();
    for finding in &file.report.findings {
        let level = if finding.severity == Severity::Note { "notice" } else { finding.severity.name() };
        let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "::{level} file={},line={},col={},title={}::{}",
            property(&file.name()),
            finding.line,
            view.column_of(finding.span.start()),
            property(finding.lint.name()),
            data(&format!("{}{help}", finding.message)),
        );
    }
    text
}
