//! Rows of cells: as columns for people, and as CSV.

use core::fmt::Write as _;

use crate::failure::{Failure, Result, reason};

/// The width in characters after which a cell is not padded.
const WIDEST: usize = 36;

/// Returns rows as columns that are as wide as their cells, the last one as long as it is.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(WIDEST));
        }
    }
    let mut text = String::new();
    for row in rows {
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

/// Returns rows as CSV (RFC 4180).
pub(crate) fn csv(rows: &[Vec<String>]) -> Result<String> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
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
