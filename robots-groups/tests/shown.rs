//! The text form of groups.

use robots_groups::{GroupPolicy, Groups};

#[test]
fn a_group_is_written_with_its_agents_and_rules() {
    let file = b"user-agent: a\nuser-agent: *\nallow: /a\ndisallow:\ndisallow: /b\xFF\n";
    let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
    let shown: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
    assert_eq!(shown, ["a *: 3 allow /a, 4 disallow, 5 disallow /b\\xff"]);
}
