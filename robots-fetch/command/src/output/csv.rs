//! Comma-separated values (RFC 4180).

use clap::Args;

use super::Printable;
use crate::arguments::OneOf;
use crate::failure::{Failure, Result, reason};

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
    /// Checks that nothing was chosen that another format would ignore.
    pub(crate) fn require(&self, is_csv: bool) -> Result<()> {
        let chosen = [("--separator", self.separator.is_some()), ("--bom", self.bom)];
        match chosen.into_iter().find(|(_, is_chosen)| *is_chosen && !is_csv) {
            Some((option, _)) => {
                Err(Failure::new(format!("`{option}` is only for the format csv; add `--format csv`")))
            }
            None => Ok(()),
        }
    }

    /// Returns what is before the first row.
    pub(crate) const fn start(&self) -> &'static str {
        if self.bom { "\u{FEFF}" } else { "" }
    }

    /// Returns rows as CSV (RFC 4180), with the chosen separator.
    pub(crate) fn rows(&self, rows: &[Vec<String>]) -> Result<Printable> {
        separated(rows, self.separator.unwrap_or(b','))
    }
}

/// Returns rows as CSV (RFC 4180).
pub(crate) fn csv(rows: &[Vec<String>]) -> Result<Printable> {
    separated(rows, b',')
}

fn separated(rows: &[Vec<String>], separator: u8) -> Result<Printable> {
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
    String::from_utf8(bytes).map(Printable::new).map_err(|_| failed("the cells are not UTF-8"))
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
    fn no_cell_of_csv_is_a_formula() {
        let rows =
            [row(&["=1+1", "+1", "-1", "@x", "\tx", "\rx"]), row(&["a,b", "a\"b", "", "a=1", "'", " "])];
        let expected = "'=1+1,'+1,'-1,'@x,'\tx,\"'\rx\"\r\n\"a,b\",\"a\"\"b\",,a=1,', \r\n";
        assert_eq!(csv(&rows).unwrap().into_text(), expected);
    }
}
