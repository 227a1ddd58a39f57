//! Many patterns that begin alike.

use robots_match::{Crawler, Profile, RuleSet};

/// A crowd of patterns with one key takes no other rule along when it is set apart.
#[test]
fn an_empty_pattern_before_a_crowd_is_kept() {
    let mut file = b"user-agent: *\ndisallow:\n".to_vec();
    for number in 0..20 {
        file.extend_from_slice(format!("disallow: /a*{number}\n").as_bytes());
    }
    // Among so many that they are not looked at one after the other.
    for number in 0..200 {
        file.extend_from_slice(format!("disallow: /other{number}\n").as_bytes());
    }
    let rules = RuleSet::parse(&file, &Crawler::unnamed(), &Profile::GOOGLE);
    assert_eq!(rules.len(), 221);
    assert_eq!(rules.check(b"/b").line(), Some(2));
    assert_eq!(rules.check(b"/a-17").line(), Some(20));
}
