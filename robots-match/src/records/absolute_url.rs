//! The URLs of sitemaps and licenses.

use alloc::vec::Vec;

use robots_groups::syntax::Field;
use url::{ParseError, Url};

use super::field::part;
use super::problem::{ProblemKind, RecordProblem};
use crate::host_text::invalid_label;

/// Reads an absolute URL, with a scheme and a host. The `url` crate normalizes the text; the record has the text as
/// written.
pub(super) fn absolute_url(raw: Field<'_>) -> Result<Url, RecordProblem> {
    let wrong = |wrong| RecordProblem::new(wrong, raw.span());
    let text = core::str::from_utf8(raw.bytes()).map_err(|_| wrong(ProblemKind::NotUtf8))?;
    match Url::parse(text) {
        Ok(url) if url.has_host() => Ok(url),
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => Err(wrong(ProblemKind::RelativeUrl)),
        Err(ParseError::IdnaError) => Err(label_problem(raw, text)),
        Err(_) => Err(wrong(ProblemKind::NoUrl)),
    }
}

/// Returns the problem of a value whose host has a label that is not valid. `text` is the value.
pub(super) fn label_problem(raw: Field<'_>, text: &str) -> RecordProblem {
    let place = invalid_label(text).map(|found| part(raw, found.place.start, found.place.end));
    RecordProblem::new(ProblemKind::InvalidLabel, place.unwrap_or(raw).span())
}

/// Reads the URL of a license, an absolute URI (RSL 1.0). A fragment is reported and kept.
pub(super) fn license(raw: Field<'_>, problems: &mut Vec<RecordProblem>) -> Result<Url, RecordProblem> {
    let url = absolute_url(raw)?;
    if url.fragment().is_some() {
        problems.push(RecordProblem::new(ProblemKind::Fragment, raw.span()));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_absolute_or_a_finding() {
        for (value, expected) in [
            (&b"https://example.com/map.xml"[..], Ok("https://example.com/map.xml")),
            (b"HTTPS://EXAMPLE.com/Map.xml", Ok("https://example.com/Map.xml")),
            (b"https://\xC3\xA9.example/", Ok("https://xn--9ca.example/")),
            (b"/map.xml", Err(ProblemKind::RelativeUrl)),
            (b"//example.com/map.xml", Err(ProblemKind::RelativeUrl)),
            (b"mailto:a@example.com", Err(ProblemKind::RelativeUrl)),
            (b"example.com/map.xml", Err(ProblemKind::RelativeUrl)),
            (b"https://exa mple.com/", Err(ProblemKind::InvalidLabel)),
            (b"https://www.xn--a-.com/", Err(ProblemKind::InvalidLabel)),
            (b"https://example.com:99999/", Err(ProblemKind::NoUrl)),
            (b"https://example.com/\xFF", Err(ProblemKind::NotUtf8)),
        ] {
            let found = absolute_url(Field::new(value, 7));
            assert_eq!(found.as_ref().map(Url::as_str).map_err(|problem| problem.kind), expected);
        }
    }

    #[test]
    fn the_place_of_an_invalid_label_is_found() {
        let file = b"Sitemap: https://me@www.xn--a-.com/map.xml";
        let problem = absolute_url(Field::new(&file[9..], 9)).unwrap_err();
        assert_eq!(problem.span.of(file), b"xn--a-");
    }

    #[test]
    fn a_license_has_no_fragment() {
        let mut problems = Vec::new();
        assert!(license(Field::new(b"https://example.com/l.xml#a", 0), &mut problems).is_ok());
        assert_eq!(problems.iter().map(|problem| problem.kind).collect::<Vec<_>>(), [ProblemKind::Fragment]);
    }
}
