//! Bringing patterns and paths into one form.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::policy::{Form, Specials};

/// Whether octets are a path or the pattern of a rule, in which some octets may be special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Path,
    Pattern(Specials),
}

impl Role {
    const fn has_specials(self) -> bool {
        matches!(self, Self::Pattern(Specials::StarAndDollar))
    }
}

/// `octets` in `form`; copied only if something changes. Time grows with their number.
pub(crate) fn canonical(octets: &[u8], form: Form, role: Role) -> Cow<'_, [u8]> {
    classified(octets, form, role).0
}

/// The same, and what stands in them.
#[inline]
pub(crate) fn classified(octets: &[u8], form: Form, role: Role) -> (Cow<'_, [u8]>, Classes) {
    let classes = form.classes(octets, role);
    match form.changed(octets, role, classes) {
        None => (Cow::Borrowed(octets), classes),
        Some(changed) => {
            let mut out = Vec::with_capacity(octets.len() + 16);
            append_changed(&mut out, octets, changed, form, role);
            (Cow::Owned(out), classes.of_changed(form))
        }
    }
}

/// Appends `octets` in `form` to `out`, and tells what stands in them. Time grows with their number.
pub(crate) fn append(out: &mut Vec<u8>, octets: &[u8], form: Form, role: Role) -> Classes {
    let classes = form.classes(octets, role);
    match form.changed(octets, role, classes) {
        None => {
            out.extend_from_slice(octets);
            classes
        }
        Some(changed) => {
            append_changed(out, octets, changed, form, role);
            classes.of_changed(form)
        }
    }
}

/// What may stand in octets: found together in one pass over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classes(u8);

impl Classes {
    const SUSPECT: u8 = 1;
    const STAR: u8 = 2;
    const QUERY: u8 = 4;

    /// Whether there may be a `*`.
    #[inline]
    pub(crate) const fn may_have_star(self) -> bool {
        self.0 & Self::STAR != 0
    }

    /// Whether there may be a `?`.
    #[inline]
    pub(crate) const fn may_have_query(self) -> bool {
        self.0 & Self::QUERY != 0
    }

    /// Of the octets that these become: what is decoded may be anything.
    const fn of_changed(self, form: Form) -> Self {
        match form {
            Form::DecodedButSlash => Self(self.0 | Self::STAR | Self::QUERY),
            Form::AsWritten | Form::NonAsciiEncoded | Form::Normal => self,
        }
    }
}

fn append_changed(out: &mut Vec<u8>, octets: &[u8], changed: usize, form: Form, role: Role) {
    let start = out.len();
    let (same, mut rest) = octets.split_at(changed);
    out.extend_from_slice(same);
    while !rest.is_empty() {
        let unit = Unit::of(rest);
        let last = unit.len() == rest.len();
        rest = rest.get(unit.len()..).unwrap_or_default();
        match form.treat(unit, last, role) {
            Treatment::Octet(octet) => push(out, start, octet),
            Treatment::Encoded(octet) => out.extend_from_slice(&encoded(octet)),
        }
    }
}

/// The first octet that is not in `form` already. What stands before it is.
fn first_changed(octets: &[u8], mut at: usize, form: Form, role: Role) -> Option<usize> {
    loop {
        let rest = octets.get(at..).filter(|rest| !rest.is_empty())?;
        let unit = Unit::of(rest);
        let written = rest.get(..unit.len()).unwrap_or_default();
        let same = match form.treat(unit, unit.len() == rest.len(), role) {
            Treatment::Octet(octet) => written == [octet],
            Treatment::Encoded(octet) => written == encoded(octet),
        };
        if !same {
            return Some(at);
        }
        at += unit.len();
    }
}

/// Appends an octet that stands for itself. If a `%` that began nothing would become the start of an encoded octet by
/// it, that `%` is encoded: so the form of a form is the same. What stands before `start` is of something else.
fn push(out: &mut Vec<u8>, start: usize, octet: u8) {
    if let Some(&[.., b'%', digit]) = out.get(start..) {
        if digit.is_ascii_hexdigit() && octet.is_ascii_hexdigit() {
            out.pop();
            out.extend_from_slice(b"25");
            out.push(digit);
        }
    }
    out.push(octet);
}

/// An octet as it stands, or one that is percent-encoded.
#[derive(Clone, Copy)]
enum Unit {
    Raw(u8),
    Escape(u8),
}

