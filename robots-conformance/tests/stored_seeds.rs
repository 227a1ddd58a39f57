//! The seeds of the fuzz target `stored`: entries as they are written now. Seeds of an older format are refused by their header or
//! their first number, and test nothing after it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::collections::BTreeMap;
use std::fs;

use robots_conformance::PROFILES;
use robots_conformance::properties::all_seeds;
use robots_conformance::properties::retrieval::entry_after;
use robots_fetch::{DecodeError, Entry, FailureKind};

/// The length of a header: magic, version, checksum, length and policy. A property writes it itself.
const HEADER: usize = 22;

const FILE: &str = "s200 ETag: \"1\"|Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT|Cache-Control: max-age=9\n\
    buser-agent: *\nbdisallow: /page\ne";

/// A seed: its name, the position of its profile, and the script of its entry.
fn scripts() -> Vec<(&'static str, u8, String)> {
    // A failure is named by the position of its kind.
    let failure = |kind: FailureKind| {
        let at = FailureKind::ALL.iter().position(|other| *other == kind).unwrap();
        format!("x{}", char::from(u8::try_from(at).unwrap()))
    };
    let script = |steps: &[&str]| format!("https://a.test\n{}", steps.join("\n"));
    let (dns, no_network) = (failure(FailureKind::Dns), failure(FailureKind::NoNetwork));
    let moved = "s301 Location: https://b.test/robots.txt";
    vec![
        ("file", 0, script(&[FILE])),
        ("moved", 0, script(&[moved, FILE])),
        ("not-modified", 0, script(&[FILE, "t60", "s304 Expires: Sun, 06 Nov 1994 08:49:37 GMT"])),
        ("no-store", 2, script(&["s200 Cache-Control: no-store", "ballow: /", "e"])),
        ("gone", 2, script(&["s404"])),
        ("gone-after-file", 1, script(&[FILE, "t60", "s404"])),
        ("page", 0, script(&["s200 Content-Type: text/html", "b<!doctype html><title>x</title>", "e"])),
        ("restricted", 3, script(&["s403"])),
        ("loop", 0, script(&["s302 Location: /robots.txt"])),
        ("nowhere", 0, script(&["s302 Location: mailto:a"])),
        ("outage", 1, script(&["s503 Retry-After: 60"])),
        ("outage-after-file", 0, script(&[FILE, "t100000", "s500", "t100000", &dns])),
        ("failure", 3, script(&[&dns])),
        ("throttled", 0, script(&["s429 Retry-After: 60", "t60", "s429"])),
        ("throttled-after-file", 2, script(&[FILE, "t100000", "s429"])),
        ("local", 0, script(&[&no_network])),
        ("local-after-file", 0, script(&[FILE, "t100000", "s500", "t100000", &no_network])),
    ]
}

/// Replaces the last occurrence of `from`, of the same length.
fn replaced(seed: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = seed.windows(from.len()).rposition(|part| part == from).unwrap();
    [seed.get(..at).unwrap(), to, seed.get(at + from.len()..).unwrap()].concat()
}

/// Returns the seeds: each is the position of a profile, and an entry without its header.
fn stored() -> BTreeMap<&'static str, Vec<u8>> {
    let mut seeds = BTreeMap::new();
    for (name, which, script) in scripts() {
        let (_, profile) = PROFILES.get(usize::from(which)).unwrap();
        let entry = entry_after(&script, profile).unwrap_or_else(|| panic!("{name} has no entry"));
        let bytes = entry.encode();
        assert_eq!(Entry::decode(&bytes, profile).as_ref(), Ok(&entry), "{name}");
        seeds.insert(name, [&[which], bytes.get(HEADER..).unwrap()].concat());
        if name == "file" {
            seeds.insert("whole", bytes);
        }
    }
    // Values that are never written: line ends in a field and in a text, and an outage without an attempt.
    let header = replaced(&seeds["file"], b"\"1\"", b"\n1\r");
    let line_end = replaced(&seeds["loop"], b"robots", b"\r\nbots");
    let mut no_attempt = seeds["failure"].clone();
    assert_eq!(no_attempt.pop(), Some(1));
    no_attempt.push(0);
    seeds.extend([("header", header), ("line-end", line_end), ("no-attempt", no_attempt)]);
    seeds
}

#[test]
fn seeds_of_stored_entries_are_of_the_present_format() {
    let mut all = all_seeds();
    let expected: BTreeMap<String, Vec<u8>> =
        stored().into_iter().map(|(name, seed)| (name.to_owned(), seed)).collect();
    if std::env::var_os("UPDATE_SEEDS").is_some() {
        all.insert("stored".to_owned(), expected.clone());
        let text = |bytes: &Vec<u8>| bytes.iter().copied().map(char::from).collect::<String>();
        let texts: BTreeMap<_, BTreeMap<_, _>> = all
            .iter()
            .map(|(target, seeds)| (target, seeds.iter().map(|(name, seed)| (name, text(seed))).collect()))
            .collect();
        let json = serde_json::to_string_pretty(&texts).unwrap();
        let escaped =
            |char: char| if char < '\x7F' { char.to_string() } else { format!("\\u{:04x}", u32::from(char)) };
        let json = json.chars().map(escaped).collect::<String>() + "\n";
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds.json"), json).unwrap();
    }
    let advice = "write the seeds with UPDATE_SEEDS=1 cargo test -p robots-conformance --test stored_seeds";
    assert!(all["stored"] == expected, "{advice}");
}

#[test]
fn a_cut_seed_is_not_an_entry() {
    let (_, profile) = PROFILES[0];
    let whole = &stored()["whole"];
    for len in 0..whole.len() {
        let decoded = Entry::decode(&whole[..len], &profile);
        assert!(matches!(decoded, Err(DecodeError::NotAnEntry | DecodeError::Length)), "{len}");
    }
}
