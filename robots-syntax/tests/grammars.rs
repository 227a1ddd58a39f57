//! The files that each grammar derives, and the ways in which lines depart from it.

#![allow(clippy::std_instead_of_alloc, reason = "tests have a standard library")]

use std::collections::BTreeSet;

use robots_syntax::{
    ByteOrderMark, Deviation, Effect, Excerpt, Field, Grammar, Key, Lines, Rule, Span, SyntaxPolicy,
};

/// The lines in which a file departs from RFC 9309 and from the draft of 1996; 0 where it does not.
fn departures(file: &[u8]) -> [usize; 2] {
    [Grammar::Rfc9309, Grammar::Koster1996].map(|grammar| match grammar.check(file) {
        Ok(()) => 0,
        Err(departure) => {
            let line = departure.line;
            assert_eq!(departure.to_string(), format!("line {line} does not conform to the grammar"));
            // The span is that of the line, or empty after the last line.
            let mut policy = SyntaxPolicy::RFC9309;
            policy.byte_order_mark = ByteOrderMark::Keep;
            let found = Lines::new(file, &policy).find(|found| found.number == line);
            let end = Span::new(file.len(), file.len());
            assert_eq!(departure.span, found.map_or(end, |found| found.span()));
            line
        }
    })
}

#[test]
fn files_conform_or_depart_in_a_line() {
    for (file, rfc, draft) in [
        (&b""[..], 0, 0),
        (b"\r\n", 0, 0),
        (b"# a\r\n", 0, 0),
        (b"\n", 0, 1),
        (b"user-agent: a\r\ndisallow: /a\r\n", 0, 0),
        (b"user-agent: a\ndisallow: /a\n", 0, 1),
        // RFC 9309 lets a group have no rule; a record of the draft has one.
        (b"user-agent: a\r\n", 0, 2),
        (b"user-agent: a\r\n# b\r\n", 0, 3),
        (b"user-agent: a\r\n\r\ndisallow: /a\r\n", 0, 2),
        // Records have a blank line between them, and none inside.
        (b"user-agent: a\r\nallow: /a\r\nuser-agent: b\r\nallow: /a\r\n", 0, 3),
        (b"user-agent: a\r\nallow: /a\r\n\r\nuser-agent: b\r\nallow: /a\r\n", 0, 0),
        (b"user-agent: a\r\nallow: /a\r\n# c\r\n\r\nuser-agent: b\r\n# d\r\nallow: /a\r\n", 0, 0),
        (b"user-agent: a\r\nallow: /a\r\n\r\nallow: /a\r\n", 0, 4),
        (b"user-agent: a\r\nallow: /a\r\n\r\n# c\r\nx: y\r\n", 0, 5),
        (b"user-agent: a\r\nallow: /a\r\n\r\nuser-agent: b\r\n", 0, 5),
        (b"user-agent: a\r\nallow: /a\r\n# c\r\nuser-agent: b\r\nallow: /a\r\n", 0, 4),
        (b"# c\r\nuser-agent: a\r\nuser-agent: b\r\nx: y\r\n", 0, 4),
        (b"allow: /a\r\n", 1, 1),
        // The rpath of the draft has a character after its slash.
        (b"user-agent: a\r\nallow: /\r\n", 0, 2),
        (b"sitemap: https://a.test/s\r\n", 0, 1),
        (b"user-agent: a\r\nallow: a\r\n", 2, 2),
        (b"user-agent: a\r\nuser-agent:\r\nallow: /a\r\n", 2, 2),
        // The file ends within a line: RFC 9309's EOL is never optional.
        (b"user-agent: a\r\nallow: /a", 2, 2),
        // The ABNF has no byte order mark: it makes the key one of another record, and the rule has no group.
        (b"\xEF\xBB\xBFuser-agent: a\r\nallow: /a\r\n", 2, 1),
        (b"\xEF\xBBuser-agent: a\r\nallow: /a\r\n", 1, 1),
    ] {
        assert_eq!(departures(file), [rfc, draft], "{}", file.escape_ascii());
    }
}