impl Unit {
    /// The first of `octets`, which are not empty.
    fn of(octets: &[u8]) -> Self {
        match *octets {
            [b'%', high, low, ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => Self::Escape(high << 4 | low),
                _ => Self::Raw(b'%'),
            },
            [octet, ..] => Self::Raw(octet),
            [] => Self::Raw(b'%'),
        }
    }

    const fn len(self) -> usize {
        match self {
            Self::Raw(_) => 1,
            Self::Escape(_) => 3,
        }
    }
}

/// What becomes of a [`Unit`].
enum Treatment {
    /// This octet.
    Octet(u8),
    /// This octet, percent-encoded.
    Encoded(u8),
}

impl Form {
    /// What becomes of `unit`; `last` tells whether nothing follows.
    const fn treat(self, unit: Unit, last: bool, role: Role) -> Treatment {
        match (self, unit) {
            (Self::AsWritten, Unit::Raw(octet)) => Treatment::Octet(octet),
            (Self::AsWritten, Unit::Escape(octet)) => Treatment::Encoded(octet),
            (Self::NonAsciiEncoded, Unit::Raw(octet)) if octet.is_ascii() => Treatment::Octet(octet),
            (Self::NonAsciiEncoded, Unit::Raw(octet) | Unit::Escape(octet)) => Treatment::Encoded(octet),
            (Self::Normal, Unit::Raw(octet)) => match octet {
                b'*' if role.has_specials() => Treatment::Octet(octet),
                b'$' if last && role.has_specials() => Treatment::Octet(octet),
                b'*' | b'$' => Treatment::Encoded(octet),
                b'%' => Treatment::Octet(octet),
                _ if is_unreserved(octet) || is_reserved(octet) && octet != b'#' => Treatment::Octet(octet),
                _ => Treatment::Encoded(octet),
            },
            (Self::Normal, Unit::Escape(octet)) if is_unreserved(octet) => Treatment::Octet(octet),
            (Self::Normal, Unit::Escape(octet)) => Treatment::Encoded(octet),
            (Self::DecodedButSlash, Unit::Escape(b'/')) => Treatment::Encoded(b'/'),
            (Self::DecodedButSlash, Unit::Raw(b'%') | Unit::Escape(b'%')) => Treatment::Encoded(b'%'),
            (Self::DecodedButSlash, Unit::Raw(octet) | Unit::Escape(octet)) => Treatment::Octet(octet),
        }
    }

    /// What stands in `octets`.
    #[inline]
    fn classes(self, octets: &[u8], role: Role) -> Classes {
        static AS_WRITTEN: [u8; 256] = classes(Form::AsWritten, Role::Path);
        static NON_ASCII_ENCODED: [u8; 256] = classes(Form::NonAsciiEncoded, Role::Path);
        static NORMAL_PATH: [u8; 256] = classes(Form::Normal, Role::Path);
        static NORMAL_PATTERN: [u8; 256] = classes(Form::Normal, Role::Pattern(Specials::StarAndDollar));
        static DECODED: [u8; 256] = classes(Form::DecodedButSlash, Role::Path);
        let table = match (self, role) {
            (Self::AsWritten, _) => &AS_WRITTEN,
            (Self::NonAsciiEncoded, _) => &NON_ASCII_ENCODED,
            (Self::Normal, Role::Path | Role::Pattern(Specials::None)) => &NORMAL_PATH,
            (Self::Normal, Role::Pattern(Specials::StarAndDollar)) => &NORMAL_PATTERN,
            (Self::DecodedButSlash, _) => &DECODED,
        };
        // Without a branch for each octet.
        let class = |octet: &u8| table.get(usize::from(*octet)).copied().unwrap_or(u8::MAX);
        Classes(octets.iter().fold(0, |classes, octet| classes | class(octet)))
    }

    /// The first octet that changes; `None` if none does.
    #[inline]
    fn changed(self, octets: &[u8], role: Role, classes: Classes) -> Option<usize> {
        if classes.0 & Classes::SUSPECT == 0 { None } else { first_changed(octets, 0, self, role) }
    }
}

