use alloc::format;

use robots_groups::syntax::{Record, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Lines;
use crate::lint::text::limits;

lint! {
    code: "line-too-long",
    severity: error,
    title: "A line is longer than some crawlers read",
    check: Line(check),
    /// Some crawlers read only a limited number of bytes of a line and use what they have read. A pattern that is cut
    /// off matches more paths than intended.
    ///
    /// Shorten the line. A shorter pattern matches all paths that begin with it.
    ///
    /// In the examples `{text*3}` means `texttexttext`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /{a*17000}
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /{a*1000}
    /// ```
}

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let (content, line) = (lines.line.content(), &lines.line);
    let (span, len) = (content.span(), content.bytes().len());
    for (limit, readers) in limits(|profile| profile.syntax.max_line) {
        if len <= limit || matches!(line.record, Record::Comment) {
            continue;
        }
        let message = format!("some crawlers read only {limit} bytes of a line, and this line has {len}");
        drafts.add(
            Draft::new(line.number, Span::new(span.start() + limit, span.end()), message)
                .help("shorten the line; the rest of it is ignored, which may change its meaning")
                .readers(readers),
        );
    }
}
