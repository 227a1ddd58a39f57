//! Lists and dictionaries of structured fields (RFC 9651).
//!
//! The grammar is that of RFC 9651, section 4.2. A dictionary is read as a whole or not at all. A list is read member by
//! member, so that a reader can keep the members next to an invalid one, as draft-illyes-repext-03, section 3.1.1, asks.

use alloc::vec::Vec;
use core::ops::Range;

/// A bare item. Values that no reader here compares are checked and not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BareItem<'a> {
    /// An integer.
    Integer(i64),
    /// A decimal number.
    Decimal,
    /// The text of a string between its quotes, with its escapes.
    String(&'a [u8]),
    /// A token.
    Token(&'a [u8]),
    /// A byte sequence.
    Bytes,
    /// A boolean.
    Boolean(bool),
    /// A date in seconds since 1970.
    Date(i64),
    /// A display string.
    DisplayString,
}

/// A parameter of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter<'a> {
    /// The key as written.
    pub key: &'a [u8],
    /// The place of the key and its value.
    pub place: Range<usize>,
    /// The value; `true` if none is written.
    pub value: BareItem<'a>,
}

/// A member of a list or a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member<'a> {
    /// The key; empty in a list.
    pub key: &'a [u8],
    /// The item; `None` for an inner list.
    pub item: Option<BareItem<'a>>,
    /// The parameters, in the order in which they are written.
    pub parameters: Vec<Parameter<'a>>,
    /// The place of the member.
    pub place: Range<usize>,
}

/// Reads a list member by member. An invalid member is its place, which reaches to the next comma.
///
/// ```
/// use robots_match::structured_field::List;
///
/// let members: Vec<_> = List::new(b"a;b, 1a, c").map(|member| member.map(|member| member.place)).collect();
/// assert_eq!(members, [Ok(0..3), Err(5..7), Ok(9..10)]);
/// ```
#[derive(Clone, Debug)]
pub struct List<'a> {
    input: Input<'a>,
    is_done: bool,
}

impl<'a> List<'a> {
    /// Creates a reader of `field`.
    #[must_use]
    pub fn new(field: &'a [u8]) -> Self {
        let mut input = Input { bytes: field, at: 0, any_case: false };
        input.skip_spaces();
        let is_done = input.rest().is_empty();
        Self { input, is_done }
    }

    /// Accepts upper-case letters in keys, which RFC 9651 does not.
    #[must_use]
    pub const fn with_keys_of_any_case(mut self) -> Self {
        self.input.any_case = true;
        self
    }
}

impl<'a> Iterator for List<'a> {
    type Item = Result<Member<'a>, Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let start = self.input.at;
        let member = self.input.list_member();
        self.input.skip_white_space();
        match self.input.peek() {
            None => self.is_done = true,
            Some(b',') if member.is_some() => {
                self.input.at += 1;
                self.input.skip_white_space();
                // A comma at the end is an empty member, which is invalid.
                return member.map(Ok);
            }
            _ => {}
        }
        match member {
            Some(member) if self.is_done => Some(Ok(member)),
            _ => {
                let from = if self.input.rest().is_empty() { start } else { self.input.at };
                let rest = self.input.bytes.get(from..).unwrap_or_default();
                let comma = memchr::memchr(b',', rest).map(|comma| from + comma);
                self.is_done = comma.is_none();
                let end = comma.unwrap_or(self.input.bytes.len());
                self.input.at = (end + 1).min(self.input.bytes.len());
                self.input.skip_white_space();
                let text = self.input.bytes.get(start..end).unwrap_or_default();
                let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
                let len = text.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
                Some(Err(start..start + len))
            }
        }
    }
}

/// Reads a dictionary. Members with a key that occurs again later are included. Returns `None` if `field` is not a dictionary.
///
/// # Complexity
///
/// O(*n*) for *n* bytes.
#[must_use]
pub fn dictionary(field: &[u8]) -> Option<Vec<Member<'_>>> {
    let mut input = Input { bytes: field, at: 0, any_case: false };
    let mut members = Vec::new();
    input.skip_spaces();
    if input.rest().is_empty() {
        return Some(members);
    }
    loop {
        let start = input.at;
        let key = input.key()?;
        let mut member = if input.eat(b'=') {
            input.list_member()?
        } else {
            let parameters = input.parameters()?;
            Member { key, item: Some(BareItem::Boolean(true)), parameters, place: 0..0 }
        };
        member.key = key;
        member.place = start..input.at;
        members.push(member);
        input.skip_white_space();
        if input.rest().is_empty() {
            return Some(members);
        }
        if !input.eat(b',') {
            return None;
        }
        input.skip_white_space();
        if input.rest().is_empty() {
            return None;
        }
    }
}

