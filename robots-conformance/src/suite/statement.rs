//! Statements: the normative sentences of the documents.

use robots_fetch::matching::Document;
use robots_fetch::matching::lint::Lint;
use serde::Deserialize;
use toml::Spanned;

use crate::suite::names::LINT;
use crate::suite::problem::{Problem, line_of};

/// A normative sentence, row of a table, or figure of a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Statement {
    /// `document/section-number`.
    pub id: String,
    /// The section.
    pub section: String,
    /// `MUST`, `MUST NOT`, `SHOULD`, `SHOULD NOT`, `MAY` or nothing; `unverified` if no text of the document is stored.
    pub keyword: String,
    /// A summary.
    pub says: String,
    /// The words of the document, if a text of it is recorded (see [`Source`]).
    pub quote: Option<Quote>,
    /// The part that it concerns: a layer of the implementation, or `crawler` (its operator) or `server`.
    pub layer: String,
    /// The texts that have it, for a document of which several texts exist: language versions, and other sources. Empty for
    /// the other documents.
    pub versions: Vec<String>,
    /// The reason why no row can test it.
    pub waived: Option<String>,
    /// The file that contains it.
    pub file: String,
    /// The line in this file.
    pub line: usize,
}

/// Words of a document, in one of its texts.
///
/// White space is not compared, and ` [...] ` stands for words that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quote {
    /// The words.
    pub words: String,
    /// The language of the text.
    pub language: String,
}

/// Where the quotes of a document come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Source {
    /// The title of the document.
    pub title: String,
    /// Where it is published.
    pub url: String,
    /// The terms under which its sentences are quoted.
    pub terms: String,
    /// The texts that the quotes were compared with. The first is that of quotes without a language. Empty if no text of the
    /// document is stored.
    #[serde(default)]
    pub text: Vec<Text>,
}

/// A text of a document: what `cargo xtask quotes` compares quotes with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Text {
    /// The language, such as `en`.
    pub language: String,
    /// The name of the file that has the text.
    pub file: String,
    /// The SHA-256 of the file in which all quotes were found, in hexadecimal digits.
    pub sha256: String,
    /// How lines begin that are not part of the text, such as the headers of its pages.
    #[serde(default)]
    pub skip_lines: Vec<String>,
    /// Characters that the file has and the document does not. They are not compared.
    #[serde(default)]
    pub skip: String,
}

/// What a file of statements contains.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    pub(crate) source: Option<Source>,
    pub(crate) statements: Vec<Statement>,
}

