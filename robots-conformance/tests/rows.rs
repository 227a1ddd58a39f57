//! All rows hold, and every knob of every profile has a witness: a row that fails when the knob gets another value.

use robots_conformance::{Filter, Report, Suite, run, unnoticed, unnoticed_entries};

#[test]
fn every_row_holds_under_every_profile_it_names() {
    let suite = Suite::own();
    // The rows of a table that can't be read would be missing.
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let outcomes = run(suite, &Filter::default());
    assert!(!outcomes.is_empty(), "the tables have no rows");
    let report = Report::new(suite, outcomes, Vec::new(), Vec::new());
    let mut shown = Vec::new();
    report.human(&mut shown).unwrap();
    println!("{}", String::from_utf8_lossy(&shown));
    assert_eq!(report.failed(), 0);
}

#[test]
fn every_change_of_a_policy_field_fails_a_row() {
    let found: Vec<String> = unnoticed(Suite::own()).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_entry_of_a_list_of_a_policy_for_pages_has_a_row() {
    let found = unnoticed_entries(Suite::own());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
