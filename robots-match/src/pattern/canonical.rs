//! The canonical form of patterns and paths.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use percent_encoding::percent_encode_byte;

use super::byte_set::{ByteSet, Table, begins_with_kept_escape};
pub(crate) use super::percent::Role;
use super::percent::{Treatment, Unit};
use crate::policy::{Form, Specials};

/// Brings `bytes` into `form`. The bytes are copied only if something changes.
///
/// # Complexity
///
/// O(*n*) for *n* bytes.
pub(crate) fn canonical(bytes: &[u8], form: Form, role: Role) -> Cow<'_, [u8]> {
    classified(bytes, form, role).0
}

/// Brings `bytes` into `form`, like [`canonical`], and returns the set of the resulting bytes as well.
#[inline]
pub(crate) fn classified(bytes: &[u8], form: Form, role: Role) -> (Cow<'_, [u8]>, ByteSet) {
    classified_with(bytes, form.byte_set(bytes, role), form, role)
}

/// Does the same as [`classified`] for bytes with the set `set` in this form.
pub(crate) fn classified_with(
    bytes: &[u8],
    set: ByteSet,
    form: Form,
    role: Role,
) -> (Cow<'_, [u8]>, ByteSet) {
    let changed = if set.may_change() { first_changed(bytes, form, role) } else { None };
    match changed {
        None => (Cow::Borrowed(bytes), set),
        Some(changed) => {
            // Each byte from the first that changes may be encoded.
            let mut out = Vec::with_capacity(bytes.len() + 2 * (bytes.len() - changed));
            append_changed(&mut out, bytes, changed, form, role);
            let set = form.byte_set(&out, role);
            (Cow::Owned(out), set)
        }
    }
}

/// Appends `bytes` in `form` to `out`, and returns the set of the appended bytes.
///
/// # Complexity
///
/// O(*n*) for *n* bytes.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, bytes: &[u8], form: Form, role: Role) -> ByteSet {
    let set = form.byte_set(bytes, role);
    if set.may_change() {
        if let Some(changed) = first_changed(bytes, form, role) {
            let start = out.len();
            append_changed(out, bytes, changed, form, role);
            return form.byte_set(out.get(start..).unwrap_or_default(), role);
        }
    }
    out.extend_from_slice(bytes);
    set
}

/// The bytes that are never special in a pattern and are not changed by a form, wherever they are.
#[derive(Clone, Copy)]
pub(crate) struct Literals(&'static Table);

impl Literals {
    pub(crate) fn new(form: Form, specials: Specials) -> Self {
        Self(form.table(Role::Pattern(specials)))
    }

    #[inline]
    pub(crate) fn has(self, byte: u8) -> bool {
        let set = ByteSet::of_table(self.0, byte);
        !set.has(ByteSet::SUSPECT | ByteSet::STAR) && byte != b'$' && byte != b'%'
    }
}

fn append_changed(out: &mut Vec<u8>, bytes: &[u8], changed: usize, form: Form, role: Role) {
    let start = out.len();
    let table = form.table(role);
    let may_change = |byte: u8| ByteSet::of_table(table, byte).may_change();
    let (same, mut rest) = bytes.split_at(changed);
    out.extend_from_slice(same);
    while let Some(&byte) = rest.first() {
        if !may_change(byte) {
            let end = rest.iter().position(|byte| may_change(*byte)).unwrap_or(rest.len());
            let (same, after) = rest.split_at(end);
            // Only the first of them can follow a literal `%` and a decoded digit.
            push(out, start, byte);
            out.extend_from_slice(same.get(1..).unwrap_or_default());
            rest = after;
            continue;
        }
        if let [b'%', high, low, ref after @ ..] = *rest {
            let escape = [b'%', high.to_ascii_uppercase(), low.to_ascii_uppercase()];
            if begins_with_kept_escape(table, &escape) {
                out.extend_from_slice(&escape);
                rest = after;
                continue;
            }
        }
        let unit = Unit::of(rest);
        let last = unit.len() == rest.len();
        rest = rest.get(unit.len()..).unwrap_or_default();
        match form.treat_changing(unit, last, role) {
            Treatment::Raw(byte) => push(out, start, byte),
            Treatment::Encoded(byte) => {
                // As an array, so that it is copied without a call.
                let encoded: Option<&[u8; 3]> = percent_encode_byte(byte).as_bytes().first_chunk();
                out.extend_from_slice(encoded.expect("an encoded byte has three bytes"));
            }
        }
    }
}

/// Returns the position of the first byte that `form` changes.
fn first_changed(bytes: &[u8], form: Form, role: Role) -> Option<usize> {
    let table = form.table(role);
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        if !ByteSet::of_table(table, *rest.first()?).may_change() {
            at += 1;
            continue;
        }
        // Most escapes in paths stand for bytes that are not ASCII.
        if begins_with_kept_escape(table, rest) {
            at += 3;
            continue;
        }
        let unit = Unit::of(rest);
        let treatment = form.treat_changing(unit, unit.len() == rest.len(), role);
        match (unit, treatment, rest) {
            (Unit::Raw(_), Treatment::Raw(_), _) => at += 1,
            // Encoded bytes have upper-case digits.
            (Unit::Escape(_), Treatment::Encoded(_), [_, high, low, ..]) if *high < b'a' && *low < b'a' => {
                at += 3;
            }
            _ => return Some(at),
        }
    }
}

