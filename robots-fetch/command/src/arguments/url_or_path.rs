//! Whether an argument is a URL, a path or a mistake.

use crate::batch::answer::Form;
use robots_fetch::{Origin, UnsupportedUrl};

use crate::failure::{Failure, Result};
use crate::text::{Text, host_note};

/// Returns the failure of a URL without a scheme; `more` is the end of the message. A label of the host that is not valid is
/// reported instead.
pub(super) fn missing_scheme(argument: &[u8], more: &str) -> Failure {
    let url = [b"https://", argument].concat();
    if let Err(failure) = require_valid_host(&url) {
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
        Form::Url => require_valid_host(argument),
        Form::WithoutScheme => Err(missing_scheme(argument, " A path begins with `/`")),
        Form::OtherScheme | Form::Unknown => Err(Failure::new(format!(
            "`{}` is neither a URL nor a path; write a URL such as `https://example.com/page`, or a path that begins with \
             `/`",
            Text(argument)
        ))),
    }
}

/// Returns what follows `start`, which is in lower case.
fn after_scheme<'u>(url: &'u [u8], start: &str) -> Option<&'u [u8]> {
    let (found, rest) = url.split_at_checked(start.len())?;
    found.eq_ignore_ascii_case(start.as_bytes()).then_some(rest)
}

/// Checks the host and the port of a URL. Nothing else of the URL is checked.
pub(super) fn require_valid_host(url: &[u8]) -> Result<()> {
    // URLs of other schemes, such as `file:///a`, may have no host.
    let schemes = Origin::SCHEMES.iter().map(|scheme| format!("{scheme}://"));
    let is_empty = |rest: &[u8]| matches!(rest, [] | [b'/' | b'?' | b'#', ..]);
    if schemes.into_iter().any(|start| after_scheme(url, &start).is_some_and(is_empty)) {
        let shown = Text(url);
        return Err(Failure::new(format!(
            "`{shown}` has no host; write a URL such as `https://example.com/page`"
        )));
    }
    match core::str::from_utf8(url).map(Origin::parse) {
        // Rules can be compared with URLs of any scheme.
        Ok(Err(UnsupportedUrl::Scheme(_))) | Ok(Ok(_)) | Err(_) => Ok(()),
        Ok(Err(error)) => Err(Failure::new(Text(error.to_string().as_bytes()).to_string())),
    }
}
