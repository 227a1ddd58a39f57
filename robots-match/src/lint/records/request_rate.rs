use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

lint! {
    code: "request-rate",
    severity: warning,
    title: "A request rate is not valid",
    check: Record(check),
    /// `Request-rate` limits how many requests a crawler makes in a given time: a number, a slash and a number of
    /// seconds. The letters `m`, `h` or `d` after the second number mean minutes, hours or days, and a range of hours
    /// may follow. Crawlers that obey `Request-rate` ignore any other value.
    ///
    /// No large crawler obeys it, so remove the line, and limit requests on the server. For a crawler that does, the form is that of
    /// `1/10s` and `10/1m 0600-0845`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Request-rate: 10 per minute
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Request-rate: 10/1m 0600-0845
    /// ```
}

const HELP: &str = "remove the line; no large crawler obeys it, so limit requests on the server";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::RequestRate, HELP, drafts);
}
