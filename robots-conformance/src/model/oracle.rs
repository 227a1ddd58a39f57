//! Simple and slow versions of what robots-match does fast: canonical forms, patterns as sets of positions, and rules
//! one after the other. They share no code with robots-match.
#![expect(clippy::missing_panics_doc, reason = "a policy that the oracle does not know fails its test")]

use robots_fetch::matching::syntax::Rule;
use robots_fetch::matching::{
    CompiledRule, Effect, Form, MatchPolicy, Precedence, Reason, ReservedBytes, RuleSet,
};

/// The reserved characters that are the same as their escapes in paths and in queries.
const EVERYWHERE: [u8; 10] = *b":@[]!'(),;";

/// A byte of a path or pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unit {
    /// Whether the byte is percent-encoded.
    pub encoded: bool,
    /// The byte itself.
    pub byte: u8,
}

/// Splits bytes into plain and percent-encoded ones. Takes time proportional to their number.
#[must_use]
pub fn units(bytes: &[u8]) -> Vec<Unit> {
    let digit = |at: usize| bytes.get(at).and_then(|&digit| char::from(digit).to_digit(16));
    let mut units = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                let byte = u8::try_from(high * 16 + low).expect("two hexadecimal digits are a byte");
                units.push(Unit { encoded: true, byte });
                at += 3;
            }
            _ => {
                units.push(Unit { encoded: false, byte });
                at += 1;
            }
        }
    }
    units
}

/// Writes units as bytes.
#[must_use]
pub fn text(units: &[Unit]) -> Vec<u8> {
    units
        .iter()
        .flat_map(
            |&Unit { encoded, byte }| if encoded { format!("%{byte:02X}").into_bytes() } else { vec![byte] },
        )
        .collect()
}

/// Returns the canonical form of a path. Takes time proportional to its length.
#[must_use]
pub fn path_in(form: Form, path: &[u8]) -> Vec<u8> {
    in_form(form, path, |_, _| false)
}

/// Returns the canonical form of a pattern. Takes time proportional to its length.
#[must_use]
pub fn pattern_in(form: Form, wildcards: bool, pattern: &[u8]) -> Vec<u8> {
    in_form(form, pattern, |byte, is_last| wildcards && (byte == b'*' || byte == b'$' && is_last))
}

fn in_form(form: Form, bytes: &[u8], is_special: impl Fn(u8, bool) -> bool) -> Vec<u8> {
    const UNRESERVED: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const RESERVED_AND_IN_PATH_OR_QUERY: &[u8] = b":/?[]@!&'()+,;=";
    if form == Form::AsWritten {
        return bytes.to_vec();
    }
    let written = units(bytes);
    let last = written.len().saturating_sub(1);
    let mut formed: Vec<Unit> = written
        .into_iter()
        .enumerate()
        .map(|(index, Unit { encoded, byte })| {
            let stays_encoded = match (form, encoded) {
                (Form::NonAsciiEncoded, false) => !byte.is_ascii(),
                (Form::NonAsciiEncoded, true) => true,
                (Form::Normal, false) => {
                    !(byte == b'%'
                        || is_special(byte, index == last)
                        || UNRESERVED.contains(&byte)
                        || RESERVED_AND_IN_PATH_OR_QUERY.contains(&byte))
                }
                (Form::Normal, true) => !UNRESERVED.contains(&byte),
                (Form::DecodedButSlash, false) => byte == b'%',
                (Form::DecodedButSlash, true) => matches!(byte, b'%' | b'/'),
                (form, _) => panic!("the oracle does not know the form {form:?}"),
            };
            Unit { encoded: stays_encoded, byte }
        })
        .collect();
    // A lone `%` must not become the start of an encoded byte because of decoded bytes after it.
    for at in 0..formed.len() {
        if let Some([lone, high, low]) = formed.get_mut(at..at + 3) {
            let is_lone = lone.byte == b'%' && !lone.encoded && !high.encoded && !low.encoded;
            if is_lone {
                lone.encoded = high.byte.is_ascii_hexdigit() && low.byte.is_ascii_hexdigit();
            }
        }
    }
    text(&formed)
}

/// Where a byte is: in a path, in a query, or after a special `*` of a pattern in either of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Either,
}

/// Returns the units of a path or a pattern, each with its part.
fn parts(bytes: &[u8], wildcards: bool) -> Vec<(Unit, Part)> {
    let mut part = Part::Path;
    let with_part = |unit: Unit| {
        let own = part;
        part = match (unit.encoded, unit.byte, part) {
            (false, b'?', _) => Part::Query,
            (false, b'*', Part::Path) if wildcards => Part::Either,
            _ => part,
        };
        (unit, own)
    };
    units(bytes).into_iter().map(with_part).collect()
}

