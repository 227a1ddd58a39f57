use alloc::format;
use alloc::vec::Vec;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem, letters};
use crate::lint::text::shown;

lint! {
    code: "deprecated-key",
    severity: warning,
    title: "Crawlers no longer obey this line",
    check: Key(check),
    /// Some crawlers used to obey `Host`, `Noindex`, `Nofollow` and `Noarchive`. None of the large ones does so
    /// today.
    ///
    /// Remove the line. To keep a page out of a search index, let crawlers fetch it, and send the header
    /// `X-Robots-Tag: noindex` or add a `robots` meta element to the page. To set the preferred host, redirect to it.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Noindex: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Deprecated(key) = problem.fault else { return };
    let name: Vec<u8> = letters(key.bytes()).collect();
    let help = match &*name {
        b"host" => "remove the line, and redirect to the preferred host".into(),
        _ => format!(
            "let crawlers fetch the page, and put `{}` into its `X-Robots-Tag` header or into a `robots` meta element",
            shown(&name)
        ),
    };
    let message = format!("crawlers no longer obey `{}`", shown(key.bytes()));
    let draft = Draft::new(problem.line, key.span(), message).help(help);
    // Programs for sitemaps write `Host`, and it does no harm.
    drafts.add(match &*name {
        b"host" => draft.severity(Severity::Note).idle(),
        _ => draft,
    });
}
