use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Bytes;

lint! {
    code: "utf-16",
    severity: error,
    title: "The file is in UTF-16",
    check: Bytes(check),
    /// A robots.txt file must be UTF-8 (RFC 9309, section 2.2). In UTF-16 every second byte of English text is zero,
    /// so crawlers find no rules and treat everything as allowed. UTF-32 is reported, too. Some editors save text as UTF-16 by default.
    ///
    /// Save the file as UTF-8.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// \xFF\xFEU\x00s\x00e\x00r\x00
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    if let Some(encoding) = bytes.wide {
        let help =
            format!("save the file as UTF-8; in {encoding} crawlers find no rules, so everything is allowed");
        drafts.add(Draft::new(1, Span::new(0, 2), format!("the file is in {encoding}")).help(help));
    }
}
