//! Internationalized names of hosts (UTS 46), by the class `URL` of JavaScript.
//!
//! This package takes the place of `idna` in the module, and has those functions of `idna` that `url` and robots-match call.
//! The tables of Unicode would be a fifth of the module, and every browser has them already.

use std::borrow::Cow;
use std::fmt;

mod engine;
pub mod punycode;
pub mod uts46;

pub use uts46::AsciiDenyList;

use uts46::{DnsLength, Hyphens, Uts46};

/// The name of a host is not valid.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Errors;

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of the host is not valid")
    }
}

impl std::error::Error for Errors {}

/// Returns the ASCII form of a name.
///
/// # Errors
///
/// The name is not valid.
pub fn domain_to_ascii_from_cow(
    domain: Cow<'_, [u8]>,
    denied: AsciiDenyList,
) -> Result<Cow<'_, str>, Errors> {
    let ascii = Uts46::new().to_ascii(&domain, denied, Hyphens::Allow, DnsLength::Ignore)?;
    Ok(Cow::Owned(ascii.into_owned()))
}

/// Returns the Unicode form of a name. Labels that are not valid begin with U+FFFD.
pub fn domain_to_unicode(domain: &str) -> (String, Result<(), Errors>) {
    let (unicode, valid) = Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    (unicode.into_owned(), valid)
}
