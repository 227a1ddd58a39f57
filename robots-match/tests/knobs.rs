//! Knobs that no profile turns together.

use robots_match::{Crawler, Profile, Query, RuleSet, Specials};

/// Where no octet is special, none is in a query that also matches decoded.
#[test]
fn a_star_that_is_not_special_stands_for_itself_in_a_decoded_query() {
    let file = b"user-agent: *\ndisallow: /*?a%3A\n";
    let mut profile = Profile::RFC9309;
    profile.matching.specials = Specials::None;
    profile.matching.query = Query::AlsoDecoded;
    let rules = RuleSet::read(file, Crawler::unnamed(), &profile);
    assert!(!rules.check(b"/*?a:").is_allowed());
    assert!(rules.check(b"/b?a:").is_allowed());
    // A literal `*` of a path is brought into a form, and so is that of the pattern.
    assert_eq!(rules.rulings()[0].pattern, b"/%2A?a%3A");

    profile.matching.pattern = robots_match::Form::AsWritten;
    profile.matching.path = robots_match::Form::AsWritten;
    let rules = RuleSet::read(file, Crawler::unnamed(), &profile);
    assert!(!rules.check(b"/*?a:").is_allowed());
    assert!(rules.check(b"/b?a:").is_allowed());
}
