//! A rule as a set of paths.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::difference::alphabet::{Alphabet, percents};
use crate::difference::automaton::Automaton;
use crate::pattern::canonical::{Component, OneSided, equals_encoding, may_be_encoded};
use crate::pattern::percent::Unit;
use crate::policy::Form;
use crate::rule_set::RulePart;
use crate::verdict::Verdict;

/// A rule of one rule set or of both.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) language: Language,
    /// The bytes that all of its paths begin with when every escape is decoded.
    pub(crate) prefix: Box<[u8]>,
    /// Which canonical form the pattern is compared with: that of the rule set before, or that of the one after.
    pub(crate) view: usize,
    /// Whether the pattern also matches the other canonical form of each path that it matches.
    pub(crate) is_kept: bool,
    pub(crate) allows: bool,
    /// The line in the rule set before and in the one after. `None` where the rule is missing.
    pub(crate) lines: [Option<Line>; 2],
    /// Whether a later rule of a rule set, which is left out, has the same paths.
    pub(crate) is_repeated: bool,
}

/// The number of a line, which takes half of the memory of a `usize`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line(NonZeroU32);

impl Line {
    /// What a policy adds has no line.
    pub(crate) const ADDED: Self = Self(NonZeroU32::MAX);

    pub(crate) fn new(number: usize) -> Self {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map_or(Self::ADDED, Self)
    }

    /// Returns the line that decides about a path.
    pub(crate) fn of(verdict: Verdict) -> Self {
        verdict.line().map_or(Self::ADDED, Self::new)
    }
}

/// The rule sets, as indices.
pub(crate) const BEFORE: usize = 0;
pub(crate) const AFTER: usize = 1;

/// The paths that a pattern matches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Language {
    /// The pattern as it is written.
    pub(crate) raw: Automaton,
    /// The pattern for paths in which reserved bytes are equal to their encodings, if it matches paths that `raw` does not match.
    pub(crate) equal: Option<Box<Automaton>>,
    /// The pattern for such paths in which some bytes are encoded, if there is one.
    either: Option<Box<(OneSided, Automaton)>>,
    /// A pattern that contains the others, if there is `equal`.
    outer: Option<Box<Automaton>>,
    pub(crate) forms: Forms,
    /// How many bytes a path of the language has at least, as it is written.
    pub(crate) min_len: u32,
    /// Whether `raw` also matches each path in which reserved bytes are equal to their encodings, if it matches the path in that
    /// form.
    is_closed: bool,
}

/// The forms of a path in which a pattern is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Forms {
    /// As it is written.
    One,
    /// Also with reserved bytes equal to their encodings. The pattern is the same.
    Alike,
    /// Others, with another pattern for each.
    Different,
}

/// The form of a path that an automaton reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As it is written.
    AsWritten,
    /// With reserved bytes equal to their encodings, and some of them encoded.
    Equal(OneSided),
}

impl Language {
    pub(crate) fn of_part(part: &RulePart<'_>, view: usize, alphabet: &Alphabet) -> Self {
        let compile = |stem: &[u8]| Self::compile(stem, part.wild, part.anchored, view, alphabet);
        let raw = compile(part.stem);
        let Some(equal) = part.equal else { return Self::of_one(raw, false) };
        // Without bytes that may come from an encoding, the pattern matches a path if it matches the decoded one.
        if equal == part.stem && part.either.is_none() && !may_be_encoded(equal, part.wild) {
            return Self::of_one(raw, true);
        }
        let ends_outer = |byte: u8| {
            matches!(byte, b'?' | b'%') || part.wild && byte == b'*' || equals_encoding(byte, Component::Path)
        };
        let same = part.stem.iter().zip(equal).take_while(|(one, other)| one == other && !ends_outer(**one));
        let prefix = part.stem.get(..same.count()).unwrap_or_default();
        let outer = Self::compile(prefix, false, false, view, alphabet);
        // A byte of a path may be compared as three.
        let either = part
            .either
            .map(|(encoded, stem)| (encoded, Automaton::new(stem, part.wild, part.anchored, |_, _, _| 1)))
            .map(Box::new);
        let equal = compile(equal);
        let forms = if equal == raw && either.is_none() { Forms::Alike } else { Forms::Different };
        let (equal, outer) = (Some(Box::new(equal)), Some(Box::new(outer)));
        Self { raw, equal, either, outer, forms, min_len: 0, is_closed: true }.with_min_len()
    }

