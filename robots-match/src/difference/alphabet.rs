//! The units that paths consist of: a literal byte or a percent-encoded one, and what a rule set compares instead of it.
//!
//! Also [`Thirds`]: how much of a path, as it is written, a byte of a pattern takes at least. A canonical form may make one
//! byte of an escape, and an escape of one byte. So lengths are counted in thirds of a byte.
//!
//! A `%` that begins no escape may have a canonical form that depends on what follows. [`Form::Normal`] encodes it where two
//! hexadecimal digits follow, at least one of them percent-encoded: both are decoded, and would make an escape. So `%%34%31`
//! becomes `%2541`. Other forms do not compare the digits as decoded, or always encode the `%`. [`percents`] and
//! [`flags_after`] are about these.

use alloc::vec;
use alloc::vec::Vec;

use percent_encoding::percent_encode_byte;

use crate::pattern::canonical::{Component, OneSided, Role, canonical, equals_encoding, has_equal_encoding};
use crate::pattern::percent::{Unit as Parsed, is_reserved, is_unreserved};
use crate::policy::Form;

/// Up to three bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text {
    bytes: [u8; 3],
    len: u8,
}

impl Text {
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        match *text {
            [one] => Some(Self { bytes: [one, 0, 0], len: 1 }),
            [one, two, three] => Some(Self { bytes: [one, two, three], len: 3 }),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or(&self.bytes)
    }
}

/// A unit of a path.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    /// The unit as it is written.
    pub(crate) written: Text,
    /// The text that the rule sets before and after compare, in the canonical form of each.
    pub(crate) canonical: [Text; 2],
    /// The text that they compare where reserved bytes are equal to their encodings: in a path, and in a query.
    equal: [[Text; 2]; 2],
    /// The byte that the unit stands for, and its encoding.
    encoded: (u8, Text),
    /// The part that the unit has in a path with a `%` that begins no escape.
    pub(crate) part: Option<Part>,
}

/// Returns the place of a byte of a kind of text.
fn place(view: usize, equal: bool, byte: u8) -> usize {
    (2 * view + usize::from(equal)) * 256 + usize::from(byte)
}

impl Unit {
    pub(crate) fn cost(&self) -> u32 {
        self.written.len.into()
    }

    /// Returns the text that is compared in a view, where the reserved bytes are equal to their encodings, and `encoded` are
    /// encoded.
    pub(crate) fn equal(&self, view: usize, in_query: bool, encoded: OneSided) -> &Text {
        let (byte, escape) = &self.encoded;
        let component = if in_query { Component::Query } else { Component::Path };
        if encoded.has(*byte) && equals_encoding(*byte, component) {
            return escape;
        }
        let [in_path, query] = self.equal.get(view).expect("there are two views");
        if in_query { query } else { in_path }
    }

    /// Returns all texts that are compared in a view: as it is written, and where reserved bytes are equal to their encodings.
    fn texts(&self, view: usize, equal: bool) -> impl Iterator<Item = &Text> {
        let (byte, escape) = &self.encoded;
        let as_written = self.canonical.get(view).filter(|_| !equal);
        let both = self.equal.get(view).filter(|_| equal);
        let escape = Some(escape).filter(|_| equal && has_equal_encoding(*byte));
        as_written.into_iter().chain(both.into_iter().flatten()).chain(escape)
    }

    /// Returns whether a `?` begins the query, in the form of one of the rule sets.
    pub(crate) fn is_query(&self, view: usize) -> bool {
        self.canonical.get(view).is_some_and(|text| text.bytes() == b"?")
    }
}

