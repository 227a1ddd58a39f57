//! The difference of rule sets where a `%` begins no escape: in a pattern, or only in a path.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on ends")]

mod changes;

use robots_match::{Change, Difference, Form, Profile, ReservedBytes, RuleSet};

use crate::changes::rules;

/// Returns the paths that are newly disallowed and newly allowed if another profile reads the same rules.
fn changed(lines: &str, before: &Profile, after: &Profile) -> [Option<String>; 2] {
    changes::changed(&rules(lines, before), &rules(lines, after))
}

#[test]
fn each_form_compares_a_percent_sign_that_begins_no_escape() {
    // `z` is a letter that no form percent-decodes to a digit, but `%7A` is a `z` for RFC 9309 only.
    let rfc = changed("disallow: /a%zz\n", &Profile::RFC9309, &Profile::GOOGLE);
    assert_eq!(rfc, [None, Some("/a%z%7A".to_owned())]);
    assert_eq!(changed("disallow: /-%$\n", &Profile::GOOGLE, &Profile::GOOGLE), [None, None]);
    // The form of 1996 encodes every such `%`, in patterns too.
    let koster = changed("disallow: /-%.\n", &Profile::KOSTER_1996, &Profile::RFC9309);
    assert_eq!(koster, [None, Some("/-%25.".to_owned())]);
    let rfc = changed("disallow: /-%25.\n", &Profile::RFC9309, &Profile::KOSTER_1996);
    assert_eq!(rfc, [Some("/-%.".to_owned()), None]);
}

/// RFC 3986, section 2.1: a `%` begins an escape if two hexadecimal digits follow. A decoded digit makes none.
#[test]
fn a_percent_sign_before_decoded_digits_is_encoded() {
    let files = "allow: /%2541$\ndisallow: /%%34%31$\n";
    let rfc = rules(files, &Profile::RFC9309);
    assert!(rfc.check("/%%34%31").is_allowed());
    let google = rules(files, &Profile::GOOGLE);
    assert!(!google.check("/%%34%31").is_allowed());
    let found = changed(files, &Profile::RFC9309, &Profile::GOOGLE);
    assert_eq!(found, [Some("/%%34%31".to_owned()), None]);
}

/// The second digit is percent-encoded: RFC 9309 compares `/%2525`, and not `/%25`.
#[test]
fn a_percent_sign_before_a_digit_and_a_decoded_one_is_encoded() {
    let file = "disallow: /%2%35\nallow: /%25\n";
    let found = changed(file, &Profile::RFC9309, &Profile::GOOGLE);
    assert_eq!(found, [None, Some("/%2525".to_owned())]);
}

/// The digits of `%25` are matched although no pattern has a `%`.
#[test]
fn patterns_without_a_percent_sign_may_match_its_encoding() {
    let wild_1996 = {
        let mut profile = Profile::KOSTER_1996;
        profile.matching.wildcards = true;
        profile
    };
    let found = changed("disallow: /*5$\n", &Profile::GOOGLE, &wild_1996);
    assert_eq!(found, [Some("/%".to_owned()), Some("/%05".to_owned())]);
}

/// Only a `%` that begins no escape is a byte that no pattern matches.
#[test]
fn a_percent_sign_is_found_where_patterns_have_all_other_bytes() {
    let file: String = (b'!'..=b'~')
        .filter(|byte| !b"%#$*".contains(byte))
        .map(|byte| format!("allow: /?*{}$\n", char::from(byte)))
        .chain(["$", "*"].map(|byte| format!("allow: /?*%{:02X}$\n", byte.as_bytes()[0])))
        .chain(["disallow: /?a*$\n".to_owned()])
        .collect();
    let before = rules(&file.replace("disallow", "allow"), &Profile::RFC9309);
    let after = rules(&file, &Profile::RFC9309);
    let difference = before.difference(&after, Difference::MAX_STATES);
    assert!(difference.newly_allowed.is_nothing());
    assert_eq!(difference.newly_disallowed.witness().unwrap().path, "/?a%");
}

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn rules(&mut self, pieces: &[&str]) -> String {
        let mut file = String::new();
        for _ in 0..=self.below(4) {
            let effect = ["allow", "disallow"][self.below(2)];
            let start = ["/", "/", "/*", "*"][self.below(4)];
            let middle: String = (0..=self.below(3)).map(|_| pieces[self.below(pieces.len())]).collect();
            let end = ["", "", "$"][self.below(3)];
            file += &format!("{effect}: {start}{middle}{end}\n");
        }
        file
    }
}

