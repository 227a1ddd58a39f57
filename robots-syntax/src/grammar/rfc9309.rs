//! RFC 9309, section 2.2 (and draft-koster-rep-00, section 2.2, which has the same productions).

use nom::Parser as _;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while, take_while_m_n, take_while1};
use nom::combinator::{all_consuming, not, opt, recognize, verify};
use nom::multi::{many0_count, many1_count};
use nom::sequence::preceded;

use super::Read;
use crate::spelling::Key;

// robotstxt = *(group / emptyline)
pub(super) fn robotstxt(input: &[u8]) -> Read<'_> {
    recognize(many0_count(alt((group, emptyline, otherrecord)))).parse(input)
}

// group = startgroupline                ; We start with a user-agent
//                                       ; line
//        *(startgroupline / emptyline)  ; ... and possibly more
//                                       ; user-agent lines
//        *(rule / emptyline)            ; followed by rules relevant
//                                       ; for the preceding
//                                       ; user-agent lines
fn group(input: &[u8]) -> Read<'_> {
    recognize((
        startgroupline,
        many0_count(alt((startgroupline, emptyline, otherrecord))),
        many0_count(alt((rule, emptyline, otherrecord))),
    ))
    .parse(input)
}

// The lines that the specification itself has.
pub(super) fn defined_line(input: &[u8]) -> Read<'_> {
    alt((startgroupline, rule, emptyline)).parse(input)
}

// Any line of a file: what the productions above are made of.
pub(super) fn line(input: &[u8]) -> Read<'_> {
    alt((defined_line, otherrecord)).parse(input)
}

// startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL
fn startgroupline(input: &[u8]) -> Read<'_> {
    recognize((wss, tag_no_case("user-agent"), wss, tag(":"), wss, product_token, eol)).parse(input)
}

// rule = *WS ("allow" / "disallow") *WS ":"
//       *WS (path-pattern / empty-pattern) EOL
fn rule(input: &[u8]) -> Read<'_> {
    recognize((
        wss,
        alt((tag_no_case("allow"), tag_no_case("disallow"))),
        wss,
        tag(":"),
        wss,
        alt((path_pattern, empty_pattern)),
        eol,
    ))
    .parse(input)
}

// ; parser implementors: define additional lines you need (for
// ; example, Sitemaps).
//
// The line this asks for, for any key but the three of the specification:
//
// otherrecord = *WS otherkey *WS ":" *(UTF8-char-noctl / WS) EOL
fn otherrecord(input: &[u8]) -> Read<'_> {
    recognize((wss, otherkey, wss, tag(":"), othervalue, eol)).parse(input)
}

// otherkey = otherword *(*WS otherword)        ; but "user-agent", "allow" and "disallow"
fn otherkey(input: &[u8]) -> Read<'_> {
    verify(recognize((otherword, many0_count(preceded(wss, otherword)))), |key: &[u8]| {
        ![Key::UserAgent, Key::Allow, Key::Disallow]
            .iter()
            .any(|name| key.eq_ignore_ascii_case(name.name().as_bytes()))
    })
    .parse(input)
}

// otherword = 1*UTF8-char-noctl                ; but ":"
fn otherword(input: &[u8]) -> Read<'_> {
    recognize(many1_count(preceded(not(tag(":")), utf8_char_noctl))).parse(input)
}

fn othervalue(input: &[u8]) -> Read<'_> {
    recognize(many0_count(alt((utf8_char_noctl, ws)))).parse(input)
}

// product-token = identifier / "*"
fn product_token(input: &[u8]) -> Read<'_> {
    alt((identifier, tag("*"))).parse(input)
}

// path-pattern = "/" *UTF8-char-noctl ; valid URI path pattern
fn path_pattern(input: &[u8]) -> Read<'_> {
    recognize((tag("/"), many0_count(utf8_char_noctl))).parse(input)
}

// empty-pattern = *WS
fn empty_pattern(input: &[u8]) -> Read<'_> {
    wss(input)
}

// identifier = 1*(%x2D / %x41-5A / %x5F / %x61-7A)
fn identifier(input: &[u8]) -> Read<'_> {
    take_while1(|byte| matches!(byte, 0x2D | 0x41..=0x5A | 0x5F | 0x61..=0x7A)).parse(input)
}

// comment = "#" *(UTF8-char-noctl / WS / "#")
pub(super) fn comment(input: &[u8]) -> Read<'_> {
    recognize((tag("#"), many0_count(alt((utf8_char_noctl, ws, tag("#")))))).parse(input)
}

// emptyline = EOL
fn emptyline(input: &[u8]) -> Read<'_> {
    eol(input)
}

