use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::UnknownWord;
use crate::lint::text::shown;

lint! {
    code: "ignore-comment",
    severity: warning,
    title: "A comment for this tool is not understood",
    check: UnknownWord(check),
    /// `# robots-lint: ignore CODE` leaves out the findings of a code in its line, or in the next line that has a key. `# robots-lint: ignore-file CODE` leaves them out in the whole file. Several codes are separated by spaces
    /// or commas. A misspelt code leaves out nothing. Crawlers ignore all comments.
    ///
    /// Write codes as `robots lint --list` prints them.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// # robots-lint: ignore block-all
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// # robots-lint: ignore blocks-all
    /// Disallow: /
    /// ```
}

fn check(unknown: &UnknownWord<'_>, drafts: &mut Drafts<'_>) {
    let word = unknown.word;
    let message = match word.is_empty() {
        true => "the comment names no code".into(),
        false => format!("`{}` is neither a code nor `ignore` or `ignore-file`", shown(word.bytes())),
    };
    drafts.add(
        Draft::new(unknown.line, word.span(), message)
            .help("write `# robots-lint: ignore CODE`; `robots lint --list` lists the codes"),
    );
}
