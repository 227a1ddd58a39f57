use alloc::format;

use url::Url;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;
use crate::lint::url::is_local;
use crate::records::RecordKind;

lint! {
    code: "sitemap-host",
    severity: error,
    title: "A sitemap is at an address that crawlers can't reach",
    check: File(check),
    /// `localhost`, names without a domain, reserved names such as `shop.test` and `shop.local`, and addresses of private networks
    /// such as `192.168.1.10` exist only where a site is developed. No crawler finds a sitemap there. Most often a program
    /// wrote the file with the settings of a developer.
    ///
    /// `example.com`, `example.org` and `example.net` are for examples (RFC 2606), and are reported where the URL of the file is known and
    /// has another host.
    ///
    /// This concerns all crawlers that read sitemaps. Write the address at which visitors reach the site. Where `robots lint` knows
    /// the URL of the file (`--url`), the host of this URL is not reported.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Sitemap: http://localhost:3000/sitemap.xml
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Sitemap: https://example.com/localhost.xml
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let own = file.facts.url.and_then(|url| Url::parse(url).ok());
    // Without the URL of the file, it may be an example itself.
    let is_elsewhere = own.as_ref().is_some_and(|own| !is_example(own));
    for record in file.records.all().iter().filter(|record| record.kind == RecordKind::Sitemap) {
        let text = core::str::from_utf8(record.raw.bytes()).ok();
        let Some(url) = text.and_then(|text| Url::parse(text).ok()) else { continue };
        if url.host_str().is_some_and(|host| host.starts_with('.') || host.contains("..")) {
            let message = format!(
                "`{}` is not a host, because it has a dot too many",
                url.host_str().unwrap_or_default()
            );
            drafts.add(
                Draft::new(record.line, record.raw.span(), message)
                    .help("write the address at which visitors reach the site"),
            );
            continue;
        }
        if url.host_str().is_some_and(|host| host.contains(',')) {
            let message =
                format!("`{}` is not a host, because it has a comma", url.host_str().unwrap_or_default());
            drafts.add(
                Draft::new(record.line, record.raw.span(), message).help("write a dot in place of the comma"),
            );
            continue;
        }
        if is_example(&url) && is_elsewhere {
            let message =
                format!("`{}` is a name for examples (RFC 2606)", url.host_str().unwrap_or_default());
            drafts.add(
                Draft::new(record.line, record.raw.span(), message)
                    .help("write the address at which visitors reach the site"),
            );
            continue;
        }
        let Some(host) = url.host().filter(is_local) else { continue };
        if !matches!(url.scheme(), "http" | "https") {
            continue;
        }
        // As in `https://https://example.com/`, about which another lint reports.
        if matches!(host, url::Host::Domain("http" | "https")) {
            continue;
        }
        if own.as_ref().is_some_and(|own| own.host() == url.host()) {
            continue;
        }
        let message = format!("no crawler can reach `{host}`, where this sitemap is");
        drafts.add(Draft::new(record.line, record.raw.span(), message).help(
            "write the address at which visitors reach the site, and check the program that writes the file",
        ));
    }
}

/// Whether a URL has a host that is for examples: `example.com`, `example.org` or `example.net`, also with `www.`.
fn is_example(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    matches!(host.strip_prefix("www.").unwrap_or(host), "example.com" | "example.org" | "example.net")
}