/// Appends a literal byte. If the byte would turn an earlier literal `%` into the start of an escape, the `%` is encoded, so
/// that bringing the result into the form again changes nothing. Bytes before `start` belong to something else.
fn push(out: &mut Vec<u8>, start: usize, byte: u8) {
    if let Some(&[.., b'%', digit]) = out.get(start..) {
        if digit.is_ascii_hexdigit() && byte.is_ascii_hexdigit() {
            out.pop();
            out.extend_from_slice(b"25");
            out.push(digit);
        }
    }
    out.push(byte);
}

/// The component of a URL in which a byte is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Path,
    Query,
    /// Either of them: the byte follows a special `*` of a pattern, and no `?`.
    Either,
}

/// Returns whether `byte` is reserved and equal to its encoding in a component.
pub(crate) const fn equals_encoding(byte: u8, component: Component) -> bool {
    match byte {
        b':' | b'@' | b'!' | b'\'' | b'(' | b')' | b',' | b';' | b'[' | b']' => true,
        b'&' | b'+' | b'=' => matches!(component, Component::Path),
        b'/' | b'?' => matches!(component, Component::Query),
        _ => false,
    }
}

/// A set of the bytes that are equal to their encodings in one component only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OneSided(u8);

impl OneSided {
    const BYTES: [u8; 5] = *b"&+=/?";

