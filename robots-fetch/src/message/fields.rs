//! The header fields that caching needs, and the validators of a cached file (RFC 9110, RFC 9111).

use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use crate::text::without_secrets;

/// The longest value of a field that is read, in bytes. RFC 9110, section 4.1, recommends at least 8,000 for URLs.
pub(crate) const LONGEST_VALUE: usize = 16 * 1024;

/// The header fields of an answer that matter to a cache, as they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fields {
    /// `Cache-Control`; several lines are joined to one list.
    pub cache_control: Option<String>,
    /// `Expires`.
    pub expires: Option<String>,
    /// `Date`.
    pub date: Option<String>,
    /// `Age`.
    pub age: Option<String>,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
    /// `Retry-After`.
    pub retry_after: Option<String>,
    /// `Content-Type`. Nothing depends on it: parseable rules are used (RFC 9309, section 2.3.1.5).
    pub content_type: Option<String>,
}

impl Fields {
    /// Returns all fields, in the order above.
    pub(crate) const fn all(&self) -> [&Option<String>; 8] {
        let Self { cache_control, expires, date, age, etag, last_modified, retry_after, content_type } = self;
        [cache_control, expires, date, age, etag, last_modified, retry_after, content_type]
    }

    /// Takes the field if it is one of these. The first counts of a field that may be sent only once (RFC 9111, section
    /// 4.2.1).
    pub(crate) fn take(&mut self, name: &str, value: &str) {
        let field = match name {
            "cache-control" => {
                let list = self.cache_control.get_or_insert_default();
                if list.len() + value.len() < LONGEST_VALUE {
                    if !list.is_empty() {
                        list.push_str(", ");
                    }
                    list.push_str(value);
                }
                return;
            }
            "expires" => &mut self.expires,
            "date" => &mut self.date,
            "age" => &mut self.age,
            "etag" => &mut self.etag,
            "last-modified" => &mut self.last_modified,
            "retry-after" => &mut self.retry_after,
            "content-type" => &mut self.content_type,
            _ => return,
        };
        field.get_or_insert_with(|| value.to_owned());
    }

    /// Returns the fields after a 304 answer (RFC 9111, section 3.2). `Date`, `Age` and `Retry-After` are those of the 304.
    #[must_use]
    pub(crate) fn renewed_by(&self, newer: &Self) -> Self {
        let either = |newer: &Option<String>, older: &Option<String>| newer.clone().or_else(|| older.clone());
        Self {
            cache_control: either(&newer.cache_control, &self.cache_control),
            expires: either(&newer.expires, &self.expires),
            date: newer.date.clone(),
            age: newer.age.clone(),
            etag: either(&newer.etag, &self.etag),
            last_modified: either(&newer.last_modified, &self.last_modified),
            retry_after: newer.retry_after.clone(),
            content_type: either(&newer.content_type, &self.content_type),
        }
    }

    /// Returns the pause that `Retry-After` asks for, counted from `received` (RFC 9110, section 10.2.3); `None` without a
    /// valid one.
    #[must_use]
    pub fn retry_after(&self, received: SystemTime) -> Option<Duration> {
        let value = self.retry_after.as_deref()?.trim();
        seconds(value).or_else(|| {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(received).unwrap_or_default())
        })
    }

    /// Returns the validators for a conditional request for the file at `url`.
    #[must_use]
    pub fn validators(&self, url: &Url) -> Validators {
        let etag = self.etag.as_deref().filter(|tag| is_entity_tag(tag));
        let last_modified =
            self.last_modified.as_deref().filter(|date| httpdate::parse_http_date(date).is_ok());
        Validators {
            url: Some(url.clone()),
            etag: etag.map(str::to_owned),
            last_modified: last_modified.map(str::to_owned),
        }
    }
}

/// The validators of a cached file (RFC 9110, section 13.1), and the URL that it came from. The default has none: requests
/// are unconditional.
///
/// They are sent to that URL only: a tag of one server means nothing to another, to which a redirect may lead.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validators {
    /// The URL of the file, at the end of all redirects.
    pub url: Option<Url>,
    /// The entity tag of the file.
    pub etag: Option<String>,
    /// The `Last-Modified` date of the file.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Returns whether there is nothing to send.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// Returns the validators to send to `url`.
    pub(crate) fn at(&self, url: &Url) -> Self {
        if self.url.as_ref() == Some(url) { self.clone() } else { Self::default() }
    }
}

