//! Properties, checked with generated input: files made from the grammars, with and without faults.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use proptest::collection::vec;
use proptest::prelude::*;
use robots_conformance::properties::{self, lint, retrieval};
use robots_conformance::{READING_PROFILES, generate};
use robots_fetch::matching::Effect;
use robots_fetch::matching::groups::{GroupPolicy, Groups};
use robots_fetch::matching::syntax::{self, Grammar, Lines};

/// Choices that a file is made of.
fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..400)
}

/// A piece of a pattern or a path.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[ab/]{1,3}".prop_map(String::into_bytes),
        2 => Just(b"*".to_vec()),
        1 => Just(b"$".to_vec()),
        1 => Just(b"?".to_vec()),
        1 => Just(b"index.html".to_vec()),
        1 => any::<u8>().prop_map(|byte| format!("%{byte:02x}").into_bytes()),
        1 => Just(b"%".to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => "[:@!',;=&.~-]".prop_map(String::into_bytes),
        1 => "ツ|é".prop_map(String::into_bytes),
    ]
}

fn phrase(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 0..most).prop_map(|pieces| [b"/".to_vec(), pieces.concat()].concat())
}

/// Names as the properties take them.
fn names() -> impl Strategy<Value = Vec<u8>> {
    "[!+]{0,2}(foo|bar|FOOBOT|a_b-c|x1)(,(foo|bar|other))?".prop_map(String::into_bytes)
}

