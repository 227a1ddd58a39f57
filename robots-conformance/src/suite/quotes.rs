//! Comparing the quotes of statements with the texts of the documents.

use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::suite::Suite;
use crate::suite::problem::Problem;
use crate::suite::statement::{Quote, Text};

/// What stands for words that a quote leaves out.
const LEFT_OUT: &str = " [...] ";

/// The result of comparing quotes with texts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Quotes {
    /// How many quotes were found in their text.
    pub found: usize,
    /// How many statements have no quote, because no text of their document is recorded.
    pub unverified: usize,
    /// The texts that are not in the folder. Their quotes were not compared.
    pub absent: Vec<String>,
    /// Quotes that their text does not have, and texts that differ from those recorded.
    pub problems: Vec<Problem>,
}

impl Suite {
    /// Compares the quote of each statement with the texts in `folder`.
    ///
    /// A text is named by the `source` of a file of statements, together with its SHA-256. So the tree records that all
    /// quotes were found in that text, also where the text is absent.
    ///
    /// # Complexity
    ///
    /// One search for each part of a quote: the length of the quotes times that of the texts at worst.
    #[must_use]
    pub fn compare_quotes(&self, folder: &Path) -> Quotes {
        let mut quotes = Quotes::default();
        let mut texts = Vec::new();
        for (document, source) in &self.sources {
            for text in &source.text {
                match fs::read(folder.join(&text.file)) {
                    Ok(bytes) => {
                        let sha256 = hexadecimal(&Sha256::digest(&bytes));
                        if sha256 != text.sha256 {
                            let file = format!("robots-conformance/statements/{document}.toml");
                            let what = format!("{} has the SHA-256 {sha256}, not {}", text.file, text.sha256);
                            quotes.problems.push(Problem::new(&file, 0, what));
                        }
                        texts.push((document, text, compared(&String::from_utf8_lossy(&bytes), text)));
                    }
                    Err(_) => quotes.absent.push(text.file.clone()),
                }
            }
        }
        for statement in &self.statements {
            let Some(quote) = &statement.quote else {
                quotes.unverified += usize::from(
                    self.sources.get(statement.document()).is_some_and(|source| !source.text.is_empty()),
                );
                continue;
            };
            let of_quote = texts.iter().find(|(document, text, _)| {
                *document == statement.document() && text.language == quote.language
            });
            let Some((_, text, compared)) = of_quote else { continue };
            if is_in(quote, text, compared) {
                quotes.found += 1;
            } else {
                let what = format!("{} does not have the quote of `{}`", text.file, statement.id);
                quotes.problems.push(Problem::new(&statement.file, statement.line, what));
            }
        }
        quotes
    }
}

/// Returns whether a text has the parts of a quote, one after the other.
fn is_in(quote: &Quote, text: &Text, compared_text: &str) -> bool {
    let mut rest = compared_text;
    quote.words.split(LEFT_OUT).all(|part| {
        let part = compared(part, text);
        match rest.find(&part) {
            Some(at) if !part.is_empty() => {
                rest = rest.get(at + part.len()..).unwrap_or_default();
                true
            }
            _ => false,
        }
    })
}

/// Returns the characters of a text or quote that are compared: all except white space and what the file adds.
fn compared(words: &str, text: &Text) -> String {
    words
        .lines()
        .filter(|line| !text.skip_lines.iter().any(|start| line.starts_with(start)))
        .flat_map(str::chars)
        .filter(|&character| !character.is_whitespace() && !text.skip.contains(character))
        .collect()
}

/// Returns bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(skip_lines: &[&str], skip: &str) -> Text {
        Text {
            language: "en".to_owned(),
            file: "y.txt".to_owned(),
            sha256: String::new(),
            skip_lines: skip_lines.iter().map(|&line| line.to_owned()).collect(),
            skip: skip.to_owned(),
        }
    }

    fn has(file: &str, words: &str, text: &Text) -> bool {
        let quote = Quote { words: words.to_owned(), language: "en".to_owned() };
        is_in(&quote, text, &compared(file, text))
    }

    #[test]
    fn white_space_pages_and_added_characters_are_not_compared() {
        let file = ">Crawlers MUST obey\n>the user-\n>\nPage 7\n> agent line, and?cache it.";
        let text = text(&["Page "], ">?");
        assert!(has(file, "obey the user-agent line", &text));
        assert!(has(file, "and cache it.", &text));
        assert!(!has(file, "Crawlers must obey", &text));
    }

    #[test]
    fn parts_follow_each_other() {
        let text = text(&[], "");
        assert!(has("one two three", "one [...] three", &text));
        assert!(!has("one two three", "three [...] one", &text));
        assert!(!has("one two three", "one [...] one", &text));
        assert!(!has("one two three", "one [...] ", &text));
    }
}
