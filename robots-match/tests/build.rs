//! The builder writes files that conform and that read back to the same groups and rules.

use percent_encoding::percent_decode;
use proptest::collection::vec;
use proptest::prelude::*;
use robots_match::syntax::{Effect, Grammar, Record};
use robots_match::{Builder, Document, Profile, Robots};

/// A piece of a file, which the builder may refuse.
#[derive(Clone, Debug)]
enum Piece {
    Comment(String),
    Blank,
    Sitemap(String),
    Record(String, String),
    Group(Vec<String>, Vec<Inner>),
}

#[derive(Clone, Debug)]
enum Inner {
    Rule(Effect, Vec<u8>),
    Record(String, String),
    Comment(String),
}

/// Text with parts of real files, and anything else.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "[ -~]{0,8}",
        1 => any::<char>().prop_map(String::from),
        1 => prop::sample::select(vec![
            "\n", "\r", "\r\n", "#", "\0", "\t", " ", "\u{b}", "\u{feff}", "\u{85}", "\u{2028}", "\x7f", "Disallow: /",
            "User-agent: *", "*", "$", "%", "%2F", "https://example.com/", "é",
        ])
        .prop_map(String::from),
    ];
    vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn key() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "Crawl-delay",
        "Host",
        "sitemap",
        "Allow",
        "Disallowed",
        "useragent",
        "a:b",
    ]);
    prop_oneof![known.prop_map(String::from), "[!-~]{1,6}", text()]
}

fn pattern() -> impl Strategy<Value = Vec<u8>> {
    let rest = prop_oneof![text().prop_map(String::into_bytes), vec(any::<u8>(), 0..12)];
    prop_oneof![
        9 => rest.clone().prop_map(|rest| [b"/", &rest[..]].concat()),
        1 => rest,
    ]
}

fn piece() -> impl Strategy<Value = Piece> {
    let effect = prop_oneof![Just(Effect::Allow), Just(Effect::Disallow)];
    let inner = prop_oneof![
        4 => (effect, pattern()).prop_map(|(effect, pattern)| Inner::Rule(effect, pattern)),
        1 => (key(), text()).prop_map(|(key, value)| Inner::Record(key, value)),
        1 => text().prop_map(Inner::Comment),
    ];
    let agent = prop_oneof!["[A-Za-z_-]{1,5}", Just(String::from("*"))];
    prop_oneof![
        text().prop_map(Piece::Comment),
        Just(Piece::Blank),
        text().prop_map(|rest| Piece::Sitemap(format!("https://example.com/{rest}"))),
        (key(), text()).prop_map(|(key, value)| Piece::Record(key, value)),
        (vec(agent, 0..3), vec(inner, 0..5)).prop_map(|(agents, inner)| Piece::Group(agents, inner)),
    ]
}

type Ruled = (Effect, Vec<u8>);

/// The agents and the rules of each group, the patterns decoded; and the other records.
#[derive(Debug, Default, PartialEq)]
struct Model {
    groups: Vec<(Vec<String>, Vec<Ruled>)>,
    others: Vec<(String, String)>,
}

fn decoded(pattern: &[u8]) -> Vec<u8> {
    percent_decode(pattern).collect()
}

/// Writes the pieces, and returns those that were accepted.
fn write(pieces: &[Piece]) -> (Model, String) {
    let mut file = Builder::new();
    let mut model = Model::default();
    for piece in pieces {
        match piece {
            Piece::Comment(text) => assert!(file.comment(text).is_ok()),
            Piece::Blank => assert!(file.blank().is_ok()),
            Piece::Sitemap(url) => {
                if file.sitemap(url).is_ok() {
                    model.others.push(("Sitemap".into(), url.clone()));
                }
            }
            Piece::Record(key, value) => {
                if file.record(key, value).is_ok() {
                    model.others.push((key.clone(), value.trim_matches([' ', '\t']).into()));
                }
            }
            Piece::Group(agents, inner) => {
                let Ok(mut group) = file.group(agents) else {
                    assert!(agents.is_empty());
                    continue;
                };
                let mut rules = vec![];
                for inner in inner {
                    match inner {
                        Inner::Rule(effect, pattern) => {
                            let written = match effect {
                                Effect::Allow => group.allow(pattern),
                                Effect::Disallow => group.disallow(pattern),
                            };
                            assert_eq!(written.is_ok(), pattern.first() == Some(&b'/'));
                            if written.is_ok() {
                                rules.push((*effect, decoded(pattern)));
                            }
                        }
                        Inner::Record(key, value) => {
                            if group.record(key, value).is_ok() {
                                model.others.push((key.clone(), value.trim_matches([' ', '\t']).into()));
                            }
                        }
                        Inner::Comment(text) => assert!(group.comment(text).is_ok()),
                    }
                }
                if rules.is_empty() {
                    rules.push((Effect::Disallow, vec![]));
                }
                model.groups.push((agents.clone(), rules));
            }
        }
    }
    (model, file.text())
}