// EOL = *WS [comment] NL ; end-of-line may have
//                        ; optional trailing comment
fn eol(input: &[u8]) -> Read<'_> {
    recognize((wss, opt(comment), nl)).parse(input)
}

// NL = %x0D / %x0A / %x0D.0A
fn nl(input: &[u8]) -> Read<'_> {
    // The longest first, because a CR before an LF does not end a line separately.
    alt((tag("\r\n"), tag("\r"), tag("\n"))).parse(input)
}

// WS = %x20 / %x09
fn ws(input: &[u8]) -> Read<'_> {
    alt((tag(" "), tag("\t"))).parse(input)
}

// *WS
fn wss(input: &[u8]) -> Read<'_> {
    take_while(|byte| matches!(byte, 0x20 | 0x09)).parse(input)
}

// UTF8-char-noctl = UTF8-1-noctl / UTF8-2 / UTF8-3 / UTF8-4
fn utf8_char_noctl(input: &[u8]) -> Read<'_> {
    alt((utf8_1_noctl, utf8_2, utf8_3, utf8_4)).parse(input)
}

// UTF8-1-noctl = %x21 / %x22 / %x24-7F ; excluding control, space, "#"
fn utf8_1_noctl(input: &[u8]) -> Read<'_> {
    bytes(1, |byte| matches!(byte, 0x21 | 0x22 | 0x24..=0x7F), input)
}

// UTF8-2 = %xC2-DF UTF8-tail
fn utf8_2(input: &[u8]) -> Read<'_> {
    recognize((|i| bytes(1, |byte| matches!(byte, 0xC2..=0xDF), i), utf8_tail)).parse(input)
}

// UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2UTF8-tail /
//          %xED %x80-9F UTF8-tail / %xEE-EF 2UTF8-tail
fn utf8_3(input: &[u8]) -> Read<'_> {
    alt((
        recognize((tag(&[0xE0][..]), |i| bytes(1, |byte| matches!(byte, 0xA0..=0xBF), i), utf8_tail)),
        recognize((|i| bytes(1, |byte| matches!(byte, 0xE1..=0xEC), i), tails::<2>)),
        recognize((tag(&[0xED][..]), |i| bytes(1, |byte| matches!(byte, 0x80..=0x9F), i), utf8_tail)),
        recognize((|i| bytes(1, |byte| matches!(byte, 0xEE..=0xEF), i), tails::<2>)),
    ))
    .parse(input)
}

// UTF8-4 = %xF0 %x90-BF 2UTF8-tail / %xF1-F3 3UTF8-tail /
//          %xF4 %x80-8F 2UTF8-tail
fn utf8_4(input: &[u8]) -> Read<'_> {
    alt((
        recognize((tag(&[0xF0][..]), |i| bytes(1, |byte| matches!(byte, 0x90..=0xBF), i), tails::<2>)),
        recognize((|i| bytes(1, |byte| matches!(byte, 0xF1..=0xF3), i), tails::<3>)),
        recognize((tag(&[0xF4][..]), |i| bytes(1, |byte| matches!(byte, 0x80..=0x8F), i), tails::<2>)),
    ))
    .parse(input)
}

// UTF8-tail = %x80-BF
fn utf8_tail(input: &[u8]) -> Read<'_> {
    tails::<1>(input)
}

// nUTF8-tail
fn tails<const N: usize>(input: &[u8]) -> Read<'_> {
    bytes(N, |byte| matches!(byte, 0x80..=0xBF), input)
}

fn bytes(n: usize, is: impl Fn(u8) -> bool, input: &[u8]) -> Read<'_> {
    take_while_m_n(n, n, is).parse(input)
}

/// Returns whether a key is allowed as written, white space included.
pub(super) fn is_key(written: &[u8]) -> bool {
    let known = |input| {
        alt((tag_no_case("user-agent"), tag_no_case("allow"), tag_no_case("disallow"))).parse(input)
            as Read<'_>
    };
    all_consuming((wss, alt((otherkey, known)), wss)).parse(written).is_ok()
}

/// Returns whether a value is allowed as written, white space included, after the colon of `key`.
pub(super) fn is_value(key: Option<Key>, written: &[u8]) -> bool {
    match key {
        Some(Key::UserAgent) => all_consuming((wss, product_token, wss)).parse(written).is_ok(),
        Some(Key::Allow | Key::Disallow) => {
            all_consuming((wss, alt((path_pattern, empty_pattern)), wss)).parse(written).is_ok()
        }
        Some(Key::Sitemap) | None => all_consuming(othervalue).parse(written).is_ok(),
    }
}