    fn compile(stem: &[u8], wild: bool, anchored: bool, view: usize, alphabet: &Alphabet) -> Automaton {
        Automaton::new(stem, wild, anchored, |piece, at, is_first| {
            alphabet.thirds.of(view, piece, at, is_first)
        })
    }

    fn of_one(raw: Automaton, is_closed: bool) -> Self {
        let forms = if is_closed { Forms::Alike } else { Forms::One };
        Self { raw, equal: None, either: None, outer: None, forms, min_len: 0, is_closed }.with_min_len()
    }

    fn with_min_len(mut self) -> Self {
        let thirds = self.automata().filter_map(|automaton| automaton.left(0)).min();
        self.min_len = thirds.unwrap_or(0).div_ceil(3).max(1);
        self
    }

    /// Returns the language of all paths.
    pub(crate) fn total() -> Self {
        Self::of_one(Automaton::new(b"", false, false, |_, _, _| 3), true)
    }

    /// Returns the language of `/robots.txt`.
    pub(crate) fn robots_txt() -> Self {
        Self::of_one(Automaton::new(b"/robots.txt", false, true, |_, _, _| 3), false)
    }

    /// Returns one automaton that accepts all paths of the language, and perhaps others.
    pub(crate) fn hull(&self) -> &Automaton {
        self.outer.as_deref().unwrap_or(&self.raw)
    }

    pub(crate) fn automata(&self) -> impl Iterator<Item = &Automaton> {
        self.readings().map(|(automaton, _)| automaton)
    }

    /// Returns bytes that each path of the language begins with when every escape is decoded, up to a `%` that begins none: one may
    /// begin there in a path. In whatever form a path is compared, it begins with the same bytes then.
    pub(crate) fn decoded_prefix(&self) -> Box<[u8]> {
        let automaton = if self.forms == Forms::Different { self.hull() } else { &self.raw };
        let bytes: Box<[u8]> = automaton.prefix().collect();
        if !bytes.contains(&b'%') {
            return bytes;
        }
        let mut prefix = Vec::with_capacity(bytes.len());
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let unit = Unit::of(rest);
            match unit {
                Unit::Raw(b'%') => break,
                Unit::Raw(byte) | Unit::Escape(byte) => prefix.push(byte),
            }
            rest = rest.get(unit.len()..).unwrap_or_default();
        }
        prefix.into()
    }

    /// Returns the automata, each with the form of a path that it reads.
    pub(crate) fn readings(&self) -> impl Iterator<Item = (&Automaton, Reading)> {
        let equal = self.equal.as_deref().map(|equal| (equal, Reading::Equal(OneSided::default())));
        let either = self.either.as_deref().map(|(encoded, automaton)| (automaton, Reading::Equal(*encoded)));
        core::iter::once((&self.raw, Reading::AsWritten)).chain(equal).chain(either)
    }

    /// Returns whether a pattern is compared with a path in which some bytes are encoded.
    pub(crate) const fn has_either(&self) -> bool {
        self.either.is_some()
    }

    /// Returns whether a pattern has a `*` before its end.
    pub(crate) const fn is_wild(&self) -> bool {
        !self.raw.is_prefix()
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.automata().any(Automaton::matches_something)
    }

    /// Returns whether the other canonical form of each path of the language is in it too.
    ///
    /// A literal byte is not a part of an escape if it follows another one or the start of the path. After a star, a
    /// hexadecimal digit may be one.
    pub(crate) fn is_kept(&self, view: usize, alphabet: &Alphabet) -> bool {
        self.equal.is_none()
            && self.raw.literals().all(|byte| alphabet.keeps(view, byte))
            && !self.raw.after_stars().any(|byte| byte.is_ascii_hexdigit())
    }

    /// Returns whether each path of `other` is in this language. May return `false` where that is so.
    fn contains(&self, other: &Self) -> bool {
        let Some(equal) = &other.equal else { return self.raw.contains(&other.raw) };
        let contains_either = || match (self.either.as_deref(), other.either.as_deref()) {
            (_, None) => true,
            (Some((one, either)), Some((two, other))) => one == two && either.contains(other),
            (None, Some(_)) => false,
        };
        self.raw.contains(other.hull())
            || self.is_closed
                && self.raw.contains(&other.raw)
                && self.equal.as_deref().unwrap_or(&self.raw).contains(equal)
                && contains_either()
    }
}

