//! Verdicts that do not need the set of the bytes in the path.
//!
//! Those are verdicts over small sets where patterns with a head decide, and over large sets whose patterns begin with `/` and have
//! no special `*`, if also no query is decoded and the longest pattern takes precedence. To find the rule, large sets read
//! only the first 17 bytes of a path if no form may change these and no pattern has the same head.

use crate::pattern::canonical::Role;
use crate::pattern::unchanged::{may_change, may_change_after_start, may_change_at_start};
use crate::policy::Precedence;
use crate::rule_set::RuleSet;
use crate::rule_set::compile::is_robots_txt;
use crate::rule_set::index::{Index, Search};
use crate::rule_set::prefix::Place;
use crate::rule_set::table::{Kind, Table};

impl RuleSet {
    /// Returns whether this is a small set, and `path` is in its canonical form and compared without the set of its bytes.
    #[inline]
    pub(super) fn needs_no_set(&self, path: &[u8]) -> bool {
        matches!(&self.patterns, Index::Scan(scan) if scan.needs_no_set()) && !may_change(path)
    }

    /// Returns the patterns if the longest that matches decides, and no pattern is compared with a decoded query.
    #[inline]
    pub(super) fn plain(&self) -> Option<&Search> {
        match &self.patterns {
            Index::Search(search) if search.is_plain && self.policy.precedence == Precedence::MostBytes => {
                (!self.has_queries).then_some(search)
            }
            _ => None,
        }
    }

    /// Does the same as [`Self::best`] for the patterns that [`Self::plain`] returns.
    // Not inlined, because the caller would save more registers, also for small sets.
    #[inline(never)]
    pub(super) fn best_of_plain(&self, search: &Search, path: &[u8]) -> Option<usize> {
        let Some(place) = search.place_of_unchanged(path) else {
            return self.best_of_changed(path, self.policy.path.byte_set(path, Role::Path));
        };
        if self.policy.robots_txt_always_allowed && is_robots_txt(path) {
            None
        } else {
            search.longest(place, path)
        }
    }
}

impl Search {
    /// Returns the place of `path`, unless it does not begin with `/`, or a form may change a byte that decides which patterns
    /// match.
    #[inline]
    fn place_of_unchanged(&self, path: &[u8]) -> Option<Place> {
        let after_slash = path.strip_prefix(b"/").filter(|bytes| !may_change_at_start(bytes))?;
        let place = self.prefixes.place(after_slash);
        (!place.has_same_head || !may_change_after_start(after_slash)).then_some(place)
    }

    /// Returns the longest pattern that matches `path`, if [`Self::is_plain`].
    #[inline]
    pub(super) fn longest(&self, place: Place, path: &[u8]) -> Option<usize> {
        // Candidates with the same prefix: the one with a `$` comes first.
        let matches = |&(index, prefix_len): &(usize, usize)| {
            self.patterns.entry(index).kind() == Kind::Prefix || path.len() == prefix_len
        };
        self.prefixes.candidates_at(Some(place), path, &self.patterns).find(matches).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use robots_groups::Crawler;

    use super::*;
    use crate::Profile;

    /// Returns a file with `rules` and 600 others, which makes the set large.
    fn large_file(rules: &str) -> String {
        let others: String = (0..600).map(|number| alloc::format!("allow: /other-{number}\n")).collect();
        alloc::format!("user-agent: *\n{rules}{others}")
    }

    #[test]
    fn bytes_after_the_head_matter_only_if_a_pattern_has_the_same_head() {
        let file = large_file("disallow: /sixteen-bytes-and-more\n");
        let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
        let search = rules.plain().expect("the set is large and plain");
        let has_place = |path: &str| search.place_of_unchanged(path.as_bytes()).is_some();
        assert!(has_place("/sixteen-bytes-and-more") && has_place("/the-head-of-no-pattern/%65"));
        for path in ["/sixteen-bytes-and-mor%65", "/%65", "/sixteen-bytes-an%64-more", "no-slash", ""] {
            assert!(!has_place(path), "{path}");
        }
    }

    #[test]
    fn a_large_set_answers_as_a_small_one_with_the_rules_that_match() {
        let rules = "disallow: /\nallow: /caf%C3%A9\ndisallow: /a-long-name/page$\nallow: /a-long-name/\n\
                     disallow: /robots.txt\nallow: /x&a=b\ndisallow: /~name/\nallow: /!important-offers/\n\
                     allow: /sixteen-bytes-and-mor\ndisallow: /sixteen-bytes-and-more$\n";
        let small = alloc::format!("user-agent: *\n{rules}");
        let large = large_file(rules);
        for profile in [Profile::RFC9309, Profile::GOOGLE, Profile::DRAFT_KOSTER_REP_00, Profile::KOSTER_1996]
        {
            let [small, large] =
                [&small, &large].map(|file| RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile));
            assert_eq!(large.plain().is_some(), profile != Profile::KOSTER_1996);
            for path in [
                "",
                "/",
                "/café",
                "/caf%c3%a9/menu/of/today",
                "/a-long-name/page",
                "/a-long-name/page/",
                "/a-long-name/pag%65",
                "/robots.txt",
                "/robots%2Etxt",
                "/x&a=b&c=d?e=f&g=h",
                "/~name/and/the/rest",
                "/!important-offers/today",
                "/sixteen-bytes-and-more",
                "/sixteen-bytes-and-mor%65",
                "/sixteen-bytes-and-more%65",
                "/the-head-of-no-pattern/%65",
                "no-slash-at-the-start",
                "*",
            ] {
                assert_eq!(small.check(path), large.check(path), "{path}");
            }
        }
    }
}