/// Returns whether a reserved character is the same as its encoding.
fn is_same(byte: u8, part: Part) -> bool {
    EVERYWHERE.contains(&byte)
        || b"&+=".contains(&byte) && part == Part::Path
        || b"/?".contains(&byte) && part == Part::Query
}

fn as_text(parts: impl Iterator<Item = (bool, u8, bool)>, bytes: &[u8]) -> Vec<u8> {
    let mut rest = bytes;
    let mut out = Vec::new();
    for (was_encoded, byte, encoded) in parts {
        let (written, after) = rest.split_at(if was_encoded { 3 } else { 1 });
        rest = after;
        match (was_encoded, encoded) {
            (true, false) => out.push(byte),
            (false, true) => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            _ => out.extend_from_slice(written),
        }
    }
    out
}

/// Decodes the reserved characters that are the same as their encodings, in a path, or in a pattern.
#[must_use]
pub fn reserved_decoded(bytes: &[u8], wildcards: bool) -> Vec<u8> {
    let parts = parts(bytes, wildcards).into_iter();
    let decoded =
        parts.map(|(Unit { encoded, byte }, part)| (encoded, byte, encoded && !is_same(byte, part)));
    as_text(decoded, bytes)
}

/// Encodes some reserved characters where they are the same as their encodings.
#[must_use]
pub fn reserved_encoded(bytes: &[u8], wildcards: bool, some: &[u8]) -> Vec<u8> {
    let parts = parts(bytes, wildcards).into_iter();
    let is_encoded = |(Unit { encoded, byte }, part): (Unit, Part)| {
        (encoded, byte, encoded || some.contains(&byte) && is_same(byte, part))
    };
    as_text(parts.map(is_encoded), bytes)
}

/// Returns the encoded characters of a pattern that are the same as themselves in one component, where they may be in either.
#[must_use]
pub fn in_either(pattern: &[u8], wildcards: bool) -> Vec<u8> {
    let parts = parts(pattern, wildcards).into_iter();
    let is_in =
        |(unit, part): &(Unit, Part)| unit.encoded && *part == Part::Either && b"&+=/?".contains(&unit.byte);
    parts.filter(is_in).map(|(unit, _)| unit.byte).collect()
}

/// Returns whether a canonical pattern, with its special `$`, matches a canonical path. Tracks all positions of the
/// path that the pattern can reach. Takes time proportional to the product of both lengths.
#[must_use]
pub fn matches(pattern: &[u8], wildcards: bool, path: &[u8]) -> bool {
    let (stem, anchored) = match pattern {
        [stem @ .., b'$'] if wildcards => (stem, true),
        _ => (pattern, false),
    };
    if !(wildcards && stem.contains(&b'*')) {
        return if anchored { stem == path } else { path.starts_with(stem) };
    }
    let mut reached = vec![false; path.len() + 1];
    reached.iter_mut().take(1).for_each(|start| *start = true);
    for &byte in stem {
        let mut before = false;
        for (at, here) in reached.iter_mut().enumerate() {
            let came = *here;
            *here = if byte == b'*' {
                before || came
            } else {
                before && at.checked_sub(1).and_then(|at| path.get(at)) == Some(&byte)
            };
            // After a star, all later positions are reached.
            before = if byte == b'*' { *here } else { came };
        }
    }
    if anchored { reached.last() == Some(&true) } else { reached.contains(&true) }
}

/// Returns whether a canonical pattern matches a canonical path under `policy`. In both, reserved characters are as they are
/// written.
#[must_use]
pub fn applies(pattern: &[u8], path: &[u8], policy: &MatchPolicy) -> bool {
    let wildcards = policy.wildcards;
    if policy.reserved == ReservedBytes::AsWritten {
        return matches(pattern, wildcards, path);
    }
    let (decoded, decoded_path) = (reserved_decoded(pattern, wildcards), reserved_decoded(path, false));
    let either = in_either(pattern, wildcards);
    matches(pattern, wildcards, path)
        || matches(&decoded, wildcards, &decoded_path)
        || !either.is_empty()
            && matches(
                &reserved_encoded(&decoded, wildcards, &either),
                wildcards,
                &reserved_encoded(&decoded_path, false, &either),
            )
}

/// A rule as it should be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedRule {
    /// Whether the rule allows or disallows.
    pub effect: Effect,
    /// The canonical pattern.
    pub pattern: Vec<u8>,
    /// The line of the rule, from 1.
    pub line: usize,
}