fn config() -> ProptestConfig {
    // No file of seeds is written: what fails is mended with a test or a row of its own.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn files_made_from_the_grammar_conform(choices in choices()) {
        let made = generate::rfc9309(&choices);
        prop_assert_eq!(Grammar::Rfc9309.check(&made.file), Ok(()), "{}", made.file.escape_ascii());
        for line in Lines::new(&made.file, &syntax::SyntaxPolicy::RFC9309) {
            let deviations: Vec<_> = line.deviations(&syntax::SyntaxPolicy::RFC9309).collect();
            prop_assert!(deviations.is_empty(), "{} {deviations:?}", line);
        }
        properties::reading(&made.file);
    }

    #[test]
    fn generated_groups_are_read_back(choices in choices()) {
        let made = generate::rfc9309(&choices);
        let groups = Groups::parse(&made.file, &syntax::SyntaxPolicy::RFC9309, &GroupPolicy::RFC9309);
        prop_assert!(groups.strays().is_empty());
        prop_assert_eq!(groups.len(), made.groups.len());
        for (found, meant) in groups.iter().zip(&made.groups) {
            let agents: Vec<&[u8]> = found.agents().iter().map(|agent| agent.bytes()).collect();
            prop_assert_eq!(agents, meant.agents.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let rules: Vec<(bool, &[u8])> = found
                .rules()
                .iter()
                .map(|rule| (rule.effect == Effect::Allow, rule.pattern.bytes()))
                .collect();
            let meant: Vec<(bool, &[u8])> =
                meant.rules.iter().map(|rule| (rule.allows, &rule.pattern[..])).collect();
            prop_assert_eq!(rules, meant);
        }
    }

    #[test]
    fn files_made_from_the_grammar_of_1996_conform(choices in choices()) {
        let made = generate::koster1996(&choices);
        prop_assert_eq!(Grammar::Koster1996.check(&made.file), Ok(()), "{}", made.file.escape_ascii());
        let policy = syntax::SyntaxPolicy::KOSTER_1996;
        for line in Lines::new(&made.file, &policy) {
            let deviations: Vec<_> = line.deviations(&policy).collect();
            prop_assert!(deviations.is_empty(), "{} {deviations:?}", line);
        }
        let groups = Groups::parse(&made.file, &policy, &GroupPolicy::KOSTER_1996);
        prop_assert!(groups.strays().is_empty());
        prop_assert_eq!(groups.len(), made.groups.len());
        for (found, meant) in groups.iter().zip(&made.groups) {
            prop_assert_eq!(found.agents().len(), meant.agents.len());
            let rules = found.rules().iter().map(|rule| (rule.effect == Effect::Allow, rule.pattern.bytes()));
            let meant = meant.rules.iter().map(|rule| (rule.allows, &rule.pattern[..]));
            prop_assert!(rules.eq(meant));
        }
    }

    #[test]
    fn any_file_is_read(choices in choices(), faults in vec(any::<u8>(), 0..64), of_1996 in any::<bool>()) {
        let made = if of_1996 { generate::koster1996(&choices) } else { generate::rfc9309(&choices) };
        properties::reading(&generate::with_faults(&made.file, &faults));
    }

    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..300)) {
        properties::reading(&bytes);
    }

    #[test]
    fn group_selection_agrees_with_the_model(
        names in names(),
        choices in choices(),
        faults in vec(any::<u8>(), 0..64),
    ) {
        let made = generate::rfc9309(&choices);
        properties::grouping(&names, &made.file);
        properties::grouping(&names, &generate::with_faults(&made.file, &faults));
    }

    #[test]
    fn verdicts_of_1996_come_from_the_first_rule_that_matches(
        path in phrase(6),
        names in names(),
        choices in choices(),
        faults in vec(any::<u8>(), 0..64),
    ) {
        let made = generate::rfc9309(&choices);
        properties::verdict(&path, &names, &made.file);
        properties::verdict(&path, &names, &generate::with_faults(&made.file, &faults));
        // Paths that the file's own patterns are likely to match.
        for rule in made.groups.iter().flat_map(|group| &group.rules).take(6) {
            let path: Vec<u8> = rule.pattern.split(|&byte| byte == b'*').collect::<Vec<_>>().join(&b"x/"[..]);
            properties::verdict(&path, &names, &made.file);
        }
    }

    #[test]
    fn rules_of_few_pieces_agree_with_a_plain_scan(
        path in phrase(6),
        rules in vec((any::<bool>(), phrase(5)), 0..30),
    ) {
        let mut file = b"user-agent: *\n".to_vec();
        for (allows, pattern) in rules {
            file.extend_from_slice(if allows { b"allow: " } else { b"disallow: " });
            file.extend_from_slice(&pattern);
            file.push(b'\n');
        }
        properties::verdict(&path, b"foo", &file);
    }

    #[test]
    fn patterns_match_like_the_oracle(pattern in phrase(8), path in phrase(8)) {
        properties::pattern(&pattern, &path);
    }

    #[test]
    fn forms_are_canonical(pattern in phrase(8), path in phrase(8)) {
        properties::canonical(&pattern, &path);
    }

    #[test]
    fn urls_are_split_into_parts(
        url in "(https?|ftp|a;b)?:?/?/?(user@)?(example\\.com|\\[::1\\])?(:80)?[/?#;a:]{0,6}",
        bytes in vec(any::<u8>(), 0..40),
    ) {
        properties::url_text(url.as_bytes());
        properties::url_text(&bytes);
    }

    #[test]
    fn corrections_change_no_verdict(
        path in phrase(4),
        names in names(),
        choices in choices(),
        faults in vec(any::<u8>(), 0..64),
    ) {
        let made = generate::rfc9309(&choices);
        lint::linting(&path, &names, &generate::with_faults(&made.file, &faults));
    }

    #[test]
    fn explanations_agree_with_verdicts(
        path in phrase(4),
        names in names(),
        choices in choices(),
        faults in vec(any::<u8>(), 0..64),
    ) {
        let made = generate::rfc9309(&choices);
        lint::explaining(&path, &names, &generate::with_faults(&made.file, &faults));
    }

    #[test]
    fn other_records_agree_with_the_lines(
        keys in vec("crawl-delay|request-rate|visit-time|host|clean-param|content-signal|license|sitemap|x", 0..8),
        values in vec("[ -~]{0,20}|[0-9./-]{0,12}[smhd]?|https?://[a-z.:/]{0,9}|[a-z]=(yes|no)", 8),
    ) {
        let lines = keys.iter().zip(&values).map(|(key, value)| format!("{key}: {value}\n"));
        lint::recording(lines.collect::<String>().as_bytes());
    }

    #[test]
    fn written_files_read_back_the_same(text in "([a-zA-Z_-]{1,5}:/?[ -~é\u{7F}\u{85}]{0,9}\n|\\PC{0,12}\n){0,9}") {
        lint::building(text.as_bytes());
    }

    #[test]
    fn answers_in_any_order_give_an_entry(
        steps in vec(
            prop_oneof![
                Just("s200 Cache-Control: max-age=60|ETag: \"a\"".to_owned()),
                Just("bdisallow: /page".to_owned()),
                Just("e".to_owned()),
                Just("x1".to_owned()),
                (100..600_u16).prop_map(|status| format!("s{status} Location: /a|Retry-After: 60")),
                any::<i64>().prop_map(|seconds| format!("t{seconds}")),
                (0..5_000_000_i64).prop_map(|seconds| format!("t{seconds}")),
                Just("q/page".to_owned()),
            ],
            0..40,
        ),
    ) {
        retrieval::exchanges(format!("https://example.com\n{}", steps.join("\n")).as_bytes());
    }

    #[test]
    fn stored_entries_with_changed_bytes_get_an_answer(
        which in any::<prop::sample::Index>(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let stored: Vec<_> = properties::seeds("stored").into_values().collect();
        let mut data = which.get(&stored).clone();
        for (at, byte) in changes {
            *at.get_mut(&mut data) = byte;
        }
        if cuts {
            data.truncate(cut.index(data.len()));
        }
        retrieval::stored(&data);
    }

    #[test]
    fn any_bytes_are_a_stored_entry_or_an_error(bytes in vec(prop_oneof![Just(0), 0..8_u8, any::<u8>()], 0..400)) {
        retrieval::stored(&bytes);
    }

    #[test]
    fn the_product_token_of_a_header_is_a_part_of_the_header(header in "[ -~]{0,60}|(Mozilla|a/1|\\(|\\)|;| |compatible|x-y){0,9}") {
        properties::grouping(header.as_bytes(), b"user-agent: x-y\nallow: /\n");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: config().cases / 5, ..config() })]

    #[test]
    fn many_rules_agree_with_a_plain_scan(
        size in 5..11_u8,
        knobs in prop_oneof![3 => Just(0_u8), 1 => any::<u8>()],
        which in 0..4_u8,
        seed in any::<u8>(),
        words in vec(piece(), 0..20),
    ) {
        let words = words.join(&b' ');
        properties::ruleset(&[&[size, knobs, which, seed], &words[..]].concat());
    }
}

