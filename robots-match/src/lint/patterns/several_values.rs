use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Key, Lines, Record};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, is_whole};
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
    /// another path would begin with a slash or star.
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
            continue;
        }
        let message = format!(
            "a {key} has one {what}, but this line has {}, which crawlers take for one long {what}",
            values.len()
        );
        let first = shown(values.first().copied().unwrap_or_default());
        let draft = Draft::new(line.number, value.span(), message)
            .help(format!("write one line for each {what}; the first is `{first}`"));
        // A line about everything would be hidden in a list.
        let is_clear = what == "URL" || !values.iter().any(|value| is_whole(value));
        drafts.add(match is_clear {
            true => draft.suggest(value.span(), lines(&line.content(), value, &values, file)),
            false => draft,
        });
    }
}

/// The value as several values, with the key between them.
fn lines(content: &Field<'_>, value: Field<'_>, values: &[&[u8]], file: &File<'_>) -> Vec<u8> {
    let before = value.span().start() - content.span().start();
    let key = content.bytes().get(..before).unwrap_or_default();
    values.join(&[file.index.line_end(), key].concat()[..])
}

/// The paths of a list; one or none if a pattern is not a list.
fn paths(pattern: &[u8]) -> Vec<&[u8]> {
    if !matches!(pattern.first(), Some(b'/' | b'*')) {
        return Vec::new();
    }
    let is_between = |byte: &u8| matches!(byte, b',' | b';' | b'|' | b' ' | b'\t');
    if !pattern.iter().any(is_between) {
        return Vec::new();
    }
    let parts: Vec<&[u8]> = pattern.split(is_between).filter(|part| !part.is_empty()).collect();
    // `/* */` is a comment of another language.
    let is_path = |part: &&[u8]| part.starts_with(b"/") || part.starts_with(b"*/") && part.len() > 2;
    if parts.iter().all(is_path) { parts } else { Vec::new() }
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
