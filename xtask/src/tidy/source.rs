//! Source files, and the difference between their code, comments and strings.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::workspace::{MEMBERS, folder, text};

/// A source file of a member.
pub(crate) struct Source {
    /// The path from the root, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    #[cfg(test)]
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// Returns the lines of code with their numbers, up to the unit tests at the end. Comments are removed; strings
    /// stay.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| line.trim_start() != "#[cfg(test)]");
        (1..).zip(lines).filter_map(|(number, line)| {
            let code = uncommented(line);
            (!code.trim().is_empty()).then_some((number, code))
        })
    }

    /// Returns the message of a finding in a line.
    pub(crate) fn finding(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.name)
    }

    /// Whether the file is in the folder `src` of one of these members.
    pub(crate) fn is_of(&self, members: &[&str]) -> bool {
        members.iter().any(|member| self.name.starts_with(&format!("{member}/src/")))
    }

    /// Whether the path ends with one of these names.
    pub(crate) fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.ends_with(name))
    }
}

/// The kind of a piece of a Rust file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    /// A comment with its marks: one line of a line comment, or a whole block comment.
    Comment,
    /// The inside of a string literal, as written.
    Text,
}

/// A piece of a Rust file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) kind: Kind,
    /// The line where the piece starts, from 1.
    pub(crate) line: usize,
    pub(crate) text: &'a str,
}

/// Splits a Rust file into code, comments and strings. Character literals are code.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while !rest.is_empty() {
        let (code, kind, inside, after) = next_piece(rest);
        for (kind, text) in [(Kind::Code, code), (kind, inside)] {
            if !text.is_empty() {
                found.push(Piece { kind, line, text });
                line += text.matches('\n').count();
            }
        }
        rest = after;
    }
    found
}

/// Returns the code at the start of `text`, the comment or string after it, and the rest.
fn next_piece(text: &str) -> (&str, Kind, &str, &str) {
    let bytes = text.as_bytes();
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'/' if is(at + 1, b'/') => {
                let end = find_from(text, at, "\n").unwrap_or(text.len());
                return (part(0, at), Kind::Comment, part(at, end), part(end, text.len()));
            }
            b'/' if is(at + 1, b'*') => {
                let end = find_from(text, at + 2, "*/").map_or(text.len(), |end| end + 2);
                return (part(0, at), Kind::Comment, part(at, end), part(end, text.len()));
            }
            b'"' => {
                let before = part(0, at);
                let marks = before.len() - before.trim_end_matches('#').len();
                let is_raw = is_raw(before.trim_end_matches('#'));
                let start = at + 1;
                let end = if is_raw {
                    let close = format!("\"{}", "#".repeat(marks));
                    find_from(text, start, &close).unwrap_or(text.len())
                } else {
                    end_of_string(bytes, start)
                };
                // The quotation mark at the end is code.
                return (part(0, start), Kind::Text, part(start, end), after_quote(text, end));
            }
            b'\'' if is(at + 1, b'\\') => {
                // `'\''` and `'\u{41}'`.
                at = find_from(text, at + 3, "'").map_or(text.len(), |end| end + 1);
            }
            b'\'' => {
                let mut chars = text.get(at + 1..).unwrap_or_default().chars();
                let (char, close) = (chars.next(), chars.next());
                // Otherwise the mark starts a lifetime.
                let length = if close == Some('\'') { char.map_or(0, char::len_utf8) + 1 } else { 0 };
                at += 1 + length;
            }
            _ => at += 1,
        }
    }
    (text, Kind::Code, "", "")
}

fn find_from(text: &str, from: usize, needle: &str) -> Option<usize> {
    text.get(from..)?.find(needle).map(|length| from + length)
}

/// Whether the code before a string literal ends with `r`, `br` or `cr` as a word of its own.
fn is_raw(before: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    matches!(word, "r" | "br" | "cr")
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns what follows the quotation mark at `end`.
fn after_quote(text: &str, end: usize) -> &str {
    text.get(end + 1..).unwrap_or_default()
}

/// Returns a line without its comment. A `//` within a string is not a comment; no string of several lines has
/// one.
pub(crate) fn uncommented(line: &str) -> &str {
    match pieces(line).into_iter().find(|piece| piece.kind == Kind::Comment) {
        Some(comment) => line.get(..line.len() - comment.text.len()).unwrap_or(line),
        None => line,
    }
}

/// Returns the sources of all members, their tests included, without those of other workspaces within a member.
pub(crate) fn sources(root: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in files(root)? {
        let name = relative(root, &path);
        let is_of = |member: &str, inner: &str| name.starts_with(&format!("{}/{inner}/", folder(member)));
        let is_member = MEMBERS
            .iter()
            .any(|member| ["src", "tests", "examples", "benches"].iter().any(|inner| is_of(member, inner)));
        if is_member && path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(Source { text: text(&path)?, name });
        }
    }
    Ok(sources)
}

/// Returns all files except build output and the folder of git.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error: io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            let name = entry.file_name();
            if kind.is_dir() && name != "target" && name != ".git" && name != "node_modules" {
                folders.push(entry.path());
            } else if kind.is_file() && name != ".git" {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the path from the root, with `/`.
pub(crate) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_comments_and_strings_are_distinguished() {
        let text = "let a = \"x // \\\" y\"; // why\nlet b = r#\"a \"b\" c\"#; let c = ('\"', '\\'', 'a');\n/* d\n */ fn e<'a>() {}\n";
        let found: Vec<_> = pieces(text).into_iter().filter(|piece| piece.kind != Kind::Code).collect();
        let expected = [
            (Kind::Text, 1, "x // \\\" y"),
            (Kind::Comment, 1, "// why"),
            (Kind::Text, 2, "a \"b\" c"),
            (Kind::Comment, 3, "/* d\n */"),
        ]
        .map(|(kind, line, text)| Piece { kind, line, text });
        assert_eq!(found, expected);
    }

    #[test]
    fn comments_are_removed_and_strings_stay() {
        assert_eq!(uncommented("let a = \"https://x\"; // why"), "let a = \"https://x\"; ");
        assert_eq!(uncommented("let a = '\"'; // \"why\""), "let a = '\"'; ");
    }
}
