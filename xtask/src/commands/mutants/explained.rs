//! The mutants that no row can notice, as robots-conformance/MUTANTS.md lists them.

use crate::workspace::{root, text};

/// The heading of the section with the list.
const HEADING: &str = "## Missed by the rows, and why";

/// Returns the mutants in the list: the first cell of each row of the table, without line and column.
pub(super) fn read() -> Result<Vec<String>, String> {
    let text = text(&root().join("robots-conformance").join("MUTANTS.md"))?;
    listed(&text).ok_or_else(|| format!("MUTANTS.md has no section `{HEADING}`"))
}

fn listed(text: &str) -> Option<Vec<String>> {
    let section = text.split_once(HEADING)?.1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    Some(cells.map(|(mutant, _)| mutant.replace("\\|", "|")).collect())
}

/// Returns whether a mutant is in the list. Line and column do not count, because they change with the code before it.
pub(super) fn contains(explained: &[String], name: &str) -> bool {
    explained.iter().any(|known| *known == without_place(name))
}

/// Returns `file: change` for `file:line:column: change`.
fn without_place(name: &str) -> String {
    let Some((place, change)) = name.split_once(": ") else { return name.to_owned() };
    format!("{}: {change}", place.split(':').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explained_mutants_are_recognized_without_line_and_column() {
        let text = format!(
            "# M\n\n| `other` | x |\n\n{HEADING}\n\n| mutant | why |\n| --- | --- |\n\
                            | `a/b.rs: replace \\| with ^ in f` | the same |\n\n## Next\n\n| `c` | d |\n"
        );
        let explained = listed(&text).unwrap();
        assert_eq!(explained, ["a/b.rs: replace | with ^ in f"]);
        assert!(contains(&explained, "a/b.rs:12:3: replace | with ^ in f"));
        assert!(!contains(&explained, "a/b.rs:12:3: replace | with & in f"));
        assert_eq!(listed("# M\n"), None);
        assert!(read().is_ok());
    }
}
