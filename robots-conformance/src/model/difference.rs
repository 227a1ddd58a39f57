//! A plain search for the difference of two rule sets: breadth first over all paths, without rules that prune. It shares
//! no code with robots-match except the list of compiled rules.

use std::collections::{BTreeSet, HashMap, VecDeque};

use robots_fetch::matching::{CompiledRule, Effect, Form, RuleSet};

use super::oracle::{DECODABLE, Unit, units};

/// The result of a plain search in each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainDifference {
    /// The length in bytes of a shortest path that is newly disallowed, if there is one.
    pub newly_disallowed: Option<usize>,
    /// The length in bytes of a shortest path that is newly allowed, if there is one.
    pub newly_allowed: Option<usize>,
}

/// The positions of a pattern that a path reaches, one bit for each.
type Positions = u128;

/// A pattern of up to 126 bytes: for each byte the positions before it, and the positions of stars.
struct Pattern {
    literals: Box<[Positions; 256]>,
    stars: Positions,
    end: Positions,
    decoded: bool,
}

impl Pattern {
    fn new(pattern: &[u8], wildcards: bool, decoded: bool) -> Option<Self> {
        let (stem, anchored) = match pattern {
            [stem @ .., b'$'] if wildcards => (stem, true),
            _ => (pattern, false),
        };
        if stem.len() > 126 {
            return None;
        }
        let mut literals = Box::new([0; 256]);
        let mut stars = 0;
        for (at, &byte) in stem.iter().enumerate() {
            if byte == b'*' && wildcards {
                stars |= 1 << at;
            } else if let Some(positions) = literals.get_mut(usize::from(byte)) {
                *positions |= 1 << at;
            }
        }
        let end = 1 << stem.len();
        // Without a `$`, everything may follow.
        let stars = if anchored { stars } else { stars | end };
        Some(Self { literals, stars, end, decoded })
    }

    /// Adds the positions that are reached without a byte. No star follows another in most patterns.
    const fn closed(&self, mut positions: Positions) -> Positions {
        loop {
            let more = positions | (positions & self.stars & !self.end) << 1;
            if more == positions {
                return positions;
            }
            positions = more;
        }
    }

    const fn start(&self) -> Positions {
        self.closed(1)
    }

    fn step(&self, positions: Positions, byte: u8) -> Positions {
        let literals = self.literals.get(usize::from(byte)).copied().unwrap_or_default();
        self.closed((positions & literals) << 1 | positions & self.stars)
    }

    const fn accepts(&self, positions: Positions) -> bool {
        positions & self.end != 0
    }
}

/// A rule set: the patterns of each rule in the order of precedence, and whether the rule allows.
struct Plain {
    rules: Vec<(Vec<Pattern>, bool)>,
}

impl Plain {
    fn new(rules: &[CompiledRule<'_>], set: &RuleSet) -> Option<Self> {
        let policy = set.policy();
        let mut all = Vec::new();
        if policy.robots_txt_always_allowed {
            all.push((vec![Pattern::new(b"/robots.txt$", true, false)?], true));
        }
        for rule in rules {
            let mut patterns = vec![Pattern::new(rule.pattern, policy.wildcards, false)?];
            if policy.decoded_query && rule.pattern.contains(&b'?') {
                patterns.push(Pattern::new(
                    &super::oracle::query_decoded(rule.pattern),
                    policy.wildcards,
                    true,
                )?);
            }
            all.push((patterns, rule.effect == Effect::Allow || rule.span.is_empty()));
        }
        Some(Self { rules: all })
    }

    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.rules.iter().flat_map(|(patterns, _)| patterns)
    }

    fn is_allowed(&self, positions: &[Positions]) -> bool {
        let mut positions = positions.iter();
        for (patterns, allows) in &self.rules {
            let accepted =
                patterns.iter().zip(positions.by_ref()).filter(|(pattern, at)| pattern.accepts(**at));
            if accepted.count() > 0 {
                return *allows;
            }
        }
        true
    }
}

