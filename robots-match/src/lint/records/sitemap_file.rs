use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use url::Url;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;
use crate::lint::text::shown;
use crate::lint::url::scheme;
use crate::records::{OtherRecord, RecordKind};

lint! {
    code: "sitemap-file",
    severity: warning,
    title: "A sitemap line does not have the URL of a sitemap",
    check: File(check),
    /// A sitemap is a file of XML or text for crawlers. The home page, a page of HTML and robots.txt itself are not sitemaps. A comma,
    /// semicolon or full stop after the URL is a part of it, and so is a backslash. Without a slash after the host, the file is a part
    /// of its name. Crawlers send no user name, and everybody can read the one in the line.
    ///
    /// This concerns all crawlers that read sitemaps. Write only the URL of the sitemap. A sitemap that one list has twice is a note.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: https://example.com/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

/// The number of lines between two sitemaps of one list.
const NEAR: usize = 2;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let mut last = 0;
    let mut first_lines = BTreeMap::new();
    let mut repeated: Vec<(&OtherRecord<'_>, usize)> = Vec::new();
    for record in file.records.all().iter().filter(|record| record.kind == RecordKind::Sitemap) {
        let value = record.raw.bytes();
        let Some(url) = core::str::from_utf8(value).ok().and_then(|text| Url::parse(text).ok()) else {
            continue;
        };
        // Other problems of URLs have findings of their own.
        if scheme(value).is_none() || !matches!(url.scheme(), "http" | "https") {
            continue;
        }
        if let Some(draft) = draft(record, &url) {
            drafts.add(draft);
            continue;
        }
        // Files that name the same sitemap below each group mean it.
        if record.line - last > NEAR {
            first_lines.clear();
        }
        last = record.line;
        let first = *first_lines.entry(value).or_insert(record.line);
        if first != record.line {
            repeated.push((record, first));
        }
    }
    // Several lines in one list are one mistake.
    if let Some((record, first)) = repeated.first() {
        let mut message = format!("line {first} has the same sitemap");
        if repeated.len() > 1 {
            message += &format!(", and other lines are repeated, too: {}", repeated.len() - 1);
        }
        drafts.add(
            Draft::new(record.line, record.raw.span(), message)
                .help("keep one line for each sitemap")
                .severity(Severity::Note),
        );
    }
}

fn draft(record: &OtherRecord<'_>, url: &Url) -> Option<Draft> {
    let (value, span) = (record.raw.bytes(), record.raw.span());
    let draft = |message| Draft::new(record.line, span, message);
    let text = shown(value);
    let without_signs = value.trim_ascii_end();
    let len =
        without_signs.iter().rposition(|byte| !matches!(byte, b'.' | b',' | b';')).map_or(0, |at| at + 1);
    let stem = value.get(..len).unwrap_or_default();
    let ends = [&b".xml"[..], b".gz", b".txt"];
    if len < value.len() && ends.iter().any(|end| stem.to_ascii_lowercase().ends_with(end)) {
        let message = format!("`{text}` ends with a sign that crawlers take for a part of the URL");
        return Some(draft(message).help(format!("write `{}`", shown(stem))).suggest(span, stem));
    }
    if value.contains(&b'\\') {
        let meant: Vec<u8> = value.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
        let message = format!("`{text}` has a backslash, and the parts of a URL have slashes between them");
        return Some(draft(message).help(format!("write `{}`", shown(&meant))).suggest(span, meant));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let message = "this URL has a user name, which crawlers do not send, and which everybody can read";
        return Some(
            draft(message.into()).help("write the URL without it; if it has a password, change the password"),
        );
    }
    let path = url.path().to_ascii_lowercase();
    let has_end = |name: &str| ends.iter().any(|end| name.as_bytes().ends_with(end));
    let message = match &*path {
        _ if url.query().is_some() => return None,
        "/" if url.host_str().is_some_and(has_end) => {
            format!("`{text}` has no slash between its host and a file")
        }
        "/" => format!("`{text}` is the home page, and not a sitemap"),
        "/robots.txt" => format!("`{text}` is robots.txt itself, and not a sitemap"),
        path if [".html", ".htm", ".xhtml"].iter().any(|end| path.ends_with(end)) => {
            format!("`{text}` is a page of HTML for visitors, and not a sitemap for crawlers")
        }
        _ => return None,
    };
    Some(
        draft(message)
            .help("write the URL of a sitemap of XML or text, or remove the line if the site has none"),
    )
}
