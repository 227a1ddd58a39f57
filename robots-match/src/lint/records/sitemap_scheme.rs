use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::scheme;
use crate::records::RecordValue;

lint! {
    code: "sitemap-scheme",
    severity: warning,
    title: "A sitemap has a scheme that crawlers do not fetch",
    check: Record(check),
    /// Crawlers fetch sitemaps only over http and https. They ignore a sitemap with any other scheme.
    ///
    /// Put the sitemap on a web server, and write its https URL.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: file://server/sitemap.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let record = view.record;
    if !matches!(record.value, Some(RecordValue::Sitemap(_))) {
        return;
    }
    let usual = |scheme: &[u8]| scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    if let Some(scheme) = scheme(record.raw.bytes()).filter(|scheme| !usual(scheme)) {
        drafts.add(
            Draft::new(
                record.line,
                record.raw.span(),
                format!("crawlers do not fetch sitemaps over `{}`", shown(scheme)),
            )
            .help("offer the sitemap over https"),
        );
    }
}
