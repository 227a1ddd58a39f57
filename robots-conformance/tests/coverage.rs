//! Checks of the files of statements and tables that run no row.

use std::fs;
use std::path::Path;

use robots_conformance::{DOCUMENTS, Suite, coverage, coverage_summary, dialects};

#[test]
fn statements_readings_tables_and_exceptions_are_consistent() {
    let suite = Suite::own();
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for document in DOCUMENTS {
        assert!(suite.statements.iter().any(|statement| statement.document() == document), "{document}");
        assert!(suite.tables.iter().any(|table| table.document == document), "{document}");
    }
}

#[test]
fn a_lint_needs_a_row_with_the_finding_and_one_without() {
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
        (row("c", "rfc9309/2.2-1", ""), "rows next to lints cite a lint, and other rows cite none"),
    ] {
        assert_eq!(problems(&[&has, &has_not, &row], about).len(), 1, "{about}");
    }
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn generated_documents_are_up_to_date() {
    let suite = Suite::own();
    for (name, text) in [("COVERAGE.md", coverage(suite)), ("DIALECTS.md", dialects(suite))] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == text,
            "{name} is out of date: run `cargo xtask coverage` and `cargo xtask dialects`"
        );
    }
}

#[test]
fn statements_of_google_name_their_source_texts() {
    let suite = Suite::own();
    let of = |version: &str| {
        let has = |versions: &[String]| versions.iter().any(|of| of == version);
        suite.statements.iter().filter(|statement| has(&statement.versions)).count()
    };
    for version in ["en", "hi", "th", "older", "later", "crawlers", "parser"] {
        assert!(of(version) > 0, "{version}");
    }
    for statement in &suite.statements {
        let is_google = statement.document() == "google";
        assert_eq!(statement.versions.is_empty(), !is_google, "{}", statement.id);
        // No version of the page describes the parser beyond the page, and the list of crawlers is a separate page.
        let number = statement.id.strip_prefix("google/").unwrap_or_default();
        for (prefix, version) in [("Q-", "parser"), ("G-CR-", "crawlers")] {
            assert!(!number.starts_with(prefix) || statement.versions == [version], "{}", statement.id);
        }
    }
}

#[test]
fn a_statement_whose_rows_all_set_knobs_is_shown_only_under_a_knob() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("knobs-{}", std::process::id()));
    fs::create_dir_all(root.join("statements")).unwrap();
    fs::create_dir_all(root.join("tables/google")).unwrap();
    let statement = |number: &str, waived: &str| {
        let head = format!("[[statement]]\nid = \"google/{number}\"\nsection = \"G1\"\nkeyword = \"\"\n");
        format!("{head}says = \"says {number}\"\nlayer = \"match\"\n{waived}")
    };
    let statements = [("1", ""), ("2", ""), ("3", ""), ("4", "waived = \"a reason\"\n")];
    let statements = statements.map(|(number, waived)| statement(number, waived)).concat();
    fs::write(root.join("statements/google.toml"), statements).unwrap();
    let row = |name: &str, cites: &str, turn: &str| {
        format!(
            "[[token]]\nname = \"{name}\"\ncites = [{cites}]\nprofiles = [\"google\"]\ntoken = \"a\"\nvalid = true\n{turn}"
        )
    };
    let turn = "turn = [\"groups.first-named-only=yes\"]\n";
    let rows = [row("a", "\"google/1\", \"google/2\"", turn), row("b", "\"google/2\", \"google/3\"", "")];
    fs::write(root.join("tables/google/G1.toml"), rows.concat()).unwrap();
    let suite = Suite::load(&root);
    fs::remove_dir_all(&root).unwrap();
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let text = coverage(&suite);
    assert!(text.contains("| google: text | 4 | 2 | 1 | 1 | 0 | 2 |"), "{text}");
    assert!(text.contains("Only under a knob:\n\n| statement | says | knobs |\n"), "{text}");
    assert!(text.contains("| 1 | says 1 | `groups.first-named-only=yes` |\n"), "{text}");
    assert!(text.contains("- `google/4` (match), says 4. a reason.\n"), "{text}");
    let line = coverage_summary(&suite).lines().find(|line| line.starts_with("google")).unwrap().to_owned();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        ["google:", "text", "4", "2", "1", "1", "0", "2"]
    );
}
