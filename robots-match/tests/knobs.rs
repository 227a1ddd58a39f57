//! Combinations of policy fields that no document requires.

use robots_match::{Crawler, Profile, ReservedBytes, RuleSet};

/// Without wildcards, a `*` is not special, also where reserved bytes are equal to their encodings.
#[test]
fn without_wildcards_a_star_matches_only_a_star_where_bytes_equal_their_encodings() {
    let file = b"user-agent: *\ndisallow: /*?a%3A\n";
    let mut profile = Profile::RFC9309;
    profile.matching.wildcards = false;
    profile.matching.reserved = ReservedBytes::Equal;
    let rules = RuleSet::parse(file, &Crawler::unnamed(), &profile);
    assert!(!rules.check(b"/*?a:").is_allowed());
    assert!(rules.check(b"/b?a:").is_allowed());
    // A literal `*` has the same canonical form in a path and in a pattern.
    assert_eq!(rules.compiled_rules()[0].pattern, b"/%2A?a:");

    profile.matching.pattern = robots_match::Form::AsWritten;
    profile.matching.path = robots_match::Form::AsWritten;
    let rules = RuleSet::parse(file, &Crawler::unnamed(), &profile);
    assert!(!rules.check(b"/*?a:").is_allowed());
    assert!(rules.check(b"/b?a:").is_allowed());
}
