use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::lint::url::{host, scheme};
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "sitemap-not-absolute",
    severity: error,
    title: "A sitemap is not an absolute URL",
    check: Record(check),
    /// The value of a `Sitemap` line is a full URL, with scheme and host. Few crawlers accept a path only. Each label of the
    /// host must be valid (UTS 46), whether it is written in Unicode or begins with `xn--`.
    ///
    /// Write the full URL, such as `https://example.com/sitemap.xml`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: /sitemap.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
}

const HELP: &str = "write the full URL of the sitemap, such as `https://example.com/sitemap.xml`";

/// The bytes of the longest URL that an advice shows.
const MOST_SHOWN: usize = 60;

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let help = match full(view.record.raw.bytes()) {
        Some(url) if url.len() <= MOST_SHOWN => {
            format!("write the full URL of the sitemap, most likely `{}`", shown(&url))
        }
        _ => String::from(HELP),
    };
    view.report(RecordKind::Sitemap, &help, drafts);
    // Browsers accept some URLs without `//`.
    if matches!(view.record.value, Some(RecordValue::Sitemap(_))) && scheme(view.record.raw.bytes()).is_none()
    {
        drafts.add(view.not_absolute(&help));
    }
}

/// The URL that a value is without its scheme, or without one of its slashes: `example.com/a.xml`, `//example.com/a.xml`,
/// `https:/example.com/a.xml` and `https:///example.com/a.xml`.
fn full(value: &[u8]) -> Option<Vec<u8>> {
    let is_http = value.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"http:"));
    let is_https = value.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"https:"));
    let (scheme, rest) = match (is_http, is_https) {
        (true, _) => (&b"http://"[..], value.get(5..)?),
        (_, true) => (&b"https://"[..], value.get(6..)?),
        _ => (&b"https://"[..], value),
    };
    let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
    let is_path = !is_http && !is_https && slashes == 1;
    let rest = rest.get(slashes..)?;
    let is_clean = !rest.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'*'));
    (!is_path && is_clean && host(rest).is_some()).then(|| [scheme, rest].concat())
}
