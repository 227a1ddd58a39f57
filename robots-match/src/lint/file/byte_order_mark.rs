use robots_groups::syntax::{Lines, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, MARK};
use crate::lint::text::documents;

lint! {
    code: "byte-order-mark",
    severity: warning,
    title: "The file begins with a byte order mark",
    corrects: true,
    check: File(check),
    /// Some editors write the three bytes EF BB BF, a byte order mark, at the start of a file. Crawlers that do not
    /// skip the mark read it as part of the first line. They ignore that line, and if it was a `User-agent` line,
    /// also the rules below it.
    ///
    /// Save the file as UTF-8 without a byte order mark. `robots lint --fix` removes the mark if no rule depends on
    /// it.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// \xEF\xBB\xBFUser-agent: *
    /// Disallow: /private
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
    if !file.body.starts_with(MARK) {
        return;
    }
    let strict = documents(|profile| Lines::new(file.body, &profile.syntax).skipped().is_empty());
    let span = Span::new(0, MARK.len());
    drafts.add(
        Draft::new(1, span, "the file begins with a byte order mark")
            .help("save the file as UTF-8 without a byte order mark; some crawlers read the mark as part of the first line and ignore that line")
            .readers(strict)
            .fix(span, ""),
    );
}
