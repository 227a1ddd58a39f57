//! Names of files as URI references.

use std::ffi::OsStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// The bytes that a path in a URI reference can't contain literally: all except unreserved characters (RFC 3986, section 2.3)
/// and `/`. Others may be literal, but consumers of SARIF read them in different ways.
const NOT_IN_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Returns a path as a URI reference.
pub(crate) fn uri(path: &OsStr) -> String {
    let uri = |bytes| percent_encode(bytes, NOT_IN_PATHS).to_string();
    if cfg!(windows) {
        // The separator of Windows. Elsewhere it may be part of a name.
        return path.as_encoded_bytes().split(|&byte| byte == b'\\').map(uri).collect::<Vec<_>>().join("/");
    }
    uri(path.as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri_reference() {
        let path = "a-b/c_d/e.f~/x y#z?%2F:\u{e4}.txt";
        assert_eq!(uri(OsStr::new(path)), "a-b/c_d/e.f~/x%20y%23z%3F%252F%3A%C3%A4.txt");
    }
}
