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

/// The same, and what stands in what they become.
#[inline]
pub(crate) fn classified(octets: &[u8], form: Form, role: Role) -> (Cow<'_, [u8]>, Classes) {
    let classes = form.classes(octets, role);
    if !classes.may_change() {
        return (Cow::Borrowed(octets), classes);
    }
    match first_changed(octets, form, role) {
        None => (Cow::Borrowed(octets), classes),
        Some(changed) => {
            let mut out = Vec::with_capacity(octets.len() + 16);
            append_changed(&mut out, octets, changed, form, role);
            let classes = form.classes(&out, role);
            (Cow::Owned(out), classes)
        }
    }
}

/// Appends `octets` in `form` to `out`, and tells what stands in what they become. Time grows with their number.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, octets: &[u8], form: Form, role: Role) -> Classes {
    let classes = form.classes(octets, role);
    if classes.may_change() {
        if let Some(changed) = first_changed(octets, form, role) {
            let start = out.len();
            append_changed(out, octets, changed, form, role);
            return form.classes(out.get(start..).unwrap_or_default(), role);
        }
    }
    out.extend_from_slice(octets);
    classes
}

/// Whether `octet` stands for itself wherever it stands in a pattern, and is the same in `form`.
#[inline]
pub(crate) fn stays(octet: u8, form: Form, specials: Specials) -> bool {
    let classes = form.classes(&[octet], Role::Pattern(specials));
    !classes.has(Classes::SUSPECT | Classes::STAR) && octet != b'$' && octet != b'%'
}

/// What stands in octets: found together in one pass over them.
///
/// The lower bits tell which octets there are, but for `*` and `$`; octets that are rare in paths share bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Classes(u64);

impl Classes {
    const SUSPECT: u64 = 1 << 63;
    const STAR: u64 = 1 << 62;
    const QUERY: u64 = 1 << 61;

    /// Of no octets.
    pub(crate) const NONE: Self = Self(0);

    /// Of a pattern that is in its form.
    pub(crate) fn of(pattern: &[u8]) -> Self {
        Form::AsWritten.classes(pattern, Role::Path)
    }

    #[inline]
    const fn has(self, class: u64) -> bool {
        self.0 & class != 0
    }

    /// Whether the octets may not be in the form for which they were classified.
    #[inline]
    pub(crate) const fn may_change(self) -> bool {
        self.has(Self::SUSPECT)
    }

    /// Whether there is a `*`.
    #[inline]
    pub(crate) const fn has_star(self) -> bool {
        self.has(Self::STAR)
    }

    /// Whether there is a `?`.
    #[inline]
    pub(crate) const fn has_query(self) -> bool {
        self.has(Self::QUERY)
    }

    /// Whether a path that has `other` may have all octets of a pattern that has these.
    #[inline]
    pub(crate) const fn may_all_be_in(self, other: Self) -> bool {
        self.0 & !other.0 & !(Self::SUSPECT | Self::STAR) == 0
    }

    /// The same with less detail.
    #[inline]
    pub(crate) const fn folded(self) -> FewClasses {
        let octets = self.0 & !(Self::SUSPECT | Self::STAR);
        FewClasses((octets | octets >> 32) as u32)
    }

    /// Of one octet, but for whether it is suspect.
    const fn of_octet(octet: u8) -> Self {
        let bit = match octet {
            b'*' => return Self(Self::STAR),
            b'$' => return Self(0),
            b'?' => return Self(Self::QUERY),
            b'a'..=b'z' => octet - b'a',
            b'0'..=b'9' => 26 + (octet - b'0'),
            b'A'..=b'Z' => 36 + (octet - b'A') / 2,
            _ => 49 + octet % 12,
        };
        Self(1 << bit)
    }
}

/// [`Classes`] with less detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FewClasses(u32);

