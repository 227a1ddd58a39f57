//! How groups are shown.

use robots_groups::{Groups, Policy, syntax};

#[test]
fn rules_of_a_group_are_shown_in_a_row() {
    let file = b"user-agent: a\nuser-agent: *\nallow: /a\ndisallow:\ndisallow: /b\xFF\n";
    let groups = Groups::read(file, &syntax::SyntaxPolicy::RFC9309, &Policy::RFC9309);
    let shown: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
    assert_eq!(shown, ["a *: 3 allow /a, 4 disallow, 5 disallow /b\\xff"]);
}
