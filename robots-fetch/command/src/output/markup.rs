//! HTML and XML, and pages of HTML that contain everything they need.

use alloc::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::Printable;
use crate::text::begins_old_command;

/// The style of all pages: readable from 390 pixels of width on, in light and dark, and printed.
const STYLE: &str = include_str!("html.css");

/// The beginning of all pages, with a policy that allows no request, and no script without its hash.
const HEAD: &str = include_str!("head.html");

/// A part of a document of HTML or XML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markup(String);

/// Makes [`Markup`] of a text of this program, whose `{}` are replaced by values. Values that are not markup are escaped, so they can
/// be in elements and in quoted attributes. A variable can't be named in the text: it would not be escaped.
macro_rules! markup {
    ($text:literal $(, $value:expr)* $(,)?) => {
        $crate::output::Markup::of_parts(
            ::core::format_args!(::core::concat!($text) $(, $crate::output::markup::Value::markup(&$value))*),
        )
    };
}
pub(crate) use markup;

impl Markup {
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    /// Only [`markup!`] calls this.
    pub(crate) fn of_parts(parts: core::fmt::Arguments<'_>) -> Self {
        Self(parts.to_string())
    }

    pub(crate) fn append(&mut self, other: impl Into<Self>) {
        self.0.push_str(&other.into().0);
    }
}

impl From<Markup> for Printable {
    fn from(markup: Markup) -> Self {
        Self::new(markup.0)
    }
}

impl FromIterator<Self> for Markup {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }
}

/// What [`markup!`] puts into a text.
pub(crate) trait Value {
    fn markup(&self) -> Cow<'_, str>;
}

impl Value for Markup {
    fn markup(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl Value for str {
    fn markup(&self) -> Cow<'_, str> {
        Cow::Owned(escaped(self))
    }
}

impl Value for String {
    fn markup(&self) -> Cow<'_, str> {
        (**self).markup()
    }
}

impl<T: Value + ?Sized> Value for &T {
    fn markup(&self) -> Cow<'_, str> {
        (**self).markup()
    }
}

impl Value for usize {
    fn markup(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl Value for u64 {
    fn markup(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl Value for f64 {
    fn markup(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

/// Returns a page without a script.
pub(crate) fn page(title: &str, body: &Markup) -> Markup {
    let page = head(title, "", STYLE);
    Markup(format!("{page}{}</main>\n</body>\n</html>\n", body.0))
}

/// Returns a page with a style and a script of its own. The policy of the page allows this script only, by its hash.
pub(crate) fn page_with_script(
    title: &str,
    body: &Markup,
    style: &'static str,
    script: &'static str,
) -> Markup {
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    let page = head(title, &format!("; script-src 'sha256-{hash}'"), &format!("{STYLE}{style}"));
    Markup(format!("{page}{}</main>\n<script>{script}</script>\n</body>\n</html>\n", body.0))
}

/// Returns the beginning of a page. The title comes last: what it contains is not replaced.
fn head(title: &str, script: &str, style: &str) -> String {
    HEAD.replace("{script}", script).replace("{style}", style).replace("{title}", &escaped(title))
}

/// Returns a table with a caption. A cell of the first column is the heading of its row. On a narrow screen, each row
/// becomes a list in which the heading of its column is before each cell.
pub(crate) fn table<'r>(
    caption: &str,
    head: &[&str],
    rows: impl IntoIterator<Item = &'r Vec<String>>,
) -> Markup {
    let mut html = markup!("<table>\n<caption>{}</caption>\n<thead><tr>", caption);
    for cell in head {
        html.append(markup!("<th scope=\"col\">{}</th>", cell));
    }
    html.append(markup!("</tr></thead>\n<tbody>\n"));
    for row in rows {
        html.append(markup!("<tr>"));
        for (index, (cell, column)) in row.iter().zip(head).enumerate() {
            let class = match cell {
                cell if has_long_word(cell) => markup!(" class=\"long\""),
                cell if is_short_word(cell) => markup!(" class=\"word\""),
                _ => Markup::new(),
            };
            html.append(match index {
                0 => markup!("<th scope=\"row\" data-column=\"{}\"{}>{}</th>", column, class, cell),
                _ => markup!("<td data-column=\"{}\"{}>{}</td>", column, class, cell),
            });
        }
        html.append(markup!("</tr>\n"));
    }
    html.append(markup!("</tbody>\n</table>\n"));
    html
}

/// The characters of the longest word that a cell holds without a break. Seven columns of such words fit into a page.
const LONGEST_WORD: usize = 24;

/// Returns whether a cell has a word that may be broken anywhere. Other words are not broken, however narrow their column gets.
fn has_long_word(cell: &str) -> bool {
    cell.split([' ', '-']).any(|word| word.chars().nth(LONGEST_WORD).is_some())
}

/// Returns whether a cell is one word that has hyphens, at which it is not to be broken: a time, or the name of a crawler.
fn is_short_word(cell: &str) -> bool {
    cell.contains('-') && !cell.contains(' ') && cell.chars().nth(LONGEST_WORD).is_none()
}

/// Returns text that HTML shows as it is, in elements and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '[' if begins_old_command(&html) => html.push_str("&#91;"),
            _ => html.push(char),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_are_broken() {
        let url = "https://www.example.com/a-very-long-name".to_owned();
        let html =
            table("", &["Site", "What"], [&vec![url, "critical, since 2026-11-28T13:36:57Z".to_owned()]]).0;
        assert!(html.contains("data-column=\"Site\" class=\"long\">https://"), "{html}");
        assert!(html.contains("data-column=\"What\">critical"), "{html}");
        let words = vec!["2026-11-28T13:36:57Z".to_owned(), "line 2".to_owned()];
        let html = table("", &["Time", "What"], [&words]).0;
        assert!(html.contains("data-column=\"Time\" class=\"word\">2026-11-28T13:36:57Z"), "{html}");
        assert!(html.contains("data-column=\"What\">line 2"), "{html}");
    }

    #[test]
    fn text_is_escaped_everywhere() {
        let hostile = "</title><script>'\"&".to_owned();
        let html = page(&hostile, &table(&hostile, &[&hostile], [&vec![hostile.clone()]])).0;
        assert!(!html.contains("<script") && !html.contains("'\"&"));
        assert_eq!(html.matches("&lt;/title&gt;&lt;script&gt;&#39;&quot;&amp;").count(), 5);
        assert!(page("{style}", &Markup::new()).0.contains("<title>{style}</title>"));
    }
}