/// All units. Paths are in printable ASCII without `#`, and each `%` begins an escape, except in a loose alphabet.
pub(crate) struct Alphabet {
    units: Vec<Unit>,
    /// Whether both rule sets compare the same form.
    pub(crate) has_one_view: bool,
    /// The unit of each byte, in the form of the rule set before.
    by_byte: Vec<Option<u16>>,
    /// The units that are percent-encoded in the form of the rule set before, sorted by it.
    escapes: Vec<u16>,
    /// The escapes that are equal to the byte that they encode.
    decodable: Vec<u16>,
    /// Unreserved bytes, in the order in which they replace a byte that no pattern needs.
    pub(crate) fresh: Vec<(u8, u16)>,
    /// With two views, the units whose text contains a byte: a list per byte, kind of text and view.
    by_text: Vec<Vec<u16>>,
    /// With two views, the units that begin a query in each of them.
    by_query: [Vec<u16>; 2],
    /// A `%` that does not begin an escape, in a loose alphabet, as long as no two digits follow in a form that would make
    /// an escape of them.
    pub(crate) lone: Option<u16>,
    /// The hexadecimal digits, if a form encodes such a `%` before two of them.
    pub(crate) digits: Vec<u16>,
    /// The bytes that are a unit as they are written.
    plain: Vec<bool>,
    /// For each view, the bytes that are compared as themselves in the other view too, wherever they are compared as such.
    kept: [Vec<bool>; 2],
    /// How much of a path as it is written a byte of a pattern takes.
    pub(crate) thirds: Thirds,
}

impl Alphabet {
    /// Creates the alphabet of paths that are compared in the forms of two policies.
    pub(crate) fn new(forms: [Form; 2], is_loose: bool) -> Self {
        let [before, after] = forms;
        let has_one_view = before == after;
        let mut units: Vec<Unit> =
            written(forms, has_one_view).filter_map(|written| unit(&written, forms)).collect();
        // Units that compare as equal are kept once, in the best spelling, which comes first.
        units.sort_by_key(|unit| unit.canonical);
        units.dedup_by_key(|unit| unit.canonical);
        let mut lone = None;
        let mut digits = Vec::new();
        for (part, [one, other]) in percents(forms).filter(|_| is_loose) {
            let [Some(written), Some(one), Some(other)] = [b"%", one, other].map(Text::new) else { continue };
            let canonical = [one, other];
            if part == Part::Percent {
                lone = Some(to_u16(units.len()));
            } else {
                let is_digit = |(unit, index): (&Unit, u16)| {
                    unit.part.is_some_and(|part| !part.is_percent()).then_some(index)
                };
                digits = units.iter().zip(0..).filter_map(is_digit).collect();
            }
            let equal = canonical.map(|text| [text; 2]);
            units.push(Unit { written, canonical, equal, encoded: (b'%', one), part: Some(part) });
        }
        let of_units = units.iter().flat_map(|unit| {
            let texts = [(0, false), (0, true), (1, false), (1, true)];
            // Encodings of bytes that are one byte in a path are not counted.
            texts.into_iter().flat_map(move |(view, equal)| {
                let texts = unit.texts(view, equal).take(1 + usize::from(equal));
                texts.map(move |text| (view, unit.cost(), text.bytes()))
            })
        });
        let of_percents = percents(forms)
            .flat_map(|(_, texts)| texts.into_iter().enumerate())
            .map(|(view, text)| (view, 1, text));
        let thirds = Thirds::new(of_units.chain(of_percents));
        let mut alphabet = Self {
            units,
            has_one_view,
            by_byte: [None; 256].into(),
            escapes: Vec::new(),
            decodable: Vec::new(),
            fresh: Vec::new(),
            by_text: Vec::new(),
            by_query: [Vec::new(), Vec::new()],
            lone,
            digits,
            plain: [false; 256].into(),
            kept: [[true; 256].into(), [true; 256].into()],
            thirds,
        };
        for (unit, index) in alphabet.units.iter().zip(0..) {
            let [text, _] = unit.canonical;
            if unit.part.is_some_and(Part::is_percent) {
                continue;
            }
            if let &[byte] = unit.written.bytes() {
                if let Some(slot) = alphabet.plain.get_mut(usize::from(byte)) {
                    *slot = true;
                }
            }
            match text.bytes() {
                [byte] => {
                    if let Some(slot) = alphabet.by_byte.get_mut(usize::from(*byte)) {
                        *slot = slot.or(Some(index));
                    }
                }
                _ => alphabet.escapes.push(index),
            }
            let [_, other] = unit.canonical;
            if text != other {
                for (kept, text) in alphabet.kept.iter_mut().zip([text, other]) {
                    if let &[byte] = text.bytes() {
                        if let Some(slot) = kept.get_mut(usize::from(byte)) {
                            *slot = false;
                        }
                    }
                }
            }
            let [equal, _] = unit.equal;
            if equal.iter().any(|equal| *equal != text) {
                alphabet.decodable.push(index);
            }
        }
        // Letters that are not hexadecimal digits come first: they never complete an escape.
        for byte in (b'g'..=b'z')
            .rev()
            .chain(b'G'..=b'Z')
            .chain(*b"-_~")
            .chain(b'a'..=b'f')
            .chain(b'A'..=b'F')
            .chain(b'0'..=b'9')
        {
            let same =
                |unit: &Unit| unit.canonical.iter().chain([&unit.written]).all(|text| text.bytes() == [byte]);
            let index = alphabet.units.iter().position(same);
            alphabet.fresh.extend(index.map(|index| (byte, to_u16(index))));
        }
        if !has_one_view {
            alphabet.index_texts();
        }
        alphabet
    }

