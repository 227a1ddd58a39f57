//! A URL begins with two schemes.

use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::scheme;

pub(crate) const LINT: Declaration = Declaration {
    code: "doubled-scheme",
    severity: Severity::Error,
    title: "A URL begins with two schemes",
    check: Check::Record(check),
};

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let raw = view.record.raw;
    let Some(first) = scheme(raw.bytes()) else { return };
    let len = first.len() + b"://".len();
    let rest = raw.bytes().get(len..).unwrap_or_default();
    // `https://http://` and `https://https:/`.
    let is_doubled = ["http:", "https:"].iter().any(|second| {
        rest.get(..second.len()).is_some_and(|start| start.eq_ignore_ascii_case(second.as_bytes()))
    });
    if is_doubled {
        let span = Span::new(raw.span().start(), raw.span().start() + len);
        drafts.add(
            Draft::new(
                view.record.line,
                raw.span(),
                format!("`{}` begins with two schemes", shown(raw.bytes())),
            )
            .help("remove one of them; no crawler finds this URL")
            .suggest(span, ""),
        );
    }
}
