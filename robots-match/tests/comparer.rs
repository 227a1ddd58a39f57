//! Comparisons of many rule sets, with one limit for the work of all.

use robots_match::{Change, Comparer, Crawler, Difference, Document, Effect, Robots, RuleSet};

/// A file of one group for `names` crawlers with `rules` rules that are hard to compare.
fn hard(names: usize, rules: usize) -> String {
    let names = (0..names).map(|name| format!("user-agent: a{name}\n"));
    let rules = (0..rules).map(|rule| format!("disallow: /*{rule}*a*b\nallow: /*{rule}*c\n"));
    names.chain(rules).collect()
}

#[test]
fn equal_rules_are_found_before_they_are_compiled() {
    let crawlers = ["a1", "a2", "b"].map(|name| Crawler::new(name).unwrap());
    let [one, other, changed] = [hard(10, 200), format!("# other\n{}", hard(10, 200)), hard(10, 201)]
        .map(|body| Robots::new(body, Document::Rfc9309));
    let google = Robots::new(hard(10, 200), Document::Google);
    let [one, other, changed, google] =
        [&one, &other, &changed, &google].map(|robots| robots.rules_for(&crawlers));
    // Enough to read the rules, and not to compile them.
    let mut comparer = Comparer::new(10_000);
    assert!(comparer.have_same_rules((&one, 0), (&other, 0)));
    assert!(!comparer.have_same_rules((&one, 0), (&changed, 0)));
    assert!(!comparer.have_same_rules((&one, 0), (&one, 1)));
    // Another document may read them in another way.
    assert!(!comparer.have_same_rules((&one, 0), (&google, 0)));
    assert!(comparer.compile(&one, 0).is_none());
    assert!(!Comparer::new(1).have_same_rules((&one, 0), (&other, 0)));
}

#[test]
fn many_comparisons_share_one_limit() {
    let crawler = Crawler::new("a0").unwrap();
    let rules = |more: &str| {
        let body = hard(1, 100) + more;
        RuleSet::parse(body.as_bytes(), &crawler, &Document::Rfc9309.into())
    };
    let (before, after) = (rules(""), rules("disallow: /zz\n"));
    let mut comparer = Comparer::new(Comparer::work_for(10_000));
    let mut decided = 0;
    while comparer.left() > 0 {
        let left = comparer.left();
        let difference = comparer.difference(&before, &after, Difference::MAX_STATES);
        decided += usize::from(difference.newly_disallowed.witness().is_some());
        assert!(comparer.left() < left);
    }
    assert!(decided > 0);
    let last = comparer.difference(&before, &after, Difference::MAX_STATES);
    assert_eq!([last.newly_disallowed, last.newly_allowed], [Change::Undecided, Change::Undecided]);
}

#[test]
fn examples_of_long_rules_take_few_steps() {
    // No rule that disallows has an effect, so no example shows a change.
    let body: String = (0..1000)
        .map(|stars| format!("disallow: /{stars}\nallow: /{stars}b\n", stars = "*a".repeat(stars)))
        .collect();
    let crawler = Crawler::unnamed();
    let rules = |body: &str| {
        RuleSet::parse(format!("user-agent: *\n{body}").as_bytes(), &crawler, &Document::Rfc9309.into())
    };
    let (before, after) = (rules(""), rules(&body));
    let mut comparer = Comparer::new(Comparer::work_for(body.len()));
    let work = comparer.left();
    let _ = comparer.difference(&before, &after, Difference::MAX_STATES);
    let taken = work - comparer.left();
    // Most of them are for pairs of rules, 12 for each. Without the limit for examples, there would be more than 36 million.
    assert!(taken < 34 << 20, "{taken} steps");
}

/// Returns the work and the states that it takes to compare two rule sets, and the comparison.
fn compared(before: &RuleSet, after: &RuleSet) -> (usize, Difference) {
    let work = Comparer::work_for(2 * 512_000);
    let mut comparer = Comparer::new(work);
    let difference = comparer.difference(before, after, Difference::MAX_STATES);
    (work - comparer.left(), difference)
}

#[test]
fn pairs_of_rules_that_lead_to_no_shorter_path_need_no_search() {
    // The rule that is added matters only for paths of rules that allow. A shortest one is of one of the first pairs.
    let body: String = (1_000..3_000).map(|number| format!("allow: /*a*ab*{number}\n")).collect();
    let rules = |more: &str| {
        let body = format!("user-agent: *\ndisallow: /*f$\n{body}{more}");
        RuleSet::parse(body.as_bytes(), &Crawler::unnamed(), &Document::Google.into())
    };
    let (_, difference) = compared(&rules(""), &rules("disallow: /*itf*baababa*itf$\n"));
    assert!(difference.newly_disallowed.witness().unwrap().is_shortest);
    assert!(difference.newly_allowed.is_nothing());
    assert!(difference.states < 200, "{} states", difference.states);
}

#[test]
fn rules_with_reserved_bytes_are_compared_with_few_others() {
    let taken = |count: usize| {
        let body: String = (0..count).map(|number| format!("disallow: /a={number}/\n")).collect();
        let body = format!("user-agent: *\n{body}");
        let rules =
            |document: Document| RuleSet::parse(body.as_bytes(), &Crawler::unnamed(), &document.into());
        let (steps, difference) = compared(&rules(Document::Rfc9309), &rules(Document::Koster1996));
        assert!(difference.is_nothing());
        steps
    };
    let (half, whole) = (taken(1_000), taken(2_000));
    assert!(10 * whole <= 23 * half, "{half} steps for 1,000 rules, {whole} for 2,000");
}

#[test]
fn states_of_a_long_rule_count_as_work() {
    // The only paths that are not allowed have each of its bytes.
    let body = format!("user-agent: *\ndisallow: /{}\n", "*a".repeat(2_000));
    let rules = RuleSet::parse(body.as_bytes(), &Crawler::unnamed(), &Document::Rfc9309.into());
    let mut comparer = Comparer::new(Comparer::work_for(body.len()));
    let work = comparer.left();
    let found = comparer.exception(&rules, b"/*b*", Effect::Allow, Difference::MAX_STATES);
    assert!(found.witness().is_some_and(|witness| witness.path.len() > 2_000));
    let taken = work - comparer.left();
    assert!(taken > 2_000 * 64, "{taken} steps");
}