fn read(text: &str, profile: Profile) -> Model {
    let robots = Robots::new(text.as_bytes(), profile);
    let groups = robots.groups();
    assert!(groups.strays().is_empty());
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text of a string");
    let others = robots.lines().filter_map(|line| match line.record {
        Record::Other { key, value } => Some((string(key.bytes()), string(value.bytes()))),
        Record::Unreadable => panic!("{line}"),
        _ => None,
    });
    let groups = groups.iter().map(|group| {
        let agents = group.agents().iter().map(|agent| string(agent.bytes())).collect();
        let rules = group.rules().iter().map(|rule| (rule.effect, decoded(rule.pattern.bytes()))).collect();
        (agents, rules)
    });
    Model { groups: groups.collect(), others: others.collect() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn written_files_conform_and_read_back_the_same(pieces in vec(piece(), 0..8)) {
        let (model, text) = write(&pieces);
        prop_assert_eq!(Grammar::Rfc9309.check(text.as_bytes()), Ok(()), "{}", text);
        for document in Document::ALL {
            prop_assert_eq!(&read(&text, document.into()), &model, "{}: {}", document, text);
        }
    }
}

#[test]
fn a_comment_is_above_its_group_and_blank_lines_are_between_groups() {
    let mut file = Builder::new();
    file.group(["foo"]).unwrap().allow("/a").unwrap();
    file.comment("of all\tothers").unwrap();
    file.group(["*"]).unwrap();
    let written = "User-agent: foo\nAllow: /a\n\n# of all\tothers\nUser-agent: *\nDisallow:\n";
    assert_eq!(file.text(), written);
    // A comment above the first group is one of the file.
    let mut file = Builder::new();
    file.comment("of the file").unwrap().record("Host", "a.test").unwrap();
    file.group(["*"]).unwrap().disallow("/").unwrap();
    assert_eq!(file.text(), "# of the file\nHost: a.test\n\nUser-agent: *\nDisallow: /\n");
    let mut file = Builder::new();
    file.comment("of the file").unwrap();
    file.group(["*"]).unwrap().disallow("/").unwrap();
    assert_eq!(file.text(), "# of the file\n\nUser-agent: *\nDisallow: /\n");
}

#[test]
fn a_group_needs_room_for_its_empty_rule_and_others_do_not() {
    let group = "User-agent: *\n";
    let filled = |len: usize| {
        let mut file = Builder::new();
        file.comment(&"a".repeat(len - "# \n".len())).unwrap();
        file.blank().unwrap();
        file
    };
    let rule = "Disallow:\n";
    // With the blank line that `blank` writes, and no other.
    let most = Builder::MAX_BYTES - 1 - group.len() - rule.len();
    assert!(filled(most).group(["*"]).is_ok());
    assert!(filled(most + 1).group(["*"]).is_err());
    assert_eq!(filled(Builder::MAX_BYTES - 1).text().len(), Builder::MAX_BYTES);
    // A rule takes the place of the empty one.
    let mut file = filled(most - "/a".len() - 1);
    file.group(["*"]).unwrap().disallow("/a").unwrap();
    assert_eq!(file.text().len(), Builder::MAX_BYTES);
}

#[cfg(feature = "catalogue")]
#[test]
fn every_name_of_the_catalogue_can_be_written() {
    use robots_match::{Crawler, KnownCrawler};

    let mut unusual = 0;
    for token in KnownCrawler::ALL.iter().flat_map(|known| known.tokens) {
        let mut file = Builder::new();
        file.group([token]).unwrap().disallow("/").unwrap();
        unusual += file.warnings().len();
        let robots = Robots::new(file.text(), Document::Rfc9309);
        assert_eq!(robots.check(&Crawler::new(token).unwrap(), "/a").line(), Some(2), "{token}");
    }
    assert!(unusual >= 20, "{unusual}");
}
