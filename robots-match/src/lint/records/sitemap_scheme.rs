//! A sitemap has a scheme that crawlers do not fetch.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::scheme;
use crate::records::RecordValue;

pub(crate) const LINT: Declaration = Declaration {
    code: "sitemap-scheme",
    severity: Severity::Warning,
    title: "A sitemap has a scheme that crawlers do not fetch",
    check: Check::Record(check),
};

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
