//! The one-pass selector finds what selection among all groups finds.

use robots_groups::syntax::Lines;
use robots_groups::{Crawler, GroupPolicy, Groups, RuleSelector, Selected};

/// All files of up to six of these lines.
fn files() -> Vec<String> {
    const LINES: [&str; 5] = ["user-agent: a\n", "user-agent: b\n", "user-agent: *\n", "allow: /\n", "\n"];
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..6 {
        last = last.iter().flat_map(|file| LINES.map(|line| format!("{file}{line}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn policies() -> [GroupPolicy; 4] {
    let mut first = GroupPolicy::RFC9309;
    (first.first_named_only, first.first_general_only) = (true, true);
    let mut first_general = GroupPolicy::RFC9309;
    first_general.first_general_only = true;
    [GroupPolicy::RFC9309, GroupPolicy::KOSTER_1996, first, first_general]
}

#[test]
fn one_pass_agrees_with_selection() {
    let both = Crawler::with_names(["b", "a"]).unwrap();
    let one = Crawler::new("b").unwrap();
    let crawlers = [both.clone(), both.together(), one.clone(), one.ignoring_wildcard(), Crawler::unnamed()];
    for file in files() {
        let syntax = robots_groups::syntax::SyntaxPolicy::RFC9309;
        for policy in policies() {
            let groups = Groups::parse(file.as_bytes(), &syntax, &policy);
            assert_eq!(groups.is_empty(), groups.iter().count() == 0);
            for crawler in &crawlers {
                let selection = groups.select(crawler);
                let lines = Lines::new(file.as_bytes(), &syntax).of_groups();
                let mut selector = RuleSelector::new(lines, crawler, &policy);
                let mut rules = Vec::new();
                for selected in selector.by_ref() {
                    match selected {
                        Selected::Rule(rule) => rules.push(rule),
                        Selected::Restart => rules.clear(),
                    }
                }
                assert_eq!(rules, selection.rules().collect::<Vec<_>>(), "{file:?} {crawler:?} {policy:?}");
                assert_eq!(selector.basis(), selection.basis(), "{file:?} {crawler:?} {policy:?}");
            }
        }
    }
}

#[test]
fn a_group_is_written_with_its_agents_and_rules() {
    let file = b"user-agent: a\nuser-agent: *\nallow: /a\ndisallow:\ndisallow: /b\xFF\n";
    let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
    let shown: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
    assert_eq!(shown, ["a *: 3 allow /a, 4 disallow, 5 disallow /b\\xff"]);
}
