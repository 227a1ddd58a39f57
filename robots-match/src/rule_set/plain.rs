//! Verdicts that do not need the set of the bytes in the path.
//!
//! Those are verdicts over small sets where patterns with a head decide, and over large sets whose patterns begin with `/`, have
//! no special `*` and do not end within an escape, if also no query is decoded, the longest pattern takes precedence, and the
//! form of paths does not change canonical patterns. To find the rule, large sets read only the first 17 bytes of a path if no
//! form may change these and no pattern has the same head. If one pattern has the same head, they compare the path with that
//! pattern, and read the rest of the path only if it does not begin with it.

use crate::pattern::unchanged::{may_change, may_change_after_start, may_change_at_start};
use crate::rule_set::RuleSet;
use crate::rule_set::compile::is_robots_txt;
use crate::rule_set::index::{Index, Search};
use crate::rule_set::long_head::are_equal_after_head;
use crate::rule_set::prefix::Place;
use crate::rule_set::table::{Kind, Table};
use crate::verdict::{Reason, Verdict};

impl RuleSet {
    /// Returns whether this is a small set, and `path` is in its canonical form and compared without the set of its bytes.
    #[inline]
    pub(super) fn needs_no_set(&self, path: &[u8]) -> bool {
        matches!(&self.patterns, Index::Scan(scan) if scan.needs_no_set()) && !may_change(path)
    }

    /// Returns the patterns of a large set, if [`Search::is_plain`].
    #[inline]
    pub(super) fn plain(&self) -> Option<&Search> {
        match &self.patterns {
            Index::Search(search) if search.is_plain => Some(search),
            _ => None,
        }
    }

    /// Does the same as [`Self::check`] for the patterns that [`Self::plain`] returns.
    // Not inlined, because the caller would save more registers, also for small sets.
    #[inline(never)]
    pub(super) fn check_plain(&self, search: &Search, path: &[u8]) -> Verdict {
        let Ok(longest) = search.longest_of_unchanged(path) else { return self.check_general(path) };
        let longest = longest.filter(|_| !self.policy.robots_txt_always_allowed || !is_robots_txt(path));
        // Two expressions, because a verdict that both lead to would be copied.
        match longest {
            Some(index) => Verdict::new(Reason::Rule(self.rule(index))),
            None => Verdict::new(self.without_rule(path)),
        }
    }
}

/// A form may change a byte of a path that decides which patterns match, or the path does not begin with `/`.
pub(super) struct MayChange;

impl Search {
    /// Returns the longest pattern that matches `path`, which need not be in its canonical form, if [`Self::is_plain`].
    #[inline]
    pub(super) fn longest_of_unchanged(&self, path: &[u8]) -> Result<Option<usize>, MayChange> {
        let after_slash =
            path.strip_prefix(b"/").filter(|bytes| !may_change_at_start(bytes)).ok_or(MayChange)?;
        let place = self.prefixes.place(after_slash);
        if !place.has_same_head {
            return Ok(self.longest_of(self.prefixes.candidates_before(place, path.len()), path));
        }
        let Some(only) = self.prefixes.only(place) else {
            return self.longest_of_same_head(place.head, place.first, path);
        };
        // The form of paths does not change the bytes and escapes of a canonical pattern, so the canonical path also begins
        // with the pattern. No escape begins in the pattern and ends after it.
        let prefix = only.prefix(&self.patterns);
        if path.get(..prefix.len()).is_some_and(|start| are_equal_after_head(start, prefix)) {
            let index = only.id as usize;
            if path.len() == prefix.len() || self.patterns.entry(index).kind() == Kind::Prefix {
                return Ok(Some(index));
            }
        } else if may_change_after_start(after_slash) {
            return Err(MayChange);
        }
        // The path begins with each of these. Their heads differ from that of the path, so none of them is the whole path, and
        // those that end with `$` do not match.
        let mut linked = self.prefixes.linked(only).map(|entry| entry.id as usize);
        Ok(linked.find(|&index| self.patterns.entry(index).kind() == Kind::Prefix))
    }

    /// Does the same as [`Self::longest_of_unchanged`] if several patterns have the head of the path.
    // In registers: a place would be passed through memory.
    #[inline(never)]
    fn longest_of_same_head(
        &self,
        head: u128,
        first: usize,
        path: &[u8],
    ) -> Result<Option<usize>, MayChange> {
        let after_slash = path.get(1..).unwrap_or_default();
        let place = Place { head, first, has_same_head: true };
        if may_change_after_start(after_slash) { Err(MayChange) } else { Ok(self.longest(place, path)) }
    }

