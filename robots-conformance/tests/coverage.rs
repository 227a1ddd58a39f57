//! Checks of the files of statements and tables that run no row.

use std::fs;
use std::path::Path;

use robots_conformance::{DOCUMENTS, Suite, coverage, dialects};

#[test]
fn statements_readings_tables_and_exceptions_check_consistency() {
    let suite = Suite::load(&Suite::folder());
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for document in DOCUMENTS {
        assert!(suite.statements.iter().any(|statement| statement.document() == document), "{document}");
        assert!(suite.tables.iter().any(|table| table.document == document), "{document}");
    }
}

#[test]
fn a_lint_needs_a_row_that_has_it_and_one_that_has_it_not() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lints-{}", std::process::id()));
    let folder = root.join("robots-conformance");
    let lints = root.join("robots-match/src/lint/file");
    fs::create_dir_all(folder.join("statements")).unwrap();
    fs::create_dir_all(folder.join("tables")).unwrap();
    fs::create_dir_all(&lints).unwrap();
    let row = |name: &str, cites: &str, findings: &str| {
        format!(
            "[[lint]]\nname = \"{name}\"\ncites = [\"{cites}\"]\nprofiles = [\"rfc9309\"]\nrobots = \"file\"\n\
             findings = [{findings}]\n"
        )
    };
    let head = "[robots]\nfile = ''\n".to_owned();
    let (has, has_not) =
        (row("a", "lint/no-line-end", "'1:1 note no-line-end'"), row("b", "lint/no-line-end", ""));
    let problems = |rows: &[&str], about: &str| -> Vec<String> {
        fs::write(lints.join("no_line_end.toml"), head.clone() + &rows.concat()).unwrap();
        let suite = Suite::load(&folder);
        let of = |problem: &&robots_conformance::Problem| problem.what.contains(about);
        suite.problems.iter().filter(of).map(|problem| problem.what.clone()).collect()
    };
    let about = "cites `lint/no-line-end`";
    assert_eq!(problems(&[&has, &has_not], about), [""; 0]);
    assert_eq!(problems(&[&has], about).len(), 1);
    assert_eq!(problems(&[&has_not], about).len(), 1);
    assert_eq!(problems(&[&has, &row("c", "lint/trailing-star", "")], about).len(), 1);
    // Other lints without rows are reported as well, malformed findings too, and rows of findings cite only lints.
    assert_eq!(problems(&[&has, &has_not], "shows a file that").len() % 2, 0);
    for (row, about) in [
        (row("c", "lint/no-line-end", "'1:1 note no-such-code'"), "does not read"),
        (row("c", "lint/no-line-end", "'0:1 note no-line-end'"), "does not read"),
        (row("c", "lint/nothing", ""), "no statement or reading has the id"),
        (row("c", "rfc9309/2.2-1", ""), "only rows next to lints cite lints"),
    ] {
        assert_eq!(problems(&[&has, &has_not, &row], about).len(), 1, "{about}");
    }
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn generated_documents_are_up_to_date() {
    let suite = Suite::load(&Suite::folder());
    for (name, text) in [("COVERAGE.md", coverage(&suite)), ("DIALECTS.md", dialects(&suite))] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == text,
            "{name} is out of date: run `cargo xtask coverage` and `cargo xtask dialects`"
        );
    }
}
