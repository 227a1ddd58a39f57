//! Rows of cells: as columns for people, and as CSV.

use core::fmt::Write as _;

use clap::Args;

use crate::arguments::OneOf;
use crate::failure::{Failure, Result, reason};
use crate::text::Text;

/// The width in characters after which a cell is not padded.
const WIDEST: usize = 48;

/// Returns rows as columns that are as wide as their cells, the last one as long as it is.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    // Whatever is in a cell, a row stays one line.
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| Text(cell.as_bytes()).to_string()).collect()).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(WIDEST));
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            // Writing to a string can't fail.
            let _ = write!(line, "{cell:<width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// How CSV is written, so that a spreadsheet opens it.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CsvArguments {
    /// What separates the cells of CSV: comma, semicolon or tab. Spreadsheets of many countries, such as Germany and France, expect
    /// semicolons [default: comma]
    #[arg(long, value_name = "NAME", value_parser = separators(), hide_possible_values = true)]
    separator: Option<u8>,

    /// Begin CSV with a byte order mark, by which Excel recognizes UTF-8
    #[arg(long)]
    bom: bool,
}

fn separators() -> OneOf<u8> {
    OneOf::new([("comma", b','), ("semicolon", b';'), ("tab", b'\t')])
}

impl CsvArguments {
    /// Returns what is before the first row.
    pub(crate) const fn start(&self) -> &'static str {
        if self.bom { "\u{FEFF}" } else { "" }
    }

    /// Returns rows as CSV (RFC 4180), with the chosen separator.
    pub(crate) fn rows(&self, rows: &[Vec<String>]) -> Result<String> {
        separated(rows, self.separator.unwrap_or(b','))
    }
}

/// Returns what separates the cells of a text that a spreadsheet has written: the most frequent one in the first line of comma,
/// semicolon and tab.
pub(crate) fn separator_of(text: &[u8]) -> u8 {
    let head = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let separators = [b',', b';', b'\t'].into_iter();
    // Of several with the same number, the last one would be taken.
    let count = |separator: u8| head.iter().filter(|&&byte| byte == separator).count();
    separators.max_by_key(|&separator| (count(separator), separator == b',')).unwrap_or(b',')
}

/// Returns rows as CSV (RFC 4180).
pub(crate) fn csv(rows: &[Vec<String>]) -> Result<String> {
    separated(rows, b',')
}

fn separated(rows: &[Vec<String>], separator: u8) -> Result<String> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    let failed = |why: &str| Failure::new(format!("can't write CSV: {why}"));
    for row in rows {
        writer
            .write_record(row.iter().map(|cell| plain(cell)))
            .map_err(|error| failed(&error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&reason(error.error())))?;
    String::from_utf8(bytes).map_err(|_| failed("the cells are not UTF-8"))
}

/// Returns a cell that no spreadsheet takes for a formula.
fn plain(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() }
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
        assert_eq!(columns(&rows), expected);
    }

    #[test]
    fn no_cell_of_csv_is_a_formula() {
        let rows =
            [row(&["=1+1", "+1", "-1", "@x", "\tx", "\rx"]), row(&["a,b", "a\"b", "", "a=1", "'", " "])];
        let expected = "'=1+1,'+1,'-1,'@x,'\tx,\"'\rx\"\r\n\"a,b\",\"a\"\"b\",,a=1,', \r\n";
        assert_eq!(csv(&rows).unwrap(), expected);
    }
}