#[derive(Clone, Debug)]
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    any_case: bool,
}

impl<'a> Input<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn skip_spaces(&mut self) {
        self.take(|byte| byte == b' ');
    }

    fn skip_white_space(&mut self) {
        self.take(|byte| matches!(byte, b' ' | b'\t'));
    }

    fn take(&mut self, accepts: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&byte| !accepts(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// An item or an inner list, with parameters.
    fn list_member(&mut self) -> Option<Member<'a>> {
        let start = self.at;
        let item = if self.eat(b'(') {
            self.inner_list()?;
            None
        } else {
            Some(self.bare_item()?)
        };
        let parameters = self.parameters()?;
        Some(Member { key: b"", item, parameters, place: start..self.at })
    }

    fn inner_list(&mut self) -> Option<()> {
        loop {
            self.skip_spaces();
            if self.eat(b')') {
                return Some(());
            }
            self.bare_item()?;
            self.parameters()?;
            if !matches!(self.peek(), Some(b' ' | b')')) {
                return None;
            }
        }
    }

    fn parameters(&mut self) -> Option<Vec<Parameter<'a>>> {
        let mut found = Vec::new();
        while self.eat(b';') {
            self.skip_spaces();
            let start = self.at;
            let key = self.key()?;
            let value = if self.eat(b'=') { self.bare_item()? } else { BareItem::Boolean(true) };
            found.push(Parameter { key, place: start..self.at, value });
        }
        Some(found)
    }

    fn key(&mut self) -> Option<&'a [u8]> {
        let any_case = self.any_case;
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || any_case && byte.is_ascii_uppercase();
        if !self.peek().is_some_and(|first| is_letter(first) || first == b'*') {
            return None;
        }
        Some(self.take(|byte| {
            is_letter(byte) || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.' | b'*')
        }))
    }

    fn bare_item(&mut self) -> Option<BareItem<'a>> {
        match self.peek()? {
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => {
                self.at += 1;
                Some(BareItem::String(self.string()?))
            }
            b'*' | b'a'..=b'z' | b'A'..=b'Z' => Some(BareItem::Token(self.take(is_token_byte))),
            b':' => self.byte_sequence(),
            b'?' => {
                self.at += 1;
                let value = self.peek()?;
                self.at += 1;
                match value {
                    b'0' => Some(BareItem::Boolean(false)),
                    b'1' => Some(BareItem::Boolean(true)),
                    _ => None,
                }
            }
            b'@' => {
                self.at += 1;
                match self.number()? {
                    BareItem::Integer(seconds) => Some(BareItem::Date(seconds)),
                    _ => None,
                }
            }
            b'%' => self.display_string(),
            _ => None,
        }
    }

    /// An integer of at most 15 digits, or a decimal of at most 12 digits before and 3 after the point.
    fn number(&mut self) -> Option<BareItem<'a>> {
        let is_negative = self.eat(b'-');
        let digits = self.take(|byte| byte.is_ascii_digit());
        let is_decimal = !digits.is_empty() && self.eat(b'.');
        if is_decimal {
            let fraction = self.take(|byte| byte.is_ascii_digit());
            let fits = digits.len() <= 12 && (1..=3).contains(&fraction.len());
            return fits.then_some(BareItem::Decimal);
        }
        if digits.is_empty() || digits.len() > 15 {
            return None;
        }
        let value = digits.iter().fold(0_i64, |value, digit| value * 10 + i64::from(digit - b'0'));
        Some(BareItem::Integer(if is_negative { -value } else { value }))
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return self.bytes.get(start..self.at - 1);
                }
                b'\\' => {
                    self.at += 1;
                    if !matches!(self.peek()?, b'"' | b'\\') {
                        return None;
                    }
                    self.at += 1;
                }
                b' '..=b'~' => self.at += 1,
                _ => return None,
            }
        }
    }

    fn byte_sequence(&mut self) -> Option<BareItem<'a>> {
        self.at += 1;
        let encoded = self.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
        let padding = self.take(|byte| byte == b'=');
        let is_whole = encoded.len() % 4 != 1
            && (padding.is_empty() || padding.len() <= 2 && (encoded.len() + padding.len()) % 4 == 0);
        (self.eat(b':') && is_whole).then_some(BareItem::Bytes)
    }

    fn display_string(&mut self) -> Option<BareItem<'a>> {
        self.at += 1;
        if !self.eat(b'"') {
            return None;
        }
        let mut text = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return core::str::from_utf8(&text).is_ok().then_some(BareItem::DisplayString),
                b'%' => {
                    let high = self.lower_hex_digit()?;
                    text.push(high * 16 + self.lower_hex_digit()?);
                }
                b' '..=b'~' => text.push(byte),
                _ => return None,
            }
        }
    }

    fn lower_hex_digit(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        }
    }
}

