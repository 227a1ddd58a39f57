use alloc::format;

use robots_groups::syntax::{BodyKind, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Bytes;

lint! {
    code: "binary-file",
    severity: error,
    title: "The file is not text",
    check: Bytes(check),
    /// Sites that answer every request sometimes serve an image or compressed bytes at `/robots.txt`. Crawlers find no rules in
    /// such a file, so they may fetch everything.
    ///
    /// Text in older encodings, such as Latin-1 or Shift_JIS, is not a binary file: it has no NUL and hardly any control characters.
    ///
    /// Serve plain text, or answer with status 404 if the site has no rules.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// \x89PNG\x0D\x0A\x1A\x0A\x00\x00\x00\x0DIHDR\x00\x00\x00\x10
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /images/
    /// ```
}

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    let Some(BodyKind::Binary(format)) = bytes.other else { return };
    let help = match format {
        "gzip data" | "Zstandard data" | "compressed data" => {
            "send the header `Content-Encoding` with it, or serve the file without compression; crawlers find no rules in these bytes, so everything is allowed"
        }
        _ => {
            "serve plain text at `/robots.txt`, or status 404 if the site has no rules; crawlers find no rules in this file, so everything is allowed"
        }
    };
    drafts.add(
        Draft::new(1, Span::new(0, bytes.body.len().min(4)), format!("this is {format}, not text"))
            .help(help),
    );
}
