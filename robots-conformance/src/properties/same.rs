//! Comparisons that several properties make.

use robots_fetch::matching::{Precedence, RuleSet};

use crate::model::oracle::ExpectedRule;

pub(super) fn same_rules(rules: &RuleSet, expected: &[ExpectedRule]) {
    let compiled = rules.compiled_rules();
    let mut found: Vec<ExpectedRule> = compiled.iter().map(ExpectedRule::from_compiled).collect();
    let mut expected = expected.to_vec();
    if rules.policy().precedence == Precedence::First {
        // The two rules of one line (index page and directory) have no order.
        found.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
        expected.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
    }
    assert_eq!(found, expected);
}
