//! Proxies.

use alloc::sync::Arc;
use core::fmt;
use core::net::IpAddr;
use std::env;
use std::ffi::OsString;

use ipnet::IpNet;
use url::{Host, Url};

use crate::failure::{Failure, FailureKind};
use crate::text::shown;

/// The proxies of a client, and the hosts that are asked without one. By default, there are none.
///
/// Proxies are asked over HTTP or HTTPS: requests for `http` URLs go to the proxy in absolute-form (RFC 9112, section 3.2.2),
/// and those for `https` URLs through a tunnel (`CONNECT`, RFC 9110, section 9.3.6). A user and a password in the URL of a
/// proxy are sent to the proxy, and only there. FTP through a proxy is not supported.
///
/// A proxy that fails is a [local failure](Failure::local), and not an outage of the site: if it can't be reached, refuses a
/// tunnel, or wants a password (status 407).
///
/// # Addresses
///
/// The address of the proxy itself is exempt from [`ClientOptions::addresses`](super::ClientOptions::addresses). URLs whose
/// host is an address are checked as always. The names of other hosts are looked up by the proxy, so that their addresses
/// can't be checked: let the proxy refuse addresses that crawlers must not reach.
///
/// ```
/// use robots_fetch::client::{ClientOptions, Proxies};
///
/// let mut options = ClientOptions::default();
/// options.proxies = Proxies::parse("http://proxy.example.com:3128")?.with_exceptions("localhost, .example.com, 10.0.0.0/8");
/// assert_eq!(format!("{:?}", options.proxies), "proxy.example.com:3128 except localhost, example.com, 10.0.0.0/8");
/// // Those of the environment, which no client uses by itself:
/// options.proxies = Proxies::from_env();
/// # Ok::<(), robots_fetch::Failure>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    ftp: Option<Proxy>,
    except: Arc<[Exception]>,
}

/// The URL of a proxy, or why a setting is not one.
type Proxy = Result<Url, Failure>;

impl Proxies {
    /// Creates proxies from one URL, for all schemes. `proxy.example.com:3128` is short for `http://proxy.example.com:3128`.
    ///
    /// # Errors
    ///
    /// The text is not a URL with the scheme http or https.
    pub fn parse(url: &str) -> Result<Self, Failure> {
        let url = proxy(url)?;
        let all = || Some(Ok(url.clone()));
        Ok(Self { http: all(), https: all(), ftp: all(), except: Arc::default() })
    }

    /// Creates proxies from environment variables: `HTTP_PROXY`, `HTTPS_PROXY` and `FTP_PROXY` for the scheme of that name,
    /// `ALL_PROXY` for schemes without one, and `NO_PROXY` for the hosts that are asked without a proxy
    /// ([`Self::with_exceptions`]). Names in lower case take precedence. An empty value means no proxy.
    ///
    /// `HTTP_PROXY` is ignored if there is a variable `REQUEST_METHOD`: in a CGI program, the client of the web server chooses
    /// its value. A value that is not a URL of a proxy does no harm until a request needs it, which then fails.
    #[must_use]
    pub fn from_env() -> Self {
        Self::from_variables(&|name| env::var_os(name))
    }

    fn from_variables(variable: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let either = |name: &str| {
            let lower = name.to_ascii_lowercase();
            let found = variable(&lower).map(|value| (lower, value));
            found.or_else(|| {
                let is_foreign = name == "HTTP_PROXY" && variable("REQUEST_METHOD").is_some();
                (!is_foreign).then(|| Some((name.to_owned(), variable(name)?)))?
            })
        };
        let of = |scheme: &str| {
            let (name, value) = either(scheme).or_else(|| either("ALL_PROXY"))?;
            let read = match value.to_str() {
                Some(text) if text.trim().is_empty() => return None,
                Some(text) => proxy(text),
                None => Err(Failure::new(FailureKind::Proxy, "the value is not UTF-8")),
            };
            Some(read.map_err(|failure| {
                Failure::new(FailureKind::Proxy, format!("the variable {name}: {}", failure.text()))
            }))
        };
        let all = Self {
            http: of("HTTP_PROXY"),
            https: of("HTTPS_PROXY"),
            ftp: of("FTP_PROXY"),
            ..Self::default()
        };
        match either("NO_PROXY") {
            Some((_, hosts)) => all.with_exceptions(&hosts.to_string_lossy()),
            None => all,
        }
    }

