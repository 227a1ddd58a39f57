//! Whether an argument is a URL, a path or a mistake.

use robots_fetch::{Origin, UnsupportedUrl};

use crate::failure::{Failure, Result};
use crate::text::{Text, host_note};

/// The form of an argument by its beginning; the rest is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It begins with a scheme and `://`.
    Url,
    /// It begins with `/`.
    Path,
    /// It may be a URL whose scheme was forgotten, such as `example.com/page`.
    WithoutScheme,
    /// It begins with something that reads as a scheme, but `//` does not follow: `mailto:a@example.com`, `C:\page`.
    OtherScheme,
    /// Anything else.
    Unknown,
}

impl Form {
    /// Returns the form of an argument.
    pub(super) fn of(argument: &[u8]) -> Self {
        let is_scheme_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let name_len = argument.iter().take_while(|byte| is_scheme_byte(byte)).count();
        let (name, rest) = argument.split_at(name_len);
        match (name, rest) {
            ([], [b'/', ..]) => Self::Path,
            ([first, ..], [b':', rest @ ..]) if first.is_ascii_alphabetic() => match rest {
                [b'/', b'/', ..] => Self::Url,
                // A port.
                [digit, ..] if digit.is_ascii_digit() => Self::WithoutScheme,
                _ => Self::OtherScheme,
            },
            ([first, ..], _) if first.is_ascii_alphanumeric() && !argument.contains(&b'\\') => {
                Self::WithoutScheme
            }
            _ => Self::Unknown,
        }
    }
}

/// Returns the failure of a URL without a scheme; `more` is the end of the message. A label of the host that is not valid is
/// reported instead.
pub(super) fn missing_scheme(argument: &[u8], more: &str) -> Failure {
    let url = [b"https://", argument].concat();
    if let Err(failure) = require_valid_labels(&url) {
        return failure;
    }
    let (shown, host) = (Text(argument), host_note(&url));
    Failure::new(format!("`{shown}`: missing scheme; did you mean `https://{shown}`{host}?{more}"))
}

/// Checks an argument that is compared with the rules of a file: a URL, or a path.
///
/// # Errors
///
/// It is neither, or a label of its host is not valid. To compare it anyway would find no rule that matches, and would look
/// like a verdict.
pub(super) fn require_url_or_path(argument: &[u8]) -> Result<()> {
    match Form::of(argument) {
        Form::Path => Ok(()),
        Form::Url => require_valid_labels(argument),
        Form::WithoutScheme => Err(missing_scheme(argument, " A path begins with `/`")),
        Form::OtherScheme | Form::Unknown => Err(Failure::new(format!(
            "`{}` is neither a URL nor a path; write a URL such as `https://example.com/page`, or a path that begins with \
             `/`",
            Text(argument)
        ))),
    }
}

/// Checks the labels of the host of a URL. Nothing else of the URL is checked.
fn require_valid_labels(url: &[u8]) -> Result<()> {
    match core::str::from_utf8(url).map(Origin::parse) {
        Ok(Err(error @ UnsupportedUrl::Label { .. })) => Err(Failure::new(error.to_string())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        for (form, arguments) in [
            (Form::Url, &["https://example.com/", "FTP://x", "a+b-c.d://x", "https://"][..]),
            (Form::Path, &["/", "/page", "//x", "/C:\\x"]),
            (
                Form::WithoutScheme,
                &[
                    "page",
                    "example.com",
                    "example.com/a:b",
                    "example.com:8080/a",
                    "localhost:80",
                    "a?b://c",
                    "1.html",
                ],
            ),
            (Form::OtherScheme, &["mailto:a@example.com", "C:\\page", "C:page", "https:/a", "http:", "c:/x"]),
            (
                Form::Unknown,
                &["", "*", "*.gif", "?a", "#a", ".", "-", "\\page", "a\\b", ":80", "9:x\\", "\u{E9}"],
            ),
        ] {
            for argument in arguments {
                assert_eq!(Form::of(argument.as_bytes()), form, "{argument}");
            }
        }
    }
}
