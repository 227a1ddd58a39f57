use alloc::format;

use robots_groups::Crawler;
use robots_groups::syntax::Key;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;
use crate::lint::url::origin;
use crate::robots::Robots;
use crate::url_text::path_of;

lint! {
    code: "sitemap-disallowed",
    severity: warning,
    title: "A sitemap is disallowed",
    check: File(check),
    /// Crawlers that obey the rules for `*` may not fetch this sitemap. To find this, `robots lint` needs the URL of
    /// the file (`--url`), because the rules are only for URLs with the same scheme, host and port.
    ///
    /// Add an `Allow` rule for the sitemap, or move the sitemap to a path that is not disallowed.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found (url=https://example.com/robots.txt)
    /// User-agent: *
    /// Disallow: /maps/
    /// Sitemap: https://example.com/maps/all.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean (url=https://example.com/robots.txt)
    /// User-agent: *
    /// Disallow: /maps/
    /// Allow: /maps/all.xml
    /// Sitemap: https://example.com/maps/all.xml
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let Some(own) = file.facts.url.and_then(|url| origin(url.as_bytes())) else { return };
    let robots = Robots::new(file.body, file.facts.profile);
    let rules = robots.rules(&Crawler::unnamed());
    for (key, value) in robots.other_records() {
        let spelling = file.facts.profile.syntax.spelling(key.bytes());
        let is_sitemap = spelling.is_some_and(|spelling| spelling.key == Key::Sitemap);
        if !is_sitemap || origin(value.bytes()).as_ref() != Some(&own) {
            continue;
        }
        let verdict = rules.check(path_of(value.bytes(), rules.policy()));
        if let Some(rule) = verdict.rule().filter(|_| !verdict.is_allowed()) {
            let line = file.index.line_of(value.span());
            drafts.add(
                Draft::new(line, value.span(), format!("line {} disallows this sitemap", rule.line))
                    .help("add a rule that allows the sitemap")
                    .other(rule.span, "by this rule"),
            );
        }
    }
}
