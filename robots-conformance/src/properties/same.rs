//! Comparisons that several properties make.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::{Answer, Precedence, RuleSet, Verdict};

use crate::model::oracle::CompiledRule;

/// A verdict without a rule set is the same as one with a rule set.
pub fn same_answer(answer: &Answer<'_>, verdict: &Verdict<'_>) {
    assert_eq!(answer.to_string(), verdict.to_string());
    assert_eq!((answer.is_allowed(), answer.line()), (verdict.is_allowed(), verdict.line()));
    assert_eq!(answer.code(), verdict.reason().code());
    let of_rule = answer.rule().map(|rule| (rule.effect, rule.pattern.span()));
    assert_eq!(of_rule, verdict.ruling().map(|ruling| (ruling.effect, ruling.span)));
}

pub(super) fn same_rules(rules: &RuleSet, expected: &[CompiledRule]) {
    let rulings = rules.rulings();
    let mut found: Vec<CompiledRule> = rulings.iter().map(CompiledRule::from_ruling).collect();
    let mut expected = expected.to_vec();
    if rules.policy().precedence == Precedence::First {
        // The two rules of one line (index page and directory) have no order.
        found.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
        expected.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
    }
    assert_eq!(found, expected);
}
