//! Every knob of every profile has a witness: a row that fails when the knob gets another value.

use robots_conformance::{Suite, unnoticed};

#[test]
fn every_change_of_a_policy_field_fails_a_row() {
    let found: Vec<String> =
        unnoticed(&Suite::load(&Suite::folder())).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
