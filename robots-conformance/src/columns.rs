//! Text in columns.

/// Aligns cells in columns: the first column to the left, the others to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    in_columns(rows, |column| column > 0)
}

/// Aligns cells in columns, all to the left, without spaces at the ends of lines.
pub(crate) fn left(rows: &[Vec<String>]) -> Vec<String> {
    in_columns(rows, |_| false)
}

fn in_columns(rows: &[Vec<String>], is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let cell = |(column, (cell, &width)): (usize, (&String, &usize))| {
        if is_right(column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let lines = [vec!["a".to_owned(), "bb".to_owned()], vec!["ccc".to_owned(), "d".to_owned()]];
        assert_eq!(aligned(&lines), ["a    bb", "ccc   d"]);
    }
}
