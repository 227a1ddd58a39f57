//! Your own client, over `std::net`: HTTP/1.0 without TLS. `cargo run --example blocking -- http://example.com/page`
use core::{error::Error, time::Duration};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use robots_fetch::matching::Crawler;
use robots_fetch::{Entry, Failure, FailureKind, Head, Origin, Outcome, Request, SiteProfile, Transport};
use url::{Position, Url};

struct Client;

impl Transport for Client {
    type Body = Body;

    fn send(&mut self, request: &Request) -> Result<(Head, Body), Failure> {
        let url = &request.url;
        if url.scheme() != "http" {
            return Err(Failure::new(FailureKind::UnsupportedScheme, url.scheme()));
        }
        let addresses = url.socket_addrs(|| None).map_err(failed(FailureKind::Dns))?;
        let mut stream = TcpStream::connect(&*addresses).map_err(failed(FailureKind::Connect))?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).map_err(failed(FailureKind::Other))?;
        let mut text = format!("GET {} HTTP/1.0\r\n", &url[Position::BeforePath..Position::AfterQuery]);
        text += &format!("host: {}\r\n", &url[Position::BeforeHost..Position::AfterPort]);
        request.fields().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        write!(stream, "{text}user-agent: ExampleBot/1.0\r\n\r\n").map_err(failed(FailureKind::Reset))?;

        // A head of at most 64 KiB.
        let mut lines = BufReader::new(stream).take(64 * 1024);
        let status = line(&mut lines)?.split(' ').nth(1).unwrap_or_default().parse();
        let mut head = Head::new(status.map_err(failed(FailureKind::InvalidResponse))?);
        let mut left = None;
        while let Some((name, value)) = line(&mut lines)?.split_once(':') {
            head.add_field(name, value.as_bytes());
            if name.eq_ignore_ascii_case("content-length") {
                left = Some(value.trim().parse().map_err(failed(FailureKind::InvalidResponse))?);
            }
        }
        Ok((head, Body { stream: lines.into_inner(), left }))
    }

    fn read(&mut self, body: &mut Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        let mut rest = body.stream.by_ref().take(body.left.unwrap_or(u64::MAX));
        let bytes = rest.read(buffer).map_err(failed(FailureKind::Incomplete))?;
        body.left = body.left.map(|left| left.saturating_sub(bytes as u64));
        let cut = bytes == 0 && body.left.is_some_and(|left| left > 0);
        if cut { Err(Failure::new(FailureKind::Incomplete, "")) } else { Ok(bytes) }
    }
}

/// A body; without a length, it ends with the connection.
struct Body {
    stream: BufReader<TcpStream>,
    left: Option<u64>,
}

fn line(lines: &mut impl BufRead) -> Result<String, Failure> {
    let mut line = String::new();
    lines.read_line(&mut line).map_err(failed(FailureKind::Reset))?;
    if line.ends_with('\n') { Ok(line) } else { Err(Failure::new(FailureKind::Reset, line)) }
}
fn failed<E: Error>(kind: FailureKind) -> impl Fn(E) -> Failure {
    move |error| Failure::new(kind, error)
}
fn main() -> Result<(), Box<dyn Error>> {
    let url: Url = std::env::args().nth(1).ok_or("no URL")?.parse()?;
    let outcome =
        Outcome::retrieve(&mut Client, &Origin::from_url(&url)?, &Default::default(), &SiteProfile::RFC9309);
    let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
    let permission = entry.permission(&Crawler::new("ExampleBot")?, std::time::SystemTime::now());
    Ok(writeln!(io::stdout(), "{}", permission.check_url(&url))?)
}
