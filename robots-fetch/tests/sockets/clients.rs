//! Options of clients: addresses that they refuse, and HTTP clients that the caller has made.

use std::net::IpAddr;
use std::time::{Duration, Instant, SystemTime};

use robots_fetch::client::AddressPolicy;
use robots_fetch::{Access, Entry, SiteProfile};

use crate::support::{self, Act, Server, Then, answer, head};
use crate::{FILE, LATE, code, fetch, origin};

#[test]
fn addresses_are_refused_at_every_step() {
    let server = Server::start();
    let mut options = server.options();
    // The server's address stands for a public one; all others of the loopback interface must not be reached.
    options.addresses = AddressPolicy::custom(|address: IpAddr| {
        address == IpAddr::from([127, 0, 0, 1]) || AddressPolicy::Public.allows(address)
    });
    let address = server.address;
    options = options.with_resolver(move |host, _| match host {
        "private.example.com" => Ok(vec!["10.0.0.1:80".parse().unwrap()]),
        "metadata.example.com" => {
            Ok(vec!["169.254.169.254:80".parse().unwrap(), "[fe80::1]:80".parse().unwrap()])
        }
        _ => Ok(vec![address]),
    });
    for client in server.clients_with(&options) {
        let port = server.address.port();
        for host in [
            "private.example.com",
            "metadata.example.com",
            "127.0.0.2",
            "2130706434",
            "0x7f.2",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.2]",
            "[fd00::1]",
            "10.1.2.3",
        ] {
            // As the first URL, and after a redirect.
            server.script([]);
            let entry = fetch(&client, &origin(&format!("http://{host}:{port}")), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host} {:?}", client.name(), entry.cause());
            assert_eq!(server.connections(), 0, "{} {host}", client.name());
            server.script([Act::Send(
                answer(302, &[&format!("Location: http://{host}:{port}/")], b""),
                Then::Close,
            )]);
            let entry = fetch(&client, &origin("http://example.com"), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {host} {:?}", client.name(), entry.cause());
            assert_eq!(server.connections(), 1, "{} {host}", client.name());
            assert!(matches!(entry.access(SystemTime::now()), Access::Nothing(..)));
        }
    }
    options.addresses = AddressPolicy::Public;
    for client in server.clients_with(&options) {
        server.script([]);
        for url in ["http://example.com", "https://example.com"] {
            let entry = fetch(&client, &origin(url), &SiteProfile::RFC9309);
            assert_eq!(code(&entry), "refused-address", "{} {url}", client.name());
        }
        assert_eq!(server.connections(), 0);
    }
}

#[test]
fn clients_of_the_caller_obey_the_limits() {
    let server = Server::start();
    let options = server.options();
    // A client that follows redirects, and one that does not.
    let direct = |policy| {
        let builder =
            ::reqwest::Client::builder().redirect(policy).no_proxy().resolve("example.com", server.address);
        robots_fetch::client::reqwest::Client::with_client(builder.build().unwrap(), &options)
    };
    let redirect = || {
        [
            Act::Send(answer(302, &["Location: /a"], b""), Then::Close),
            Act::Send(answer(200, &[], FILE), Then::Close),
        ]
    };
    let fetched = |client: &robots_fetch::client::reqwest::Client| {
        support::runtime().block_on(client.refresh(
            &origin("http://example.com"),
            None,
            &SiteProfile::RFC9309,
        ))
    };
    server.script(redirect());
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::none()))), "success");
    server.script(redirect());
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::limited(5)))), "other");
    server.script([Act::Send(Vec::new(), Then::Silence)]);
    assert_eq!(code(&fetched(&direct(::reqwest::redirect::Policy::none()))), "timeout");
    let client = robots_fetch::client::blocking::Client::new(&options).unwrap();
    server.script(redirect());
    let local = origin(&format!("http://{}", server.address));
    let entry = client.refresh(&local, None, &SiteProfile::RFC9309);
    assert_eq!((code(&entry), entry.hops().len()), ("success", 2));
    server.script([Act::Send(answer(404, &[], FILE), Then::Close)]);
    assert_eq!(code(&client.refresh(&local, None, &SiteProfile::RFC9309)), "status");
    server.script([Act::Send(Vec::new(), Then::Silence)]);
    assert_eq!(code(&client.refresh(&local, None, &SiteProfile::RFC9309)), "timeout");
    // Bytes that keep coming do not extend the time limit.
    let flood = || {
        let start = head(200, &["Transfer-Encoding: chunked"]);
        [Act::Endless(start, vec![b'0'; 100_000], Duration::ZERO)]
    };
    let ends = |fetched: &dyn Fn() -> Entry| {
        server.script(flood());
        let began = Instant::now();
        let entry = fetched();
        assert!(["timeout", "chunking"].contains(&code(&entry)), "{:?}", entry.cause());
        assert!(began.elapsed() < options.total_timeout + LATE, "{:?}", began.elapsed());
    };
    ends(&|| fetched(&direct(::reqwest::redirect::Policy::none())));
    ends(&|| client.refresh(&local, None, &SiteProfile::RFC9309));
}