impl Item {
    pub(crate) fn is_in(&self, side: usize) -> bool {
        self.lines.get(side).is_some_and(Option::is_some)
    }

    /// Returns whether only one rule set has the rule.
    pub(crate) const fn is_changed(&self) -> bool {
        let [before, after] = self.lines;
        before.is_some() != after.is_some()
    }

    /// Returns whether the rule matches each path that `other` matches. May return `false` where that is so.
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.language.raw.is_total()
            || (self.view == other.view || other.is_kept)
                && self.language.min_len <= other.language.min_len
                && self.language.contains(&other.language)
    }

    /// Returns whether a path may match both rules. Returns `true` if that is not clear.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.prefix.iter().zip(&other.prefix).all(|(one, other)| one == other)
            && (self.view != other.view || self.language.hull().meets(other.language.hull()))
    }

    /// Returns paths that the rule may match, in their canonical form, the shortest first.
    pub(crate) fn examples(&self, fresh: u8) -> Vec<Vec<u8>> {
        let fresh = &[fresh][..];
        let mut examples: Vec<Vec<u8>> = self
            .language
            .automata()
            .flat_map(|automaton| {
                [(&[][..], &[][..]), (&[], fresh), (fresh, &[]), (fresh, fresh)]
                    .map(|(at_stars, at_end)| automaton.example(at_stars, at_end))
            })
            .collect();
        examples.sort_by_key(Vec::len);
        examples.dedup();
        examples
    }
}

/// Returns whether paths with a `%` that begins no escape may differ although others do not.
///
/// If not, a byte that no pattern has can replace each such `%` in a path, and all patterns match as before.
pub(crate) fn lone_percent_matters(items: &[Item], alphabet: &Alphabet, forms: [Form; 2]) -> bool {
    let mut texts = percents(forms).flat_map(|(_, texts)| texts).peekable();
    if texts.peek().is_none() {
        return false;
    }
    let is_encoded = texts.any(|text| text == b"%25");
    let escape = if is_encoded { &b"%25"[..] } else { b"" };
    let mut is_literal = [false; 256];
    let mut matters = false;
    for automaton in items.iter().flat_map(|item| item.language.automata()) {
        for byte in automaton.literals() {
            if let Some(slot) = is_literal.get_mut(usize::from(byte)) {
                *slot = true;
            }
        }
        // After a star, the digits of `%25` may begin a match although no pattern has the `%`.
        matters |= automaton.has_lone_percent_or(escape)
            || is_encoded && automaton.after_stars().any(|byte| matches!(byte, b'2' | b'5'));
    }
    let is_free = |&(byte, _): &(u8, u16)| {
        !byte.is_ascii_hexdigit() && is_literal.get(usize::from(byte)) == Some(&false)
    };
    matters || !alphabet.fresh.iter().any(is_free)
}
