//! The draft of 1996, section 3.3.
//!
//! Two productions are read as the draft's own prose and examples have them: `comment` of many characters, and
//! `disallowline` with an `rpath` as well.

use nom::Parser as _;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while, take_while1};
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::{many0_count, many1_count};

use super::Read;
use crate::spelling::Key;

// robotstxt = *blankcomment
//           | *blankcomment record *( 1*commentblank 1*record )
//             *blankcomment
pub(super) fn robotstxt(input: &[u8]) -> Read<'_> {
    recognize((
        many0_count(blankcomment),
        opt((
            record,
            many0_count((many1_count(commentblank), many1_count(record))),
            many0_count(blankcomment),
        )),
    ))
    .parse(input)
}

// Any line of a file: what the productions above are made of.
pub(super) fn line(input: &[u8]) -> Read<'_> {
    alt((agentline, ruleline, commentline, blank)).parse(input)
}

/// Returns what remains of `rest` from the first line that can't be derived after `before`, which can be derived.
///
/// Where a record may start, its comments and agents are derived even if the record as a whole is not.
pub(super) fn departure<'a>(mut before: &[u8], rest: &'a [u8]) -> &'a [u8] {
    let mut may_start = true;
    while let Ok((after, line)) = line(before) {
        if line.first() != Some(&b'#') {
            may_start = blank(line).is_ok();
        }
        before = after;
    }
    let comments = recognize(many0_count(commentline)).parse(rest);
    let Ok((after, _)) = comments as Read<'_> else { return rest };
    if !may_start {
        return after;
    }
    let agents = recognize((agentline, many0_count(alt((commentline, agentline))))).parse(after);
    (agents as Read<'_>).map_or(after, |(after, _)| after)
}

// blankcomment = 1*(blank | commentline)
fn blankcomment(input: &[u8]) -> Read<'_> {
    recognize(many1_count(alt((blank, commentline)))).parse(input)
}

// commentblank = *commentline blank *(blankcomment)
fn commentblank(input: &[u8]) -> Read<'_> {
    recognize((many0_count(commentline), blank, many0_count(blankcomment))).parse(input)
}

// blank = *space CRLF
fn blank(input: &[u8]) -> Read<'_> {
    recognize((spaces, crlf)).parse(input)
}

// CRLF = CR LF
fn crlf(input: &[u8]) -> Read<'_> {
    tag("\r\n").parse(input)
}

// record = *commentline agentline *(commentline | agentline)
//          1*ruleline *(commentline | ruleline)
fn record(input: &[u8]) -> Read<'_> {
    recognize((
        many0_count(commentline),
        agentline,
        many0_count(alt((commentline, agentline))),
        many1_count(ruleline),
        many0_count(alt((commentline, ruleline))),
    ))
    .parse(input)
}

// agentline = "User-agent:" *space agent *space [comment] CRLF
fn agentline(input: &[u8]) -> Read<'_> {
    recognize((tag_no_case("User-agent:"), spaces, agent, spaces, opt(comment), crlf)).parse(input)
}

// ruleline = (disallowline | allowline)
fn ruleline(input: &[u8]) -> Read<'_> {
    alt((disallowline, allowline)).parse(input)
}

// disallowline = "Disallow:" *space path *space [comment] CRLF
fn disallowline(input: &[u8]) -> Read<'_> {
    // The draft's own example has "Disallow: /tmp", which `path` does not derive and `rpath` does.
    recognize((tag_no_case("Disallow:"), spaces, alt((rpath, path)), spaces, opt(comment), crlf)).parse(input)
}

// allowline = "Allow:" *space rpath *space [comment] CRLF
fn allowline(input: &[u8]) -> Read<'_> {
    recognize((tag_no_case("Allow:"), spaces, rpath, spaces, opt(comment), crlf)).parse(input)
}

// commentline = comment CRLF
fn commentline(input: &[u8]) -> Read<'_> {
    recognize((comment, crlf)).parse(input)
}

