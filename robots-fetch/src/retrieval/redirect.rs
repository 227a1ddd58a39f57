//! The targets of redirects.

use url::Url;

use crate::message::head::{Head, Location};
use crate::origin::Origin;
use crate::text::unread_without_secrets;

/// Returns the URL to which the answer to a request for `from` redirects; `None` if a client does not go on. A client treats a
/// status that it does not know as the first of its class (RFC 9110, section 15), so every 3xx with a `Location` is a redirect,
/// except 304.
///
/// # Errors
///
/// The redirect leads nowhere; see [`target`].
#[cfg(any(feature = "blocking", feature = "reqwest-middleware"))]
pub(crate) fn next(head: &Head, from: &Url) -> Option<Result<Url, String>> {
    let is_redirect = matches!(head.status(), 300..=303 | 305..=399) && head.location != Location::Missing;
    is_redirect.then(|| target(head, from))
}

/// Returns the target of a redirect: an absolute URL of a supported scheme, without userinfo.
///
/// # Errors
///
/// There is no `Location`, several differ, or it is not such a URL.
pub(crate) fn target(head: &Head, from: &Url) -> Result<Url, String> {
    let location = match &head.location {
        Location::Missing => return Err("no `Location`".to_owned()),
        Location::Unusable(why) => return Err((*why).to_owned()),
        Location::At(location) => location,
    };
    let mut url =
        from.join(location).map_err(|error| format!("`{}`: {error}", unread_without_secrets(location)))?;
    Origin::from_url(&url).map_err(|error| error.to_string())?;
    // Userinfo of a `Location` is not sent: no credential leaves this crate.
    let bare = url.set_username("").and_then(|()| url.set_password(None));
    bare.map_err(|()| format!("`{}` has no host", unread_without_secrets(location)))?;
    Ok(url)
}

#[cfg(test)]
#[cfg(any(feature = "blocking", feature = "reqwest-middleware"))]
mod tests {
    use super::*;

    #[test]
    fn each_redirect_has_one_target() {
        let next = |status: u16, locations: &[&str]| {
            let head = Head::new(status);
            let head = locations.iter().fold(head, |head, location| head.with_field("Location", location));
            next(&head, &"https://example.com/a".parse().unwrap()).map(|next| next.map(String::from))
        };
        let leads = |to: &str| Some(Ok(to.to_owned()));
        assert_eq!(next(300, &["b"]), leads("https://example.com/b"));
        assert_eq!(next(399, &["/b", "/b"]), leads("https://example.com/b"));
        assert_eq!(next(301, &["//u:p@example.org/#c"]), leads("https://example.org/#c"));
        for status in [200, 201, 304, 404] {
            assert_eq!(next(status, &["b"]), None, "{status}");
        }
        assert_eq!(next(301, &[]), None);
        for wrong in [&["/b", "/c"][..], &["mailto:a@example.com"], &["https://"]] {
            assert!(next(308, wrong).is_some_and(|next| next.is_err()), "{wrong:?}");
        }
    }
}
