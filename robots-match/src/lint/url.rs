//! Parts of URLs.

use url::{Origin, Url};

use crate::address::AddressScope;
use crate::last_label::LastLabel;

/// The scheme of an absolute URL that has an authority.
pub(crate) fn scheme(url: &[u8]) -> Option<&[u8]> {
    let colon = url.iter().position(|&byte| byte == b':')?;
    let (scheme, rest) = url.split_at_checked(colon)?;
    let is_scheme = scheme.first()?.is_ascii_alphabetic()
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let authority = rest.strip_prefix(b"://")?;
    (is_scheme && !matches!(authority.first(), None | Some(b'/' | b'?' | b'#'))).then_some(scheme)
}

/// The origin of an absolute URL that has an authority. Ports that are the default of their scheme make no difference.
pub(crate) fn origin(url: &[u8]) -> Option<Origin> {
    scheme(url)?;
    Some(Url::parse(core::str::from_utf8(url).ok()?).ok()?.origin())
}

/// Whether a text is the URL of a file on a disk.
pub(crate) fn is_file_url(url: &[u8]) -> bool {
    url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"file:"))
}

/// Whether a text is the end of the name of a file, without its dot.
pub(crate) fn is_file_end(end: &[u8]) -> bool {
    LastLabel::of(end) != LastLabel::Domain
}

/// The name of a host at the start of a text without a scheme, if it looks like one and not like a file. No list of domains is
/// needed: a host has labels of letters, digits and hyphens, and the last one has letters only and is not the end of a file.
pub(crate) fn host(text: &[u8]) -> Option<&[u8]> {
    let host = text.split(|byte| matches!(byte, b'/' | b'?' | b':' | b'*' | b'$')).next()?;
    let is_label = |label: &[u8]| {
        !label.is_empty()
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || !byte.is_ascii())
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
    };
    let mut labels = host.rsplit(|&byte| byte == b'.');
    let last = labels.next()?.to_ascii_lowercase();
    let others: alloc::vec::Vec<&[u8]> = labels.collect();
    let is_www = host.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."));
    let is_domain = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
    let is_host = is_www
        || is_domain
            && match LastLabel::of(&last) {
                LastLabel::Domain => true,
                LastLabel::Either => others.len() > 1,
                LastLabel::File => false,
            };
    let is_port =
        |rest: &[u8]| rest.strip_prefix(b":").is_none_or(|port| port.first().is_some_and(u8::is_ascii_digit));
    (is_host
        && !others.is_empty()
        && others.iter().all(|label| is_label(label))
        && is_port(text.get(host.len()..)?))
    .then_some(host)
}

/// Whether a host can be reached only from a machine or network of a developer: names without a domain or of reserved domains
/// (RFC 2606, RFC 6761, RFC 6762, RFC 8375), and addresses that are not public (RFC 6890).
pub(crate) fn is_local(host: &url::Host<&str>) -> bool {
    match host {
        url::Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let ends = [
                "localhost",
                "local",
                "test",
                "invalid",
                "internal",
                "lan",
                "home",
                "intranet",
                "corp",
                "localdomain",
                "home.arpa",
                "docker",
                "example",
                "ddev.site",
                "lndo.site",
            ];
            !name.contains('.')
                || ends.iter().any(|end| {
                    name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                })
        }
        url::Host::Ipv4(address) => AddressScope::of((*address).into()) != AddressScope::Public,
        url::Host::Ipv6(address) => AddressScope::of((*address).into()) != AddressScope::Public,
    }
}