    fn index_texts(&mut self) {
        self.by_text = vec![Vec::new(); 4 * 256];
        for (unit, index) in self.units.iter().zip(0..) {
            for view in 0..2 {
                for equal in [false, true] {
                    for &byte in unit.texts(view, equal).flat_map(Text::bytes) {
                        let units = self.by_text.get_mut(place(view, equal, byte));
                        if let Some(units) = units.filter(|units| units.last() != Some(&index)) {
                            units.push(index);
                        }
                    }
                }
                if let Some(queries) = self.by_query.get_mut(view).filter(|_| unit.is_query(view)) {
                    queries.push(index);
                }
            }
        }
    }

    /// Returns the units whose text contains a byte, in a view: the text as it is written, or the one where reserved bytes are
    /// equal to their encodings.
    pub(crate) fn with_byte(&self, view: usize, equal: bool, byte: u8) -> &[u16] {
        self.by_text.get(place(view, equal, byte)).map_or(&[], Vec::as_slice)
    }

    /// Returns the escapes that are equal to `byte`.
    pub(crate) fn encodings_of(&self, byte: u8) -> impl Iterator<Item = u16> {
        self.decodable.iter().copied().filter(move |&index| self.unit(index).encoded.0 == byte)
    }

    /// Returns the escapes that are equal to the byte that they encode, and have a digit.
    pub(crate) fn encodings_with(&self, digit: u8) -> impl Iterator<Item = u16> {
        let has_digit = move |index: &u16| {
            let [text, _] = self.unit(*index).canonical;
            text.bytes().contains(&digit)
        };
        self.decodable.iter().copied().filter(has_digit)
    }

    /// Returns the units that begin a query in a view.
    pub(crate) fn queries(&self, view: usize) -> &[u16] {
        self.by_query.get(view).map_or(&[], Vec::as_slice)
    }

    #[inline]
    pub(crate) fn unit(&self, index: u16) -> &Unit {
        self.units.get(usize::from(index)).expect("indexes of units come from the alphabet")
    }

    pub(crate) fn len(&self) -> u16 {
        to_u16(self.units.len())
    }

    /// Returns the unit that is compared as one byte.
    pub(crate) fn of_byte(&self, byte: u8) -> Option<u16> {
        self.by_byte.get(usize::from(byte)).copied().flatten()
    }

    /// Returns the escapes.
    pub(crate) fn escapes(&self) -> &[u16] {
        &self.escapes
    }

    /// Returns the unit that is compared as an escape.
    pub(crate) fn of_escape(&self, escape: &[u8]) -> Option<u16> {
        let text = Text::new(escape)?;
        let canonical = |index: u16| {
            let [text, _] = self.unit(index).canonical;
            text
        };
        let at = self.escapes.binary_search_by_key(&text, |&index| canonical(index)).ok()?;
        self.escapes.get(at).copied()
    }

