use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

lint! {
    code: "host-name",
    severity: note,
    default: off,
    title: "The value of a Host line is not a host name",
    check: Record(check),
    /// `Host` was used to set the preferred host name of a site. Its value is a host name, optionally with a scheme
    /// and a port, but without a path. Each label of the name must be valid (UTS 46), whether it is written in
    /// Unicode or begins with `xn--`. No large crawler obeys the line any more.
    ///
    /// Write only the host name, or remove the line and redirect to the preferred host.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Host: example.com/shop
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Host: www.example.com
    /// ```
}

const HELP: &str = "write the name of the host, such as `www.example.com`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::Host, HELP, drafts);
}
