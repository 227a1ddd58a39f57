//! Whether an argument is a URL, a path or a mistake.

use crate::failure::{Failure, Result};
use crate::text::Text;

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

/// The message about a URL without a scheme.
pub(super) fn missing_scheme(argument: &[u8]) -> String {
    let shown = Text(argument);
    format!("`{shown}`: missing scheme; did you mean `https://{shown}`?")
}

/// Checks an argument that is compared with the rules of a file: a URL, or a path.
///
/// # Errors
///
/// It is neither. To compare it anyway would find no rule that matches, and would look like a verdict.
pub(super) fn require_url_or_path(argument: &[u8]) -> Result<()> {
    match Form::of(argument) {
        Form::Url | Form::Path => Ok(()),
        Form::WithoutScheme => {
            Err(Failure::new(format!("{} A path begins with `/`", missing_scheme(argument))))
        }
        Form::OtherScheme | Form::Unknown => Err(Failure::new(format!(
            "`{}` is neither a URL nor a path; write a URL such as `https://example.com/page`, or a path that begins with \
             `/`",
            Text(argument)
        ))),
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
