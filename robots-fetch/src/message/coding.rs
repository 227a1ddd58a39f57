//! Names of content codings (RFC 9110, section 8.4.1).

use crate::failure::{Failure, FailureKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
    Brotli,
}

/// Returns the coding of a body with these values of `Content-Encoding`; `None` for a plain body.
///
/// # Errors
///
/// The coding is unknown, or there are several.
pub(crate) fn of<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Result<Option<Coding>, Failure> {
    let mut coding = None;
    for value in values {
        let value = String::from_utf8_lossy(value);
        for name in value.split(',').map(|name| name.trim().to_ascii_lowercase()) {
            let next = match name.as_str() {
                // Only the first is registered, as a name that is not sent; servers send all of them for no coding.
                "" | "identity" | "none" | "utf-8" | "utf8" => continue,
                "gzip" | "x-gzip" => Coding::Gzip,
                "deflate" => Coding::Deflate,
                "br" => Coding::Brotli,
                other => return Err(Failure::new(FailureKind::UnknownCoding, other)),
            };
            if coding.replace(next).is_some() {
                return Err(Failure::new(FailureKind::UnknownCoding, "several codings"));
            }
        }
    }
    Ok(coding)
}
