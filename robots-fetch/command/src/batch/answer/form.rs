//! Whether a text is a URL, a path or a mistake.

/// The form of a text by its beginning; the rest is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Form {
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
    /// Returns the form of a text.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        // Most texts are these URLs.
        if text.starts_with(b"https://") || text.starts_with(b"http://") {
            return Self::Url;
        }
        let is_scheme_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let name_len = text.iter().take_while(|byte| is_scheme_byte(byte)).count();
        let (name, rest) = text.split_at(name_len);
        match (name, rest) {
            ([], [b'/', ..]) => Self::Path,
            ([first, ..], [b':', rest @ ..]) if first.is_ascii_alphabetic() => match rest {
                [b'/', b'/', ..] => Self::Url,
                // A port.
                [digit, ..] if digit.is_ascii_digit() => Self::WithoutScheme,
                _ => Self::OtherScheme,
            },
            ([first, ..], _) if first.is_ascii_alphanumeric() && !text.contains(&b'\\') => {
                Self::WithoutScheme
            }
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        for (form, texts) in [
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
            for text in texts {
                assert_eq!(Form::of(text.as_bytes()), form, "{text}");
            }
        }
    }
}
