//! Clients behind a proxy, certificates of other authorities, and redirects to private addresses.

use core::time::Duration;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use robots_fetch::client::{AddressPolicy, ClientOptions, Proxies, blocking, ftp, reqwest};
use robots_fetch::{Entry, SiteProfile};

use crate::support::proxy::{Does, Proxy};
use crate::support::{Act, Client, Server, Then, answer, pem, runtime};
use crate::{FILE, code, fetch, origin};
use robots_conformance::testing::ClosedPort;

fn clients(options: &ClientOptions) -> [Client; 2] {
    [
        Client::Blocking(blocking::Client::new(options).unwrap()),
        Client::Reqwest(reqwest::Client::new(options).unwrap(), runtime()),
    ]
}

fn file() -> Act {
    Act::Send(answer(200, &[], FILE), Then::Close)
}

/// Options with which only the proxy can reach the server: no name has an address, and no address is allowed.
fn options_with(proxy: &Proxy, server: &Server) -> ClientOptions {
    let mut options = server.patient_options();
    options.addresses = AddressPolicy::Public;
    options = options.with_resolver(|host, _| panic!("{host} is looked up, although there is a proxy"));
    options.proxies = Proxies::parse(&proxy.url()).unwrap();
    options
}

#[test]
fn requests_go_through_the_proxy() {
    let server = Server::start();
    let proxy = Proxy::start(Does::Forward(server.address));
    for client in clients(&options_with(&proxy, &server)) {
        let name = client.name();
        // HTTP in absolute-form, and HTTPS through a tunnel.
        server.script([file()]);
        let entry = fetch(&client, &origin("http://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "success", "{name}: {:?}", entry.cause());
        assert_eq!(server.record().0, ["http://example.com/robots.txt"], "{name}");
        assert_eq!(proxy.seen(), ["GET http://example.com/robots.txt"], "{name}");
        server.script([file()]);
        let entry = fetch(&client, &origin("https://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "success", "{name}: {:?}", entry.cause());
        assert_eq!(server.record().0, ["https://example.com/robots.txt"], "{name}");
        assert_eq!(proxy.seen(), ["CONNECT example.com:443"], "{name}");
        // A redirect from one to the other, and with a port.
        server.script([
            Act::Send(answer(301, &["Location: http://www.example.org:8080/a?b"], b""), Then::Close),
            file(),
        ]);
        let entry = fetch(&client, &origin("https://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "success", "{name}: {:?}", entry.cause());
        assert_eq!(
            proxy.seen(),
            ["CONNECT example.com:443", "GET http://www.example.org:8080/a?b"],
            "{name}"
        );
        assert_eq!(server.wrong(), Vec::<String>::new());
    }
}

#[test]
fn credentials_go_to_the_proxy_only() {
    let server = Server::start();
    // `me:p@ss`
    let wanted = "Basic bWU6cEBzcw==";
    let proxy = Proxy::start(Does::Protected(wanted, server.address));
    let mut options = options_with(&proxy, &server);
    for client in clients(&options) {
        for url in ["http://example.com", "https://example.com"] {
            server.script([]);
            let entry = fetch(&client, &origin(url), &SiteProfile::RFC9309);
            // Not a file that is unavailable, as 407 from a site would be.
            assert_eq!(code(&entry), "proxy", "{} {url}: {:?}", client.name(), entry.cause());
            assert!(entry.is_local_failure());
            assert_eq!(server.connections(), 0);
        }
    }
    proxy.seen();
    options.proxies = Proxies::parse(&format!("http://me:p%40ss@{}", proxy.address)).unwrap();
    for client in clients(&options) {
        for url in ["http://example.com", "https://example.com"] {
            server.script([file()]);
            let entry = fetch(&client, &origin(url), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "success", "{} {url}: {:?}", client.name(), entry.cause());
            let seen = proxy.seen();
            assert!(seen.iter().all(|seen| seen.ends_with(&format!("[{wanted}]"))), "{seen:?}");
            // The server notes credentials that it gets.
            assert_eq!(server.wrong(), Vec::<String>::new());
        }
    }
}

#[test]
fn a_failing_proxy_is_not_an_outage_of_the_site() {
    let server = Server::start();
    let closed = ClosedPort::new();
    let failing = [
        Does::Close,
        Does::Answer("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n"),
        Does::Silence,
        Does::Answer("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
        Does::Answer("SSH-2.0-OpenSSH\r\n\r\n"),
    ];
    let proxies: Vec<Proxy> = failing.into_iter().map(Proxy::start).collect();
    let urls = proxies
        .iter()
        .map(Proxy::url)
        .chain([format!("http://{}", closed.address), "http://proxy.test".to_owned()]);
    for (index, url) in urls.enumerate() {
        // One of them is silent.
        let mut options = if index == 2 { server.options() } else { server.patient_options() };
        options = options.with_resolver(|host, _| Err(io::Error::other(format!("no host {host}"))));
        options.proxies = Proxies::parse(&url).unwrap();
        for client in clients(&options) {
            let entry = fetch(&client, &origin("https://example.com"), &SiteProfile::RFC9309);
            // After a timeout it is not known which of them is silent. Such a timeout is below the default here.
            let is_silent = index == 2;
            let expected = if is_silent && code(&entry) == "timeout" { "timeout" } else { "proxy" };
            assert_eq!(code(&entry), expected, "{} {url}: {:?}", client.name(), entry.cause());
            assert!(is_silent || entry.is_local_failure() && entry.outage().is_none());
        }
    }
}

#[test]
fn addresses_in_urls_are_checked_with_a_proxy_too() {
    let server = Server::start();
    let proxy = Proxy::start(Does::Forward(server.address));
    for client in clients(&options_with(&proxy, &server)) {
        for host in ["http://10.0.0.1", "https://[::1]", "http://0x7f.1", "http://169.254.169.254"] {
            server.script([]);
            let entry = fetch(&client, &origin(host), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host}", client.name());
            assert!(entry.is_local_failure());
            server.script([Act::Send(answer(302, &[&format!("Location: {host}/")], b""), Then::Close)]);
            let entry = fetch(&client, &origin("http://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host}", client.name());
            assert!(!entry.is_local_failure() && entry.outage().is_some());
        }
        assert_eq!(proxy.seen().len(), 4, "{}", client.name());
    }
}

#[test]
fn exceptions_are_asked_without_the_proxy_and_ftp_is_not_asked_through_it() {
    let server = Server::start();
    let proxy = Proxy::start(Does::Close);
    let mut options = server.patient_options();
    options.proxies = Proxies::parse(&proxy.url()).unwrap().with_exceptions("example.com");
    for client in clients(&options) {
        for url in ["http://example.com", "https://www.example.com"] {
            server.script([file()]);
            let entry = fetch(&client, &origin(url), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "success", "{} {url}: {:?}", client.name(), entry.cause());
        }
        server.script([]);
        let entry = fetch(&client, &origin("http://example.org"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "proxy", "{}", client.name());
        assert_eq!(proxy.seen(), ["GET http://example.org/robots.txt"]);
    }
    let both = blocking::Client::new(&options).unwrap().with_ftp(ftp::Client::new(&options).unwrap());
    let entry = both.refresh(&origin("ftp://example.org"), None, &SiteProfile::RFC9309);
    assert_eq!(code(&entry), "proxy", "{:?}", entry.cause());
    assert!(entry.is_local_failure());
}

#[test]
fn certificates_of_other_authorities_are_trusted_besides_those_of_mozilla() {
    let server = Server::start();
    let without = {
        let mut options = server.patient_options();
        options.certificates.clear();
        options
    };
    for client in clients(&without) {
        server.script([file()]);
        let entry = fetch(&client, &origin("https://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "tls", "{}", client.name());
        assert!(!entry.is_local_failure());
    }
    // Two certificates, of which the second is the server's.
    let mut options = server.patient_options();
    options.certificates = [pem(&Server::start().certificate), pem(&server.certificate)].concat();
    for client in clients(&options) {
        server.script([file()]);
        let entry = fetch(&client, &origin("https://example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "success", "{}: {:?}", client.name(), entry.cause());
        // The name of the host is still checked.
        server.script([file()]);
        let entry = fetch(&client, &origin("https://example.net"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "tls", "{}: {:?}", client.name(), entry.cause());
    }
    options.certificates = b"no certificate".to_vec();
    assert!(blocking::Client::new(&options).is_err() && reqwest::Client::new(&options).is_err());
}

/// A resolver whose names are on this machine, where `public` stands for a host with a public address, too.
fn resolver(address: SocketAddr) -> impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> {
    move |host, _| match host {
        "public.example.com" => Ok(vec![address, "93.184.215.14:80".parse().unwrap()]),
        _ => Ok(vec![address]),
    }
}

#[test]
fn a_redirect_from_a_public_host_to_a_private_address_is_refused() {
    let server = Server::start();
    let mut options = server.patient_options();
    options = options.with_resolver(resolver(server.address));
    // As the command: the first host is the user's choice.
    options.addresses = AddressPolicy::Any;
    let to = |location: &str| {
        [Act::Send(answer(302, &[&format!("Location: {location}")], b""), Then::Close), file()]
    };
    for (from, location, expected) in [
        ("http://public.example.com", "http://inside.example.com/", "refused-address"),
        ("http://public.example.com", "http://127.0.0.1/", "refused-address"),
        ("http://public.example.com", "http://[::1]/", "refused-address"),
        ("http://inside.example.com", "http://other.example.com/", "success"),
        ("https://inside.example.com", "http://inside.example.com/a", "success"),
    ] {
        for client in clients(&options) {
            server.script(to(location));
            let entry = fetch(&client, &origin(from), &SiteProfile::RFC9309);
            let place = format!("{} {from} {location}: {:?}", client.name(), entry.cause());
            assert_eq!(code(&entry), expected, "{place}");
            assert!(!entry.is_local_failure(), "{place}");
        }
        let mut all = options.clone();
        all.redirect_addresses = AddressPolicy::Any;
        for client in
            clients(&all).iter().filter(|_| !location.contains("127.0.0.1") && !location.contains("::1"))
        {
            server.script(to(location));
            let entry = fetch(client, &origin(from), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "success", "{} {from} {location}", client.name());
        }
    }
}

#[test]
fn files_that_a_public_host_names_are_not_downloaded_from_a_private_address() {
    let server = Server::start();
    let mut options = server.patient_options();
    options = options.with_resolver(resolver(server.address));
    options.addresses = AddressPolicy::Any;
    for (named_by, url, is_allowed) in [
        (&[][..], "http://inside.example.com/a", true),
        (&["http://public.example.com"], "http://inside.example.com/a", false),
        (&["http://public.example.com"], "http://127.0.0.1/a", false),
        (&["http://public.example.com"], "http://[::1]/a", false),
        (&["http://inside.example.com"], "http://other.example.com/a", true),
        (&["http://inside.example.com", "http://public.example.com"], "http://inside.example.com/a", false),
    ] {
        let client = blocking::Client::new(&options).unwrap();
        for named_by in named_by {
            server.script([file()]);
            let _ = client.refresh(&origin(named_by), None, &SiteProfile::RFC9309);
        }
        server.script([file()]);
        let named_by: Vec<_> = named_by.iter().map(|url| url.parse().unwrap()).collect();
        let found = client.download(&url.parse().unwrap(), &named_by, Duration::from_secs(10));
        let place = format!("{named_by:?} {url} {found:?}");
        assert_eq!(found.is_ok(), is_allowed, "{place}");
        assert!(found.is_ok() || server.record().0.is_empty(), "{place}");
    }
}

#[test]
fn a_kept_connection_does_not_lead_a_redirect_inside() {
    let server = Server::start();
    let mut options = server.patient_options();
    options = options.with_resolver(resolver(server.address));
    options.addresses = AddressPolicy::Any;
    for client in clients(&options) {
        // The user asks a private host; its connection is kept.
        server.script([Act::Send(answer(200, &[], FILE), Then::Keep)]);
        let entry = fetch(&client, &origin("http://inside.example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "success", "{}", client.name());
        server.script([
            Act::Send(answer(302, &["Location: http://inside.example.com/"], b""), Then::Close),
            file(),
        ]);
        let entry = fetch(&client, &origin("http://public.example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "refused-address", "{}: {:?}", client.name(), entry.cause());
        assert_eq!(server.record().0, ["http://public.example.com/robots.txt"], "{}", client.name());
    }
}

#[test]
fn a_name_with_another_address_each_time_does_not_lead_inside() {
    let server = Server::start();
    let mut options = server.patient_options();
    options.addresses = AddressPolicy::Any;
    let asked = Arc::new(AtomicUsize::new(0));
    let hosts = Arc::new(Mutex::new(Vec::new()));
    let (count, seen, address) = (Arc::clone(&asked), Arc::clone(&hosts), server.address);
    options = options.with_resolver(move |host, _| {
        seen.lock().unwrap().push(host.to_owned());
        // Public and private the first time, and private from then on.
        match count.fetch_add(1, Ordering::AcqRel) {
            0 => Ok(vec![address, "93.184.215.14:80".parse().unwrap()]),
            _ => Ok(vec![address]),
        }
    });
    for client in clients(&options) {
        asked.store(0, Ordering::Release);
        server.script([
            Act::Send(answer(302, &["Location: http://rebound.example.com/a"], b""), Then::Close),
            file(),
        ]);
        let entry: Entry = fetch(&client, &origin("http://rebound.example.com"), &SiteProfile::RFC9309);
        assert_eq!(code(&entry), "refused-address", "{}: {:?}", client.name(), entry.cause());
    }
    assert!(hosts.lock().unwrap().iter().all(|host| host == "rebound.example.com"));
}
