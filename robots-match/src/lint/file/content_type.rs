use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Bytes;
use crate::lint::text::shown;

lint! {
    code: "content-type",
    severity: warning,
    title: "The file is not served as plain text",
    check: Bytes(check),
    /// A robots.txt file is served as `text/plain` (RFC 9309, section 2.3). Crawlers that check the content type may
    /// ignore a file that is served as something else.
    ///
    /// Configure the server to send `Content-Type: text/plain; charset=utf-8` for `/robots.txt`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found (content-type=text/html)
    /// User-agent: *
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean (content-type=text/plain;charset=utf-8)
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    let Some(served) = bytes.facts.content_type else { return };
    let kind = served.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("text/plain") {
        let message = format!("the file is served as `{}`", shown(kind.as_bytes()));
        drafts.add(
            Draft::new(1, Span::new(0, 0), message).help("serve it as `text/plain` (RFC 9309, section 2.3)"),
        );
    }
}