    /// Asks these hosts without a proxy: a list with commas, as in the variable `NO_PROXY`. Replaces the list before.
    ///
    /// `*` stands for all hosts, and `example.com` or `.example.com` for the host and those below it. An address stands for
    /// itself, and `10.0.0.0/8` for a range of addresses; hosts that have names are not looked up to compare them. A port
    /// after a colon restricts an item to that port. Other items have no effect.
    #[must_use]
    pub fn with_exceptions(self, hosts: &str) -> Self {
        let items = hosts.split(',').map(str::trim).filter(|item| !item.is_empty());
        Self { except: items.filter_map(Exception::parse).collect(), ..self }
    }

    /// Returns the proxy for a URL.
    ///
    /// # Errors
    ///
    /// The setting for the scheme of the URL is not a proxy.
    pub(super) fn of(&self, url: &Url) -> Result<Option<&Url>, Failure> {
        let proxy = match url.scheme() {
            "http" => &self.http,
            "https" => &self.https,
            _ => &self.ftp,
        };
        match proxy {
            Some(proxy) if !self.except.iter().any(|exception| exception.includes(url)) => {
                proxy.as_ref().map(Some).map_err(Clone::clone)
            }
            _ => Ok(None),
        }
    }

    /// Returns the proxy for `http` URLs, and the one for `https` URLs, whatever their hosts.
    #[cfg(feature = "reqwest")]
    pub(super) fn urls(&self) -> [Option<&Url>; 2] {
        [&self.http, &self.https].map(|proxy| proxy.as_ref()?.as_ref().ok())
    }
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |proxy: &Option<Proxy>| match proxy {
            None => "none".to_owned(),
            // Without the password.
            Some(Ok(url)) => authority(url),
            Some(Err(failure)) => failure.text().to_owned(),
        };
        let [http, https, ftp] = [&self.http, &self.https, &self.ftp].map(name);
        if http == https && https == ftp {
            f.write_str(&http)?;
        } else {
            write!(f, "http: {http}, https: {https}, ftp: {ftp}")?;
        }
        for (index, exception) in self.except.iter().enumerate() {
            write!(f, "{}{exception}", if index == 0 { " except " } else { ", " })?;
        }
        Ok(())
    }
}

/// Returns host and port of a URL.
pub(super) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    format!("{host}:{}", url.port_or_known_default().unwrap_or_default())
}

/// Returns the failure of a request in absolute-form, whose connection is that to the proxy. A proxy that can't reach a site
/// answers with a status.
#[cfg(any(feature = "blocking", feature = "reqwest"))]
pub(super) fn forwarded(failure: Failure) -> Failure {
    use FailureKind as Kind;
    match failure.kind() {
        Kind::Connect | Kind::Reset | Kind::NoNetwork | Kind::Tls => {
            Failure::new(Kind::Proxy, failure.text())
        }
        _ => failure,
    }
}

/// Reads the URL of a proxy.
fn proxy(text: &str) -> Result<Url, Failure> {
    let text = text.trim();
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    // The text may contain a password, so no message has it.
    let failure = |why: &str| Failure::new(FailureKind::Proxy, why);
    let url =
        Url::parse(&with_scheme).map_err(|error| failure(&format!("not the URL of a proxy: {error}")))?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        scheme => Err(failure(&format!(
            "proxies with the scheme `{}` are not supported; use http or https",
            shown(scheme)
        ))),
    }
}

/// Hosts that are asked without a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Exception {
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    All,
    /// This host, and those below it.
    Domain(String),
    Range(IpNet),
}

