//! The rows on which the profiles differ. Two dialects that move together or apart show here.

use robots_conformance::{Suite, matrix};

#[test]
fn the_profiles_differ_where_they_did() {
    let shown = matrix(&Suite::load(&Suite::folder()));
    assert!(shown.lines().count() > 1, "no row tells the profiles apart");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("matrix", shown);
    });
}
