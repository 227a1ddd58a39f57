use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::url::scheme;
use crate::records::RecordKind;

lint! {
    code: "sitemap-pattern",
    severity: error,
    title: "A sitemap is written as a pattern",
    check: Record(check),
    /// `*` and `$` are special only in patterns of rules. A sitemap line has the URL of one file, so crawlers ask for a file with a
    /// star in its name.
    ///
    /// This concerns all crawlers that read sitemaps. Write one line for each sitemap, or the URL of a sitemap index.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: https://example.com/sitemap-*.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap_index.xml
    /// ```
}

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let raw = view.record.raw;
    // `[` also begins an address of the Internet Protocol.
    let path = raw.bytes().splitn(4, |&byte| byte == b'/').nth(3).unwrap_or_default();
    let is_pattern = raw.bytes().contains(&b'*')
        || raw.bytes().ends_with(b"$")
        || path.contains(&b'{')
        || memchr::memmem::find(path, b"[")
            .is_some_and(|at| path.get(at..).is_some_and(|rest| rest.contains(&b'-')))
        || memchr::memmem::find(path, b"%d")
            .is_some_and(|at| !path.get(at + 2).is_some_and(u8::is_ascii_hexdigit));
    // A value that is not a URL, as `https:/*example.com/`, has another finding.
    if view.record.kind == RecordKind::Sitemap && is_pattern && scheme(raw.bytes()).is_some() {
        let message = "a sitemap line has a URL, in which `*`, `$`, brackets and `%d` are not special";
        drafts.add(
            Draft::new(view.record.line, raw.span(), message)
                .help("write one line for each sitemap, or the URL of a sitemap index"),
        );
    }
}