#[test]
fn lines_have_the_expected_deviations() {
    for (line, rfc, google, draft) in [
        (&b"disallow: /a\r\n"[..], "{}", "{}", "{}"),
        (b"disallow: /a\n", "{}", "{}", "{LineEnd}"),
        (b"disallow: /a\r", "{}", "{}", "{LineEnd}"),
        (b"disallow: /a", "{NoLineEnd}", "{NoLineEnd}", "{NoLineEnd}"),
        (b"\r\n", "{}", "{}", "{}"),
        (b" \t\r\n", "{}", "{}", "{}"),
        (b"\n", "{}", "{}", "{LineEnd}"),
        (b"# a\r\n", "{}", "{}", "{}"),
        // Before "#", RFC 9309's EOL has white space; a comment line of the draft has none.
        (b" # a\r\n", "{}", "{}", "{Unreadable}"),
        (b"# \x7F\xC3\xA9\r\n", "{}", "{}", "{Comment}"),
        (b"# \x01\r\n", "{Comment}", "{Comment}", "{}"),
        (b"# \xFF\r\n", "{Comment}", "{Comment}", "{Comment}"),
        (b"disallow: /a # \x01\r\n", "{Comment}", "{Comment}", "{}"),
        (b"disallow: /a # \xFF\r\n", "{Comment}", "{Comment}", "{Comment}"),
        (b"disallow: a\r\n", "{Value}", "{Value}", "{}"),
        (b"disallow:\r\n", "{}", "{}", "{Value}"),
        (b"disallow: /^\r\n", "{}", "{}", "{Value}"),
        (b"disallow: /a/(b)!c'd\r\n", "{}", "{}", "{}"),
        (b"disallow: /$-_.+*,:@&=%aF\r\n", "{}", "{}", "{}"),
        (b"disallow: /~\r\n", "{}", "{}", "{Value}"),
        (b"disallow: /%a\r\n", "{}", "{}", "{Value}"),
        (b"allow: a\r\n", "{Value}", "{Value}", "{Value}"),
        (b"allow: /a\r\n", "{}", "{}", "{}"),
        (b"disallow : /a\r\n", "{}", "{}", "{Key}"),
        (b" disallow: /a\r\n", "{}", "{}", "{Key}"),
        (b"disallow: /a\xFF\r\n", "{Value}", "{Value}", "{Value}"),
        (b"user-agent: a\r\n", "{}", "{}", "{}"),
        (b"user-agent: a_-B\r\n", "{}", "{}", "{}"),
        (b"user-agent: a1\r\n", "{Value}", "{Value}", "{}"),
        (b"user-agent: a/1\r\n", "{Value}", "{Value}", "{Value}"),
        (b"user-agent: a\x7F\r\n", "{Value}", "{Value}", "{Value}"),
        (b"user-agent: *\r\n", "{}", "{}", "{}"),
        (b"user-agent:\r\n", "{Value}", "{Value}", "{Value}"),
        (b"user-agent: # a\r\n", "{Value}", "{Value}", "{Value}"),
        (b"user-agent: a#b\r\n", "{}", "{}", "{}"),
        (b"sitemap: x\r\n", "{}", "{}", "{Key}"),
        (b"sitemap: \x01\r\n", "{Value}", "{Value}", "{Key}"),
        (b"a b: x\r\n", "{}", "{}", "{Key}"),
        (b"a\x01: x\r\n", "{Key}", "{Key}", "{Key}"),
        (b"disalow: /a\r\n", "{}", "{Misspelt}", "{Key}"),
        (b"disallow /a\r\n", "{Unreadable}", "{NoColon}", "{Unreadable}"),
        (b"disalow /a\n", "{Unreadable}", "{NoColon, Misspelt}", "{LineEnd, Unreadable}"),
        (b"  disalow /a\r\n", "{Unreadable}", "{NoColon, Misspelt}", "{Unreadable}"),
        (b"a\0b: x\r\n", "{Key}", "{Unreadable}", "{Key}"),
        (b"site-map: x\r\n", "{}", "{Misspelt}", "{Key}"),
        (b"words\r\n", "{Unreadable}", "{Unreadable}", "{Unreadable}"),
        (b"disallow: /a\x0C\r\n", "{Value}", "{Value}", "{Value}"),
        // All deviations of a line are reported.
        (b"disallow: /^\xFF", "{NoLineEnd, Value}", "{NoLineEnd, Value}", "{NoLineEnd, Value}"),
        (b"user-agent: a/1", "{NoLineEnd, Value}", "{NoLineEnd, Value}", "{NoLineEnd, Value}"),
        (b"allow: /a\x01", "{NoLineEnd, Value}", "{NoLineEnd, Value}", "{NoLineEnd, Value}"),
        (b"allow: /a", "{NoLineEnd}", "{NoLineEnd}", "{NoLineEnd}"),
        (b"x: \x01", "{NoLineEnd, Value}", "{NoLineEnd, Value}", "{NoLineEnd, Key}"),
        (b"x: y", "{NoLineEnd}", "{NoLineEnd}", "{NoLineEnd, Key}"),
        (b"words", "{NoLineEnd, Unreadable}", "{NoLineEnd, Unreadable}", "{NoLineEnd, Unreadable}"),
    ] {
        for (name, policy, expected) in [
            ("rfc", SyntaxPolicy::RFC9309, rfc),
            ("google", SyntaxPolicy::GOOGLE, google),
            ("draft", SyntaxPolicy::KOSTER_1996, draft),
        ] {
            let read = Lines::new(line, &policy).next().unwrap();
            let found: BTreeSet<Deviation> = read.deviations(&policy).collect();
            assert_eq!(format!("{found:?}"), expected, "{name} {}", line.escape_ascii());
            assert_eq!(found.is_empty(), expected == "{}");
        }
    }
}

