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

/// Returns whether a mutant is in the list, or its function. Line and column do not count, because they change with the code
/// before it.
pub(super) fn contains(explained: &[String], name: &str) -> bool {
    let mutant = without_place(name);
    let function = function(&mutant);
    explained.iter().any(|known| *known == mutant || Some(&**known) == function.as_deref())
}

/// Returns `file: function` for `file: replace function -> ...` and `file: ... in function`.
fn function(mutant: &str) -> Option<String> {
    let (file, change) = mutant.split_once(": ")?;
    let function = match change.rsplit_once(" in ") {
        Some((_, function)) => function,
        None => {
            let whole = change.strip_prefix("replace ")?;
            let end = whole.find(" -> ").or_else(|| whole.find(" with "))?;
            whole.get(..end)?
        }
    };
    Some(format!("{file}: {function}"))
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
        // A function stands for all its mutants.
        let explained = ["a/b.rs: A<'_>::f".to_owned()];
        for name in
            ["a/b.rs:1:9: replace A<'_>::f -> bool with true", "a/b.rs:2:3: replace == with != in A<'_>::f"]
        {
            assert!(contains(&explained, name), "{name}");
        }
        for name in ["a/b.rs:1:9: replace A<'_>::fg -> bool with true", "a/c.rs:2:3: delete ! in A<'_>::f"] {
            assert!(!contains(&explained, name), "{name}");
        }
        assert_eq!(listed("# M\n"), None);
        assert!(read().is_ok());
    }
}
