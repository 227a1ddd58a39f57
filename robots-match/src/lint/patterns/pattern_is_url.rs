use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, Hosted};
use crate::lint::text::shown;

lint! {
    code: "pattern-is-url",
    severity: error,
    title: "A pattern is a whole URL",
    check: File(check),
    /// Crawlers compare patterns with paths, and a path begins with a slash. A pattern with a scheme and a host
    /// matches nothing.
    ///
    /// A robots.txt file applies only to its own host (RFC 9309, section 2.3). If the URL is one of this site, write only the path.
    /// Otherwise, or if there is nothing after the host, remove the line: rules for another host belong in the robots.txt of that
    /// host, and `Disallow: /` would disallow the whole of this site.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: https://example.com/private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    for rule in file.rules() {
        let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
        let Some(hosted) = Hosted::find(bytes, policy).filter(|hosted| hosted.has_scheme) else { continue };
        let message = format!(
            "`{}` is a URL, but patterns are compared with paths, so it matches nothing",
            shown(bytes)
        );
        let draft = Draft::new(rule.line(), span, message);
        drafts.add(hosted.advise(draft, span, file.facts, file.is_needed(rule.line())));
    }
}