#[test]
fn a_line_is_too_long_from_one_byte_more_than_is_read() {
    let mut line = b"disallow: /".to_vec();
    for (len, expected) in [(16_663, "{}"), (16_664, "{LineTooLong}")] {
        line.resize(len, b'a');
        let file = [&line[..], b"\r\n"].concat();
        let read = Lines::new(&file, &SyntaxPolicy::GOOGLE).next().unwrap();
        let found: BTreeSet<Deviation> = read.deviations(&SyntaxPolicy::GOOGLE).collect();
        assert_eq!(format!("{found:?}"), expected);
    }
}

#[test]
fn policies_match_the_documents() {
    let (rfc, google, draft) = (SyntaxPolicy::RFC9309, SyntaxPolicy::GOOGLE, SyntaxPolicy::KOSTER_1996);
    // RFC 9309, section 2.5, and "File format" of Google's page: 500 kibibytes. The draft of 1996 has no limit.
    assert_eq!([rfc, google, draft].map(|policy| policy.max_size), [Some(512_000), Some(512_000), None]);
    assert_eq!([rfc, google, draft].map(|policy| policy.max_line), [None, Some(16_663), None]);
    assert_eq!(
        [rfc, google, draft].map(|policy| policy.grammar),
        [Grammar::Rfc9309, Grammar::Rfc9309, Grammar::Koster1996]
    );
    let names = [Key::UserAgent, Key::Allow, Key::Disallow, Key::Sitemap].map(Key::name);
    assert_eq!(names, ["user-agent", "allow", "disallow", "sitemap"]);
    assert_eq!([Effect::Allow, Effect::Disallow].map(|effect| effect.to_string()), ["allow", "disallow"]);
}

#[test]
fn a_byte_order_mark_is_kept_or_skipped_whole_or_in_part() {
    for (file, rfc, google, draft) in [
        (&b"\xEF\xBB\xBFa:"[..], 3, 3, 0),
        (b"\xEF\xBBa:", 0, 2, 0),
        (b"\xEFa:", 0, 1, 0),
        (b"a:\xEF\xBB\xBF", 0, 0, 0),
    ] {
        let skipped = [SyntaxPolicy::RFC9309, SyntaxPolicy::GOOGLE, SyntaxPolicy::KOSTER_1996]
            .map(|policy| Lines::new(file, &policy).skipped().len());
        assert_eq!(skipped, [rfc, google, draft], "{}", file.escape_ascii());
    }
}

#[test]
fn parts_of_a_line_have_spans() {
    let file = b"a: b\ndisallow: /x # c\r\n";
    let line = Lines::new(file, &SyntaxPolicy::RFC9309).nth(1).unwrap();
    let comment = line.comment().unwrap();
    assert_eq!((comment.bytes(), comment.span()), (&b"# c"[..], Span::new(18, 21)));
    assert_eq!(comment.span().of(file), b"# c");
    assert_eq!((line.content().bytes(), line.number), (&b"disallow: /x # c"[..], 2));
    assert_eq!(Lines::new(file, &SyntaxPolicy::RFC9309).next().unwrap().comment(), None);
    let span = line.span();
    assert_eq!((span.len(), span.is_empty(), Span::new(5, 5).is_empty()), (18, false, true));
    // Terminal control characters are shown as dots, and a tab as a space.
    let shown = Excerpt::new("a\tb\x01\x1B\x7F\u{9B}é".as_bytes(), Span::new(0, 1));
    assert_eq!(shown.to_string(), "1 | a b....é\n  | ^\n");
    let shown: Vec<String> =
        Lines::new(b"other:\nallow:\n", &SyntaxPolicy::RFC9309).map(|line| line.to_string()).collect();
    assert_eq!(shown, ["1 other other =", "2 allow"]);

    assert!(Field::new(b"", 7).is_empty() && !Field::new(b"a", 7).is_empty());
    for (line, expected) in
        [(7, 7), (Lines::MAX_BYTES, Lines::MAX_BYTES), (Lines::MAX_BYTES + 1, Lines::MAX_BYTES)]
    {
        assert_eq!(Rule::new(Effect::Allow, Field::new(b"", 0), line).line(), expected);
    }
    for (start, expected) in [
        (Lines::MAX_BYTES - 1, Lines::MAX_BYTES - 1),
        (Lines::MAX_BYTES, Lines::MAX_BYTES),
        (usize::MAX, Lines::MAX_BYTES),
    ] {
        assert_eq!(Span::new(start, start).start(), expected);
    }
}