    /// Returns the longest pattern that matches `path`, if [`Self::is_plain`].
    #[inline]
    pub(super) fn longest(&self, place: Place, path: &[u8]) -> Option<usize> {
        self.longest_of(self.prefixes.candidates_at(Some(place), path, &self.patterns), path)
    }

    /// Returns the first of `candidates` that matches `path`.
    #[inline]
    fn longest_of(&self, mut candidates: impl Iterator<Item = (usize, usize)>, path: &[u8]) -> Option<usize> {
        // Candidates with the same prefix: the one with a `$` comes first.
        let matches = |&(index, prefix_len): &(usize, usize)| {
            self.patterns.entry(index).kind() == Kind::Prefix || path.len() == prefix_len
        };
        candidates.find(matches).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use robots_groups::Crawler;

    use super::*;
    use crate::Profile;
    use crate::pattern::canonical::{Role, canonical};
    use crate::policy::{Form, Specials};
    use crate::rule_set::index::ends_within_escape;

    const FORMS: [Form; 4] = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];

    /// Returns a file with `rules` and 600 others, which makes the set large.
    fn large_file(rules: &str) -> String {
        let others: String = (0..600).map(|number| alloc::format!("allow: /other-{number}\n")).collect();
        alloc::format!("user-agent: *\n{rules}{others}")
    }

    #[test]
    fn bytes_after_the_head_matter_only_if_a_pattern_has_the_same_head() {
        let file = large_file("disallow: /sixteen-bytes-and-more\nallow: /sixteen-bytes-or-100%25\n");
        let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
        let search = rules.plain().expect("the set is large and plain");
        let is_found = |path: &str| search.longest_of_unchanged(path.as_bytes()).is_ok();
        for path in [
            "/sixteen-bytes-and-more",
            "/sixteen-bytes-and-more/%65",
            "/sixteen-bytes-and-less",
            "/sixteen-bytes-or-100%25",
            "/sixteen-bytes-or-100%2541",
            "/the-head-of-no-pattern/%65",
        ] {
            assert!(is_found(path), "{path}");
        }
        for path in [
            "/sixteen-bytes-and-mor%65",
            "/%65",
            "/sixteen-bytes-an%64-more",
            "/sixteen-bytes-or-100%2",
            "/sixteen-bytes-or-100%41",
            "no-slash",
            "",
        ] {
            assert!(!is_found(path), "{path}");
        }
    }

    #[test]
    fn a_set_with_a_pattern_that_ends_within_an_escape_is_not_plain() {
        for (pattern, is_plain) in
            [("/100%", false), ("/100%4", false), ("/100%25", true), ("/100%2541", true), ("/100", true)]
        {
            for end in ["", "$"] {
                let file = large_file(&alloc::format!("disallow: {pattern}{end}\n"));
                let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
                assert_eq!(rules.plain().is_some(), is_plain, "{pattern}{end}");
                assert_eq!(rules.check(pattern).line(), Some(2), "{pattern}{end}");
            }
        }
    }

    /// Returns all sequences of up to `most` of `units`.
    fn sequences(units: &[&[u8]], most: usize) -> Vec<Vec<u8>> {
        let mut all = Vec::from([Vec::new()]);
        let mut from = 0;
        for _ in 0..most {
            let longest = all.split_off(from);
            let longer =
                longest.iter().flat_map(|start| units.iter().map(move |unit| [start, *unit].concat()));
            let longer: Vec<_> = longer.collect();
            all.extend(longest);
            from = all.len();
            all.extend(longer);
        }
        all
    }

