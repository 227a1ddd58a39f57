use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Key, Lines, Record};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, is_whole, paths};
use crate::lint::text::shown;

lint! {
    code: "several-values",
    severity: error,
    title: "A line has several paths or URLs",
    check: File(check),
    /// A rule has one path, and a sitemap line has one URL. Crawlers take a list as one long path or URL, which does not exist: a
    /// rule then matches nothing, and no crawler finds the sitemaps.
    ///
    /// This concerns all crawlers. Write one line for each value. A comma that is a part of a path is not reported: after it,
    /// another path would begin with a slash. A list with spaces, such as `/admin, login`, is one of folders.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a, /b
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /item,12,details.html
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let syntax = &file.facts.profile.syntax;
    for line in Lines::new(file.body, syntax) {
        let (key, what, value, values) = match line.record {
            Record::Rule(rule) => ("rule", "path", rule.pattern, paths(rule.pattern.bytes())),
            Record::Other { key, value }
                if syntax.spelling(key.bytes()).is_some_and(|found| found.key == Key::Sitemap) =>
            {
                ("sitemap line", "URL", value, urls(value.bytes()))
            }
            _ => continue,
        };
        if values.len() < 2 {
            if what == "URL" {
                if let Some(draft) = with_space(line.number, value) {
                    drafts.add(draft);
                }
            }
            continue;
        }
        let message = format!(
            "a {key} has one {what}, but this line has {}, which crawlers take for one long {what}",
            values.len()
        );
        let first = shown(values.first().copied().unwrap_or_default());
        // As in `/admin, login`.
        let has_names =
            what == "path" && !values.iter().all(|value| matches!(value.first(), Some(b'/' | b'*')));
        let slash = if has_names { ", with a slash at its start" } else { "" };
        let draft = Draft::new(line.number, value.span(), message)
            .help(format!("write one line for each {what}{slash}; the first is `{first}`"));
        // A line about everything would be hidden in a list.
        let is_clear = what == "URL" || !has_names && !values.iter().any(|value| is_whole(value));
        drafts.add(match is_clear {
            true => draft.suggest(value.span(), lines(&line.content(), value, &values, file)),
            false => draft,
        });
    }
}

/// A finding about a sitemap that has a space, in which it is not another URL.
fn with_space(line: usize, value: Field<'_>) -> Option<Draft> {
    let bytes = value.bytes();
    let is_url = bytes.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"http"));
    let at = memchr::memchr3(b' ', b'\t', b',', bytes).filter(|_| is_url)?;
    // A space in the host has another finding.
    bytes.get(..at).filter(|url| url.iter().filter(|&&byte| byte == b'/').count() > 2)?;
    // A comma is also a letter of URLs.
    let after = bytes.get(at + 1..)?.trim_ascii();
    let ends_before = ENDS.iter().any(|end| bytes.get(..at).is_some_and(|url| url.ends_with(end)));
    let ends_after = ENDS.iter().any(|end| after.ends_with(end));
    if bytes.get(at) == Some(&b',') && !(ends_before && ends_after) {
        return None;
    }
    let message = "a sitemap line has one URL, and a URL has no space and ends at its file";
    let help =
        format!("write only the URL, and `%20` for a space in it; the line has `{}` after it", shown(after));
    Some(Draft::new(line, value.span(), message).help(help).severity(Severity::Warning))
}

/// The value as several values, with the key between them.
fn lines(content: &Field<'_>, value: Field<'_>, values: &[&[u8]], file: &File<'_>) -> Vec<u8> {
    let before = value.span().start() - content.span().start();
    let key = content.bytes().get(..before).unwrap_or_default();
    values.join(&[file.index.line_end(), key].concat()[..])
}

/// The ends of sitemaps, after which another URL may begin at once.
const ENDS: [&[u8]; 4] = [b".xml", b".gz", b".txt", b".php"];

/// The URLs of a list; one or none if a value is not a list.
fn urls(value: &[u8]) -> Vec<&[u8]> {
    let lower = value.to_ascii_lowercase();
    // A URL may also be in the query of another one.
    let begins = |at: &usize| {
        let rest = lower.get(at + b"http".len()..).unwrap_or_default();
        let before = lower.get(..*at).unwrap_or_default();
        let is_apart = matches!(before.last(), None | Some(b',' | b';' | b'|' | b' ' | b'\t'));
        (rest.starts_with(b"://") || rest.starts_with(b"s://"))
            && (is_apart || ENDS.iter().any(|end| before.ends_with(end)))
    };
    let starts: Vec<usize> = memchr::memmem::find_iter(&lower, b"http").filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([value.len()]);
    let urls = starts.iter().zip(ends).map(|(start, end)| {
        let url = value.get(*start..end).unwrap_or_default();
        let end = url.iter().rposition(|byte| !matches!(byte, b',' | b';' | b'|' | b' ' | b'\t'));
        url.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
    });
    urls.collect()
}
