use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

lint! {
    code: "optional-key",
    severity: note,
    title: "Only some crawlers obey this line",
    check: Key(check),
    /// RFC 9309 does not define `Crawl-delay`, `Request-rate`, `Visit-time` and `Clean-param`. Some crawlers obey
    /// them, others, such as Google's, ignore them.
    ///
    /// Do not rely on the line. To slow down all crawlers, limit requests on the server.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Crawl-delay: 5
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
    if let KeyFault::Optional(key) = problem.fault {
        let message = format!("only some crawlers obey `{}`", shown(key.bytes()));
        drafts.add(
            Draft::new(problem.line, key.span(), message)
                .help("do not rely on it; it is not in RFC 9309, and large crawlers ignore it"),
        );
    }
}