    /// Returns the path, as it is written, that is compared as `canonical`.
    pub(crate) fn path(&self, canonical: &[u8]) -> Option<Vec<u8>> {
        let mut path = Vec::with_capacity(canonical.len());
        let mut rest = canonical;
        while !rest.is_empty() {
            let parsed = Parsed::of(rest);
            let (text, after) = rest.split_at_checked(parsed.len())?;
            let index = match parsed {
                Parsed::Escape(_) => self.of_escape(text),
                Parsed::Raw(b'%') => self.lone,
                Parsed::Raw(byte) => self.of_byte(byte),
            };
            path.extend_from_slice(self.unit(index?).written.bytes());
            rest = after;
        }
        Some(path)
    }

    /// Returns whether each byte of a path is a unit as it is written.
    pub(crate) fn is_plain(&self, path: &[u8]) -> bool {
        path.iter().all(|&byte| self.plain.get(usize::from(byte)) == Some(&true))
    }

    /// Returns whether a byte of a view is the same in the other view. A `%` never is.
    pub(crate) fn keeps(&self, view: usize, byte: u8) -> bool {
        byte != b'%' && self.kept.get(view).and_then(|kept| kept.get(usize::from(byte))) == Some(&true)
    }
}

/// Returns the units as they are written, the best first.
fn written(forms: [Form; 2], has_one_view: bool) -> impl Iterator<Item = Vec<u8>> {
    // A unit that a form changes is not needed where both forms are the same: its canonical form is also a path.
    let is_canonical = move |unit: &[u8]| {
        let [form, _] = forms;
        form == Form::DecodedButSlash || *canonical(unit, form, Role::Path) == *unit
    };
    let is_literal = move |byte: u8| byte.is_ascii_graphic() && byte != b'#' && byte != b'%';
    let is_in_uri = |byte: u8| is_unreserved(byte) || is_reserved(byte);
    let literal = move |of_uri: bool| {
        (0..=u8::MAX)
            .filter(move |&byte| is_literal(byte) && is_in_uri(byte) == of_uri)
            .map(|byte| Vec::from([byte]))
    };
    let upper = (0..=u8::MAX).map(|byte| Vec::from(percent_encode_byte(byte)));
    const DIGITS: &[u8; 22] = b"0123456789ABCDEFabcdef";
    // Every other form writes digits in upper case.
    let digits = if forms.contains(&Form::AsWritten) { &DIGITS[..] } else { &[] };
    let mixed = digits.iter().flat_map(|&high| digits.iter().map(move |&low| Vec::from([b'%', high, low])));
    literal(true)
        .chain(upper)
        .chain(mixed)
        .chain(literal(false))
        .filter(move |unit| !has_one_view || is_canonical(unit))
}

/// Returns the unit of a written one; `None` if a form makes something else of it.
fn unit(written: &[u8], forms: [Form; 2]) -> Option<Unit> {
    let [before, after] = forms.map(|form| Text::new(&canonical(written, form, Role::Path)));
    let canonical = [before?, after?];
    let value = match Parsed::of(written) {
        Parsed::Raw(byte) | Parsed::Escape(byte) => byte,
    };
    let equal = canonical.map(|text| {
        [Component::Path, Component::Query].map(|component| match Parsed::of(text.bytes()) {
            Parsed::Escape(byte) if equals_encoding(byte, component) => Text { bytes: [byte, 0, 0], len: 1 },
            _ => text,
        })
    });
    let encoded = (value, Text::new(percent_encode_byte(value).as_bytes())?);
    let [one, other] = &canonical;
    let part = Part::of(written, [one.bytes(), other.bytes()], forms);
    Some(Unit { written: Text::new(written)?, canonical, equal, encoded, part })
}

fn to_u16(index: usize) -> u16 {
    u16::try_from(index).expect("there are fewer than 1,000 units")
}

