//! A small HTTP proxy: tunnels (`CONNECT`) and requests in absolute-form.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The behaviour of the proxy on each connection.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// It forwards everything to this address, whatever the site.
    Forward(SocketAddr),
    /// It wants these credentials before it forwards.
    Protected(&'static str, SocketAddr),
    /// It answers each request with these bytes.
    Answer(&'static str),
    /// It closes each connection.
    Close,
    /// It never answers.
    Silence,
}

/// A proxy. Its threads end with the test.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<VecDeque<String>>>,
}

impl Proxy {
    pub(crate) fn start(does: Does) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(VecDeque::new()));
        let noted = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (does, noted) = (does.clone(), Arc::clone(&noted));
                // A client that goes away is not a mistake of the proxy.
                thread::spawn(move || connection(stream, &does, &noted).ok());
            }
        });
        Self { address, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the request lines since the last call, with the credentials if there were any.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().drain(..).collect()
    }
}

fn connection(mut client: TcpStream, does: &Does, seen: &Mutex<VecDeque<String>>) -> io::Result<()> {
    client.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if client.read(&mut byte)? == 0 {
            return Ok(());
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let line = head.lines().next().unwrap_or_default().to_owned();
    let given = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("proxy-authorization").then_some(value)
    });
    let shown = line.trim_end_matches(" HTTP/1.1").to_owned();
    seen.lock().unwrap().push_back(match given {
        Some(given) => format!("{shown} [{given}]"),
        None => shown,
    });
    let target = match does {
        Does::Forward(target) => *target,
        Does::Protected(wanted, target) if given == Some(wanted) => *target,
        Does::Protected(..) => {
            client.write_all(
                b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            )?;
            return client.shutdown(Shutdown::Write);
        }
        Does::Answer(bytes) => {
            client.write_all(bytes.as_bytes())?;
            return client.shutdown(Shutdown::Write);
        }
        Does::Close => return Ok(()),
        Does::Silence => {
            client.read_to_end(&mut Vec::new())?;
            return Ok(());
        }
    };
    let mut site = TcpStream::connect(target)?;
    if line.starts_with("CONNECT ") {
        client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
    } else {
        site.write_all(in_origin_form(&head).as_bytes())?;
    }
    relay(&client, &site)
}

/// Returns the request as it goes to the site.
fn in_origin_form(head: &str) -> String {
    let (line, fields) = head.split_once("\r\n").unwrap();
    let path = line.splitn(4, '/').nth(3).unwrap();
    let fields: Vec<&str> =
        fields.split("\r\n").filter(|field| !field.to_ascii_lowercase().starts_with("proxy-")).collect();
    format!("GET /{path}\r\n{}", fields.join("\r\n"))
}

fn relay(client: &TcpStream, site: &TcpStream) -> io::Result<()> {
    let (mut from, mut to) = (client.try_clone()?, site.try_clone()?);
    let upwards = thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let (mut from, mut to) = (site, client);
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
    let _ = upwards.join();
    Ok(())
}
