//! What a document says about its place and its parts, beside its rules.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::html::{Attribute, Encoding, HtmlReader, Meta, decoded};
use crate::policy::Noscript;
use crate::reader::{PageReader, long_text};
use crate::record::Place;

/// What a document says beside its rules.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "only the command reads it")]
pub struct Hint {
    pub kind: HintKind,
    /// The URL, or the value of a refresh, cut after 2,048 bytes.
    pub value: Box<str>,
    /// The line of the element, from 1.
    pub line: u32,
}

/// The kind of a hint.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "only the command reads it")]
pub enum HintKind {
    /// The URL to which others are relative.
    Base,
    /// The URL that search engines should show.
    Canonical,
    /// A page that takes the place of this one.
    Refresh,
    /// A part that is not quoted.
    NoSnippet,
}

impl PageReader {
    /// Returns the first hints of a document, at most one of each kind. Links count in the head.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the part of the document that is read.
    #[doc(hidden)]
    #[must_use]
    pub fn hints(&self, html: &[u8]) -> Vec<Hint> {
        let mut hints: Vec<Hint> = Vec::new();
        let mut found = |meta: &Meta<'_>| {
            if let Some((kind, value)) =
                hint(meta).filter(|(kind, _)| hints.iter().all(|hint| hint.kind != *kind))
            {
                hints.push(Hint { kind, value: long_text(value.trim_ascii()), line: meta.line });
            }
        };
        let mut reader = HtmlReader::new(Noscript::On, false, false, self.limits().html(), self.encoding());
        reader.reads_others = true;
        reader.read(html, &mut found);
        reader.end(&mut found);
        hints
    }

    /// Returns a document as the reader sees it: with one byte for each unit of UTF-16, as its byte order mark or its media type says.
    #[doc(hidden)]
    #[must_use]
    pub fn visible<'b>(&self, html: &'b [u8]) -> Cow<'b, [u8]> {
        let (encoding, text) = match html {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Ascii, html),
            [0xFF, 0xFE, rest @ ..] => (Encoding::Utf16Le, rest),
            [0xFE, 0xFF, rest @ ..] => (Encoding::Utf16Be, rest),
            _ => (self.encoding(), html),
        };
        let unit = match encoding {
            Encoding::Utf16Le => u16::from_le_bytes,
            Encoding::Utf16Be => u16::from_be_bytes,
            _ => return Cow::Borrowed(html),
        };
        let byte = |pair: &[u8]| {
            let unit = pair.try_into().ok().map(unit)?;
            u8::try_from(unit).ok().filter(u8::is_ascii)
        };
        Cow::Owned(text.chunks_exact(2).map(|pair| byte(pair).unwrap_or(0xFF)).collect())
    }
}

/// Returns the hint of an element.
fn hint<'m>(meta: &'m Meta<'_>) -> Option<(HintKind, Cow<'m, [u8]>)> {
    let value = |attribute: Attribute| meta.value(attribute).map(decoded);
    let is = |text: &[u8], wanted: &[u8]| text.trim_ascii().eq_ignore_ascii_case(wanted);
    match meta.tag {
        b"meta" => {
            let is_refresh = is(&value(Attribute::HttpEquiv)?, b"refresh");
            is_refresh.then_some((HintKind::Refresh, value(Attribute::Content)?))
        }
        b"base" => Some((HintKind::Base, value(Attribute::Href)?)),
        b"link" => {
            let rel = value(Attribute::Rel)?;
            let mut words = rel.split(u8::is_ascii_whitespace);
            let is_canonical = meta.place == Place::Head && words.any(|word| is(word, b"canonical"));
            is_canonical.then_some((HintKind::Canonical, value(Attribute::Href)?))
        }
        _ => meta.value(Attribute::DataNoSnippet).map(|_| (HintKind::NoSnippet, Cow::Borrowed(&b""[..]))),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    use super::*;
    use crate::policy::PagePolicy;

    fn hints(html: &[u8]) -> Vec<(HintKind, alloc::string::String, u32)> {
        let found = PageReader::new(PagePolicy::GOOGLE).hints(html);
        found.into_iter().map(|hint| (hint.kind, hint.value.to_string(), hint.line)).collect()
    }

    #[test]
    fn hints_are_found_where_they_count() {
        let html =
            b"<head><!-- <link rel=canonical href=/no> -->\n<base href='/b/'><link rel=stylesheet href=x>\n\
            <link href=' https://example.com/?a&amp;b ' rel='x Canonical'><link rel=canonical href=/second>\n\
            <noscript><meta http-equiv=refresh content='0;url=/no'></noscript>\
            <meta http-equiv=Refresh content='0; url=/new'><script>'<p data-nosnippet>'</script></head>\n\
            <p data-nosnippet>x<span class=a data-nosnippet=false>y</span><link rel=canonical href=/body>";
        let expected = [
            (HintKind::Base, "/b/", 2),
            (HintKind::Canonical, "https://example.com/?a&b", 3),
            (HintKind::Refresh, "0; url=/new", 4),
            (HintKind::NoSnippet, "", 5),
        ];
        assert_eq!(hints(html), expected.map(|(kind, value, line)| (kind, value.to_string(), line)));
        assert!(hints(b"<body><link rel=canonical href=/x><p data-nosnippet>").is_empty());
        let utf16: Vec<u8> =
            "\u{FEFF}<link rel=canonical href=/x>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(hints(&utf16), [(HintKind::Canonical, "/x".to_string(), 1)]);
    }

    #[test]
    fn a_document_is_seen_as_its_bytes_show() {
        let mut reader = PageReader::new(PagePolicy::GOOGLE);
        assert_eq!(&*reader.visible(b"\xFE\xFF\0<\0p\x20\xAC"), b"<p\xFF");
        assert_eq!(&*reader.visible(b"<\0p\0"), b"<\0p\0");
        reader.media_type(b"text/html; charset=UTF-16");
        assert_eq!(&*reader.visible(b"<\0p\0"), b"<p");
        assert_eq!(&*reader.visible(b"\xEF\xBB\xBF<p"), b"\xEF\xBB\xBF<p");
    }
}
