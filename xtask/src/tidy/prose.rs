//! The text of a file that a person reads, without code.

use super::source::{Kind, pieces};

/// A run of text. Paragraphs end with a line feed; lines within a paragraph are joined by a space.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    pub(crate) text: String,
    /// Whether the text has whole sentences, as comments and documents do, or is the name of a test.
    pub(crate) has_sentences: bool,
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

/// Returns the prose of a file whose name has a known extension; `None` for other files.
pub(crate) fn prose(name: &str, text: &str) -> Option<Vec<Prose>> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "rs" => Some(of_rust(name, text)),
        "md" => Some(vec![markdown((1..).zip(text.lines()))]),
        "toml" | "yml" | "yaml" => Some(of_toml(text)),
        "json" => Some(of_json(text)),
        // The keyword, as in `is None`, is not a word.
        "py" => Some(vec![markdown((1..).zip(text.replace(" None", " `None`").lines()))]),
        "js" | "html" | "css" => Some(vec![markdown((1..).zip(text.lines()))]),
        _ => None,
    }
}

/// Returns the comments of TOML or YAML, what statements say, and the names of rows as words. Text of several lines, such
/// as a robots.txt, is left out.
fn of_toml(text: &str) -> Vec<Prose> {
    let mut comments = Vec::new();
    let mut values = Vec::new();
    let mut end: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let opened = ["'''", "\"\"\""].into_iter().find(|mark| line.matches(mark).count() % 2 == 1);
        if let Some(mark) = end {
            end = end.filter(|_| opened != Some(mark));
            continue;
        }
        end = opened;
        let line = line.trim_start();
        let value = |key: &str| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
        if let Some(says) = ["says", "waived", "because"].into_iter().find_map(value) {
            values.push(message(number, says));
        } else if let Some(name) = value("name") {
            values.push(message(number, &name.replace('-', " ")));
        } else if let Some(comment) = comment_of_toml(line) {
            comments.push((number, comment));
        }
    }
    values.push(markdown(comments.into_iter()));
    values
}

/// Returns the comment of a line of TOML or YAML, or the description of a package.
fn comment_of_toml(line: &str) -> Option<&str> {
    line.strip_prefix('#')
        .or_else(|| line.split_once(" # ").map(|(_, comment)| comment))
        .or_else(|| line.strip_prefix("description = "))
}

/// Returns the descriptions of a JSON schema.
fn of_json(text: &str) -> Vec<Prose> {
    let description = |(number, line): (usize, &str)| {
        let value = line.trim_start().strip_prefix("\"description\": \"")?;
        Some(message(number, value.trim_end_matches([',', '"'])))
    };
    (1..).zip(text.lines()).filter_map(description).collect()
}

/// Names that a person reads in code although they are not sentences: those with one of these words.
const WORDS_OF_NAMES: [&str; 5] = ["nobody", "told", "tell", "tells", "behind"];

/// Returns the names of the tests in a piece of code, as words, and other names that have one of [`WORDS_OF_NAMES`].
fn names(first_line: usize, code: &str, is_after_test: &mut bool) -> Vec<Prose> {
    let mut found = Vec::new();
    for (line, text) in (first_line..).zip(code.lines()) {
        *is_after_test |= text.contains("#[test]") || text.contains("#[tokio::test");
        let test = text.split_once("fn ").filter(|_| *is_after_test).map(|(_, rest)| rest);
        if let Some(rest) = test {
            *is_after_test = false;
            let name = rest.split('(').next().unwrap_or_default().replace('_', " ");
            found.push(Prose { has_sentences: true, ..message(line, &name) });
            continue;
        }
        let words = text.split(|c: char| !c.is_alphanumeric());
        found.extend(words.filter(|word| WORDS_OF_NAMES.contains(word)).map(|word| message(line, word)));
    }
    found
}

/// Returns the comments of a Rust file, its strings outside of tests, and the names of its tests.
fn of_rust(name: &str, text: &str) -> Vec<Prose> {
    let mut found: Vec<Prose> = Vec::new();
    let mut block: Vec<(usize, &str)> = Vec::new();
    let mut block_is_documentation = false;
    let mut is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
    let mut finish = |block: &mut Vec<(usize, &str)>| {
        if !block.is_empty() {
            found.push(markdown(block.drain(..)));
        }
    };
    let mut strings = Vec::new();
    let mut is_after_test = false;
    for piece in pieces(text) {
        match piece.kind {
            Kind::Code => {
                is_test |= piece.text.contains("#[cfg(test)]");
                strings.extend(names(piece.line, piece.text, &mut is_after_test));
            }
            Kind::Text if !is_test && piece.text.trim().contains(' ') => {
                strings.push(message(piece.line, piece.text));
            }
            Kind::Text => {}
            Kind::Comment => {
                let is_documentation =
                    ["///", "//!", "/**", "/*!"].iter().any(|mark| piece.text.starts_with(mark));
                let follows = block.last().is_some_and(|(line, _)| line + 1 == piece.line);
                if !follows || is_documentation != block_is_documentation {
                    finish(&mut block);
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
    finish(&mut block);
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
    let mut prose = Prose { has_sentences: true, ..Prose::default() };
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
        assert_eq!(
            texts("a.rs", code),
            ["First second `____` \"______\".\n", "Why.\n", "told\n", "a message {}\n"]
        );
        let test = "#[cfg(test)]\nmod tests { const A: &str = \"a fixture\"; }\n";
        assert!(texts("a.rs", test).is_empty());
    }

    #[test]
    fn tests_rows_and_statements_have_names_and_texts() {
        let test = "#[test]\nfn a_b_c() { let behind = 1; }\nfn d_e() {}\n";
        assert_eq!(texts("a.rs", test), ["a b c\n"]);
        assert_eq!(texts("a.rs", "let (told, is_it_behind) = (1, 2);\n"), ["told\n", "behind\n"]);
        let table = "# Why.\nname = \"a-b-c\"\nbody = '''\n# not read\n'''\nsays = \"a b\"\n";
        assert_eq!(texts("a.toml", table), ["a b c\n", "a b\n", "Why.\n"]);
    }

    #[test]
    fn markdown_has_paragraphs_without_code_and_quotations() {
        let text = "# Title\nOne\ntwo\n\n> quoted\n\n```\ncode\n```\n- item\n";
        assert_eq!(texts("a.md", text), ["# Title\nOne two\n- item\n"]);
    }

    #[test]
    fn schemas_have_descriptions() {
        let schema = "{\n  \"title\": \"a\",\n  \"description\": \"A b.\",\n}\n";
        assert_eq!(texts("a.json", schema), ["A b.\n"]);
    }

    #[test]
    fn line_numbers_match_the_file() {
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
