//! The units of paths, found by asking the oracle for their canonical forms.

use std::collections::HashSet;

use robots_fetch::matching::Form;

use crate::model::oracle::{path_in, reserved_decoded};

/// The part that a unit has in a path with a `%` that begins no escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Other,
    /// A hexadecimal digit as it is written.
    Digit,
    /// A percent-encoded digit that changes the canonical form of a `%` before it.
    DecodedDigit,
    /// A `%` that begins no escape, before anything but two digits.
    Percent,
    /// A `%` that begins no escape, before two digits.
    PercentBeforeDigits,
}

/// A byte of a path, literal or percent-encoded.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// How many bytes the unit has in a path.
    pub(super) cost: u32,
    pub(super) kind: Kind,
    /// The texts that the rule sets before and after compare, each as such, and with reserved
    /// characters decoded in a path and in a query.
    pub(super) texts: [[Vec<u8>; 3]; 2],
}

impl Unit {
    fn new(written: &[u8], canonical: [Vec<u8>; 2], kind: Kind) -> Self {
        let in_query = |text: &[u8]| reserved_decoded(&[b"?", text].concat(), false).split_off(1);
        let texts = canonical.map(|text| {
            let (path, query) = (reserved_decoded(&text, false), in_query(&text));
            [text, path, query]
        });
        Self { cost: u32::try_from(written.len()).unwrap_or(u32::MAX), kind, texts }
    }

    /// Returns the text that a pattern reads of the unit.
    pub(super) fn text(&self, view: usize, decoded: bool, in_query: bool) -> &[u8] {
        let kind = if decoded { 1 + usize::from(in_query) } else { 0 };
        self.texts.get(view).and_then(|texts| texts.get(kind)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the unit begins a query in the form of one of the rule sets.
    pub(super) fn begins_query(&self, view: usize) -> bool {
        self.texts.get(view).is_some_and(|[text, ..]| text == b"?")
    }
}

/// The units of paths that two forms may treat differently. The last ones are a `%` that begins no escape.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    pub(super) units: Vec<Unit>,
    /// The largest ratio of the bytes that are compared of a unit to its bytes in a path, rounded up.
    pub(super) expansion: u32,
}

impl Alphabet {
    /// Creates the alphabet of printable ASCII without `#`. If units compare as equal in both forms, the
    /// best is kept: one that a URI may contain, in upper case if it is an escape.
    pub(super) fn new(forms: [Form; 2]) -> Self {
        let in_forms = |written: &[u8]| forms.map(|form| path_in(form, written));
        let [one, other] = forms;
        // If both forms are the same, and are a spelling of URLs, the canonical units are enough.
        let is_needed = |written: &[u8]| {
            one != other || one == Form::DecodedButSlash || path_in(one, written) == *written
        };
        let mut seen = HashSet::new();
        let mut units = Vec::new();
        for written in spellings(forms).into_iter().filter(|written| is_needed(written)) {
            let canonical = in_forms(&written);
            if seen.insert(canonical.clone()) {
                units.push(Unit::new(&written, canonical, kind(&written, forms)));
            }
        }
        // The texts of a `%` are what is left of a path without what follows.
        let without = |before: &str, after: &str| {
            forms.map(|form| {
                let (whole, rest) = (path_in(form, before.as_bytes()), path_in(form, after.as_bytes()));
                whole.strip_suffix(&rest[..]).map(<[u8]>::to_vec).unwrap_or_default()
            })
        };
        let percents =
            [(Kind::Percent, without("%x", "x")), (Kind::PercentBeforeDigits, without("%%34%34", "%34%34"))];
        for (kind, texts) in percents {
            if seen.insert(texts.clone()) {
                units.push(Unit::new(b"%", texts, kind));
            }
        }
        let lens = units.iter().flat_map(|unit| unit.texts.iter().map(|[text, ..]| (text.len(), unit.cost)));
        let is_long = lens.into_iter().any(|(len, cost)| len > cost as usize);
        Self { expansion: if is_long { 3 } else { 1 }, units }
    }
}

/// Returns the spellings of single bytes, the best first.
fn spellings(forms: [Form; 2]) -> Vec<Vec<u8>> {
    let printable = || (b'!'..=b'~').filter(|byte| !matches!(byte, b'#' | b'%'));
    let is_in_uri = |byte: &u8| !b"\"<>\\^`{|}".contains(byte);
    let mut all: Vec<Vec<u8>> = printable().filter(is_in_uri).map(|byte| vec![byte]).collect();
    all.extend((0..=u8::MAX).map(|byte| format!("%{byte:02X}").into_bytes()));
    if forms.contains(&Form::AsWritten) {
        let digits = || "0123456789ABCDEFabcdef".chars();
        all.extend(digits().flat_map(|high| digits().map(move |low| format!("%{high}{low}").into_bytes())));
    }
    all.extend(printable().filter(|byte| !is_in_uri(byte)).map(|byte| vec![byte]));
    all
}

/// Returns what a unit is for a `%` before it: whether a form reads the `%` in another way.
fn kind(written: &[u8], forms: [Form; 2]) -> Kind {
    if matches!(written, [digit] if digit.is_ascii_hexdigit()) {
        return Kind::Digit;
    }
    let is_digit = forms.into_iter().any(|form| {
        let before = |unit: &[u8]| path_in(form, &[b"%", unit, b"%34"].concat());
        before(b"x").starts_with(b"%x") && before(written).starts_with(b"%25")
    });
    if is_digit && written != b"%25" { Kind::DecodedDigit } else { Kind::Other }
}

/// The last unit is a `%` that begins no escape, or one and a digit.
const PERCENT: u32 = 4;
const PERCENT_DIGIT: u32 = 8;
/// The last unit is a `%` before digits, or one and a digit of each kind.
const BEFORE_TWO: u32 = 16;
const BEFORE_DECODED: u32 = 32;
const BEFORE_ONE: u32 = 64;

/// Returns the flags after a unit, or `None` if it can't follow.
pub(super) fn after(flags: u32, kind: Kind) -> Option<u32> {
    use Kind::{DecodedDigit, Digit, Other, Percent, PercentBeforeDigits};
    match (flags & !3, kind) {
        (BEFORE_TWO, Digit) => Some(BEFORE_DECODED),
        (BEFORE_TWO, DecodedDigit) => Some(BEFORE_ONE),
        (BEFORE_DECODED, DecodedDigit) | (BEFORE_ONE, Digit | DecodedDigit) => Some(0),
        (BEFORE_TWO | BEFORE_DECODED | BEFORE_ONE, _) | (PERCENT_DIGIT, Digit | DecodedDigit) => None,
        (PERCENT, Digit | DecodedDigit) => Some(PERCENT_DIGIT),
        (_, Percent) => Some(PERCENT),
        (_, PercentBeforeDigits) => Some(BEFORE_TWO),
        (_, Digit | DecodedDigit | Other) => Some(0),
    }
}

/// Returns whether a path may end here.
pub(super) const fn may_end(flags: u32) -> bool {
    flags & (BEFORE_TWO | BEFORE_DECODED | BEFORE_ONE) == 0
}