/// Each production is taken sooner or later, by choices that are the same in every run.
#[test]
fn every_production_is_reached() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut choices = || -> Vec<u8> {
        (0..200)
            .map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random.to_le_bytes()[3]
            })
            .collect()
    };
    for (productions, make) in [
        (generate::OF_RFC9309, generate::rfc9309 as fn(&[u8]) -> generate::GeneratedFile),
        (generate::OF_1996, generate::koster1996),
    ] {
        let taken: Vec<&str> = (0..200).flat_map(|_| make(&choices()).productions).collect();
        assert!(taken.iter().all(|production| productions.contains(production)));
        for production in productions {
            assert!(taken.contains(production), "{production}");
        }
    }
}

/// Inputs that once showed a mistake; each run tests them again.
#[test]
fn seeds_of_the_fuzz_targets_hold() {
    let seeds = properties::all_seeds();
    let count: usize = seeds.values().map(|inputs| inputs.len()).sum();
    assert!(seeds.len() >= 18 && count >= 90, "{count}");
    for (target, seeds) in seeds {
        seeds.values().for_each(|data| properties::check(&target, data));
    }
}

/// The four profiles have the grammars that are generated.
#[test]
fn each_profile_has_its_grammar() {
    for (name, profile) in READING_PROFILES {
        let expected = if name == "koster-1996" { Grammar::Koster1996 } else { Grammar::Rfc9309 };
        assert_eq!(profile.syntax.grammar, expected);
    }
}