impl Exception {
    fn parse(item: &str) -> Option<Self> {
        if item == "*" {
            return Some(Self { hosts: Hosts::All, port: None });
        }
        let range = |text: &str| {
            let (address, bits) =
                text.split_once('/').map_or((text, None), |(text, bits)| (text, Some(bits)));
            let address: IpAddr = address.trim_matches(['[', ']']).parse().ok()?;
            let range =
                bits.map_or(Ok(address.into()), |bits| IpNet::new(address, bits.parse().unwrap_or(u8::MAX)));
            range.ok().map(Hosts::Range)
        };
        if let Some(hosts) = range(item) {
            return Some(Self { hosts, port: None });
        }
        let (host, port) = match item.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (item, None),
        };
        let domain = || {
            let host = host.strip_prefix('*').unwrap_or(host).trim_matches('.');
            match Host::parse(host) {
                Ok(Host::Domain(host)) => Some(Hosts::Domain(host)),
                _ => None,
            }
        };
        Some(Self { hosts: range(host).or_else(domain)?, port })
    }

    fn includes(&self, url: &Url) -> bool {
        if self.port.is_some() && self.port != url.port_or_known_default() {
            return false;
        }
        match (&self.hosts, url.host()) {
            (Hosts::All, _) => true,
            (Hosts::Domain(domain), Some(Host::Domain(host))) => {
                let rest = host.trim_end_matches('.').strip_suffix(domain.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            (Hosts::Range(range), Some(Host::Ipv4(address))) => range.contains(&IpAddr::V4(address)),
            (Hosts::Range(range), Some(Host::Ipv6(address))) => range.contains(&IpAddr::V6(address)),
            _ => false,
        }
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hosts {
            Hosts::All => f.write_str("*")?,
            Hosts::Domain(host) => f.write_str(host)?,
            Hosts::Range(range) if range.prefix_len() == range.max_prefix_len() => {
                write!(f, "{}", range.addr())?;
            }
            Hosts::Range(range) => write!(f, "{range}")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)], url: &str) -> String {
        let variables: Vec<(String, OsString)> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect();
        let get =
            |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        match Proxies::from_variables(&get).of(&url.parse().unwrap()) {
            Ok(proxy) => proxy.map_or("none".to_owned(), authority),
            Err(failure) => failure.text().to_owned(),
        }
    }

    #[test]
    fn variables_apply_to_their_schemes() {
        let all = [
            ("HTTP_PROXY", "http://a.test:1"),
            ("HTTPS_PROXY", "b.test:2"),
            ("ALL_PROXY", "https://user:secret@c.test"),
            ("NO_PROXY", "x.test"),
        ];
        assert_eq!(found(&all, "http://www.test/"), "a.test:1");
        assert_eq!(found(&all, "https://www.test/"), "b.test:2");
        assert_eq!(found(&all, "ftp://www.test/"), "c.test:443");
        assert_eq!(found(&all, "http://www.x.test/"), "none");
        assert_eq!(found(&all[2..], "http://www.test/"), "c.test:443");
        assert_eq!(found(&[], "http://www.test/"), "none");
        assert_eq!(found(&[("https_proxy", "a"), ("HTTPS_PROXY", "b")], "https://x/"), "a:80");
        assert_eq!(found(&[("https_proxy", ""), ("ALL_PROXY", "b")], "https://x/"), "none");
        let cgi = [("HTTP_PROXY", "http://evil.test"), ("REQUEST_METHOD", "GET")];
        assert_eq!(found(&cgi, "http://www.test/"), "none");
        let socks = found(&[("all_proxy", "socks5h://me:secret@a.test")], "http://www.test/");
        assert_eq!(
            socks,
            "the variable all_proxy: proxies with the scheme `socks5h` are not supported; use http or https"
        );
        assert!(!found(&[("ALL_PROXY", "http://me:secret@")], "http://x/").contains("secret"));
    }

    #[test]
    fn exceptions_are_hosts_domains_and_ranges() {
        let proxies = |list: &str| Proxies::parse("http://proxy.test").unwrap().with_exceptions(list);
        for (list, url, is_direct) in [
            ("*", "http://a.test/", true),
            ("a.test", "http://a.test/", true),
            ("a.test", "http://A.TEST./", true),
            (".a.test", "http://a.test/", true),
            ("*.a.test", "http://b.a.test/", true),
            ("a.test", "http://ba.test/", false),
            ("a.test", "http://a.test.evil/", false),
            ("a.test:8080", "http://a.test/", false),
            ("a.test:8080", "http://a.test:8080/", true),
            ("a.test:443", "https://a.test/", true),
            ("10.0.0.0/8", "http://10.1.2.3/", true),
            ("10.0.0.0/8", "http://11.1.2.3/", false),
            ("10.0.0.0/8", "http://[::ffff:10.0.0.1]/", false),
            ("127.0.0.1", "http://127.0.0.1:8000/", true),
            ("127.0.0.1:1", "http://127.0.0.1:8000/", false),
            ("[::1]", "http://[::1]/", true),
            ("::1", "http://[::1]/", true),
            ("fd00::/8", "http://[fd12::1]/", true),
            ("0.0.0.0/0", "http://1.2.3.4/", true),
            ("1.2.3.4/33, a b, :, a.test:x", "http://1.2.3.4/", false),
            ("ex\u{E4}mple.com", "http://xn--exmple-cua.com/", true),
            (" , b.test , a.test ,", "http://a.test/", true),
            ("", "http://a.test/", false),
        ] {
            let found = proxies(list);
            assert_eq!(found.of(&url.parse().unwrap()).unwrap().is_none(), is_direct, "{list} {url}");
        }
    }

    #[test]
    fn no_message_has_a_password() {
        for text in
            ["http://me:secret@a.test", "socks5://me:secret@a.test", "http://me:secret@[", "me:secret@a"]
        {
            let message = match Proxies::parse(text) {
                Ok(proxies) => format!("{proxies:?}"),
                Err(failure) => failure.to_string(),
            };
            assert!(!message.contains("secret"), "{message}");
        }
    }
}
