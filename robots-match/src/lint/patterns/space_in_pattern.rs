use alloc::format;
use alloc::vec::Vec;

use percent_encoding::percent_encode_byte;
use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::differing;
use crate::lint::subject::{OtherValue, Pattern, is_key, paths};
use crate::lint::text::{is_one_of, shown};

lint! {
    code: "space-in-pattern",
    severity: warning,
    title: "A pattern contains a space",
    check: Pattern(check),
    /// URLs do not contain spaces: a space is sent as `%20`. Some crawlers convert a space in a pattern, others look
    /// for a literal space and never find one. Sometimes two paths were intended.
    ///
    /// Write `%20`. If several paths were intended, as in `/images/ /styles/`, write one path per line, each in a rule of its own.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /my files
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /my%20files
    /// ```
}

/// Words before an exception, in several languages.
const EXCEPT: &str = "except excluding exclude but not without unless au\u{DF}er ausser nicht sauf excepto salvo eccetto \
    exceto behalve";

/// Words with which names of files hardly go on, and dashes before a remark.
const OF_SENTENCES: &str = "is are for to from because please this that these only all contains which should must ist f\u{FC}r \
    nur pour para \u{2013} \u{2014} \u{2192}";

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, span) = (pattern.bytes(), pattern.rule.pattern.span());
    // Several paths, and paths without a slash, have lints of their own.
    let is_path = matches!(bytes.first(), Some(b'/' | b'*')) && paths(bytes).len() < 2;
    let Some(at_space) = memchr::memchr2(b' ', b'\t', bytes).filter(|_| is_path) else { return };
    // Everything else stays as it is written, so that the line can be recognized.
    let encoded: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| match byte {
            b' ' | b'\t' => percent_encode_byte(*byte).as_bytes(),
            _ => core::slice::from_ref(byte),
        })
        .copied()
        .collect();
    let at = Span::new(span.start() + at_space, span.start() + at_space + 1);
    let draft = Draft::new(pattern.rule.line(), at, "URLs can't contain a literal space")
        .readers(differing(bytes, &encoded));
    let (start, end) = bytes.split_at_checked(at_space).unwrap_or_default();
    let end = end.trim_ascii();
    // After a dollar sign, signs have another finding.
    if start.ends_with(b"$") && end.iter().all(|byte| matches!(byte, b'*' | b'?' | b'/' | b'$' | b' ')) {
        return;
    }
    // As in `/ *`.
    if start == b"/" && end.iter().all(|byte| matches!(byte, b'*' | b'$')) {
        drafts.add(draft.help("write a path without spaces; `/*` would be the whole site"));
        return;
    }
    if bytes.contains(&b'<') {
        drafts.add(draft.help("write only the path: the file is plain text, without HTML"));
        return;
    }
    // As in `/shop except /shop/help`.
    let first_word = end.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_word_of = |words| is_one_of(first_word, words);
    if is_word_of(EXCEPT) {
        drafts.add(draft.help(
            "a rule has no exceptions: write a rule for the path, and a rule of the other kind, `Allow` or `Disallow`, for the exception",
        ));
        return;
    }
    // As in `/ admin/`, `/ catalog/ result /` and `/*.pdf $`.
    let is_sign = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'*'));
    let is_beside = |(at, byte): (usize, &u8)| {
        !byte.is_ascii_whitespace() || is_sign(bytes.get(at - 1)) || is_sign(bytes.get(at + 1))
    };
    // Another path begins with a slash.
    let is_other_path = |word: &[u8]| word.len() > 1 && word.starts_with(b"/");
    let is_of_slashes = start == b"/"
        && end.iter().any(u8::is_ascii_alphanumeric)
        && !end.contains(&b':')
        && !is_word_of(OF_SENTENCES)
        && !end.split(u8::is_ascii_whitespace).any(is_other_path)
        && bytes.iter().enumerate().skip(1).all(is_beside);
    if is_of_slashes || end == b"$" && start != b"/" {
        let mut meant = bytes.to_vec();
        meant.retain(|byte| !byte.is_ascii_whitespace());
        drafts.add(draft.help(format!("write `{}`", shown(&meant))).suggest(span, meant));
        return;
    }
    if let Some(other) = OtherValue::of(end).filter(|_| start != b"/") {
        let help = format!("write only the path, `{}`; {}", shown(start), other.advice());
        drafts.add(match other {
            // The rule is for another group then.
            OtherValue::Crawler => draft.help(help),
            _ => draft.help(help).suggest(span, start),
        });
        return;
    }
    // Words, a URL, signs of templates and a comment are not a part of the path.
    let after = bytes.get(at_space + 1..).unwrap_or_default().trim_ascii();
    let is_other = memchr::memmem::find(bytes, b"://").is_some()
        || is_word_of(OF_SENTENCES)
        || after.first().is_none_or(|byte| {
            !byte.is_ascii_alphanumeric() && !matches!(byte, b'*' | b'%' | b'$') && byte.is_ascii()
        })
        || is_key(after.split(|byte| matches!(byte, b' ' | b':')).next().unwrap_or_default());
    if is_other {
        drafts
            .add(draft.help("write only the path; put another record on its own line, and words after `#`"));
        return;
    }
    drafts.add(
        draft
            .help(format!("write `{}`, or put each path on its own line", shown(&encoded)))
            .suggest(span, encoded),
    );
}