impl Statement {
    /// Returns the document.
    #[must_use]
    pub fn document(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// Creates the statement of a lint.
    pub(crate) fn of_lint(lint: Lint) -> Self {
        Self {
            id: format!("{LINT}/{lint}"),
            section: lint.severity().name().to_owned(),
            keyword: String::new(),
            says: lint.title().to_owned(),
            quote: None,
            layer: "match".to_owned(),
            versions: Vec::new(),
            waived: None,
            file: "robots-match/src/lint/registry.rs".to_owned(),
            line: 0,
        }
    }

    /// Reads the statements of a file; adds what is wrong to `problems`.
    pub(crate) fn read(file: &str, document: &str, text: &str, problems: &mut Vec<Problem>) -> Statements {
        let written: File = match toml::from_str(text) {
            Ok(written) => written,
            Err(error) => {
                problems.push(Problem::of_toml(file, text, &error));
                return Statements::default();
            }
        };
        let source = written.source;
        let texts = source.as_ref().map_or(&[][..], |source| &source.text);
        let mut statements = Vec::with_capacity(written.statement.len());
        for spanned in written.statement {
            let line = line_of(text, &spanned.span());
            let written = spanned.into_inner();
            let mut wrong = |what: String| problems.push(Problem::new(file, line, what));
            if written.id.split_once('/').is_none_or(|(of, number)| of != document || number.is_empty()) {
                wrong(format!("the id `{}` does not begin with `{document}/`", written.id));
            }
            if !KEYWORDS.contains(&&*written.keyword) {
                wrong(format!("`{}` is not a keyword", written.keyword));
            }
            if !LAYERS.contains(&&*written.layer) {
                wrong(format!("`{}` is not a layer; use one of {}", written.layer, LAYERS.join(", ")));
            }
            if written.says.trim().is_empty() {
                wrong(format!("`{}` has an empty summary", written.id));
            }
            if written.waived.as_ref().is_some_and(|why| why.trim().is_empty()) {
                wrong(format!("`{}` is waived without a reason", written.id));
            }
            let language = written.language.as_deref().or(texts.first().map(|text| &*text.language));
            let quote = match (written.quote, language) {
                (Some(words), Some(language)) if texts.iter().any(|text| text.language == language) => {
                    if words.trim().is_empty() {
                        wrong(format!("`{}` has an empty quote", written.id));
                    }
                    Some(Quote { words, language: language.to_owned() })
                }
                (Some(_), _) => {
                    wrong(format!("`{}` quotes a text that `source` does not name", written.id));
                    None
                }
                (None, _) => None,
            };
            if quote.is_none() && written.language.is_some() {
                wrong(format!("`{}` has a language, but no quote", written.id));
            }
            let (known, default) = versions_of(document);
            for (index, version) in written.versions.iter().flatten().enumerate() {
                if !known.contains(&&**version) {
                    wrong(match known {
                        [] => format!("`{document}` has one version; remove `versions`"),
                        _ => format!("`{version}` is not a version; use some of {}", known.join(", ")),
                    });
                } else if written.versions.iter().flatten().take(index).any(|other| other == version) {
                    wrong(format!("the version `{version}` is named twice"));
                }
            }
            if written.versions.as_ref().is_some_and(Vec::is_empty) {
                wrong(format!("`{}` is in no version", written.id));
            }
            let default = || default.iter().map(|&version| version.to_owned()).collect();
            statements.push(Self {
                id: written.id,
                section: written.section,
                keyword: written.keyword,
                says: written.says,
                quote,
                layer: written.layer,
                versions: written.versions.unwrap_or_else(default),
                waived: written.waived,
                file: file.to_owned(),
                line,
            });
        }
        Statements { source, statements }
    }
}

/// The last one is for documents of which no text is stored: their statements are summaries that nothing was compared with.
const KEYWORDS: [&str; 7] = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "", "unverified"];
const LAYERS: [&str; 6] = ["syntax", "groups", "match", "fetch", "crawler", "server"];

/// The language versions of Google's page. A statement without `versions` is in all of them.
const LANGUAGES: [&str; 3] = ["en", "hi", "th"];
/// These, and the other texts from which statements about Google's crawlers are taken.
const GOOGLE_VERSIONS: [&str; 7] =
    [LANGUAGES[0], LANGUAGES[1], LANGUAGES[2], "older", "later", "crawlers", "parser"];

/// Returns the versions of a document, and those of a statement that names none. The other documents have one version.
fn versions_of(document: &str) -> (&'static [&'static str], &'static [&'static str]) {
    if document == Document::Google.name() { (&GOOGLE_VERSIONS, &LANGUAGES) } else { (&[], &[]) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: Option<Source>,
    #[serde(default)]
    statement: Vec<Spanned<Written>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    section: String,
    keyword: String,
    says: String,
    quote: Option<String>,
    language: Option<String>,
    layer: String,
    versions: Option<Vec<String>>,
    waived: Option<String>,
}

/// A reading: how this project understands an unclear sentence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// `reading/<slug>`.
    pub id: String,
    /// The rest of the heading.
    pub says: String,
    /// The text below the heading.
    pub text: String,
    /// Its line in READINGS.md.
    pub line: usize,
}

