//! What is found while lines go by is what is selected among all groups.

use robots_groups::syntax::Lines;
use robots_groups::{Applicable, Crawler, Groups, Merge, Policy, ProductToken, Step};

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

fn policies() -> [Policy; 4] {
    let mut first = Policy::RFC9309;
    (first.named, first.general) = (Merge::First, Merge::First);
    let mut first_general = Policy::RFC9309;
    first_general.general = Merge::First;
    [Policy::RFC9309, Policy::KOSTER_1996, first, first_general]
}

#[test]
fn what_applies_is_what_is_selected() {
    let tokens = [ProductToken::new("b").unwrap(), ProductToken::new("a").unwrap()];
    let crawlers = [
        Crawler::new(&tokens),
        Crawler::new(&tokens).together(),
        Crawler::new(&tokens[..1]),
        Crawler::new(&tokens[..1]).ignoring_wildcard(),
        Crawler::unnamed(),
    ];
    for file in files() {
        let syntax = robots_groups::syntax::SyntaxPolicy::RFC9309;
        for policy in policies() {
            let groups = Groups::read(file.as_bytes(), &syntax, &policy);
            assert_eq!(groups.is_empty(), groups.iter().count() == 0);
            for crawler in crawlers {
                let selection = groups.select(crawler);
                let lines = Lines::new(file.as_bytes(), &syntax).of_groups();
                let mut applicable = Applicable::new(lines, crawler, &policy);
                let mut rules = Vec::new();
                for step in applicable.by_ref() {
                    match step {
                        Step::Rule(rule) => rules.push(rule),
                        Step::Anew => rules.clear(),
                    }
                }
                assert_eq!(rules, selection.rules().collect::<Vec<_>>(), "{file:?} {crawler:?} {policy:?}");
                assert_eq!(applicable.basis(), selection.basis(), "{file:?} {crawler:?} {policy:?}");
            }
        }
    }
}
