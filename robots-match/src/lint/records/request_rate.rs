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
    /// Write the rate in this form, such as `1/10s` or `10/1m 0600-0845`.
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

const HELP: &str = "write a number of requests, a slash and a time, as in `1/10s`; hours may follow, as in `1/10s 0600-0845`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::RequestRate, HELP, drafts);
}
