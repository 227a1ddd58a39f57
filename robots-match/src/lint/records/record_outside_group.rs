use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::records::ProblemKind;

lint! {
    code: "record-outside-group",
    severity: warning,
    title: "A line that belongs in a group is outside of all groups",
    check: Record(check),
    /// `Crawl-delay`, `Request-rate`, `Visit-time`, `Content-Signal` and `Content-Usage` are for the crawlers of the
    /// group that they are in. Before the first user-agent line they are for no crawler, and have no effect.
    /// `Sitemap`, `License` and `Clean-param` lines may be anywhere.
    ///
    /// Move the line below the user-agent line of the crawlers that it is for.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Crawl-delay: 10
    /// User-agent: *
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap.xml
    /// User-agent: *
    /// Crawl-delay: 10
    /// Disallow: /private
    /// ```
}

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let record = view.record;
    for problem in record.problems.iter().filter(|problem| problem.kind == ProblemKind::NoGroup) {
        let message =
            format!("`{}` is outside of all groups, so crawlers ignore it", shown(record.key.bytes()));
        drafts.add(
            Draft::new(record.line, problem.span, message)
                .help("move it below the user-agent line of the crawlers that it is for"),
        );
    }
}
