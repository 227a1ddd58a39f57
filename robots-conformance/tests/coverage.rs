//! What the files of statements and tables have to be, whatever the stack does with the rows.

use std::fs;
use std::path::Path;

use robots_conformance::{Profile, Suite, coverage, dialects};

#[test]
fn statements_readings_tables_and_exceptions_hold_together() {
    let suite = Suite::load(&Suite::folder());
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for (document, _) in Profile::NAMED {
        assert!(suite.statements.iter().any(|statement| statement.document() == document), "{document}");
        assert!(suite.tables.iter().any(|table| table.document == document), "{document}");
    }
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
