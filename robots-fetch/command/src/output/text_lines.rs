//! Text for people, line by line.

use core::fmt::{self, Display, Write as _};

use super::{Printable, Style};
use crate::text::Text;

/// The width in characters after which a cell is not padded.
const WIDEST: usize = 48;

/// TextLines of text. Whatever a line contains, it stays one line: line ends and other hidden characters in it are escaped, except the
/// colours of [`Style::paint`].
#[derive(Debug, Default)]
pub(crate) struct TextLines(String);

impl TextLines {
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    /// Returns one line.
    pub(crate) fn one(line: impl Display) -> Self {
        let mut lines = Self::new();
        lines.add(line);
        lines
    }

    /// Returns text of this program, such as a page of help, as it is.
    pub(crate) fn of_program(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns what a library has drawn from text in which nothing is hidden, such as a [`View`](crate::text_view::View) of a file.
    pub(crate) fn drawn(text: &str) -> Self {
        Self(format!("{text}\n"))
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, line: impl Display) {
        // Writing to a string can't fail.
        let _ = write!(Line(&mut self.0), "{line}");
        self.0.push('\n');
    }

    /// Adds a line without text.
    pub(crate) fn add_blank(&mut self) {
        self.0.push('\n');
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.0.push_str(&other.0);
    }

    /// Adds rows as columns that are as wide as their cells, the last one as long as it is.
    pub(crate) fn add_columns(&mut self, rows: &[Vec<String>]) {
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| Text(cell.as_bytes()).to_string()).collect())
            .collect();
        let mut widths: Vec<usize> = Vec::new();
        for row in &rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count().min(WIDEST));
            }
        }
        for row in &rows {
            let mut line = String::new();
            for (cell, &width) in row.iter().zip(&widths) {
                let _ = write!(line, "{cell:<width$}  ");
            }
            self.add(line.trim_end());
        }
    }
}

impl From<TextLines> for Printable {
    fn from(lines: TextLines) -> Self {
        Self::new(lines.0)
    }
}

/// The end of a text to which one line is added.
struct Line<'t>(&'t mut String);

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_style = text.starts_with('\u{1B}')
            && Style::ALL
                .map(Style::ansi)
                .iter()
                .any(|style| text == style.render().to_string() || text == style.render_reset().to_string());
        if is_style {
            self.0.push_str(text);
            return Ok(());
        }
        write!(self.0, "{}", Text(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn columns_are_aligned() {
        let long = "x".repeat(WIDEST + 4);
        let rows = [row(&["a", "b", "c"]), row(&["long", "", "d e"]), row(&[&long, "y"])];
        let width = WIDEST;
        let expected = format!("{:<width$}  b  c\n{:<width$}     d e\n{long}  y\n", "a", "long");
        let mut lines = TextLines::new();
        lines.add_columns(&rows);
        assert_eq!(lines.0, expected);
    }

    #[test]
    fn a_value_adds_no_line_and_no_colour() {
        let mut lines = TextLines::new();
        lines.add(format_args!("{}: {}", Style::Note.paint("a\nb"), "c\r\n\u{1B}[31md\u{2028}"));
        lines.add_columns(&[row(&["e\nf"])]);
        let shown = anstream::adapter::strip_str(&lines.0).to_string();
        assert_eq!(shown, "a\\u{a}b: c\\u{d}\\u{a}\\u{1b}[31md\\u{2028}\ne\\u{a}f\n");
        assert_eq!(
            lines.0.matches('\u{1B}').count(),
            Style::Note.ansi().render().to_string().matches('\u{1B}').count() + 1
        );
    }
}
