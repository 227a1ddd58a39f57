use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::{is_file_url, scheme};
use crate::misspelt::is_one_mistake;
use crate::records::{RecordKind, RecordValue};

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
    let span = record.raw.span();
    if record.kind == RecordKind::Sitemap && is_file_url(record.raw.bytes()) {
        let draft = Draft::new(record.line, span, "this is a file on a disk, which no crawler can read");
        drafts.add(draft.help("write the URL at which visitors reach the file"));
        return;
    }
    if !matches!(record.value, Some(RecordValue::Sitemap(_))) {
        return;
    }
    let usual = |scheme: &[u8]| scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    let misspelt =
        scheme(record.raw.bytes()).filter(|scheme| !usual(scheme) && is_one_mistake(scheme, b"https"));
    if let Some(scheme) = misspelt {
        let scheme = (shown(scheme), Span::new(span.start(), span.start() + scheme.len()));
        drafts.add(
            Draft::new(record.line, span, format!("`{}` is not the scheme of a URL", scheme.0))
                .help("write `https`, or `http` if the site has no https")
                .suggest(scheme.1, "https"),
        );
        return;
    }
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
