use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

lint! {
    code: "visit-time",
    severity: warning,
    title: "A visit time is not valid",
    check: Record(check),
    /// `Visit-time` gives the hours in which requests are welcome: two times of day in UTC, each with four digits,
    /// with a hyphen between them. Crawlers that obey `Visit-time` ignore any other value.
    ///
    /// Write the hours in this form, such as `0600-0845`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Visit-time: 6:00-8:45
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Visit-time: 0600-0845
    /// ```
}

const HELP: &str = "write two times of the day in UTC, as in `0600-0845`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::VisitTime, HELP, drafts);
}
