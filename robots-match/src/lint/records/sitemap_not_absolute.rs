use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::lint::url::scheme;
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "sitemap-not-absolute",
    severity: error,
    title: "A sitemap is not an absolute URL",
    check: Record(check),
    /// The value of a `Sitemap` line is a full URL, with scheme and host. Few crawlers accept a path only. Each label of the
    /// host must be valid (UTS 46), whether it is written in Unicode or begins with `xn--`.
    ///
    /// Write the full URL, such as `https://example.com/sitemap.xml`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: /sitemap.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

const HELP: &str = "write the full URL of the sitemap, such as `https://example.com/sitemap.xml`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::Sitemap, HELP, drafts);
    // Browsers accept some URLs without `//`.
    if matches!(view.record.value, Some(RecordValue::Sitemap(_))) && scheme(view.record.raw.bytes()).is_none()
    {
        drafts.add(view.not_absolute(HELP));
    }
}
