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
    /// No large crawler obeys it, so remove the line, and limit requests on the server. For a crawler that does, write the hours as in
    /// `0600-0845`.
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

const HELP: &str = "remove the line; no large crawler obeys it, so limit requests on the server";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::VisitTime, HELP, drafts);
}