/// Returns all paths of up to `most` bytes that consist of `/` and units, the shortest first.
fn paths(units: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::from("/")];
    let mut next = 0;
    while let Some(path) = all.get(next).cloned() {
        all.extend(units.iter().map(|unit| format!("{path}{unit}")).filter(|path| path.len() <= most));
        next += 1;
    }
    all.sort_by_key(String::len);
    all.dedup();
    all
}

/// Returns whether each `%` begins an escape.
fn is_valid(path: &str) -> bool {
    let mut parts = path.split('%').skip(1);
    parts.all(|part| part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()))
}

/// Asserts that the difference is what the verdicts about `paths` show, as far as these show it. Returns for each direction
/// whether the path that was found is valid.
fn agrees(before: &RuleSet, after: &RuleSet, paths: &[String], what: &str) -> [Option<bool>; 2] {
    let difference = before.difference(after, Difference::MAX_STATES);
    let verdicts: Vec<(bool, bool)> =
        paths.iter().map(|path| (before.check(path).is_allowed(), after.check(path).is_allowed())).collect();
    [(&difference.newly_disallowed, false), (&difference.newly_allowed, true)].map(|(change, to_allowed)| {
        let differing = || {
            let pairs = paths.iter().zip(&verdicts);
            pairs.filter(|(_, verdicts)| **verdicts == (!to_allowed, to_allowed)).map(|(path, _)| path)
        };
        let valid = differing().find(|path| is_valid(path));
        match (change, valid.or_else(|| differing().next())) {
            (Change::Nothing, None) => None,
            (Change::Path(found), expected) => {
                assert!(found.is_shortest, "{what}");
                let allowed = [before, after].map(|rules| rules.check(&found.path).is_allowed());
                assert_eq!(allowed, [!to_allowed, to_allowed], "{what} {}", found.path);
                assert!(is_valid(&found.path) || valid.is_none(), "{what} {} {valid:?}", found.path);
                if is_valid(&found.path) == valid.is_some() {
                    let shortest = expected.map_or(usize::MAX, String::len);
                    assert!(found.path.len() <= shortest, "{what} {} {expected:?}", found.path);
                }
                Some(is_valid(&found.path))
            }
            (change, expected) => panic!("{what} {change:?} {expected:?}"),
        }
    })
}

/// Returns how many random rule sets are tried for each two forms. More are tried with `PROPTEST_CASES`, as in other tests.
fn rounds() -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(8).max(8)
}

#[test]
fn a_percent_sign_before_a_decoded_digit_and_one_as_it_is_written_is_encoded() {
    // RFC 9309 compares all three as `/%2542`, Google as they are written.
    for spelling in ["/%%342", "/%4%32", "/%%34%32"] {
        let lines = format!("disallow: {spelling}\nallow: /%2542\n");
        let changes = changed(&lines, &Profile::RFC9309, &Profile::GOOGLE);
        assert_eq!(changes, [Some(spelling.to_owned()), None]);
    }
}

#[test]
fn a_pattern_that_ends_within_an_encoding_meets_one_with_the_byte() {
    // The one matches the path as it is written, the other one after the comma is decoded.
    let changed = |before: &str, after: &str| {
        changes::changed(&rules(before, &Profile::RFC9309), &rules(after, &Profile::RFC9309))
    };
    let changes = changed("disallow: /,*%2A\n", "allow: /%2\ndisallow: /\n");
    assert_eq!(changes, [Some("/".to_owned()), Some("/%2C%2A".to_owned())]);
    let changes = changed("disallow: /*=xy\n", "allow: /*Dxy$\ndisallow: /\n");
    assert_eq!(changes, [Some("/".to_owned()), Some("/%3Dxy".to_owned())]);
}

#[test]
fn the_shortest_of_several_paths_with_a_percent_sign_is_found() {
    // The draft of 1996 compares a `%` that begins no escape as `%25`: one byte of a path is three bytes of a pattern.
    let lines = "disallow: /%25%25/\ndisallow: ////%25\n";
    assert_eq!(changed(lines, &Profile::GOOGLE, &Profile::KOSTER_1996), [Some("/%%/".to_owned()), None]);
}

