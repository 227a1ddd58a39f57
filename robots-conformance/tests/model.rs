//! The implementation agrees with the model of RFC 9309 on the rows of the tables, on generated files, and on real files
//! if there are any.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a table that is not as it should be fails its test"
)]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use robots_conformance::{generate, model, properties};
use robots_fetch::matching::{Crawler, Profile, Robots, path_of};
use toml::{Table, Value};

fn stack(file: &[u8], token: &str, path: &[u8]) -> (bool, Option<usize>) {
    let rules = Robots::new(file, Profile::RFC9309).rules(&Crawler::new(token).unwrap());
    let verdict = rules.check(path);
    (verdict.is_allowed(), verdict.line())
}

/// The text of a table with `\r`, `\n`, `\t`, `\\` and `\xNN` for bytes.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let (byte, len) = match rest[0] {
            b'r' => (b'\r', 1),
            b'n' => (b'\n', 1),
            b't' => (b'\t', 1),
            b'\\' => (b'\\', 1),
            b'x' => (u8::from_str_radix(str::from_utf8(&rest[1..3]).unwrap(), 16).unwrap(), 3),
            other => panic!("`\\{}` in {text}", char::from(other)),
        };
        bytes.push(byte);
        rest = &rest[len..];
    }
    bytes
}

/// The file of a table that has this name.
fn file(table: &Table, name: &str) -> Vec<u8> {
    let find = |section: &str| table.get(section)?.as_table()?.get(name);
    if let Some(text) = find("robots") {
        return text.as_str().unwrap().as_bytes().to_vec();
    }
    if let Some(text) = find("escaped") {
        return unescaped(text.as_str().unwrap());
    }
    let pieces = find("generated").unwrap_or_else(|| panic!("no file `{name}`")).as_array().unwrap();
    pieces
        .iter()
        .flat_map(|piece| {
            let piece = piece.as_array().unwrap();
            unescaped(piece[0].as_str().unwrap())
                .repeat(usize::try_from(piece[1].as_integer().unwrap()).unwrap())
        })
        .collect()
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tables(&path));
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// How many bytes of a file RFC 9309's profile reads: the model knows no limit.
fn as_read(body: &[u8]) -> &[u8] {
    let lines = robots_fetch::matching::syntax::Lines::new(body, &Profile::RFC9309.syntax);
    &body[lines.skipped().end()..lines.dropped().start()]
}

#[test]
fn the_model_agrees_with_the_rows() {
    let (mut held, mut other) = (0, 0);
    for path in tables(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tables"))) {
        let table: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        for row in table.get("verdict").and_then(Value::as_array).into_iter().flatten() {
            let text = |key: &str| row.get(key).and_then(Value::as_str);
            let profiles = row["profiles"].as_array().unwrap();
            if !profiles.iter().any(|profile| profile.as_str() == Some("rfc9309")) {
                continue;
            }
            // Rows about subjects that the document does not have: several names, turned knobs, crawlers that ignore `*`.
            let asks_more =
                ["agents", "together", "ignores_wildcard", "turn"].iter().any(|key| row.get(key).is_some());
            let agent = text("agent").filter(|agent| !asks_more && Crawler::new(agent).is_ok());
            let Some(agent) = agent else {
                other += 1;
                continue;
            };
            let body = file(&table, text("robots").unwrap());
            let asked = match text("path") {
                Some(path) => path.as_bytes().to_vec(),
                None => path_of(text("url").unwrap().as_bytes(), &Profile::RFC9309.matching).into_owned(),
            };
            let place = format!("{}: {:?}", path.display(), row["name"]);
            let said = model::verdict(as_read(&body), agent, &asked);
            assert_eq!(said.0, text("expect") == Some("allow"), "{place}");
            if let Some(line) = row.get("line").and_then(Value::as_integer) {
                assert_eq!(said.1.unwrap_or(0), usize::try_from(line).unwrap(), "{place}");
            }
            assert_eq!(stack(&body, agent, &asked), said, "{place}");
            held += 1;
        }
    }
    println!("{held} rows compared with the model; {other} rows need more than it implements");
    assert!(held >= 100, "only {held} rows");
}

/// Paths that the patterns of a file are about: some of each kind.
fn paths(body: &[u8], most: usize) -> Vec<Vec<u8>> {
    let patterns: Vec<&[u8]> =
        model::groups(body).iter().flat_map(|group| group.rules.iter().map(|rule| rule.pattern)).collect();
    let step = patterns.len().div_ceil(most).max(1);
    let mut paths = vec![b"/".to_vec()];
    for (index, pattern) in patterns.into_iter().step_by(step).enumerate() {
        let stem = pattern.strip_suffix(b"$").unwrap_or(pattern);
        let filler: &[u8] = if index % 2 == 0 { b"x/y" } else { b"" };
        let mut path = stem.split(|&byte| byte == b'*').collect::<Vec<_>>().join(filler);
        match index % 4 {
            0 => path.extend_from_slice(b"a?b=c"),
            1 => {
                path.pop();
            }
            _ => {}
        }
        paths.push(properties::rooted(&path).into_owned());
    }
    paths
}

#[test]
fn stack_and_model_agree_on_real_files() {
    let sites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus/sites");
    let Ok(entries) = fs::read_dir(sites) else {
        println!("skipped: the folder of real files does not exist");
        return;
    };
    let (mut files, mut verdicts) = (0, 0);
    for entry in entries {
        let path = entry.unwrap().path();
        let whole = fs::read(&path).unwrap();
        let body = as_read(&whole);
        let most = if body.len() > 20_000 { 1 } else { 4 };
        // A crawler that the file names, and one that it does not name.
        let named =
            model::groups(body).iter().rev().flat_map(|group| group.agents.clone()).find_map(|agent| {
                let text = str::from_utf8(agent).ok()?.to_owned();
                Crawler::new(&text).is_ok().then_some(text)
            });
        for token in [Some("foo".to_owned()), named].into_iter().flatten() {
            let robots = Robots::new(&*whole, Profile::RFC9309);
            let crawler = Crawler::new(&token).unwrap();
            let rules = robots.rules(&crawler);
            for asked in paths(body, most) {
                let verdict = rules.check(&asked);
                assert_eq!(robots.check(&crawler, &asked), verdict);
                let found = (verdict.is_allowed(), verdict.line());
                let said = model::verdict(body, &token, &asked);
                assert_eq!(found, said, "{} {token} {}", path.display(), asked.escape_ascii());
                verdicts += 1;
            }
        }
        files += 1;
    }
    println!("{verdicts} verdicts on {files} files");
    assert!(verdicts >= files);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stack_and_model_agree_on_generated_files(
        choices in vec(any::<u8>(), 0..500),
        faults in vec(any::<u8>(), 0..40),
        token in "foo|bar|foobot|A_B-C|none",
    ) {
        let file = generate::with_faults(&generate::rfc9309(&choices).file, &faults);
        let robots = Robots::new(&*file, Profile::RFC9309);
        for path in paths(as_read(&file), 12) {
            properties::agrees_with_model(&path, token.as_bytes(), &robots);
        }
    }
}
