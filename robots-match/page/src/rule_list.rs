//! Comma-separated rules: of `meta` elements, and of fields in the syntax of `X-Robots-Tag`.

use core::ops::Range;

use crate::collector::Collector;
use crate::date;
use crate::policy::{PagePolicy, Prefix, PrefixScope, Separators};
use crate::problem::Problem;
use crate::record::{Scope, Source};
use crate::rule::{Rule, RuleName, cut};

/// How a list of rules is read.
pub(crate) struct RuleList<'p, S> {
    pub(crate) policy: &'p PagePolicy,
    /// The rules that count at this place.
    pub(crate) rules: &'static [RuleName],
    /// Whether a name and a colon before a rule name a crawler.
    pub(crate) has_prefixes: bool,
    /// Whether unknown rules are kept.
    pub(crate) keeps_unknown: bool,
    /// Returns the place of a part of the text.
    pub(crate) source: S,
}

/// The crawlers that the rules of a list concern, and whether a name may still come.
pub(crate) struct ListScope {
    pub(crate) scope: Scope,
    is_first: bool,
}

impl ListScope {
    pub(crate) const fn new(scope: Scope) -> Self {
        Self { scope, is_first: true }
    }
}

impl<S: Fn(Range<usize>) -> Source> RuleList<'_, S> {
    /// Reads all rules of `text`.
    pub(crate) fn read(&self, text: &[u8], scope: &mut ListScope, out: &mut Collector) {
        let mut at = 0;
        // Empty lists, and a list that ends in a comma, have no further rule.
        while at < text.len() && !out.is_full {
            at = self.segment(text, at..next_comma(text, at), scope, out) + 1;
        }
    }

    /// Reads the rule in `place`, which ends at a comma. Returns the end of what was read, which is behind other commas after a
    /// date that has some.
    fn segment(&self, text: &[u8], place: Range<usize>, scope: &mut ListScope, out: &mut Collector) -> usize {
        let end = place.end;
        let mut place = trimmed(text, place);
        while let Some((name, after)) = self.prefix(text, &place) {
            let written = text.get(name.clone()).unwrap_or_default();
            let known = RuleName::find(written).filter(|_| self.knows_rules());
            if let Some(rule) = known.filter(|rule| rule.has_value()) {
                return self.valued(text, rule, place.start, trimmed(text, after..end), end, scope, out);
            }
            if let Some(rule) = known {
                // A rule without a value does not name a crawler.
                out.problem((self.source)(name.clone()), Problem::Separator);
                self.found(name.clone(), Rule::Named(rule), scope, out);
            } else if self.has_prefixes && self.may_name(scope) && is_name(written) {
                let name = written.split(|&byte| byte == b'/').next().unwrap_or_default();
                scope.scope = if name == b"*" || name.eq_ignore_ascii_case(b"robots") {
                    Scope::All
                } else {
                    Scope::Name(cut(name))
                };
                scope.is_first = false;
            } else {
                break;
            }
            place = trimmed(text, after..end);
        }
        scope.is_first &= place.is_empty();
        if place.is_empty() {
            return end;
        }
        let written = text.get(place.clone()).unwrap_or_default();
        match RuleName::find(written) {
            Some(rule) if rule.has_value() => out.problem((self.source)(place), Problem::NoValue),
            Some(rule) => self.found(place, Rule::Named(rule), scope, out),
            None if self.splits(written) => {
                out.problem((self.source)(place.clone()), Problem::Separator);
                for word in words(text, place) {
                    let rule = RuleName::find(text.get(word.clone()).unwrap_or_default());
                    if let Some(rule) = rule {
                        self.found(word, Rule::Named(rule), scope, out);
                    }
                }
            }
            None if self.keeps_unknown => {
                let problem = if is_known_without_invisible(written) {
                    Problem::InvisibleCharacter
                } else {
                    Problem::UnknownRule
                };
                let source = (self.source)(place);
                out.record(source, &scope.scope, Rule::unknown(written));
                out.problem(source, problem);
            }
            None => {}
        }
        end
    }

    /// Whether the names of rules are known before a colon.
    fn knows_rules(&self) -> bool {
        !self.has_prefixes || self.policy.prefix == Prefix::KnownValueRules
    }

    fn may_name(&self, scope: &ListScope) -> bool {
        self.policy.prefix_scope != PrefixScope::FieldLine || scope.is_first
    }

    /// Returns the name before the first colon of `place`, and the position after the colon.
    fn prefix(&self, text: &[u8], place: &Range<usize>) -> Option<(Range<usize>, usize)> {
        let part = text.get(place.clone())?;
        let colon = place.start + memchr::memchr(b':', part)?;
        Some((trimmed(text, place.start..colon), colon + 1))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one rule with a value")]
    fn valued(
        &self,
        text: &[u8],
        rule: RuleName,
        start: usize,
        value: Range<usize>,
        end: usize,
        scope: &mut ListScope,
        out: &mut Collector,
    ) -> usize {
        let bytes = |place: Range<usize>| text.get(place).unwrap_or_default();
        let read = |place: Range<usize>| Rule::with_value(rule, bytes(place), self.policy.date_only);
        if rule == RuleName::UnavailableAfter {
            // A date may have commas. The longest text that is a date counts.
            let mut ends = [end; 3];
            let mut last = end;
            for next in ends.iter_mut().skip(1) {
                let from = (last + 1).min(text.len());
                let room = bytes(from..text.len().min(value.start + date::LONGEST + 1));
                if last < text.len() {
                    match memchr::memchr(b',', room) {
                        Some(comma) => last = from + comma,
                        None if from + room.len() == text.len() => last = text.len(),
                        None => {}
                    }
                }
                *next = last;
            }
            for end in ends.into_iter().rev() {
                let place = trimmed(text, value.start.min(end)..end);
                if let Ok(found) = read(place.clone()) {
                    self.found(start..place.end, found, scope, out);
                    return end;
                }
            }
            out.problem((self.source)(start..value.end), Problem::InvalidDate);
            // What follows the name of a day is part of the text that is not a date.
            return if date::begins_with_weekday(bytes(value)) { next_comma(text, end + 1) } else { end };
        }
        match read(value.clone()) {
            Ok(found) => self.found(start..value.end, found, scope, out),
            Err(problem) => {
                let mut parts = words(text, value.clone());
                let first = parts.next().unwrap_or(value.clone());
                let rest = trimmed(text, first.end..value.end);
                let others = trimmed_separators(text, rest);
                let is_split = self.policy.separators == Separators::CommaSpaceSemicolon
                    && self.all_known(bytes(others.clone()));
                match read(first.clone()) {
                    Ok(found) if is_split => {
                        out.problem((self.source)(start..value.end), Problem::Separator);
                        self.found(start..first.end, found, scope, out);
                        for word in words(text, others) {
                            if let Some(rule) = RuleName::find(bytes(word.clone())) {
                                self.found(word, Rule::Named(rule), scope, out);
                            }
                        }
                    }
                    _ => {
                        let problem = if value.is_empty() { Problem::NoValue } else { problem };
                        out.problem((self.source)(start..value.end.max(start)), problem);
                    }
                }
            }
        }
        end
    }

    fn splits(&self, text: &[u8]) -> bool {
        self.policy.separators == Separators::CommaSpaceSemicolon && self.all_known(text)
    }

    /// Returns whether every word is the name of a rule without a value.
    fn all_known(&self, text: &[u8]) -> bool {
        let mut found = words(text, 0..text.len()).map(|word| RuleName::find(text.get(word)?));
        found.all(|rule| rule.is_some_and(|rule| !rule.has_value()))
    }

    fn found(&self, place: Range<usize>, rule: Rule, scope: &mut ListScope, out: &mut Collector) {
        let source = (self.source)(place);
        if rule.name().is_some_and(|name| !self.rules.contains(&name)) {
            out.problem(source, Problem::NotOfDocument);
        }
        out.record(source, &scope.scope, rule);
        if self.policy.prefix_scope == PrefixScope::NextRule {
            scope.scope = Scope::All;
        }
    }
}

