//! Lists of inputs as CSV, as spreadsheets write it.

use csv::ByteRecord;

use crate::arguments::{is_url, meant_site};
use crate::table::{self, separator_of};
use crate::text::Text;

/// The names of columns that have sites, in the order in which they are looked for.
const NAMES: [&str; 13] = [
    "site",
    "url",
    "website",
    "domain",
    "host",
    "hostname",
    "origin",
    "robots",
    "robots.txt",
    "homepage",
    "address",
    "webseite",
    "input",
];

/// A cell, and the line of its row, from 1.
pub(super) type Cell = (u64, Option<Vec<u8>>);

/// Returns the cells of the column that has the inputs: the one with this name or number, or else the one that looks like it. A cell
/// is `None` if only it is empty in its row.
pub(super) fn cells(text: &[u8], column: Option<&str>) -> Result<Vec<Cell>, String> {
    let mut reader = table::rows(text, separator_of(text), false);
    let read: Result<Vec<ByteRecord>, _> = reader.byte_records().collect();
    let rows = read.map_err(|error| Text(error.to_string().as_bytes()).to_string())?;
    let Some((head, rest)) = rows.split_first() else { return Ok(Vec::new()) };
    let is_head = |name: &str| head.iter().position(|cell| cell.eq_ignore_ascii_case(name.as_bytes()));
    let names = || {
        let shown: Vec<String> = head.iter().map(|cell| format!("`{}`", Text(cell).short())).collect();
        shown.join(", ")
    };
    let (place, has_head) = match column {
        Some(name) => match (is_head(name), name.parse::<usize>()) {
            (Some(place), _) => (place, true),
            (None, Ok(number)) if (1..=head.len()).contains(&number) => {
                // A first line that has no site is one with names.
                let has_head = head.get(number - 1).is_some_and(|cell| !is_site(cell));
                (number - 1, has_head)
            }
            _ => {
                let name = Text(name.as_bytes());
                return Err(format!("it has no column `{name}`; the first line has {}", names()));
            }
        },
        None => match NAMES.into_iter().find_map(is_head) {
            Some(place) => (place, true),
            None => {
                let place_in = |row: &ByteRecord| row.iter().position(is_site);
                match (place_in(head), rest.first().and_then(place_in)) {
                    (Some(place), _) => (place, false),
                    (None, Some(place)) => (place, true),
                    (None, None) => {
                        return Err(format!(
                            "no column looks like one of sites; the first line has {}; choose one with --column",
                            names()
                        ));
                    }
                }
            }
        },
    };
    let rows = if has_head { rest } else { &rows };
    let cell = |row: &ByteRecord| {
        let line = row.position().map_or(0, csv::Position::line);
        match row.get(place).unwrap_or_default() {
            b"" if row.iter().any(|cell| !cell.is_empty()) => (line, None),
            cell => (line, Some(cell.to_vec())),
        }
    };
    Ok(rows.iter().map(cell).collect())
}

/// Returns whether a cell is the URL or the host of a site.
fn is_site(cell: &[u8]) -> bool {
    let text = core::str::from_utf8(cell).unwrap_or_default();
    is_url(text.as_ref()) || !text.contains(' ') && meant_site(text.as_ref()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, column: Option<&str>) -> Result<Vec<String>, String> {
        let found = cells(text.as_bytes(), column)?;
        Ok(found.into_iter().map(|cell| String::from_utf8(cell.1.unwrap_or_default()).unwrap()).collect())
    }

    #[test]
    fn the_column_of_sites_is_found_or_named() {
        let found = || Ok(vec!["https://acme.example".to_owned(), "b.example".to_owned()]);
        assert_eq!(read("Client;Website\nACME;https://acme.example\nB;b.example\n", None), found());
        assert_eq!(read("ACME,https://acme.example\n\"B, C\",b.example\n", None), found());
        assert_eq!(read("Name\tWhere\nACME\thttps://acme.example\nB\tb.example\n", None), found());
        assert_eq!(read("a,b\nACME,https://acme.example\nB,b.example\n", Some("2")), found());
        assert_eq!(read("n,Live\nACME,https://acme.example\nB,b.example\n", Some("live")), found());
        let failed = read("n,m\na,b\n", None).unwrap_err();
        assert!(failed.contains("`n`, `m`; choose one with --column"), "{failed}");
        let failed = read("n,m\na,b\n", Some("3")).unwrap_err();
        assert_eq!(failed, "it has no column `3`; the first line has `n`, `m`");
    }
}