impl Reading {
    /// Reads the text of READINGS.md: ids in backticks, in lines that begin with `## `.
    pub(crate) fn read(text: &str) -> Vec<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let headings =
            lines.iter().enumerate().filter_map(|(at, line)| Some((line.strip_prefix("## ")?, at + 1)));
        headings
            .flat_map(|(heading, line)| {
                let is_id = |(index, part): &(usize, &str)| index % 2 == 1 && part.starts_with("reading/");
                let parts = || heading.split('`').enumerate();
                let title: String = parts()
                    .filter(|part| !is_id(part))
                    .map(|(index, part)| if index % 2 == 1 { format!("`{part}`") } else { part.to_owned() })
                    .collect();
                let says = title.trim_matches([' ', ':', '-', '·', '—']).to_owned();
                let below = lines.iter().skip(line).take_while(|line| !line.starts_with('#')).copied();
                let text = below.collect::<Vec<_>>().join("\n").trim().to_owned();
                parts()
                    .filter(is_id)
                    .map(|(_, id)| Self { id: id.to_owned(), says: says.clone(), text: text.clone(), line })
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_a_line() {
        let mut problems = Vec::new();
        let text = "[[statement]]\nid = \"x/1-1\"\nsection = \"1\"\nkeyword = \"SHALL\"\nsays = \"a\"\nlayer = \"syntax\"\n";
        Statement::read("f.toml", "y", text, &mut problems);
        let messages: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            ["f.toml:1: the id `x/1-1` does not begin with `y/`", "f.toml:1: `SHALL` is not a keyword"]
        );
        problems.clear();
        Statement::read("f.toml", "y", "[[statement]]\nid = \"y/1-1\"\nwho = 1\n", &mut problems);
        assert_eq!(problems[0].line, 3);
        assert!(problems[0].what.contains("`who`"));
    }

    #[test]
    fn only_google_statements_have_versions() {
        let read = |document: &str, versions: &str| {
            let text = format!(
                "[[statement]]\nid = \"{document}/1-1\"\nsection = \"1\"\nkeyword = \"\"\nsays = \"a\"\nlayer = \"fetch\"\n{versions}"
            );
            let mut problems = Vec::new();
            let Statements { statements, .. } = Statement::read("f.toml", document, &text, &mut problems);
            let messages: Vec<String> = problems.into_iter().map(|problem| problem.what).collect();
            (statements[0].versions.join(" "), messages.join("; "))
        };
        assert_eq!(read("google", ""), ("en hi th".to_owned(), String::new()));
        assert_eq!(read("google", "versions = [\"th\"]"), ("th".to_owned(), String::new()));
        assert_eq!(read("rfc9309", ""), (String::new(), String::new()));
        for (document, versions, expected) in [
            ("google", "[]", "`google/1-1` is in no version"),
            (
                "google",
                "[\"de\"]",
                "`de` is not a version; use some of en, hi, th, older, later, crawlers, parser",
            ),
            ("google", "[\"en\", \"en\"]", "the version `en` is named twice"),
            ("rfc9309", "[\"en\"]", "`rfc9309` has one version; remove `versions`"),
        ] {
            assert_eq!(read(document, &format!("versions = {versions}")).1, expected);
        }
    }

    #[test]
    fn a_quote_is_of_a_text_of_the_source() {
        let read = |source: &str, quote: &str| {
            let text = format!(
                "{source}[[statement]]\nid = \"y/1-1\"\nsection = \"1\"\nkeyword = \"\"\nsays = \"a\"\nlayer = \"fetch\"\n{quote}"
            );
            let mut problems = Vec::new();
            let read = Statement::read("f.toml", "y", &text, &mut problems);
            let messages: Vec<String> = problems.into_iter().map(|problem| problem.what).collect();
            (read.statements[0].quote.clone(), messages.join("; "))
        };
        let source = "[source]\ntitle = \"Y\"\nurl = \"https://y.test/\"\nterms = \"none\"\n\n\
                      [[source.text]]\nlanguage = \"en\"\nfile = \"y.txt\"\nsha256 = \"00\"\n\n";
        let quote = Quote { words: "words".to_owned(), language: "en".to_owned() };
        assert_eq!(read(source, "quote = \"words\"\n"), (Some(quote), String::new()));
        for (source, quote, expected) in [
            ("", "quote = \"words\"\n", "`y/1-1` quotes a text that `source` does not name"),
            (
                source,
                "quote = \"words\"\nlanguage = \"de\"\n",
                "`y/1-1` quotes a text that `source` does not name; `y/1-1` has a language, but no quote",
            ),
            (source, "language = \"en\"\n", "`y/1-1` has a language, but no quote"),
            (source, "quote = \" \"\n", "`y/1-1` has an empty quote"),
        ] {
            assert_eq!(read(source, quote).1, expected);
        }
    }

    #[test]
    fn headings_are_readings() {
        let text = "# R\n\n## `reading/comma`: a comma in a `value`\nOne.\n\nTwo.\n\n### `reading/no`\n## Other\n## Two `reading/a` `reading/b`\n";
        let found = Reading::read(text);
        let ids: Vec<_> = found.iter().map(|reading| (&*reading.id, &*reading.says, reading.line)).collect();
        assert_eq!(
            ids,
            [
                ("reading/comma", "a comma in a `value`", 3),
                ("reading/a", "Two", 10),
                ("reading/b", "Two", 10)
            ]
        );
        assert_eq!(found.iter().map(|reading| &*reading.text).collect::<Vec<_>>(), ["One.\n\nTwo.", "", ""]);
    }
}
