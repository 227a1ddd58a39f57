//! Texts in messages.

use core::time::Duration;
use std::time::SystemTime;

use robots_match::calendar;
use robots_match::syntax::is_hidden;

/// Returns a text from outside as a message shows it: one line of at most 200 characters, none of them hidden.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let mut shown: String =
        text.chars().take(MOST).map(|char| if is_hidden(char) { '\u{FFFD}' } else { char }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns bytes from outside as ASCII text: other bytes, control characters and quotes are escaped, as in `\x7f`.
#[cfg(feature = "_message")]
pub(crate) fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Returns a URL as events, messages and `Debug` show it: without user, password, query and fragment. `?…` marks a query.
pub(crate) fn without_secrets(url: &url::Url) -> String {
    use url::Position::{AfterPath, BeforeHost, BeforeUsername};
    let query = if url.query().is_some() { "?…" } else { "" };
    if url.has_host() {
        shown(&format!("{}{}{query}", &url[..BeforeUsername], &url[BeforeHost..AfterPath]))
    } else {
        // What follows a scheme without a host may be anything, such as the content of a `data` URL.
        shown(&format!("{}:…", url.scheme()))
    }
}

/// Returns a text that can't be read as a URL as messages show it: without what may be user, password, query and fragment.
pub(crate) fn unread_without_secrets(text: &str) -> String {
    let start = text.find("//").map_or(0, |slashes| slashes + 2);
    let (scheme, rest) = text.split_at(start);
    // A password may have any character, which may be why the text can't be read.
    let authority = rest.split('/').next().unwrap_or_default();
    let rest = authority.rfind('@').map_or(rest, |at| &rest[at + 1..]);
    match rest.find(['?', '#']) {
        Some(end) if rest[end..].starts_with('?') => shown(&format!("{scheme}{}?…", &rest[..end])),
        Some(end) => shown(&format!("{scheme}{}", &rest[..end])),
        None => shown(&format!("{scheme}{rest}")),
    }
}

/// Returns the time, bounded to those that `httpdate` can write.
pub(crate) fn datable(time: SystemTime) -> SystemTime {
    let last = Duration::from_secs(calendar::LAST_SECOND.unsigned_abs());
    let time = time.max(SystemTime::UNIX_EPOCH);
    // Without one, all times of the platform are earlier.
    SystemTime::UNIX_EPOCH.checked_add(last).map_or(time, |last| time.min(last))
}
