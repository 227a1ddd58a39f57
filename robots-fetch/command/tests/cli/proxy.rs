//! Proxies, certificates and redirects to private addresses.

use alloc::sync::Arc;
use core::net::SocketAddr;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread;

use crate::command::{file, robots};
use crate::site::{Site, answer, rules};

/// A proxy that forwards all requests in absolute-form to one address, and notes their request lines.
fn proxy(to: SocketAddr) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).is_ok_and(|bytes| bytes > 0) {
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).unwrap();
            let (line, fields) = head.split_once("\r\n").unwrap();
            noted.lock().unwrap().push(line.to_owned());
            let path = line.splitn(4, '/').nth(3).unwrap();
            let mut site = TcpStream::connect(to).unwrap();
            write!(site, "GET /{path}\r\n{}", fields.replacen("\r\n", "\r\nConnection: close\r\n", 1))
                .unwrap();
            let mut answer = Vec::new();
            let _ = site.read_to_end(&mut answer);
            let _ = client.write_all(&answer);
        }
    });
    (url, seen)
}

/// Status, standard output and standard error of the command in an environment with these variables.
fn outcome(args: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = robots();
    command.envs(variables.iter().copied());
    let output = command.args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn sites_are_asked_through_the_proxy_of_the_environment_or_of_an_option() {
    let site = Site::new(rules(&[]));
    let (url, seen) = proxy(site.base.trim_start_matches("http://").parse().unwrap());
    let check = ["check", "--no-cache", "-a", "x", "http://example.com/private"];
    let lines = || core::mem::take(&mut *seen.lock().unwrap());
    let expected = "disallowed http://example.com/private  line 2: Disallow: /private\n";
    for (args, variables) in [
        (&[][..], &[("HTTP_PROXY", url.as_str())][..]),
        (&[], &[("http_proxy", &url)]),
        (&[], &[("ALL_PROXY", &url)]),
        (&["--proxy", &url], &[]),
        (&["--proxy", &url], &[("HTTP_PROXY", "http://127.0.0.1:1")]),
        (&["--proxy", &url], &[("NO_PROXY", "example.org")]),
        (&["--no-proxy=example.org"], &[("HTTP_PROXY", &url), ("NO_PROXY", "example.com")]),
    ] {
        let (status, out, err) = outcome(&[&check[..], args].concat(), variables);
        assert_eq!((status, out.as_str()), (1, expected), "{args:?} {variables:?} {err}");
        assert_eq!(lines(), ["GET http://example.com/robots.txt HTTP/1.1"], "{args:?} {variables:?}");
    }
    let site_url = site.url("/private");
    for (args, variables) in [
        (&["--no-proxy"][..], &[("HTTP_PROXY", url.as_str())][..]),
        (&["--no-proxy=127.0.0.0/8"], &[("HTTP_PROXY", &url)]),
        (&[], &[("HTTP_PROXY", &url), ("NO_PROXY", "127.0.0.1")]),
        (&["--proxy", &url], &[("no_proxy", "*")]),
        (&[], &[("HTTP_PROXY", &url), ("REQUEST_METHOD", "GET")]),
    ] {
        let args = [&["check", "--no-cache", "-a", "x", &site_url], args].concat();
        let (status, _, err) = outcome(&args, variables);
        assert_eq!((status, lines().len()), (1, 0), "{args:?} {variables:?} {err}");
    }
}

#[test]
fn a_proxy_that_fails_is_named_and_not_its_password() {
    let args = ["fetch", "--no-cache", "http://example.com"];
    let (status, out, _) = outcome(&args, &[("HTTP_PROXY", "http://me:secret@127.0.0.1:1")]);
    assert_eq!(status, 2);
    assert!(out.contains("the proxy failed") && !out.contains("secret"), "{out}");
    assert!(out.contains("the failure is not the site's") && !out.contains("unreachable since"), "{out}");
    let (status, out, _) = outcome(&args, &[("ALL_PROXY", "socks5://me:secret@127.0.0.1:1")]);
    assert_eq!(status, 2);
    assert!(out.contains("ALL_PROXY") && out.contains("socks5") && !out.contains("secret"), "{out}");
    for proxy in ["socks5://me:secret@a", "http://me:secret@", "http://me:secret@["] {
        let (status, _, err) = outcome(&[&args[..], &["--proxy", proxy]].concat(), &[]);
        assert_eq!(status, 2);
        assert!(err.contains("`--proxy`") && !err.contains("secret"), "{err}");
    }
}

#[test]
fn a_redirect_of_the_site_that_the_user_named_may_stay_on_the_machine() {
    let target = Site::new(rules(&[]));
    let location = format!("Location: {}/other", target.base);
    let site = Site::new(answer("302 Found", &[&location], ""));
    let url = format!("{}/private", site.base);
    let (status, out, err) = outcome(&["check", "--no-cache", "-a", "x", &url], &[]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("line 2: Disallow: /private"), "{out}");
    let (status, out, _) = outcome(&["check", "--no-cache", "--public-only", "-a", "x", &url], &[]);
    assert_eq!(status, 2);
    assert!(out.contains("address is not allowed"), "{out}");
}

#[test]
fn sitemaps_that_a_public_site_or_a_file_names_are_not_asked_on_private_addresses() {
    let urls = "<urlset><url><loc>http://example.com/private</loc></url></urlset>";
    let inside = Site::new(answer("200 OK", &[], urls));
    let map = inside.url("/map.xml");
    let robots_txt = format!("User-agent: *\nDisallow: /private\nSitemap: {map}\n");
    let public = Site::new(answer("200 OK", &[], &robots_txt));
    // The proxy takes the place of a public host.
    let (proxy, _) = proxy(public.base.trim_start_matches("http://").parse().unwrap());
    let index = format!("<sitemapindex><sitemap><loc>{map}</loc></sitemap></sitemapindex>");
    let path = file("names-private", &robots_txt);
    let requests = ["--proxy", &proxy, "--no-proxy=127.0.0.1"];
    let audit = ["audit", "--format", "jsonl", "--sitemaps"];
    for input in ["http://example.com", path.to_str().unwrap()] {
        let args = [&audit[..], &requests, &[input]].concat();
        let (status, out, err) = outcome(&args, &[]);
        assert_eq!((status, inside.count()), (2, 0), "{input} {out} {err}");
        let refused = format!(
            "the sitemap {map} could not be read: address is not allowed: 127.0.0.1; --private-redirects"
        );
        assert!(out.contains(&refused), "{input} {out}");
        let (status, out, err) = outcome(&[&args[..], &["--private-redirects"]].concat(), &[]);
        assert_eq!((status, inside.count()), (1, 1), "{input} {out} {err}");
        assert!(out.contains("\"kind\":\"submitted\""), "{input} {out}");
        inside.asked.lock().unwrap().clear();
    }
    // The user names a sitemap, and a site another one.
    public.answers(answer("200 OK", &[], &index));
    let args =
        [&["audit", "--urls", "http://example.com/index.xml"], &requests[..], &[path.to_str().unwrap()]];
    let (status, _, err) = outcome(&args.concat(), &[]);
    assert_eq!((status, inside.count()), (2, 0), "{err}");
    assert!(err.contains("address is not allowed: 127.0.0.1"), "{err}");
    let (status, _, err) = outcome(&["audit", "--urls", &map, "--no-proxy", path.to_str().unwrap()], &[]);
    assert_eq!((status, inside.count()), (1, 1), "{err}");
}

#[test]
fn files_of_certificates_are_read_or_named() {
    let bad = file("bad-ca", "no certificate");
    let (status, _, err) =
        outcome(&["fetch", "--no-cache", "--ca", bad.to_str().unwrap(), "http://127.0.0.1:1"], &[]);
    assert_eq!(status, 2);
    assert!(err.contains("robots.txt: expected a certificate in PEM format"), "{err}");
    let (status, _, err) =
        outcome(&["fetch", "--no-cache", "--ca", "/no/such/file", "http://127.0.0.1:1"], &[]);
    assert_eq!(status, 2);
    assert!(err.contains("can't read /no/such/file: no such file"), "{err}");
    let pair = rcgen::generate_simple_self_signed(["example.com".to_owned()]).unwrap();
    let good = file("good-ca", pair.cert.pem());
    let (status, out, err) = outcome(
        &["fetch", "--no-cache", "--no-proxy", "--ca", good.to_str().unwrap(), "http://127.0.0.1:1"],
        &[],
    );
    assert_eq!(status, 2, "{err}");
    assert!(out.contains("could not connect"), "{out}");
}
