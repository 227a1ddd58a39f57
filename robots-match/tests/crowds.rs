//! Many patterns that share a prefix.

use robots_match::{Crawler, Profile, RuleSet};

/// Patterns that share a prefix are moved out of the prefix index. Rules before them stay.
#[test]
fn an_empty_pattern_before_many_with_a_shared_prefix_is_kept() {
    let mut file = b"user-agent: *\ndisallow:\n".to_vec();
    for number in 0..20 {
        file.extend_from_slice(format!("disallow: /a*{number}\n").as_bytes());
    }
    // With this number of rules the set is searched, not scanned.
    for number in 0..600 {
        file.extend_from_slice(format!("disallow: /other{number}\n").as_bytes());
    }
    let rules = RuleSet::parse(&file, &Crawler::unnamed(), &Profile::GOOGLE);
    assert_eq!(rules.len(), 621);
    assert!(rules.len() > RuleSet::MAX_SCANNED);
    assert_eq!(rules.check(b"/b").line(), Some(2));
    assert_eq!(rules.check(b"/a-17").line(), Some(20));
}
