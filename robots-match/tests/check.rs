//! Verdicts about one path and one file, which a rule set and one pass over the file must agree on.

#![allow(clippy::unwrap_used, reason = "a test that can't go on ends")]

use robots_match::groups::{GroupPolicy, Groups};
use robots_match::syntax::{Effect, Lines, Record, Rule, SyntaxPolicy};
use robots_match::{
    Crawler, Difference, Document, MatchPolicy, Precedence, Profile, ReservedBytes, Robots, RuleSet,
    SelectionBasis,
};

/// Returns the text of the verdict of a rule set. Checks that one pass over the file gives the same verdict.
fn both(file: &[u8], name: &str, path: &[u8], profile: &Profile) -> String {
    let crawler = Crawler::new(name).unwrap();
    let rules = RuleSet::parse(file, &crawler, profile);
    let verdict = rules.check(path);
    let robots = Robots::new(file, *profile);
    assert_eq!(robots.check(&crawler, path), verdict, "{} {}", file.escape_ascii(), path.escape_ascii());
    assert_eq!(robots.rules(&crawler), rules);
    verdict.to_string()
}

/// Returns RFC 9309's profile with a changed policy.
fn with(change: impl FnOnce(&mut MatchPolicy)) -> Profile {
    let mut profile = Profile::RFC9309;
    change(&mut profile.matching);
    profile
}

#[test]
fn each_reason_has_its_text() {
    let file = b"user-agent: a\ndisallow: /x\nallow: /x/y\n\nuser-agent: b\nallow:\ndisallow:\n";
    let check = |token, path: &[u8]| both(file, token, path, &Profile::RFC9309);
    assert_eq!(check("a", b"/x/z"), "disallowed by line 2");
    assert_eq!(check("a", b"/x/y"), "allowed by line 3");
    assert_eq!(check("a", b"/y"), "allowed: no rule matches");
    let not_url = "disallowed: the text is neither a URL nor a path that begins with `/`";
    assert_eq!(check("a", b""), not_url);
    assert_eq!(check("a", b"https://example.com"), "allowed: no rule matches");
    assert_eq!(check("b", b"/x"), "allowed: no rule matches");
    assert_eq!(check("c", b"/x"), "allowed: no group applies");
    let all = b"user-agent: *\ndisallow: /\n";
    let check = |path: &[u8], profile| both(all, "a", path, &profile);
    assert_eq!(check(b"", Profile::RFC9309), not_url);
    assert_eq!(check(b"https://example.com", Profile::RFC9309), "disallowed by line 2");
    assert_eq!(check(b"/robots.txt", Profile::RFC9309), "allowed: /robots.txt is always allowed");
    assert_eq!(check(b"/robots%2Etxt", Profile::RFC9309), "allowed: /robots.txt is always allowed");
    assert_eq!(check(b"/robots.txt?", Profile::RFC9309), "disallowed by line 2");
    assert_eq!(check(b"/robots.txt", Profile::GOOGLE), "disallowed by line 2");
    let nothing = RuleSet::parse(b"user-agent: *\ndisallow:\n", &Crawler::unnamed(), &Profile::RFC9309);
    assert!(nothing.is_empty() && nothing.compiled_rules().is_empty());
    // Also in files without rules that can match.
    for file in [&b"user-agent: a\n"[..], b"user-agent: a\nallow: /b\n", b""] {
        let encoded = b"/%72%6f%62%6f%74%73%2e%74%78%74";
        for path in [&b"/robots.txt"[..], b"/%72obots.txt", b"/robots%2Etxt", encoded] {
            assert_eq!(both(file, "a", path, &Profile::RFC9309), "allowed: /robots.txt is always allowed");
            let ruled = with(|policy| policy.robots_txt_always_allowed = false);
            let reason = if file.is_empty() { "no group applies" } else { "no rule matches" };
            assert_eq!(both(file, "a", path, &ruled), format!("allowed: {reason}"));
        }
        for path in [&b"/robots%2Ftxt"[..], b"/12345678901", b"/robots.tx%", b"/t"] {
            assert!(!both(file, "a", path, &Profile::RFC9309).contains("/robots.txt"));
        }
    }
}

#[test]
fn the_longest_rule_takes_precedence_and_allow_among_rules_of_equal_length() {
    let file =
        b"user-agent: *\ndisallow: /a\nallow: /a\ndisallow: /a/b\nallow: /*/b$\ndisallow: /*c\nallow: /*c\n";
    let check = |path: &[u8]| both(file, "x", path, &Profile::RFC9309);
    assert_eq!(check(b"/a"), "allowed by line 3");
    assert_eq!(check(b"/a/b"), "allowed by line 5");
    assert_eq!(check(b"/a/bd"), "disallowed by line 4");
    assert_eq!(check(b"/dc"), "allowed by line 7");
    let first = with(|policy| policy.precedence = Precedence::First);
    assert_eq!(both(file, "x", b"/a/b", &first), "disallowed by line 2");
    assert_eq!(both(file, "x", b"/c", &first), "disallowed by line 6");
    // A plain prefix, a pattern with `*`, one with `$`, and a shorter prefix.
    let file = b"user-agent: *\nallow: /ab\ndisallow: /*b\ndisallow: /a$\nallow: /\n";
    let check = |path: &[u8], profile| both(file, "x", path, &profile);
    assert_eq!(check(b"/ab", Profile::RFC9309), "allowed by line 2");
    assert_eq!(check(b"/cb", Profile::RFC9309), "disallowed by line 3");
    assert_eq!(check(b"/a", Profile::RFC9309), "disallowed by line 4");
    assert_eq!(check(b"/ac", Profile::RFC9309), "allowed by line 5");
    assert_eq!(check(b"/cb", first), "disallowed by line 3");
    assert_eq!(check(b"/a", first), "disallowed by line 4");
}