/// Returns whether a token may contain `byte` after its first byte.
const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
                | b':'
                | b'/'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;
    use proptest::prelude::*;
    use sfv::Parser;

    fn list_is_valid(field: &[u8]) -> bool {
        List::new(field).all(|member| member.is_ok())
    }

    #[test]
    fn members_next_to_an_invalid_one_are_read() {
        let read = |field: &'static str| -> Vec<_> {
            List::new(field.as_bytes()).map(|member| member.map(|member| member.place)).collect()
        };
        assert_eq!(read("360Spider;noindex, *;nosnippet"), [Err(0..17), Ok(19..30)]);
        assert_eq!(read("*;noindex,"), [Ok(0..9), Err(10..10)]);
        assert_eq!(read("\"open, *;noindex"), [Err(0..5), Ok(7..16)]);
        assert_eq!(read("a\t"), [Ok(0..1)]);
        assert_eq!(read(",,a"), [Err(0..0), Err(1..1), Ok(2..3)]);
        assert_eq!(read(""), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn fields_are_valid_where_another_parser_says_so(field in "[a-cN*,;= \"\\\\0-9.:?@%()é\t-]{0,14}") {
            check(field.as_bytes());
        }

        #[test]
        fn likely_fields_too(parts in proptest::collection::vec(prop_oneof![
            Just("train-ai"), Just("=y"), Just("=n"), Just(", "), Just(","), Just(";"), Just("*"), Just("noindex"), Just(" "),
            Just("\"s\""), Just("?0"), Just("?1"), Just("=?1"), Just("=@12"), Just("=-1.5"), Just("=:YQ==:"), Just("=:YQ:"),
            Just("(a b)"), Just("%\"%c3%a9\""), Just("%\"%ff\""), Just("A"), Just("="), Just("\t")], 0..8))
        {
            check(parts.concat().as_bytes());
        }
    }

    fn check(field: &[u8]) {
        let shown = || String::from_utf8_lossy(field).into_owned();
        let list = Parser::new(field).parse::<sfv::List>();
        assert_eq!(list_is_valid(field), list.is_ok(), "{}", shown());
        let theirs = Parser::new(field).parse::<sfv::Dictionary>();
        let ours = dictionary(field);
        assert_eq!(ours.is_some(), theirs.is_ok(), "{}", shown());
        let (Some(ours), Ok(theirs)) = (ours, theirs) else { return };
        for (key, entry) in &theirs {
            let mine = ours.iter().rfind(|member| member.key == key.as_str().as_bytes()).unwrap();
            match entry {
                sfv::ListEntry::Item(item) => match (&item.bare_item, mine.item.unwrap()) {
                    (sfv::BareItem::Token(token), BareItem::Token(mine)) => {
                        assert_eq!(token.as_str().as_bytes(), mine);
                    }
                    (sfv::BareItem::Integer(value), BareItem::Integer(mine)) => {
                        assert_eq!(i64::from(*value), mine);
                    }
                    (sfv::BareItem::Boolean(value), BareItem::Boolean(mine)) => assert_eq!(*value, mine),
                    (sfv::BareItem::Token(_), _) | (_, BareItem::Token(_)) => panic!("{}", shown()),
                    _ => {}
                },
                sfv::ListEntry::InnerList(_) => assert_eq!(mine.item, None),
            }
        }
    }
}