    #[test]
    fn each_form_of_a_path_begins_with_the_canonical_pattern_with_which_the_path_begins() {
        let units: [&[u8]; 11] = [b"a", b"4", b"%", b"%41", b"%2f", b"%25", b"$", b"*", b"?", b"<", b"\xE3"];
        let most = if cfg!(miri) { 1 } else { 3 };
        let (texts, tails) = (sequences(&units, most), sequences(&units, most - most / 2));
        let mut ended_within_escape = 0;
        for form in FORMS {
            for specials in [Specials::StarAndDollar, Specials::None] {
                for text in &texts {
                    let text = [b"/", &text[..]].concat();
                    let pattern = canonical(&text, form, Role::Pattern(specials));
                    let mut prefix = &pattern[..];
                    if specials == Specials::StarAndDollar {
                        if prefix.contains(&b'*') {
                            continue;
                        }
                        prefix = prefix.strip_suffix(b"$").unwrap_or(prefix);
                    }
                    for tail in &tails {
                        let path = [prefix, tail].concat();
                        if canonical(&path, form, Role::Path).starts_with(prefix) {
                            continue;
                        }
                        let (path, pattern) = (path.escape_ascii(), prefix.escape_ascii());
                        assert!(ends_within_escape(prefix), "{path}, {pattern}, {form:?}, {specials:?}");
                        ended_within_escape += 1;
                    }
                }
            }
        }
        assert!(ended_within_escape > 0);
    }

    #[test]
    fn a_large_set_answers_as_a_small_one_with_the_rules_that_match() {
        let rules = "disallow: /\nallow: /caf%C3%A9\ndisallow: /a-long-name/page$\nallow: /a-long-name/\n\
                     disallow: /robots.txt\nallow: /x&a=b\ndisallow: /~name/\nallow: /!important-offers/\n\
                     allow: /sixteen-bytes-and-mor\ndisallow: /sixteen-bytes-and-more$\n\
                     allow: /only-one\ndisallow: /only-one-pattern/has-this-head\n\
                     disallow: /the-letter-less-<-%3C-~-%7E-é-%C3%A9-%2f\n\
                     allow: /exactly\ndisallow: /exactly-this-page/today$\n\
                     allow: /nul\0\ndisallow: /nul-in-a-long-head\0\n";
        // With these, the set is not plain.
        let within_escapes = "allow: /the-price-less-100%\ndisallow: /the-price-less-41%4\n";
        let mut profiles = Vec::from([Profile::GOOGLE, Profile::DRAFT_KOSTER_REP_00, Profile::KOSTER_1996]);
        for (pattern, path) in FORMS.iter().flat_map(|pattern| FORMS.map(|path| (*pattern, path))) {
            let mut profile = Profile::RFC9309;
            (profile.matching.pattern, profile.matching.path) = (pattern, path);
            profiles.push(profile);
        }
        for (profile, others) in
            profiles.iter().flat_map(|profile| ["", within_escapes].map(|rules| (profile, rules)))
        {
            let rules = [rules, others].concat();
            let [small, large] = [alloc::format!("user-agent: *\n{rules}"), large_file(&rules)]
                .map(|file| RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), profile));
            let is_named =
                [Profile::RFC9309, Profile::GOOGLE, Profile::DRAFT_KOSTER_REP_00].contains(profile);
            if is_named {
                assert_eq!(large.plain().is_some(), others.is_empty());
            }
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
                "/only-one-pattern",
                "/only-one-pattern/",
                "/only-one-pattern/has-this-head",
                "/only-one-pattern/has-this-head/%65?$*<é",
                "/only-one-pattern/has-this-hea%64",
                "/only-one-pattern/has-this-hea",
                "/exactly-this-page/today",
                "/exactly-this-page/toda%79",
                "/exactly-this-page/today%65",
                "/exactly-this-page/today/",
                "/the-letter-less-<-%3C-~-%7E-é-%C3%A9-%2f",
                "/the-letter-less-%3C-%3C-~-~-%C3%A9-%C3%A9-%2F",
                "/the-letter-less-%3C-%3C-%7E-%7E-%C3%A9-%C3%A9-%2F",
                "/the-letter-less-<-%3C-~-%7E-%C3%A9-%C3%A9-%2F/",
                "/the-letter-less-<-<-~-~-é-é-%2F",
                "/the-price-less-100%",
                "/the-price-less-100%4",
                "/the-price-less-100%41",
                "/the-price-less-41%4",
                "/the-price-less-41%41",
                "/the-price-less-41%4%31",
                "/the-price-less-41%%34",
                "/nul",
                "/nul\0",
                "/nul\0\0",
                "/nul%00",
                "/nul-in-a-long-head\0",
                "/nul-in-a-long-head%00",
                "no-slash-at-the-start",
                "*",
            ] {
                assert_eq!(small.check(path), large.check(path), "{path}");
            }
        }
    }
}
