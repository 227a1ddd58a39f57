use alloc::format;
use alloc::string::{String, ToString};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::is_known;
use crate::lint::subject::{KeyFault, KeyProblem, MARK, Residue, is_key, of_joined_files};
use crate::lint::text::shown;

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
    /// Lines of other files, such as the configuration of a server, the code of a program or the marks of a merge conflict, show that
    /// something went wrong when the file was made. Look at the lines around them, too.
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
    let KeyFault::None { text, has_mark } = problem.fault else { return };
    if has_mark {
        let without_mark = text.bytes().strip_prefix(MARK).unwrap_or_default();
        drafts.add(of_joined_files(problem, text.span(), without_mark));
    } else if let Some(residue) = Residue::of(text.bytes()) {
        drafts.add(Draft::new(problem.line, text.span(), residue.says()).help(residue.advice));
    } else {
        let draft = Draft::new(problem.line, text.span(), "not a valid line; crawlers ignore it");
        drafts.add(draft.help(help(text.bytes(), problem)));
    }
}

/// Returns the advice about a line without a key.
fn help(text: &[u8], problem: &KeyProblem<'_>) -> String {
    let key_end = text.iter().position(|byte| !byte.is_ascii_alphabetic() && *byte != b'-');
    let (key, value) = text.split_at_checked(key_end.unwrap_or(text.len())).unwrap_or_default();
    // As in `Disallow -> /private`.
    let arrows = value.iter().take_while(|byte| matches!(byte, b'-' | b'>' | b'=' | b' ' | b'\t')).count();
    let value = value.get(arrows..).unwrap_or_default().trim_ascii();
    let has_sitemap = memchr::memmem::find(&text.to_ascii_lowercase(), b"sitemap").is_some();
    if is_key(key) && !matches!(value.first(), None | Some(b',')) {
        let line = format!("{}: {}", shown(key), shown(value));
        return match problem.closes(&line) {
            Some(extent) => extent.in_place_of_a_line(&format!("`{line}`")),
            None => format!("write a colon after the name: `{line}`"),
        };
    }
    // As in a list: `- /private`.
    let text = match text {
        [b'-' | b'*' | b'+', b' ', rest @ ..] if rest.starts_with(b"/") => rest,
        _ => text,
    };
    let is_path = text.starts_with(b"/") && text.get(1).is_some_and(|byte| *byte != b'/');
    // As in `ExampleBot/1.0`.
    if is_known(text.split(|byte| *byte == b'/').next().unwrap_or_default()) {
        return "write `User-agent:` before it if it is the name of a crawler".to_string();
    }
    if has_sitemap && !text.contains(&b' ') && !text.starts_with(b"<") {
        "write `Sitemap:` and the whole URL, such as `Sitemap: https://example.com/sitemap.xml`".to_string()
    } else if is_path {
        "if it is a rule, begin it with `Disallow:` or `Allow:`; otherwise remove the line".to_string()
    } else if matches!(text.first(), Some(b'<' | b'`' | b'~')) {
        "remove the line: the file is plain text".to_string()
    } else {
        "write a name, a colon and a value, such as `Disallow: /private`, or `#` before a comment".to_string()
    }
}
