use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::lint::url::scheme;
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "license-not-absolute",
    severity: error,
    title: "A license is not an absolute URL",
    check: Record(check),
    /// The value of a `License` line (Really Simple Licensing) is a full URL, with scheme and host. Crawlers ignore a
    /// path only.
    ///
    /// Write the full URL, such as `https://example.com/license.xml`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// License: /license.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// License: https://example.com/license.xml
    /// ```
}

const HELP: &str = "write the full URL of the license, such as `https://example.com/license.xml`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::License, HELP, drafts);
    // Browsers accept some URLs without `//`.
    if matches!(view.record.value, Some(RecordValue::License(_))) && scheme(view.record.raw.bytes()).is_none()
    {
        drafts.add(view.not_absolute(HELP));
    }
}