impl ExpectedRule {
    /// Creates an expected rule from a rule of a rule set.
    #[must_use]
    pub fn from_compiled(rule: &CompiledRule<'_>) -> Self {
        Self { effect: rule.effect, pattern: rule.pattern.to_vec(), line: rule.line }
    }
}

/// Compiles rules under `policy`, in the order of precedence.
#[must_use]
pub fn compiled<'a>(rules: impl IntoIterator<Item = Rule<'a>>, policy: &MatchPolicy) -> Vec<ExpectedRule> {
    let mut all = Vec::new();
    for rule in rules {
        let pattern = pattern_in(policy.pattern, policy.wildcards, rule.pattern.bytes());
        let pattern = match policy.reserved {
            ReservedBytes::Equal => reserved_decoded(&pattern, policy.wildcards),
            _ => pattern,
        };
        if policy.index_page_allows_directory && rule.effect == Effect::Allow {
            let mut parts: Vec<&[u8]> = pattern.split(|&byte| byte == b'/').collect();
            if parts.len() > 1 && parts.pop().is_some_and(|page| page.starts_with(b"index.htm")) {
                parts.push(b"$");
                let (effect, line) = (rule.effect, rule.line());
                all.push(ExpectedRule { effect, pattern: parts.join(&b'/'), line });
            }
        }
        if !pattern.is_empty() || policy.empty_pattern {
            all.push(ExpectedRule { effect: rule.effect, pattern, line: rule.line() });
        }
    }
    all.sort_by_key(|ExpectedRule { effect, pattern, line }| match policy.precedence {
        Precedence::MostBytes => (usize::MAX - pattern.len(), *effect == Effect::Disallow, *line),
        Precedence::First => (0, false, *line),
        other => panic!("the oracle does not know the precedence {other:?}"),
    });
    all
}

/// Compares the verdict of a rule set on a path with the first of its rules that matches.
/// Panics if they differ.
pub fn check_as_scanned(rules: &RuleSet, compiled: &[CompiledRule<'_>], path: &[u8]) {
    let policy = rules.policy();
    let verdict = rules.check(path);
    if path.is_empty() {
        assert_eq!(verdict.reason(), Reason::NotUrl);
        return;
    }
    let formed = path_in(policy.path, path);
    if policy.robots_txt_always_allowed && formed == b"/robots.txt" {
        assert_eq!(verdict.reason(), Reason::RobotsTxt);
        return;
    }
    let first = compiled.iter().find(|rule| applies(rule.as_written, &formed, policy));
    let found = verdict.rule();
    assert_eq!(
        found.map(|rule| (rule.line, rule.effect)),
        first.map(|rule| (rule.line, rule.effect)),
        "found {found:?}, scanned {first:?} for {}",
        path.escape_ascii()
    );
    let allowed = first.is_none_or(|first| first.effect == Effect::Allow || first.pattern.is_empty());
    assert_eq!(verdict.is_allowed(), allowed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_document() {
        struct Case {
            pattern: &'static str,
            path: &'static str,
            matches: bool,
        }
        let cases = [
            Case { pattern: "/fish", path: "/fishheads", matches: true },
            Case { pattern: "/fish*", path: "/fishheads", matches: true },
            Case { pattern: "/*.php$", path: "/a.php?x", matches: false },
            Case { pattern: "/*.php$", path: "/a/b.php", matches: true },
            Case { pattern: "*a*b$", path: "/aab", matches: true },
            Case { pattern: "*a*b$", path: "/aaba", matches: false },
            Case { pattern: "/a*", path: "/b", matches: false },
            Case { pattern: "", path: "", matches: true },
            Case { pattern: "$", path: "/", matches: false },
        ];
        for Case { pattern, path, matches: expected } in cases {
            let found = matches(pattern.as_bytes(), true, path.as_bytes());
            assert_eq!(found, expected, "{pattern} {path}");
        }
        assert!(matches(b"/a*$", false, b"/a*$b"));
    }

    #[test]
    fn canonical_forms_match_the_documents() {
        assert_eq!(path_in(Form::Normal, b"/%7e%2f*\xE3 %"), b"/~%2F%2A%E3%20%");
        assert_eq!(pattern_in(Form::Normal, true, b"/$*$"), b"/%24*$");
        assert_eq!(path_in(Form::Normal, b"/%%34%31"), b"/%2541");
        assert_eq!(path_in(Form::DecodedButSlash, b"/%7e%2f%25"), b"/~%2F%25");
        assert_eq!(reserved_decoded(b"/%3A%2B?%3A%2B%2F", false), b"/:+?:%2B/");
        assert_eq!(reserved_decoded(b"/*%3A%2B", true), b"/*:%2B");
    }
}