#[test]
fn the_shortest_path_is_found_after_longer_ones() {
    let profile = |form: Form, reserved: ReservedBytes| {
        let mut profile = Profile::RFC9309;
        let policy = &mut profile.matching;
        policy.path = form;
        policy.pattern = if form == Form::AsWritten { Form::NonAsciiEncoded } else { form };
        policy.reserved = reserved;
        profile
    };
    let check = |files: [&str; 2], forms: [Form; 2], units: &[&str]| {
        for reserved in [ReservedBytes::AsWritten, ReservedBytes::Equal] {
            let of = |form| if form == Form::Normal { reserved } else { ReservedBytes::AsWritten };
            let [before, after] = forms.map(|form| profile(form, of(form)));
            let (before, after) = (rules(files[0], &before), rules(files[1], &after));
            agrees(&before, &after, &paths(units, 7), &format!("{files:?} {reserved:?}"));
        }
    };
    let encoded = "disallow: *%3C*\nallow: /C*<\ndisallow: /*%3Cx*$\ndisallow: /***x\n";
    check([encoded; 2], [Form::AsWritten, Form::Normal], &["<", "%3C", "x", "3", "C", "%78"]);
    let commas =
        ["disallow: **%2C\nallow: **%2\ndisallow: /4%2*$\n", "disallow: /**\ndisallow: *,?\nallow: *%2C,,\n"];
    check(commas, [Form::NonAsciiEncoded, Form::DecodedButSlash], &["%", "?", "4", "%34", ",", "%2C"]);
    let digits = "disallow: /*%25$\ndisallow: /2\nallow: /*4%34\nallow: /*4%$\n";
    check([digits; 2], [Form::AsWritten, Form::DecodedButSlash], &["%", "4", "2", "x", "%34", "%25"]);
}

#[test]
fn random_rules_agree_with_all_short_paths_in_each_two_forms() {
    struct Kind {
        pieces: &'static [&'static str],
        units: &'static [&'static str],
        most: usize,
    }
    let kinds = [
        Kind {
            pieces: &["%", "%", "4", "2", "%4", "%34", "%25", "*", "x"],
            units: &["%", "4", "2", "x", "%34", "%25"],
            most: 7,
        },
        Kind {
            pieces: &["%", "%", "%4", "%2545", "45", "%%34", "5", "*"],
            units: &["%", "x", "%34", "%35", "%25"],
            most: 9,
        },
        Kind {
            pieces: &["%", "?", ",", "%2C", "4", "%2", "*", "?"],
            units: &["%", "?", "4", "%34", ",", "%2C"],
            most: 7,
        },
        Kind {
            pieces: &["<", "%3C", "*", "x", "<<", "C", "*"],
            units: &["<", "%3C", "x", "3", "C", "%78"],
            most: 7,
        },
    ];
    let forms = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];
    let profile = |form: Form, numbers: &mut Numbers| {
        let mut profile = Profile::RFC9309;
        let policy = &mut profile.matching;
        policy.path = form;
        policy.pattern = if form == Form::AsWritten { Form::NonAsciiEncoded } else { form };
        if form != Form::Normal && (numbers.below(2) != 0 || form != Form::AsWritten) {
            policy.reserved = ReservedBytes::AsWritten;
        }
        policy.robots_txt_always_allowed = numbers.below(2) == 0;
        profile
    };
    let mut numbers = Numbers(3986);
    // How often a valid path was found, another one, and nothing, where the forms differ.
    let mut counts = [0; 3];
    for (index, Kind { pieces, units, most }) in kinds.into_iter().enumerate() {
        let paths = paths(units, most);
        for one in forms {
            for other in forms {
                // Where both forms are the same for `<` and `%3C`, the path of a witness has `%3C`.
                let keeps = |form| matches!(form, Form::AsWritten | Form::NonAsciiEncoded);
                if units.contains(&"<") && (one == other || !keeps(one) && !keeps(other)) {
                    continue;
                }
                for _ in 0..rounds() {
                    let file = numbers.rules(pieces);
                    // Often the same rules, in two forms.
                    let second = if numbers.below(3) == 0 { numbers.rules(pieces) } else { file.clone() };
                    let what = format!("{index} {one:?} {other:?}: {file:?} {second:?}");
                    let before = rules(&file, &profile(one, &mut numbers));
                    let after = rules(&second, &profile(other, &mut numbers));
                    for is_valid in agrees(&before, &after, &paths, &what) {
                        let at = is_valid.map_or(2, |is_valid| usize::from(!is_valid));
                        counts[at] += usize::from(one != other);
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > rounds()), "{counts:?}");
}
