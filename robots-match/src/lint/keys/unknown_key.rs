use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{KeyFault, KeyProblem, MARK, of_joined_files};
use crate::lint::text::shown;
use crate::misspelt::is_one_mistake;

lint! {
    code: "unknown-key",
    severity: warning,
    title: "The name before the colon is unknown",
    corrects: true,
    check: Key(check),
    /// Crawlers ignore a line whose name they do not know, so the line has no effect. It may be a spelling mistake,
    /// or a name that only one crawler knows.
    ///
    /// Correct the spelling, or remove the line. If the line is only the URL of a sitemap, write `Sitemap:` before it. If the line begins with a byte order mark (the bytes EF BB BF), remove the mark: editors
    /// write it at the start of a file, and it is within a file if files were joined.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Dissalllow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

/// The keys that may have been meant.
const MEANT: [&str; 6] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal"];

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Unknown { key, value, readers, is_for_all } = &problem.fault else { return };
    if key.bytes().starts_with(MARK) {
        drafts.add(of_joined_files(problem.line, key.span()).readers(readers.clone()));
        return;
    }
    let message = if *is_for_all {
        format!("crawlers do not know `{}` and ignore the line", shown(key.bytes()))
    } else {
        format!("some crawlers read `{}`, which they do not know, and ignore the line", shown(key.bytes()))
    };
    let mut draft = Draft::new(problem.line, key.span(), message).readers(readers.clone());
    if let Some(meant) = MEANT.iter().find(|meant| is_one_mistake(key.bytes(), meant.as_bytes())) {
        draft = draft.help(format!("did you mean `{meant}`?")).suggest(key.span(), *meant);
    } else if value.bytes().starts_with(b"/") && !is_http(key.bytes()) {
        // As in `Block: /a`. Which of the two is meant, only the owner knows.
        draft =
            draft.help("if it is a rule, begin it with `Disallow:` or `Allow:`; otherwise remove the line");
    }
    if key.bytes().starts_with(b"<") {
        draft = draft.help("remove the line: the file is plain text, without marks of HTML");
    }
    // As in `Video Sitemap`.
    if key.bytes().len() > 8 && key.bytes().to_ascii_lowercase().ends_with(b" sitemap") {
        draft = draft.help("write `Sitemap`").suggest(key.span(), "Sitemap");
    }
    let start = key.span().start();
    let is_url = is_http(key.bytes()) && value.bytes().starts_with(b"//");
    if is_url && value.span().start() == key.span().end() + 1 {
        draft = match memchr::memmem::find(&value.bytes().to_ascii_lowercase(), b"sitemap") {
            Some(_) => draft.help("write `Sitemap:` before it").suggest(Span::new(start, start), "Sitemap: "),
            None => draft
                .help("write `Sitemap:` before it if it is the URL of a sitemap; otherwise remove the line"),
        };
    }
    drafts.add(draft);
}

fn is_http(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"http") || key.eq_ignore_ascii_case(b"https")
}
