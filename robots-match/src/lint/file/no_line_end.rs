use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;

lint! {
    code: "no-line-end",
    severity: note,
    default: off,
    title: "The last line has no line end",
    corrects: true,
    check: File(check),
    /// Every line of a robots.txt file ends with a line end (RFC 9309, section 2.2). Nearly all crawlers accept a
    /// last line without one. But text that a program or a content delivery network appends to the file becomes part
    /// of that line.
    ///
    /// Add a line end after the last line.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /private\
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let Some(line) = file.last.filter(|line| line.content().bytes().len() == line.bytes().len()) else {
        return;
    };
    if line.span().end() == file.body.len() {
        let end = Span::new(file.body.len(), file.body.len());
        drafts.add(
            Draft::new(line.number, end, "the last line has no line end")
                .help("add a line end; text that is appended to the file later becomes part of this line")
                .fix(end, file.index.line_end()),
        );
    }
}
