use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{KeyFault, KeyProblem, of_joined_files};

lint! {
    code: "unreadable-line",
    severity: warning,
    title: "A line is not valid",
    corrects: true,
    check: Key(check),
    /// A valid line is empty, a comment that begins with `#`, or a name, a colon and a value. Crawlers ignore any
    /// other line. Often such a line is a comment without `#`, or a path on its own line below `Disallow:`.
    ///
    /// A comment that begins with a byte order mark (the bytes EF BB BF) is not valid either. Editors write the mark at the start of a
    /// file, and it is within a file if files were joined.
    ///
    /// Write `#` before a comment, remove byte order marks, and put each path after its own `Disallow:` or `Allow:`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow:
    /// /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// # ours
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::None { span, has_mark } = problem.fault else { return };
    if has_mark {
        drafts.add(of_joined_files(problem.line, span));
    } else {
        drafts.add(Draft::new(problem.line, span, "not a valid line; crawlers ignore it").help(
            "write a name, a colon and a value, such as `Disallow: /private`, or `#` before a comment",
        ));
    }
}
