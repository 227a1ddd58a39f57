use alloc::format;

use robots_groups::Crawler;
use robots_groups::syntax::{Field, Key};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;
use crate::lint::url::origin;
use crate::robots::Robots;
use crate::url_text::path_of;

lint! {
    code: "sitemap-disallowed",
    severity: warning,
    title: "A sitemap is disallowed",
    check: File(check),
    /// Crawlers that obey the rules for `*` may not fetch this sitemap. The rules are only for URLs with the scheme, host and port of the
    /// file. Where `robots lint` does not know its URL (`--url`), and all sitemaps have one host, this is most likely that of the file, and
    /// the finding is a note. Nothing is reported then if the whole site is disallowed.
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
    let known = file.facts.url.map(|url| origin(url.as_bytes()));
    let robots = Robots::new(file.body, file.facts.profile);
    let is_sitemap = |key: &Field<'_>| {
        let spelling = file.facts.profile.syntax.spelling(key.bytes());
        spelling.is_some_and(|spelling| spelling.key == Key::Sitemap)
    };
    let sitemaps = || robots.other_records().filter(|(key, _)| is_sitemap(key)).map(|(_, value)| value);
    let Some(own) = known.clone().unwrap_or_else(|| only(sitemaps().map(|value| origin(value.bytes()))))
    else {
        return;
    };
    let rules = robots.rules(&Crawler::unnamed());
    for value in sitemaps().filter(|value| origin(value.bytes()).as_ref() == Some(&own)) {
        let path = path_of(value.bytes(), rules.policy());
        if !file.may_check(&rules, path.as_ref()) {
            break;
        }
        let verdict = rules.check(path);
        let Some(rule) = verdict.rule().filter(|_| !verdict.is_allowed()) else { continue };
        let (line, what) =
            (file.index.line_of(value.span()), format!("line {} disallows this sitemap", rule.line));
        let draft = match known {
            Some(_) => Draft::new(line, value.span(), what),
            None if file.general.all.is_some() => continue,
            None => {
                let message = format!("{what}, if the file is of the same host");
                Draft::new(line, value.span(), message).severity(Severity::Note)
            }
        };
        drafts.add(draft.help("add a rule that allows the sitemap").other(rule.span, "by this rule"));
    }
}

/// The value that all have.
fn only<T: PartialEq>(mut all: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = all.next()??;
    all.all(|other| other.as_ref() == Some(&first)).then_some(first)
}
