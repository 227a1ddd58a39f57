use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::scheme;

lint! {
    code: "doubled-scheme",
    severity: error,
    title: "A URL begins with two schemes",
    check: Record(check),
    /// A URL such as `https://https://example.com/` names a host `https`. Crawlers find nothing there.
    ///
    /// Remove one of the two schemes.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /private
    /// Sitemap: https://https://example.com/sitemap.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Sitemap: https://example.com/?url=https://example.org/
    /// ```
}

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let raw = view.record.raw;
    let Some(first) = scheme(raw.bytes()) else { return };
    let len = first.len() + b"://".len();
    let rest = raw.bytes().get(len..).unwrap_or_default();
    // `https://http://` and `https://https:/`.
    let is_doubled = ["http:", "https:"].iter().any(|second| {
        rest.get(..second.len()).is_some_and(|start| start.eq_ignore_ascii_case(second.as_bytes()))
    });
    if is_doubled {
        let span = Span::new(raw.span().start(), raw.span().start() + len);
        drafts.add(
            Draft::new(
                view.record.line,
                raw.span(),
                format!("`{}` begins with two schemes", shown(raw.bytes())),
            )
            .help("remove one of them; no crawler finds this URL")
            .suggest(span, ""),
        );
    }
}