/// For each octet, its classes. Suspect is what changes where it is not last, and `%` for what may follow.
const fn classes(form: Form, role: Role) -> [u8; 256] {
    let mut table = [0; 256];
    let mut octet: usize = 0;
    while let Some((before, _)) = table.split_at_mut_checked(octet + 1) {
        if let Some(classes) = before.last_mut() {
            let unit = Unit::Raw(octet as u8);
            let changes = matches!(form.treat(unit, false, role), Treatment::Encoded(_));
            let may_begin_escape = octet == b'%' as usize && !matches!(form, Form::AsWritten);
            *classes = if changes || may_begin_escape { Classes::SUSPECT } else { 0 };
            *classes |= match octet as u8 {
                b'*' => Classes::STAR,
                b'?' => Classes::QUERY,
                _ => 0,
            };
        }
        octet += 1;
    }
    table
}

/// The query of `path`, in the form in which those octets are decoded that delimit nothing in a query; `None` if that
/// is the same. `path` is in [`Form::Normal`].
pub(crate) fn with_decoded_query(path: &[u8], query_at: usize) -> Option<Vec<u8>> {
    let (before, query) = path.split_at_checked(query_at)?;
    let decodable = |rest: &[u8]| match Unit::of(rest) {
        Unit::Escape(octet)
            if matches!(
                octet,
                b':' | b'/' | b'@' | b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b',' | b';'
            ) =>
        {
            Some(octet)
        }
        _ => None,
    };
    memchr::memchr_iter(b'%', query).find_map(|at| decodable(query.get(at..)?))?;
    let mut out = Vec::with_capacity(path.len());
    out.extend_from_slice(before);
    let mut rest = query;
    while let [octet, behind @ ..] = rest {
        match decodable(rest) {
            Some(decoded) => {
                out.push(decoded);
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                out.push(*octet);
                rest = behind;
            }
        }
    }
    Some(out)
}

/// RFC 3986, section 2.3.
const fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// RFC 3986, section 2.2.
const fn is_reserved(octet: u8) -> bool {
    matches!(octet, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
        || matches!(octet, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

const fn encoded(octet: u8) -> [u8; 3] {
    const fn digit(value: u8) -> u8 {
        if value < 10 { b'0' + value } else { b'A' + value - 10 }
    }
    [b'%', digit(octet >> 4), digit(octet & 15)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    const FORMS: [Form; 4] = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];

    fn shown(octets: &[u8], form: Form, role: Role) -> String {
        String::from_utf8(canonical(octets, form, role).into_owned()).unwrap()
    }

    #[test]
    fn forms_do_what_they_say() {
        let pattern = Role::Pattern(Specials::StarAndDollar);
        assert_eq!(shown(b"/%7e%2f%3c<$*$", Form::Normal, pattern), "/~%2F%3C%3C%24*$");
        assert_eq!(shown(b"/$a%7e$<$", Form::Normal, pattern), "/%24a~%24%3C$");
        assert_eq!(shown(b"/%7e%2f%3c<$*$", Form::Normal, Role::Path), "/~%2F%3C%3C%24%2A%24");
        assert_eq!(shown(b"/%7e%2f\xE3", Form::NonAsciiEncoded, pattern), "/%7E%2F%E3");
        assert_eq!(shown(b"/%7e%2f%25%x", Form::DecodedButSlash, pattern), "/~%2F%25%25x");
        assert_eq!(shown(b"/a%zz%", Form::Normal, pattern), "/a%zz%");
    }

    #[test]
    fn the_form_of_a_form_is_the_same() {
        for octets in
            [&b"%%34%31"[..], b"%4%31", b"%%341", b"%25%32%35", b"%2%35", b"%%%%34%31", b"/%2%46%2f%2F%$"]
        {
            for form in FORMS {
                for role in
                    [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)]
                {
                    let once = canonical(octets, form, role).into_owned();
                    assert_eq!(once, *canonical(&once, form, role), "{} {form:?}", octets.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn every_octet_that_changes_is_suspect() {
        for octet in 0..=u8::MAX {
            for form in FORMS {
                for role in
                    [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)]
                {
                    let octets = [octet, b'a'];
                    let classes = form.classes(&octets, role);
                    let changed = first_changed(&octets, 0, form, role);
                    assert!(
                        changed.is_none() || form.changed(&octets, role, classes) == changed,
                        "{octet:#x} {form:?}"
                    );
                    assert_eq!(classes.may_have_star(), octet == b'*');
                    assert_eq!(classes.may_have_query(), octet == b'?');
                }
            }
        }
    }
}
