use alloc::format;
use alloc::vec::Vec;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, Hosted, expression, is_whole};
use crate::lint::text::shown;

lint! {
    code: "unlikely-path",
    severity: warning,
    title: "A pattern matches only paths that hardly any site has",
    check: File(check),
    /// A pattern is compared with the start of the path (RFC 9309, section 2.2.2). So `//admin/` matches only paths that begin with
    /// two slashes, `/.pdf$` only a file whose whole name is `.pdf`, and `/&sort=` only names that begin with `&sort=`. Dots at the end of
    /// a pattern, as in `/private/...`, do not mean "and so on". `%24` is a dollar sign, not the end of the path (section 2.2.3).
    ///
    /// Write one slash at the start. Write `/*` before the end of a name and before a parameter. Write nothing for all paths that
    /// begin like the pattern, and `$` for the end of the path.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /.pdf$
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*.pdf$
    /// ```
}

/// Ends of names of files. Other names that begin with a dot, such as `.git` and `.env`, are names of files themselves.
const ENDS: [&str; 46] = [
    "7z", "asp", "aspx", "avi", "bak", "bmp", "cfm", "cgi", "css", "csv", "doc", "docx", "exe", "gif", "gz",
    "htm", "html", "ico", "inc", "jpeg", "jpg", "js", "jsp", "log", "map", "mov", "mp3", "mp4", "odt", "pdf",
    "php", "pl", "png", "ppt", "pptx", "rar", "svg", "swf", "tar", "txt", "webp", "xls", "xlsx", "xml",
    "xsl", "zip",
];

/// An ellipsis as one character, and percent-encoded.
const ELLIPSES: [&[u8]; 3] = ["\u{2026}".as_bytes(), b"%E2%80%A6", b"..."];

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    for rule in file.rules() {
        let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
        let Some((what, meant)) = meant(bytes) else { continue };
        // These have lints of their own.
        if expression(bytes).is_some() || Hosted::find(bytes, &file.facts.profile.matching).is_some() {
            continue;
        }
        let draft = Draft::new(rule.line(), span, format!("`{}` matches only {what}", shown(bytes)));
        drafts.add(match is_whole(&meant) {
            true => draft.help(format!("write a path; `{}` would be the whole site", shown(&meant))),
            false => {
                draft.help(format!("write `{}`, unless such paths exist", shown(&meant))).suggest(span, meant)
            }
        });
    }
}

/// What a pattern matches that was hardly meant, and the pattern that was.
fn meant(bytes: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    if let Some(start) = ELLIPSES.iter().find_map(|dots| bytes.strip_suffix(*dots)) {
        let start = start.strip_suffix(b"*").unwrap_or(start);
        return start.starts_with(b"/").then(|| ("paths with these dots", start.to_vec()));
    }
    if let Some(start) = bytes.strip_suffix(b"%24").filter(|start| is_end(after_dot(start))) {
        return Some(("names with a dollar sign at their end", [start, b"$"].concat()));
    }
    let rest = bytes.strip_prefix(b"/")?;
    let after = rest.get(1..)?;
    let is_name = after.first().is_some_and(u8::is_ascii_alphanumeric);
    match rest.first()? {
        // `//` and `//*` are written against links with a slash too many.
        b'/' if is_name => Some(("paths that begin with two slashes", rest.to_vec())),
        b'&' if is_name => Some(("names that begin with `&`", [b"/*", rest].concat())),
        b'.' => {
            let end = after.strip_suffix(b"$").unwrap_or(after);
            is_end(end).then(|| ("files whose names begin with this dot", [b"/*", rest].concat()))
        }
        _ => None,
    }
}

fn is_end(end: &[u8]) -> bool {
    ENDS.iter().any(|known| end.eq_ignore_ascii_case(known.as_bytes()))
}

/// What follows the last dot.
fn after_dot(bytes: &[u8]) -> &[u8] {
    memchr::memrchr(b'.', bytes).and_then(|at| bytes.get(at + 1..)).unwrap_or_default()
}