/// The part that a unit has in a path with a `%` that begins no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Such a `%`, before anything but two hexadecimal digits.
    Percent,
    /// Such a `%` before two digits, of which at least one is percent-encoded, and decoded by a form that then encodes the `%`.
    EncodedPercent,
    /// A hexadecimal digit as it is written. Two of them make an escape of a `%`.
    Digit,
    /// A percent-encoded digit, decoded by a form that encodes a `%` before two digits.
    DecodedDigit,
}

impl Part {
    /// Returns the part of a unit that has another byte.
    pub(crate) fn of(written: &[u8], canonical: [&[u8]; 2], forms: [Form; 2]) -> Option<Self> {
        let is_digit = |text: &[u8]| matches!(text, [digit] if digit.is_ascii_hexdigit());
        if is_digit(written) {
            return Some(Self::Digit);
        }
        let is_decoded = |(text, form)| form == Form::Normal && is_digit(text);
        canonical.into_iter().zip(forms).any(is_decoded).then_some(Self::DecodedDigit)
    }

    pub(crate) const fn is_percent(self) -> bool {
        matches!(self, Self::Percent | Self::EncodedPercent)
    }
}

/// Returns the kinds of such a `%` with their texts in two canonical forms, without those that are the same as `%25`.
pub(crate) fn percents(forms: [Form; 2]) -> impl Iterator<Item = (Part, [&'static [u8]; 2])> {
    let texts = |is_before_digits: bool| -> [&'static [u8]; 2] {
        forms.map(|form| match form {
            Form::AsWritten | Form::NonAsciiEncoded => b"%",
            Form::Normal if !is_before_digits => b"%",
            Form::Normal | Form::DecodedButSlash => &b"%25"[..],
        })
    };
    let (percent, encoded) = (texts(false), texts(true));
    let is_own = |(_, texts): &(Part, [&[u8]; 2])| *texts != [b"%25"; 2];
    let encoded = Some((Part::EncodedPercent, encoded)).filter(|_| encoded != percent);
    core::iter::once((Part::Percent, percent)).chain(encoded).filter(is_own)
}

/// The last unit is such a `%`, or such a `%` and a digit.
const PERCENT: u32 = 4;
const PERCENT_DIGIT: u32 = 8;
/// The last unit is such a `%` before digits, or one and a digit of each kind.
const ENCODED: u32 = 16;
const ENCODED_DIGIT: u32 = 32;
const ENCODED_DECODED: u32 = 64;

/// Returns whether a digit must follow.
pub(crate) const fn needs_digit(flags: u32) -> bool {
    flags & (ENCODED | ENCODED_DIGIT | ENCODED_DECODED) != 0
}

/// Returns the flags after a unit; `None` if the unit can't follow.
pub(crate) const fn flags_after(flags: u32, part: Option<Part>) -> Option<u32> {
    if needs_digit(flags) {
        return match part {
            Some(Part::Digit) if flags & ENCODED != 0 => Some(ENCODED_DIGIT),
            Some(Part::DecodedDigit) if flags & ENCODED != 0 => Some(ENCODED_DECODED),
            Some(Part::Digit) if flags & ENCODED_DIGIT != 0 => None,
            Some(Part::Digit | Part::DecodedDigit) => Some(0),
            Some(Part::Percent | Part::EncodedPercent) | None => None,
        };
    }
    match part {
        Some(Part::Percent) => Some(PERCENT),
        Some(Part::EncodedPercent) => Some(ENCODED),
        Some(Part::Digit | Part::DecodedDigit) if flags & PERCENT != 0 => Some(PERCENT_DIGIT),
        Some(Part::Digit | Part::DecodedDigit) if flags & PERCENT_DIGIT != 0 => None,
        Some(Part::Digit | Part::DecodedDigit) | None => Some(0),
    }
}

/// The thirds of a byte of an escape that is compared as one byte.
const MOST: u32 = 9;

/// The thirds of a byte that each byte of a pattern takes at least: for each view, as a unit and as a part of any unit.
pub(crate) struct Thirds([[u32; 256]; 4]);

impl Thirds {
    /// Counts texts: the view, the length of a unit as it is written, and the text that is compared instead of it.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = (usize, u32, &'t [u8])>) -> Self {
        let mut thirds = [[MOST; 256]; 4];
        for (view, written, text) in texts {
            let is_escape = text.len() > 1;
            let share = if is_escape { written } else { 3 * written };
            for place in [2 * view, 2 * view + 1].into_iter().skip(usize::from(is_escape)) {
                for &byte in text {
                    let slot = thirds.get_mut(place).and_then(|thirds| thirds.get_mut(usize::from(byte)));
                    if let Some(slot) = slot {
                        *slot = share.min(*slot);
                    }
                }
            }
        }
        Self(thirds)
    }

    /// Returns the thirds of the byte at `at` in `piece`, which is a part of a pattern between stars.
    pub(crate) fn of(&self, view: usize, piece: &[u8], at: usize, is_first: bool) -> u32 {
        let before = piece.get(at.saturating_sub(2)..at).unwrap_or_default();
        let may_be_of_escape = match (piece.get(at), before) {
            (Some(b'%'), _) | (_, [.., b'%'] | [b'%', _]) => true,
            // After a star, a digit may end an escape that began before the piece.
            (Some(byte), []) => !is_first && byte.is_ascii_hexdigit(),
            (Some(byte), [digit]) => !is_first && byte.is_ascii_hexdigit() && digit.is_ascii_hexdigit(),
            _ => false,
        };
        let thirds = self.0.get(2 * view + usize::from(may_be_of_escape));
        let thirds = thirds.and_then(|thirds| thirds.get(usize::from(*piece.get(at)?)));
        thirds.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_have_the_units_of_their_form() {
        let units = |form| {
            let alphabet = Alphabet::new([form; 2], false);
            (alphabet.by_byte.iter().flatten().count(), alphabet.escapes.len(), alphabet.decodable.len())
        };
        // Unreserved and reserved bytes without `#`, `*` and `$`; escapes of the 190 bytes that are not unreserved.
        assert_eq!(units(Form::Normal), (66 + 15, 190, 15));
        assert_eq!(units(Form::AsWritten), (92, 22 * 22, 24));
        assert_eq!(units(Form::NonAsciiEncoded), (92, 256, 15));
        assert_eq!(units(Form::DecodedButSlash), (255, 2, 1));
    }

    #[test]
    fn paths_are_written_in_ascii() {
        let path = |form, canonical: &[u8]| Alphabet::new([form; 2], false).path(canonical);
        assert_eq!(path(Form::DecodedButSlash, b"/\xE3 <%2F#").unwrap(), b"/%E3%20%3C%2F%23");
        assert_eq!(path(Form::Normal, b"/%24a").unwrap(), b"/%24a");
        assert_eq!(path(Form::AsWritten, b"/<|%2f").unwrap(), b"/<|%2f");
        assert_eq!(path(Form::Normal, b"/%zz"), None);
        assert_eq!(Alphabet::new([Form::Normal; 2], true).path(b"/%zz").unwrap(), b"/%zz");
    }

    #[test]
    fn bytes_take_less_of_a_path_where_a_form_encodes() {
        let alphabet = Alphabet::new([Form::Normal, Form::NonAsciiEncoded], false);
        let thirds = |view: usize, piece: &[u8], is_first: bool| -> Vec<u32> {
            (0..piece.len()).map(|at| alphabet.thirds.of(view, piece, at, is_first)).collect()
        };
        // `<` is one byte of a path, and compared as `%3C` by RFC 9309 only.
        assert_eq!(thirds(0, b"/%3C3C", true), [3, 1, 1, 1, 3, 3]);
        assert_eq!(thirds(1, b"/%3C3C", true), [3; 6]);
        // After a star, the digits may be those of an escape.
        assert_eq!(thirds(0, b"3C3", false), [1, 1, 3]);
        assert_eq!(thirds(0, b"x3", false), [3, 3]);
        // A space is always encoded in a path, and in the form of RFC 9309.
        assert_eq!(Alphabet::new([Form::DecodedButSlash; 2], false).thirds.of(0, b"/ ", 1, true), 9);
    }
}
