//! All rows hold.

use robots_conformance::{Filter, Report, Suite, run};

#[test]
fn every_row_holds_under_every_profile_it_names() {
    let suite = Suite::load(&Suite::folder());
    let outcomes = run(&suite, &Filter::default());
    assert!(!outcomes.is_empty(), "the tables have no rows");
    let report = Report::new(&suite, outcomes, Vec::new(), Vec::new());
    let mut shown = Vec::new();
    report.human(&mut shown).unwrap();
    println!("{}", String::from_utf8_lossy(&shown));
    assert_eq!(report.failed(), 0);
}