#[test]
fn an_index_page_allows_its_directory_for_google() {
    let file = b"user-agent: *\nallow: /a/index.html\ndisallow: /a/\ndisallow: /index.htm\nallow: /b/c/index.htmx/y\n";
    let check = |path: &[u8]| both(file, "x", path, &Profile::GOOGLE);
    assert_eq!(check(b"/a/"), "allowed by line 2");
    assert_eq!(check(b"/a/index.html?x"), "allowed by line 2");
    assert_eq!(check(b"/a/b"), "disallowed by line 3");
    assert_eq!(check(b"/"), "allowed: no rule matches");
    assert_eq!(check(b"/b/c/"), "allowed: no rule matches");
    assert_eq!(check(b"/index.html"), "disallowed by line 4");
    assert_eq!(both(file, "x", b"/a/", &Profile::RFC9309), "disallowed by line 3");
    let rules = RuleSet::parse(file, &Crawler::unnamed(), &Profile::GOOGLE);
    assert_eq!(rules.len(), 5);
}

#[test]
fn queries_also_match_in_their_decoded_form() {
    let file = b"user-agent: *\ndisallow: /a?u=http%3A%2F%2Fb\ndisallow: /*?v=(c)$\nallow: /d?w=%2F\n\
                 disallow: /d\ndisallow: /e?f\n";
    let check = |path: &[u8]| both(file, "x", path, &Profile::RFC9309);
    for path in [&b"/a?u=http%3A%2F%2Fb"[..], b"/a?u=http://b", b"/a?u=http:%2F/bc"] {
        assert_eq!(check(path), "disallowed by line 2");
    }
    for path in [&b"/x?v=(c)"[..], b"/x/y?v=%28c)", b"/?v=%28c%29"] {
        assert_eq!(check(path), "disallowed by line 3");
    }
    assert_eq!(check(b"/x?v=%28c%29d"), "allowed: no rule matches");
    for path in [&b"/d?w=/"[..], b"/d?w=%2f&x"] {
        assert_eq!(check(path), "allowed by line 4");
    }
    assert_eq!(check(b"/d?w=%3F"), "disallowed by line 5");
    assert_eq!(check(b"/e?f%3A"), "disallowed by line 6");
    assert_eq!(check(b"/%65?f%2C"), "disallowed by line 6");
    assert_eq!(check(b"/a%3Fu=http%3A%2F%2Fb"), "allowed: no rule matches");
    // Without a `*` before the end of a pattern.
    let file = b"user-agent: *\ndisallow: /a?u=http%3A%2F%2Fb\nallow: /d?w=%2F*\ndisallow: /d\n";
    for (path, expected) in [
        (&b"/a?u=http://b"[..], "disallowed by line 2"),
        (b"/d?w=/", "allowed by line 3"),
        (b"/d?w", "disallowed by line 4"),
        (b"/a?u", "allowed: no rule matches"),
    ] {
        assert_eq!(both(file, "x", path, &Profile::RFC9309), expected);
    }
    let as_written = with(|policy| policy.reserved = ReservedBytes::AsWritten);
    assert_eq!(both(file, "x", b"/a?u=http://b", &as_written), "allowed: no rule matches");
    assert_eq!(both(file, "x", b"/a?u=http%3A%2F%2Fb", &as_written), "disallowed by line 2");
}

#[test]
fn a_span_is_the_position_of_the_pattern_in_the_file() {
    struct Case {
        path: &'static [u8],
        effect: Effect,
        line: usize,
        canonical: &'static [u8],
        written: &'static [u8],
    }
    let file = b"user-agent: *\ndisallow: /%61bc # x\nallow: /caf\xC3\xA9\ndisallow: /%7Ea*%24$\n";
    let rules = RuleSet::parse(file, &Crawler::unnamed(), &Profile::RFC9309);
    for case in [
        Case { path: b"/abcd", effect: Effect::Disallow, line: 2, canonical: b"/abc", written: b"/%61bc" },
        Case {
            path: b"/caf%c3%a9",
            effect: Effect::Allow,
            line: 3,
            canonical: b"/caf%C3%A9",
            written: b"/caf\xC3\xA9",
        },
        Case {
            path: b"/~ab%24",
            effect: Effect::Disallow,
            line: 4,
            canonical: b"/~a*%24$",
            written: b"/%7Ea*%24$",
        },
    ] {
        let rule = rules.check(case.path).rule().unwrap();
        let compiled =
            rules.compiled_rules().into_iter().find(|compiled| compiled.line == rule.line).unwrap();
        assert_eq!((rule.effect, rule.line), (case.effect, case.line));
        assert_eq!(compiled.pattern, case.canonical, "line {}", case.line);
        assert_eq!(rule.span.of(file), case.written, "line {}", case.line);
    }
    let order: Vec<usize> = rules.compiled_rules().iter().map(|rule| rule.line).collect();
    assert_eq!(order, [3, 4, 2]);
    assert_eq!((rules.len(), rules.is_empty(), rules.basis()), (3, false, SelectionBasis::Wildcard));
    assert_eq!(rules.policy(), &MatchPolicy::RFC9309);
    let debug = format!("{rules:?}");
    assert!(debug.contains("rules: [3 allow /caf%C3%A9 42..48") && debug.contains("Wildcard"), "{debug}");
    assert!(rules.check(b"https://example.com/%61bc/#x").line() == Some(2));
}

