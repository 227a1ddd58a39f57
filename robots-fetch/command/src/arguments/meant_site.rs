//! Sites that were named without a scheme.

use core::net::Ipv4Addr;
use std::ffi::OsStr;
use std::path::Path;

use robots_fetch::Origin;

/// Returns the URL of a site for which an argument may stand that is not the name of a file.
pub(super) fn meant_site(argument: &OsStr) -> Option<String> {
    let text = argument.to_str().filter(|text| !Path::new(text).exists())?;
    let (host, rest) = text.split_at(text.find(['/', ':']).unwrap_or(text.len()));
    let has_port = match rest.strip_prefix(':').map(|rest| rest.split('/').next().unwrap_or_default()) {
        Some(port) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => true,
        Some(_) => return None,
        None => false,
    };
    // Names with a dot are also those of files.
    let has_dot =
        !host.starts_with('.') && host.contains('.') && !(rest.is_empty() && host.ends_with(".txt"));
    let is_local = host == "localhost" || host.parse::<Ipv4Addr>().is_ok();
    let url = format!("{}://{text}", if is_local { "http" } else { "https" });
    ((is_local || has_port || has_dot) && Origin::parse(&url).is_ok()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_without_a_scheme_are_recognised() {
        for (argument, expected) in [
            ("example.com/", Some("https://example.com/")),
            ("example.com", Some("https://example.com")),
            ("localhost:9101", Some("http://localhost:9101")),
            ("127.0.0.1", Some("http://127.0.0.1")),
            ("host:80/x", Some("https://host:80/x")),
            ("none.txt", None),
            ("folder/robots.txt", None),
            ("../robots.txt", None),
            ("none", None),
            ("C:\\none.txt", None),
            ("a:b", None),
            ("Cargo.toml", None),
        ] {
            assert_eq!(meant_site(argument.as_ref()).as_deref(), expected, "{argument}");
        }
    }
}