impl FewClasses {
    /// Whether a path that has `other` may have all octets of a pattern that has these.
    #[inline]
    pub(crate) const fn may_all_be_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
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
fn first_changed(octets: &[u8], form: Form, role: Role) -> Option<usize> {
    let mut at = 0;
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
    pub(crate) fn classes(self, octets: &[u8], role: Role) -> Classes {
        static AS_WRITTEN: Table = table(Form::AsWritten, Role::Path);
        static NON_ASCII_ENCODED: Table = table(Form::NonAsciiEncoded, Role::Path);
        static NORMAL_PATH: Table = table(Form::Normal, Role::Path);
        static NORMAL_PATTERN: Table = table(Form::Normal, Role::Pattern(Specials::StarAndDollar));
        static DECODED: Table = table(Form::DecodedButSlash, Role::Path);
        let table = match (self, role) {
            (Self::AsWritten, _) => &AS_WRITTEN,
            (Self::NonAsciiEncoded, _) => &NON_ASCII_ENCODED,
            (Self::Normal, Role::Path | Role::Pattern(Specials::None)) => &NORMAL_PATH,
            (Self::Normal, Role::Pattern(Specials::StarAndDollar)) => &NORMAL_PATTERN,
            (Self::DecodedButSlash, _) => &DECODED,
        };
        // A `$` at the end of a pattern is special, and stays.
        let octets = match (role, octets) {
            (Role::Pattern(Specials::StarAndDollar), [stem @ .., b'$']) => stem,
            _ => octets,
        };
        let of_all = |classes, octets: &[u8]| {
            let class = |octet: &u8| table.get(usize::from(*octet)).copied().unwrap_or(u64::MAX);
            octets.iter().fold(classes, |classes, octet| classes | class(octet))
        };
        // Without a branch for each octet: eight at a time, the last eight once more.
        let eights = octets.chunks_exact(8);
        let rest = eights.remainder();
        let classes =
            eights.filter_map(<[u8]>::first_chunk::<8>).fold(0, |classes, eight| of_all(classes, eight));
        Classes(match octets.last_chunk::<8>() {
            Some(last) if !rest.is_empty() => of_all(classes, last),
            _ => of_all(classes, rest),
        })
    }
}

/// For each octet, its classes.
type Table = [u64; 256];

/// Suspect is what changes where it is not last, and `%` for what may follow.
const fn table(form: Form, role: Role) -> Table {
    let mut table = [0; 256];
    let mut octet: usize = 0;
    while let Some((before, _)) = table.split_at_mut_checked(octet + 1) {
        if let Some(classes) = before.last_mut() {
            let unit = Unit::Raw(octet as u8);
            let changes = matches!(form.treat(unit, false, role), Treatment::Encoded(_));
            let may_begin_escape = octet == b'%' as usize && !matches!(form, Form::AsWritten);
            *classes = if changes || may_begin_escape { Classes::SUSPECT } else { 0 };
            *classes |= Classes::of_octet(octet as u8).0;
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
    fn a_percent_sign_is_encoded_only_where_it_would_begin_an_octet() {
        assert_eq!(shown(b"/%7e%z1%1z", Form::Normal, Role::Path), "/~%z1%1z");
        assert_eq!(shown(b"/%7e%%31%z%41", Form::Normal, Role::Path), "/~%1%zA");
        assert_eq!(shown(b"/%7e%%31%41", Form::Normal, Role::Path), "/~%251A");
    }

    #[test]
    fn what_is_in_the_form_is_not_copied() {
        for form in FORMS {
            for role in [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)] {
                assert!(matches!(canonical(b"/a-Z0.html?q=1&r", form, role), Cow::Borrowed(_)), "{form:?}");
                let classes = form.classes(b"/a-Z0.html", role);
                assert!(!classes.may_change() && !classes.has_star() && !classes.has_query(), "{form:?}");
            }
        }
    }

    #[test]
    fn what_is_decoded_may_be_special() {
        for octets in [&b"/%2A%3F"[..], b"/*?%41"] {
            let (_, classes) = classified(octets, Form::DecodedButSlash, Role::Path);
            assert!(classes.has_star() && classes.has_query(), "{}", octets.escape_ascii());
        }
        for (octets, form) in [(&b"/%2A%3F%7e"[..], Form::Normal), (b"/%41", Form::DecodedButSlash)] {
            let (_, classes) = classified(octets, form, Role::Path);
            assert!(!classes.has_star() && !classes.has_query(), "{}", octets.escape_ascii());
        }
    }

    /// RFC 3986, section 3.4: a query is of pchar, `/` and `?`; section 2.2: `&`, `=` and `+` delimit within it.
    #[test]
    fn in_a_query_what_delimits_nothing_is_decoded() {
        let decoded =
            with_decoded_query(b"/%3A?%3A%2F%40%5B%5D%21%27%28%29%2C%3B.%26%3D%2B%24%2A%25%23%3F%C3%A", 4);
        assert_eq!(decoded.unwrap(), b"/%3A?:/@[]!'(),;.%26%3D%2B%24%2A%25%23%3F%C3%A");
        assert_eq!(with_decoded_query(b"/%3A?%26", 4), None);
    }

    #[test]
    fn octets_are_told_from_each_other() {
        let graphic = || (0..=u8::MAX).filter(u8::is_ascii_graphic).filter(|octet| !b"*$".contains(octet));
        let common = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'?';
        for a in graphic() {
            let of_a = Classes::of(&[a]);
            for b in graphic() {
                let (of_b, both) = (Classes::of(&[b]), Classes::of(&[b, a, b]));
                assert!(of_a.may_all_be_in(both) && of_a.folded().may_all_be_in(both.folded()));
                // Those that are common share no bit.
                let told = a != b && common(a) && common(b);
                assert!(!told || !of_a.may_all_be_in(of_b), "{a} {b}");
                // Letters are still told with less detail.
                let told = a != b && a.is_ascii_lowercase() && b.is_ascii_lowercase();
                assert!(!told || !of_a.folded().may_all_be_in(of_b.folded()), "{a} {b}");
                let told = a.is_ascii_lowercase() && b.is_ascii_uppercase();
                assert!(!told || !of_a.may_all_be_in(of_b), "{a} {b}");
            }
            assert!(!of_a.folded().may_all_be_in(Classes::NONE.folded()));
            assert!(!of_a.may_all_be_in(Classes::NONE));
        }
        // At most two upper case letters share a bit; so many bits are set by all of them.
        let upper: Vec<u8> = (b'A'..=b'Z').collect();
        assert_eq!(Classes::of(&upper).0.count_ones(), 13);
        let others: Vec<u8> =
            graphic().filter(|octet| !octet.is_ascii_alphanumeric() && *octet != b'?').collect();
        assert_eq!(Classes::of(&others).0.count_ones(), 12);
        let letters_and_digits: Vec<u8> = (0..=u8::MAX).filter(u8::is_ascii_alphanumeric).collect();
        assert_eq!(Classes::of(&others).0 & Classes::of(&letters_and_digits).0, 0);
        // What is special or suspect is needed of no path.
        for octets in [&b"*"[..], b"$", b"\xFF%"] {
            let classes = Form::Normal.classes(octets, Role::Path);
            let without = Classes(classes.0 & !(Classes::SUSPECT | Classes::STAR));
            assert!(classes.may_all_be_in(without) && classes.folded().may_all_be_in(without.folded()));
        }
    }

    #[test]
    fn what_stays_settles_a_rule() {
        for octet in 0..=u8::MAX {
            let stays = |specials| stays(octet, Form::Normal, specials);
            let is_same = octet.is_ascii_graphic() && !b"*$%".contains(&octet);
            assert!(
                stays(Specials::StarAndDollar) || !is_same || b"\"#<>[]\\^`{|}".contains(&octet),
                "{octet}"
            );
            assert!(!stays(Specials::StarAndDollar) || is_same, "{octet}");
            assert!(!stays(Specials::None) || is_same, "{octet}");
        }
        assert!(!stays(b'%', Form::AsWritten, Specials::StarAndDollar));
        assert!(stays(b'a', Form::AsWritten, Specials::StarAndDollar));
    }

    #[test]
    fn every_octet_that_changes_is_suspect() {
        for octet in 0..=u8::MAX {
            for form in FORMS {
                for role in
                    [Role::Path, Role::Pattern(Specials::StarAndDollar), Role::Pattern(Specials::None)]
                {
                    for octets in [&[octet, b'a'][..], b"/abcdefgh", b"/12345678"] {
                        let octets = [octets, &[octet, b'.']].concat();
                        let classes = form.classes(&octets, role);
                        let changed = first_changed(&octets, form, role);
                        assert!(changed.is_none() || classes.has(Classes::SUSPECT), "{octet:#x} {form:?}");
                        assert_eq!(classes.has_star(), octet == b'*');
                        assert_eq!(classes.has_query(), octet == b'?');
                        assert!(Classes::of(&octets).may_all_be_in(classes));
                        // What ends with a `$` is no more suspect than without it.
                        let ended = [&octets, &b"$"[..]].concat();
                        let changed = first_changed(&ended, form, role);
                        let classes = form.classes(&ended, role);
                        assert!(changed.is_none() || classes.has(Classes::SUSPECT), "{octet:#x} {form:?}");
                        let is_special = role.has_specials();
                        assert!(!is_special || classes == form.classes(&octets, role));
                    }
                }
            }
        }
    }
}