/// Compares `before` with `after`, whose rules are given in the order of precedence and may be fewer than those of the
/// rule sets. Both sets have the same policy, in one of its named forms. Returns `None` after `most` states, or if a pattern
/// has more than 126 bytes.
///
/// Paths consist of the bytes of the patterns, one byte that no pattern has, the escapes in patterns, and the escapes that
/// are decoded in queries. So patterns must not contain a part of an escape.
#[must_use]
pub fn difference(
    set: &RuleSet,
    before: &[CompiledRule<'_>],
    after: &[CompiledRule<'_>],
    most: usize,
) -> Option<PlainDifference> {
    let alphabet = alphabet(set.policy().path, before.iter().chain(after));
    let (before, after) = (Plain::new(before, set)?, Plain::new(after, set)?);
    let split = before.patterns().count();
    let patterns: Vec<&Pattern> = before.patterns().chain(after.patterns()).collect();
    let start: Vec<Positions> = patterns.iter().map(|pattern| pattern.start()).collect();
    let mut found = PlainDifference { newly_disallowed: None, newly_allowed: None };
    let mut seen: HashMap<(Vec<Positions>, bool), usize> = HashMap::new();
    // States by the length of their paths in bytes.
    let mut waiting: Vec<VecDeque<(Vec<Positions>, bool)>> = vec![VecDeque::new(); 2];
    let slash = Unit { encoded: false, byte: b'/' };
    waiting.last_mut()?.push_back((read(&patterns, &start, slash, false), false));
    let mut len = 0;
    while len < waiting.len() {
        while let Some((state, in_query)) = waiting.get_mut(len)?.pop_front() {
            if seen.insert((state.clone(), in_query), len).is_some() {
                continue;
            }
            if seen.len() > most {
                return None;
            }
            let (one, other) = state.split_at(split);
            match (before.is_allowed(one), after.is_allowed(other)) {
                (true, false) => found.newly_disallowed = found.newly_disallowed.or(Some(len)),
                (false, true) => found.newly_allowed = found.newly_allowed.or(Some(len)),
                _ => {}
            }
            if found.newly_disallowed.is_some() && found.newly_allowed.is_some() {
                return Some(found);
            }
            for &(unit, cost) in &alphabet {
                let next = read(&patterns, &state, unit, in_query);
                let in_query = in_query || unit == Unit { encoded: false, byte: b'?' };
                if waiting.len() <= len + cost {
                    waiting.resize_with(len + cost + 1, VecDeque::new);
                }
                waiting.get_mut(len + cost)?.push_back((next, in_query));
            }
        }
        len += 1;
    }
    Some(found)
}

/// Returns the positions after a unit.
fn read(patterns: &[&Pattern], state: &[Positions], unit: Unit, in_query: bool) -> Vec<Positions> {
    let written = super::oracle::text(&[unit]);
    let is_decodable = unit.encoded && DECODABLE.contains(&unit.byte);
    let after = |(pattern, &positions): (&&Pattern, &Positions)| {
        if pattern.decoded && in_query && is_decodable {
            pattern.step(positions, unit.byte)
        } else {
            written.iter().fold(positions, |positions, &byte| pattern.step(positions, byte))
        }
    };
    patterns.iter().zip(state).map(after).collect()
}

/// Returns the units of paths with their lengths in bytes as they are written.
fn alphabet<'r>(form: Form, rules: impl Iterator<Item = &'r CompiledRule<'r>>) -> Vec<(Unit, usize)> {
    let mut all: BTreeSet<(bool, u8)> = b"/?robots.txt".iter().map(|&byte| (false, byte)).collect();
    all.extend(rules.flat_map(|rule| units(rule.pattern)).map(|unit| (unit.encoded, unit.byte)));
    let unused = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').chain(*b"-_~");
    all.extend(unused.map(|byte| (false, byte)).find(|unit| !all.contains(unit)));
    if form == Form::Normal {
        // In a query, the decoded form of an escape in a pattern also matches.
        let encoded = all.iter().filter(|&&(encoded, byte)| encoded && DECODABLE.contains(&byte));
        all.extend(encoded.map(|&(_, byte)| (false, byte)).collect::<Vec<_>>());
        all.extend(DECODABLE.map(|byte| (true, byte)));
    }
    let is_in_path = |&(encoded, byte): &(bool, u8)| match form {
        Form::DecodedButSlash if encoded => matches!(byte, b'/' | b'%'),
        Form::DecodedButSlash => byte != b'%',
        Form::Normal if !encoded => byte.is_ascii_graphic() && !b"%#*$\"<>\\^`{|}".contains(&byte),
        _ => encoded || byte.is_ascii_graphic() && !matches!(byte, b'%' | b'#'),
    };
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"%#\"<>\\^`{|}".contains(&byte);
    let cost = |encoded: bool, byte: u8| {
        if encoded || form == Form::DecodedButSlash && !is_plain(byte) { 3 } else { 1 }
    };
    all.into_iter()
        .filter(is_in_path)
        .map(|(encoded, byte)| (Unit { encoded, byte }, cost(encoded, byte)))
        .collect()
}