    /// Returns the set of one byte; an empty one for others.
    const fn of(byte: u8) -> Self {
        Self(match byte {
            b'&' => 1,
            b'+' => 2,
            b'=' => 4,
            b'/' => 8,
            b'?' => 16,
            _ => 0,
        })
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn has(self, byte: u8) -> bool {
        self.0 & Self::of(byte).0 != 0
    }

    /// Returns the bytes of the set.
    pub(crate) fn bytes(self) -> impl Iterator<Item = u8> {
        Self::BYTES.into_iter().filter(move |byte| self.has(*byte))
    }
}

/// The bytes of a path or pattern, each with its component: units, and whether a `?` begins the query.
fn in_components(bytes: &[u8], wild: bool, mut each: impl FnMut(&[u8], Unit, Component)) {
    let mut component = Component::Path;
    let mut rest = bytes;
    while !rest.is_empty() {
        let unit = Unit::of(rest);
        let (written, after) = rest.split_at(unit.len());
        each(written, unit, component);
        match unit {
            Unit::Raw(b'?') => component = Component::Query,
            Unit::Raw(b'*') if wild && component == Component::Path => component = Component::Either,
            _ => {}
        }
        rest = after;
    }
}

/// Returns whether a byte of a pattern may be encoded in a path that it matches.
pub(crate) fn may_be_encoded(pattern: &[u8], wild: bool) -> bool {
    let mut found = false;
    in_components(pattern, wild, |_, unit, component| {
        found |= match (unit, component) {
            (Unit::Escape(_), _) => false,
            (Unit::Raw(byte), Component::Either) => has_equal_encoding(byte),
            (Unit::Raw(byte), component) => equals_encoding(byte, component),
        };
    });
    found
}

/// Returns whether `byte` is equal to its encoding in one of the components.
pub(crate) const fn has_equal_encoding(byte: u8) -> bool {
    equals_encoding(byte, Component::Path) || equals_encoding(byte, Component::Query)
}

/// Decodes the reserved bytes that are equal to their encodings, in a path, or in a pattern whose `*` is special if `wild`.
/// Returns `None` if nothing changes. Also returns the encoded bytes of a pattern that are equal to themselves in one of the
/// components only in which they may be compared.
pub(crate) fn with_equal_bytes(bytes: &[u8], wild: bool) -> (Option<Vec<u8>>, OneSided) {
    let mut either = OneSided::default();
    let begins_equal = |at: usize| match bytes.get(at..).map(Unit::of) {
        Some(Unit::Escape(byte)) => has_equal_encoding(byte),
        _ => false,
    };
    // Most escapes stand for other bytes.
    if !bytes.iter().zip(0..).any(|(byte, at)| *byte == b'%' && begins_equal(at)) {
        return (None, either);
    }
    let mut out = Vec::with_capacity(bytes.len());
    in_components(bytes, wild, |written, unit, component| match unit {
        Unit::Escape(byte) if equals_encoding(byte, component) => out.push(byte),
        _ => {
            if let (Unit::Escape(byte), Component::Either) = (unit, component) {
                either.0 |= OneSided::of(byte).0;
            }
            out.extend_from_slice(written);
        }
    });
    (Some(out).filter(|out| out.len() != bytes.len()), either)
}

/// Encodes those of some bytes that are equal to their encodings, in a path or a pattern, where the component is known.
/// Then a pattern with encoded bytes that are compared in either component matches where they are equal.
pub(crate) fn with_encoded_bytes(bytes: &[u8], encoded: OneSided, wild: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    in_components(bytes, wild, |written, unit, component| match unit {
        Unit::Raw(byte) if encoded.has(byte) && equals_encoding(byte, component) => {
            out.extend_from_slice(percent_encode_byte(byte).as_bytes());
        }
        _ => out.extend_from_slice(written),
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    const FORMS: [Form; 4] = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];

    fn shown(bytes: &[u8], form: Form, role: Role) -> String {
        String::from_utf8(canonical(bytes, form, role).into_owned()).unwrap()
    }

    #[test]
    fn each_form_encodes_and_decodes_as_documented() {
        let pattern = Role::Pattern(Specials::StarAndDollar);
        assert_eq!(shown(b"/%7e%2f%3c<$*$", Form::Normal, pattern), "/~%2F%3C%3C%24*$");
        assert_eq!(shown(b"/$a%7e$<$", Form::Normal, pattern), "/%24a~%24%3C$");
        assert_eq!(shown(b"/%7e%2f%3c<$*$", Form::Normal, Role::Path), "/~%2F%3C%3C%24%2A%24");
        assert_eq!(shown(b"/%7e%2f\xE3", Form::NonAsciiEncoded, pattern), "/%7E%2F%E3");
        assert_eq!(shown(b"/%7e%2f%25%x", Form::DecodedButSlash, pattern), "/~%2F%25%25x");
        assert_eq!(shown(b"/a%zz%", Form::Normal, pattern), "/a%zz%");
    }

    #[test]
    fn canonicalizing_twice_changes_nothing() {
        for bytes in
            [&b"%%34%31"[..], b"%4%31", b"%%341", b"%25%32%35", b"%2%35", b"%%%%34%31", b"/%2%46%2f%2F%$"]
        {
            for form in FORMS {
                for role in
                    [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)]
                {
                    let once = canonical(bytes, form, role).into_owned();
                    assert_eq!(once, *canonical(&once, form, role), "{} {form:?}", bytes.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn a_percent_sign_is_encoded_only_where_it_would_begin_an_escape() {
        assert_eq!(shown(b"/%7e%z1%1z", Form::Normal, Role::Path), "/~%z1%1z");
        assert_eq!(shown(b"/%7e%%31%z%41", Form::Normal, Role::Path), "/~%1%zA");
        assert_eq!(shown(b"/%7e%%31%41", Form::Normal, Role::Path), "/~%251A");
    }

    #[test]
    fn canonical_bytes_are_not_copied() {
        for form in FORMS {
            for role in [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)] {
                assert!(matches!(canonical(b"/a-Z0.html?q=1&r", form, role), Cow::Borrowed(_)), "{form:?}");
                let set = form.byte_set(b"/a-Z0.html", role);
                assert!(!set.may_change() && !set.has_star(), "{form:?}");
            }
        }
    }

    #[test]
    fn decoded_bytes_may_be_special() {
        for bytes in [&b"/%2A%3F"[..], b"/*?%41"] {
            let (_, set) = classified(bytes, Form::DecodedButSlash, Role::Path);
            assert!(set.has_star(), "{}", bytes.escape_ascii());
        }
        for (bytes, form) in [(&b"/%2A%3F%7e"[..], Form::Normal), (b"/%41", Form::DecodedButSlash)] {
            let (_, set) = classified(bytes, form, Role::Path);
            assert!(!set.has_star(), "{}", bytes.escape_ascii());
        }
    }

    /// RFC 3986, section 3.4: a query is of pchar, `/` and `?`; section 2.2: `&`, `=` and `+` delimit within it.
    #[test]
    fn bytes_that_delimit_nothing_are_decoded() {
        let decoded = |text: &str, wild| with_equal_bytes(text.as_bytes(), wild);
        let all = "%3A%2F%40%5B%5D%21%27%28%29%2C%3B.%26%3D%2B%24%2A%25%23%3F%C3%A";
        let (path, _) = decoded(&alloc::format!("/{all}?{all}"), false);
        let expected = "/:%2F@[]!'(),;.&=+%24%2A%25%23%3F%C3%A?:/@[]!'(),;.%26%3D%2B%24%2A%25%23?%C3%A";
        assert_eq!(path.unwrap(), expected.as_bytes());
        assert_eq!(decoded("/?%26%zz", false), (None, OneSided::default()));
        let (pattern, either) = decoded("/%26*%26%2F%3A?%2F", true);
        assert_eq!(pattern.unwrap(), b"/&*%26%2F:?/");
        assert_eq!(either.bytes().collect::<Vec<_>>(), b"&/");
        assert_eq!(with_encoded_bytes(b"/a&b+?/&/", either, false), b"/a%26b+?%2F&%2F");
    }

    #[test]
    fn unchanged_bytes_include_all_common_path_characters() {
        for byte in 0..=u8::MAX {
            let stays = |specials| Literals::new(Form::Normal, specials).has(byte);
            let is_same = byte.is_ascii_graphic() && !b"*$%".contains(&byte);
            assert!(
                stays(Specials::StarAndDollar) || !is_same || b"\"#<>[]\\^`{|}".contains(&byte),
                "{byte}"
            );
            assert!(!stays(Specials::StarAndDollar) || is_same, "{byte}");
            assert!(!stays(Specials::None) || is_same, "{byte}");
        }
        let as_written = Literals::new(Form::AsWritten, Specials::StarAndDollar);
        assert!(!as_written.has(b'%'));
        assert!(as_written.has(b'a'));
    }

    #[test]
    fn each_escape_becomes_what_the_form_makes_of_it() {
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        let pairs = (0..=u8::MAX).flat_map(|high| (0..=u8::MAX).map(move |low| (high, low)));
        for (unit, byte) in pairs.filter_map(|(high, low)| {
            value(high).zip(value(low)).map(|(first, second)| ([b'%', high, low], first << 4 | second))
        }) {
            for form in FORMS {
                for role in [Role::Path, Role::Pattern(Specials::StarAndDollar)] {
                    let expected = match form.treat(Unit::Escape(byte), true, role) {
                        Treatment::Raw(byte) => Vec::from([byte]),
                        // A form that changes nothing also leaves lower-case digits.
                        Treatment::Encoded(_) if form == Form::AsWritten => unit.to_vec(),
                        Treatment::Encoded(byte) => percent_encode_byte(byte).into(),
                    };
                    // First, and after bytes that other forms change.
                    for before in [&b"/"[..], b"/%61\xFF"] {
                        let written = [before, &unit, b"/"].concat();
                        let [before, after] = [before, b"/"].map(|bytes| canonical(bytes, form, role));
                        let expected = [&before[..], &expected, &after].concat();
                        assert_eq!(
                            *canonical(&written, form, role),
                            *expected,
                            "{} {form:?}",
                            written.escape_ascii()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_percent_sign_without_two_digits_is_literal() {
        let others = || (0..=u8::MAX).filter(|byte| !byte.is_ascii_hexdigit() && !b"%*$".contains(byte));
        for byte in others() {
            for unit in [[b'%', byte, b'8'], [b'%', b'8', byte], [b'%', byte, byte]] {
                assert!(matches!(Unit::of(&unit), Unit::Raw(b'%')), "{}", unit.escape_ascii());
                let rest = canonical(&unit[1..], Form::Normal, Role::Path);
                let expected = [b"/%", &rest[..]].concat();
                assert_eq!(*canonical(&[b"/", &unit[..]].concat(), Form::Normal, Role::Path), *expected);
            }
        }
    }

    #[test]
    fn every_byte_that_changes_is_in_the_byte_set() {
        for byte in 0..=u8::MAX {
            for form in FORMS {
                for role in
                    [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)]
                {
                    for bytes in [&[byte, b'a'][..], b"/abcdefgh", b"/12345678"] {
                        let bytes = [bytes, &[byte, b'.']].concat();
                        let set = form.byte_set(&bytes, role);
                        let changed = first_changed(&bytes, form, role);
                        assert!(changed.is_none() || set.may_change(), "{byte:#x} {form:?}");
                        assert_eq!(set.has_star(), byte == b'*');
                        assert!(ByteSet::of(&bytes).may_all_be_in(set));
                        // A `$` at the end does not make the bytes more suspect.
                        let ended = [&bytes, &b"$"[..]].concat();
                        let changed = first_changed(&ended, form, role);
                        let set = form.byte_set(&ended, role);
                        assert!(changed.is_none() || set.may_change(), "{byte:#x} {form:?}");
                        let is_special = role.has_specials();
                        assert!(!is_special || set == form.byte_set(&bytes, role));
                    }
                }
            }
        }
    }
}
