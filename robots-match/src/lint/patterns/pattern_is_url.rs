use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, HostForm, Hosted};
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
        let Some(hosted) = Hosted::find(bytes, policy) else { continue };
        let (text, host) = (shown(bytes), shown(hosted.host));
        let draft = |message| Draft::new(rule.line(), span, message);
        let draft = match hosted.form {
            HostForm::Host => continue,
            HostForm::Url => draft(format!(
                "`{text}` is a URL, but patterns are compared with paths, so it matches nothing"
            )),
            HostForm::Star => draft(format!(
                "`{text}` names the host `{host}`, but patterns are compared with paths, which have no host"
            )),
            HostForm::Slashes => draft(format!(
                "`{text}` is a URL without its scheme, but patterns are compared with paths, which do not begin with the host `{host}`"
            ))
            .severity(Severity::Warning),
            HostForm::Path => draft(format!(
                "`{text}` matches only paths that contain this URL, and not the host `{host}`"
            ))
            .severity(Severity::Warning),
        };
        let draft = match hosted.form {
            // Some sites have such paths, from links that are wrong.
            HostForm::Path => draft.help(
                "write only the path of the URL if it is of this site; keep it if the site has such paths",
            ),
            _ => hosted.advise(draft, span, file.facts, file.is_needed_at_end(rule.line())),
        };
        drafts.add(draft);
    }
}
