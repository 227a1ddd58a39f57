//! Comparisons of many rule sets, with one limit for the work of all.

use robots_match::{Change, Comparer, Crawler, Difference, Document, Robots, RuleSet};

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