/// Returns the place of the first comma from `at` on, or the end of the text.
fn next_comma(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + memchr::memchr(b',', rest).unwrap_or(rest.len())
}

const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Removes ASCII white space around `place`.
pub(crate) fn trimmed(text: &[u8], place: Range<usize>) -> Range<usize> {
    let part = text.get(place.clone()).unwrap_or_default();
    let start = part.iter().position(|&byte| !is_space(byte)).unwrap_or(part.len());
    let end = part.iter().rposition(|&byte| !is_space(byte)).map_or(start, |last| last + 1);
    place.start + start..place.start + end
}

const fn separates(byte: u8) -> bool {
    is_space(byte) || byte == b';'
}

fn trimmed_separators(text: &[u8], place: Range<usize>) -> Range<usize> {
    let part = text.get(place.clone()).unwrap_or_default();
    let start = part.iter().position(|&byte| !separates(byte)).unwrap_or(part.len());
    place.start + start..place.end
}

/// Returns the words of `place`: what is between white space and semicolons.
fn words(text: &[u8], place: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = place.start;
    let end = place.end;
    core::iter::from_fn(move || {
        let rest = text.get(at..end)?;
        at += rest.iter().position(|&byte| !separates(byte))?;
        let rest = text.get(at..end)?;
        let len = rest.iter().position(|&byte| separates(byte)).unwrap_or(rest.len());
        at += len;
        Some(at - len..at)
    })
}

/// Returns whether the text before a colon can be the name of a crawler.
pub(crate) fn is_name(text: &[u8]) -> bool {
    let text = text.split(|&byte| byte == b'/').next().unwrap_or_default();
    let is_name_byte = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
    let has_letter = text.iter().any(u8::is_ascii_alphabetic);
    text == b"*" || text.len() <= Rule::MAX_UNKNOWN && has_letter && text.iter().all(is_name_byte)
}

/// Returns whether the text is a known rule without its invisible characters: no-break and zero-width spaces, soft hyphens.
fn is_known_without_invisible(text: &[u8]) -> bool {
    const INVISIBLE: [&[u8]; 8] = [
        b"\xC2\xA0",
        b"\xC2\xAD",
        b"\xE2\x80\x8B",
        b"\xE2\x80\x8C",
        b"\xE2\x80\x8D",
        b"\xE2\x81\xA0",
        b"\xEF\xBB\xBF",
        b"\xA0",
    ];
    if text.len() > Rule::MAX_UNKNOWN {
        return false;
    }
    let mut rest = text;
    let mut visible = alloc::vec::Vec::new();
    while let Some((&first, after)) = rest.split_first() {
        match INVISIBLE.iter().find(|char| rest.starts_with(char)) {
            Some(char) => rest = rest.get(char.len()..).unwrap_or_default(),
            None => {
                visible.push(first);
                rest = after;
            }
        }
    }
    RuleName::find(visible.trim_ascii()).is_some()
}
