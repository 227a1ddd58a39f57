//! Findings as workflow commands of GitHub.

use robots_match::lint::Severity;

use super::checked_file::Checked;
use crate::output::Annotations;
use crate::output::annotations::Place;
use crate::text_view::View;

pub(super) fn github(file: &Checked<'_>) -> Annotations {
    let view = View::new(&file.body);
    let mut all = Annotations::new();
    for finding in &file.report.findings {
        let level = if finding.severity == Severity::Note { "notice" } else { finding.severity.name() };
        let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let column = view.column_of(finding.span.start());
        let name = file.name();
        let place = Place { file: Some(&name), line: Some(finding.line), column: Some(column) };
        all.add(level, &place, finding.lint.name(), &format!("{}{help}", finding.message));
    }
    all
}