/// A group that names the crawler replaces a group for `*` before it, and later groups with its name add to it.
#[test]
fn only_the_groups_that_apply_count() {
    let file =
        b"user-agent: *\ndisallow: /a\nuser-agent: bot\ndisallow: /b\nuser-agent: other\ndisallow: /c\n\
                 user-agent: Bot\nallow: /b/d\n";
    let check = |token, path: &[u8]| both(file, token, path, &Profile::RFC9309);
    assert_eq!(check("bot", b"/a"), "allowed: no rule matches");
    assert_eq!(check("bot", b"/b"), "disallowed by line 4");
    assert_eq!(check("bot", b"/b/d"), "allowed by line 8");
    assert_eq!(check("bot", b"/c"), "allowed: no rule matches");
    assert_eq!(check("stranger", b"/a"), "disallowed by line 2");
}

/// Checks generated files and paths with all profiles.
#[test]
fn one_pass_and_a_rule_set_agree() {
    const WORDS: [&str; 16] = [
        "/",
        "/",
        "a",
        "b",
        "*",
        "*",
        "$",
        "?",
        "%61",
        "%3A",
        ":",
        "index.htm",
        "\u{e9}",
        "%c3%A9",
        "%2F",
        "%",
    ];
    let mut state = 9309_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut text = |most| -> String {
        let words = (0..below(most)).map(|_| WORDS[below(16) as usize]).collect::<Vec<_>>();
        words.concat()
    };
    for round in 0..600 {
        let mut file = "user-agent: *\n".to_owned();
        for rule in 0..round % 9 {
            let effect = if text(2).is_empty() { "allow" } else { "disallow" };
            file += &format!("{effect}: {}{}\n", if rule % 4 == 0 { "" } else { "/" }, text(6));
        }
        for profile in Document::ALL.map(Profile::from) {
            for _ in 0..4 {
                let path = format!("/{}", text(8));
                both(file.as_bytes(), "bot", path.as_bytes(), &profile);
            }
        }
    }
}

#[test]
fn rules_with_any_line_number_decide() {
    for count in [1, RuleSet::MAX_SCANNED, RuleSet::MAX_SCANNED + 1] {
        for number in [0, 1, usize::MAX] {
            let file: String = (0..count).map(|index| format!("disallow: /{index}-\n")).collect();
            let file = format!("user-agent: a\n{file}");
            let lines = Lines::new(file.as_bytes(), &SyntaxPolicy::RFC9309).map(|mut line| {
                if let Record::Rule(rule) = line.record {
                    line.record = Record::Rule(Rule::new(rule.effect, rule.pattern, number));
                }
                line
            });
            let groups = Groups::from_lines(lines, &GroupPolicy::RFC9309);
            let selection = groups.select(&Crawler::new("a").unwrap());
            let rules = RuleSet::compile(&selection, &MatchPolicy::RFC9309);
            assert_eq!(rules.len(), count);
            for path in ["/0-".to_owned(), format!("/{}-x", count - 1)] {
                assert!(!rules.check(&path).is_allowed(), "{count} rules of line {number}: {path}");
            }
        }
    }
}

#[test]
fn removals_of_files_read_as_one_have_each_line_once() {
    let files: [&[u8]; 2] =
        [b"user-agent: *\ndisallow:\nallow:\ndisallow: /a\n", b"user-agent: *\nallow:\ndisallow:\n"];
    for precedence in [Precedence::MostBytes, Precedence::First] {
        let lines = files.iter().flat_map(|file| Lines::new(file, &SyntaxPolicy::GOOGLE));
        let groups = Groups::from_lines(lines, &GroupPolicy::GOOGLE);
        let mut policy = MatchPolicy::GOOGLE;
        policy.precedence = precedence;
        let rules = RuleSet::compile(&groups.select(&Crawler::new("a").unwrap()), &policy);
        assert_eq!(rules.len(), 5);
        let removed: Vec<usize> = rules.removals(Difference::MAX_STATES).map(|(rule, _)| rule.line).collect();
        assert_eq!(removed, [2, 3, 4], "{precedence:?}");
    }
}

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