/// With the URL without user, password and query.
impl fmt::Debug for Validators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, etag, last_modified } = self;
        let mut shown = f.debug_struct("Validators");
        shown.field("url", &url.as_ref().map(without_secrets));
        shown.field("etag", etag).field("last_modified", last_modified).finish()
    }
}

/// Parses a number of seconds (RFC 9111, section 1.2.2). A number above 2^31 counts as 2^31.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    const MOST: u64 = 1 << 31;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(Duration::from_secs(text.parse().unwrap_or(MOST).min(MOST)))
}

/// Returns whether the text is an entity tag (RFC 9110, section 8.8.3) that is safe to send back.
fn is_entity_tag(text: &str) -> bool {
    let quoted = text.strip_prefix("W/").unwrap_or(text);
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|tag| tag.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cache_control_are_one_list_and_of_other_fields_the_first_counts() {
        let mut fields = Fields::default();
        for (name, value) in [
            ("cache-control", "public"),
            ("cache-control", "no-store"),
            ("age", "1"),
            ("age", "2"),
            ("x", "y"),
        ] {
            fields.take(name, value);
        }
        assert_eq!(fields.cache_control.as_deref(), Some("public, no-store"));
        assert_eq!(fields.age.as_deref(), Some("1"));
        let long = "x".repeat(LONGEST_VALUE);
        fields.take("cache-control", &long);
        assert_eq!(fields.cache_control.as_deref(), Some("public, no-store"));
    }

    #[test]
    fn retry_after_has_two_forms() {
        let at = |value: &str, seconds: u64| {
            let fields = Fields { retry_after: Some(value.to_owned()), ..Fields::default() };
            fields.retry_after(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        };
        assert_eq!(at(" 120 ", 0), Some(Duration::from_secs(120)));
        assert_eq!(at("Thu, 01 Jan 1970 00:01:00 GMT", 10), Some(Duration::from_secs(50)));
        assert_eq!(at("Thu, 01 Jan 1970 00:01:00 GMT", 100), Some(Duration::ZERO));
        assert_eq!(at("99999999999999999999", 0), Some(Duration::from_secs(1 << 31)));
        for wrong in ["", "-1", "1.5", "soon", "Thu, 99 Jan 1970"] {
            assert_eq!(at(wrong, 0), None, "{wrong}");
        }
    }

    #[test]
    fn only_valid_validators_are_sent_back() {
        let url: Url = "https://example.com/robots.txt".parse().unwrap();
        let of = |etag: &str, date: &str| {
            let fields = Fields {
                etag: Some(etag.to_owned()),
                last_modified: Some(date.to_owned()),
                ..Fields::default()
            };
            fields.validators(&url)
        };
        let good = of("W/\"a-1\"", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert!(good.etag.is_some() && good.last_modified.is_some());
        assert!(!good.at(&url).is_empty());
        assert!(good.at(&"https://example.org/robots.txt".parse().unwrap()).is_empty());
        for etag in ["a", "\"a", "\"a\r\nCookie: x\"", "\"\"\"", "\"", "W/"] {
            assert!(of(etag, "yesterday\r\nCookie: x").is_empty(), "{etag}");
        }
    }

    #[test]
    fn a_304_keeps_fields_that_it_does_not_contain() {
        let mut old = Fields::default();
        for (name, value) in
            [("cache-control", "max-age=9"), ("age", "5"), ("date", "then"), ("etag", "\"1\"")]
        {
            old.take(name, value);
        }
        let mut new = Fields::default();
        new.take("etag", "\"2\"");
        let renewed = old.renewed_by(&new);
        assert_eq!(renewed.cache_control.as_deref(), Some("max-age=9"));
        assert_eq!((renewed.age, renewed.date), (None, None));
        assert_eq!(renewed.etag.as_deref(), Some("\"2\""));
    }
}
