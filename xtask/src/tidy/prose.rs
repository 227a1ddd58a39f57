//! The text of a file that a person reads, without code.

use super::source::{Kind, pieces};

/// A run of text. Paragraphs end with a line feed; lines within a paragraph are joined by a space.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    pub(crate) text: String,
    /// Whether the text documents an item of Rust.
    pub(crate) is_documentation: bool,
    /// For each line of the file: the offset in `text` where it starts, and its number from 1.
    lines: Vec<(usize, usize)>,
}

impl Prose {
    /// Returns the line of the file, from 1, that the byte at `offset` of the text is from.
    pub(crate) fn line(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        self.lines.get(after.saturating_sub(1)).map_or(0, |(_, line)| *line)
    }

    fn push(&mut self, line: usize, text: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.lines.push((self.text.len(), line));
        self.text.push_str(text);
    }

    fn end_paragraph(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// Returns the prose of a file whose name has a known extension; `None` for other files, such as JSON.
pub(crate) fn prose(name: &str, text: &str) -> Option<Vec<Prose>> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "rs" => Some(of_rust(name, text)),
        "md" => Some(vec![markdown((1..).zip(text.lines()))]),
        "toml" | "yml" | "yaml" => Some(vec![markdown((1..).zip(text.lines()).filter_map(comment_of_toml))]),
        "py" | "js" | "html" | "css" => Some(vec![markdown((1..).zip(text.lines()))]),
        _ => None,
    }
}

/// Returns the comment of a line of TOML or YAML, or the description of a package.
fn comment_of_toml((number, line): (usize, &str)) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let comment = line
        .strip_prefix('#')
        .or_else(|| line.split_once(" # ").map(|(_, comment)| comment))
        .or_else(|| line.strip_prefix("description = "))?;
    Some((number, comment))
}

/// Returns the comments of a Rust file, and its strings outside of tests.
fn of_rust(name: &str, text: &str) -> Vec<Prose> {
    let mut found: Vec<Prose> = Vec::new();
    let mut block: Vec<(usize, &str)> = Vec::new();
    let mut block_is_documentation = false;
    let mut is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
    let mut finish = |block: &mut Vec<(usize, &str)>, is_documentation: bool| {
        if !block.is_empty() {
            found.push(Prose { is_documentation, ..markdown(block.drain(..)) });
        }
    };
    let mut strings = Vec::new();
    for piece in pieces(text) {
        match piece.kind {
            Kind::Code => is_test |= piece.text.contains("#[cfg(test)]"),
            Kind::Text if !is_test && piece.text.trim().contains(' ') => {
                strings.push(message(piece.line, piece.text));
            }
            Kind::Text => {}
            Kind::Comment => {
                let is_documentation =
                    ["///", "//!", "/**", "/*!"].iter().any(|mark| piece.text.starts_with(mark));
                let follows = block.last().is_some_and(|(line, _)| line + 1 == piece.line);
                if !follows || is_documentation != block_is_documentation {
                    finish(&mut block, block_is_documentation);
                }
                block_is_documentation = is_documentation;
                for (line, text) in (piece.line..).zip(piece.text.lines()) {
                    let text = text.trim_start().trim_start_matches(['/', '!']);
                    let text = text.strip_prefix('*').unwrap_or(text).trim_end_matches("*/");
                    block.push((line, text));
                }
            }
        }
    }
    finish(&mut block, block_is_documentation);
    found.extend(strings);
    found
}

/// Returns the prose of a string literal. Values to be formatted in are left out.
fn message(line: usize, literal: &str) -> Prose {
    let mut prose = Prose::default();
    for (line, text) in (line..).zip(literal.lines()) {
        let continues = text.ends_with('\\');
        for (at, part) in text.trim_end_matches('\\').split("\\n").enumerate() {
            if at > 0 {
                prose.end_paragraph();
            }
            prose.push(line, &without(part.trim(), '{', '}', "{}"));
        }
        if !continues {
            prose.end_paragraph();
        }
    }
    prose
}

/// Returns the paragraphs of lines of Markdown, without code and quotations.
fn markdown<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Prose {
    let mut prose = Prose::default();
    let mut is_code = false;
    for (number, line) in lines {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
            prose.end_paragraph();
            continue;
        }
        if is_code {
            continue;
        }
        let starts = |marks: &[char]| line.starts_with(marks);
        if line.is_empty()
            || starts(&['#', '-', '*', '|', '>', '+'])
            || line.starts_with(|c: char| c.is_ascii_digit())
        {
            prose.end_paragraph();
        }
        if !line.is_empty() && !starts(&['>']) {
            prose.push(number, line);
        }
        if starts(&['#', '|']) {
            prose.end_paragraph();
        }
    }
    prose.end_paragraph();
    // Code and quotations may go on over a line's end, so they are blanked out here, with the same length.
    let paragraphs = prose.text.split_inclusive('\n');
    let plain = paragraphs.map(|text| masked(&masked(text, '`', '`'), '"', '"')).collect::<String>();
    prose.text = masked(&plain, '\u{201C}', '\u{201D}');
    prose
}

/// Replaces what is between two marks, and keeps the length in bytes. A mark without its partner stays.
fn masked(text: &str, open: char, close: char) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((inside, after)) = after.split_once(close) else { break };
        result.push_str(before);
        result.push(open);
        result.extend(inside.bytes().map(|_| '_'));
        result.push(close);
        rest = after;
    }
    result.push_str(rest);
    result
}

/// Replaces each part between two marks, the marks included.
fn without(text: &str, open: char, close: char, by: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((_, after)) = after.split_once(close) else { break };
        result.push_str(before);
        result.push_str(by);
        rest = after;
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(name: &str, text: &str) -> Vec<String> {
        prose(name, text).unwrap().into_iter().map(|prose| prose.text).collect()
    }

    #[test]
    fn rust_has_comments_and_messages() {
        let code =
            "/// First\n/// second `code` \"quoted\".\nfn told() { say(\"a message {told}\"); }\n// Why.\n";
        assert_eq!(texts("a.rs", code), ["First second `____` \"______\".\n", "Why.\n", "a message {}\n"]);
        let test = "#[cfg(test)]\nmod tests { const A: &str = \"a fixture\"; }\n";
        assert!(texts("a.rs", test).is_empty());
    }

    #[test]
    fn markdown_has_paragraphs_without_code_and_quotations() {
        let text = "# Title\nOne\ntwo\n\n> quoted\n\n```\ncode\n```\n- item\n";
        assert_eq!(texts("a.md", text), ["# Title\nOne two\n- item\n"]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let prose = prose("a.md", "One\ntwo\n\nthree\n").unwrap().remove(0);
        let line = |word: &str| prose.line(prose.text.find(word).unwrap());
        assert_eq!([line("One"), line("two"), line("three")], [1, 2, 4]);
    }

    #[test]
    fn manifests_have_comments_and_a_description() {
        let text = "[a]\n# Why.\nb = 1 # because\ndescription = \"A crate\"\nc = \"d\"\n";
        assert_eq!(texts("a.toml", text), ["Why. because \"_______\"\n"]);
    }
}