// comment = "#" anychar
pub(super) fn comment(input: &[u8]) -> Read<'_> {
    // Section 3.2: "#" is followed by the comment, up to the end of the line; not by one character.
    recognize((tag("#"), take_while(anychar))).parse(input)
}

// *space
// space = 1*(SP | HT)
fn spaces(input: &[u8]) -> Read<'_> {
    take_while(|byte| matches!(byte, b' ' | b'\t')).parse(input)
}

// rpath = "/" path
fn rpath(input: &[u8]) -> Read<'_> {
    recognize((tag("/"), path)).parse(input)
}

// agent = token
fn agent(input: &[u8]) -> Read<'_> {
    token(input)
}

// anychar = <any CHAR except CR or LF>
// CHAR = <any US-ASCII character (bytes 0 - 127)>
const fn anychar(byte: u8) -> bool {
    byte <= 127 && !matches!(byte, b'\r' | b'\n')
}

// path = fsegment *( "/" segment )
fn path(input: &[u8]) -> Read<'_> {
    recognize((fsegment, many0_count((tag("/"), segment)))).parse(input)
}

// fsegment = 1*pchar
fn fsegment(input: &[u8]) -> Read<'_> {
    recognize(many1_count(pchar)).parse(input)
}

// segment = *pchar
fn segment(input: &[u8]) -> Read<'_> {
    recognize(many0_count(pchar)).parse(input)
}

// pchar = uchar | ":" | "@" | "&" | "="
// uchar = unreserved | escape
fn pchar(input: &[u8]) -> Read<'_> {
    alt((unreserved, escape, tag(":"), tag("@"), tag("&"), tag("="))).parse(input)
}

// unreserved = alpha | digit | safe | extra
// safe = "$" | "-" | "_" | "." | "+"
// extra = "!" | "*" | "'" | "(" | ")" | ","
fn unreserved(input: &[u8]) -> Read<'_> {
    one(
        |byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'$' | b'-' | b'_' | b'.' | b'+')
                || matches!(byte, b'!' | b'*' | b'\'' | b'(' | b')' | b',')
        },
        input,
    )
}

// escape = "%" hex hex
fn escape(input: &[u8]) -> Read<'_> {
    recognize((tag("%"), hex, hex)).parse(input)
}

// hex = digit | "A" | "B" | "C" | "D" | "E" | "F" |
//       "a" | "b" | "c" | "d" | "e" | "f"
fn hex(input: &[u8]) -> Read<'_> {
    one(|byte| byte.is_ascii_hexdigit(), input)
}

// token = 1*<any CHAR except CTLs or tspecials>
//
// tspecials = "(" | ")" | "<" | ">" | "@"
//           | "," | ";" | ":" | "\" | <">
//           | "/" | "[" | "]" | "?" | "="
//           | "{" | "}" | SP | HT
fn token(input: &[u8]) -> Read<'_> {
    // "#" is not a tspecial, but by section 3.2 comments begin with it anywhere in the file.
    take_while1(|byte: u8| {
        byte.is_ascii_graphic() && !br#"()<>@,;:\"/[]?={}"#.contains(&byte) && byte != b'#'
    })
    .parse(input)
}

fn one(is: impl Fn(u8) -> bool, input: &[u8]) -> Read<'_> {
    nom::bytes::complete::take_while_m_n(1, 1, is).parse(input)
}

/// Returns whether a value is allowed as written, white space included, after the colon of `key`.
pub(super) fn is_value(key: Option<Key>, written: &[u8]) -> bool {
    match key {
        Some(Key::UserAgent) => all_consuming((spaces, agent, spaces)).parse(written).is_ok(),
        Some(Key::Allow) => all_consuming((spaces, rpath, spaces)).parse(written).is_ok(),
        Some(Key::Disallow) => all_consuming((spaces, alt((rpath, path)), spaces)).parse(written).is_ok(),
        Some(Key::Sitemap) | None => false,
    }
}
