//! Your own client, over `tokio::net`: HTTP/1.0 without TLS. `cargo run --example async -- http://example.com/page`
use core::{error::Error, time::Duration};
use std::io::Write as _;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncTransport, Entry, Failure, FailureKind, Head, Origin, Outcome, Request, SiteProfile,
};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::{net::TcpStream, time::timeout};
use url::{Position, Url};

const LIMIT: Duration = Duration::from_secs(10);

struct Client;

/// A body; without a length, it ends with the connection.
struct Body {
    stream: BufReader<TcpStream>,
    left: Option<u64>,
}

async fn send(request: &Request) -> Result<(Head, Body), Box<dyn Error + Send + Sync>> {
    let url = &request.url;
    let port = url.port_or_known_default().filter(|_| url.scheme() == "http").ok_or("not http")?;
    let mut stream = TcpStream::connect((url.host_str().ok_or("no host")?, port)).await?;
    let mut text = format!("GET {} HTTP/1.0\r\n", &url[Position::BeforePath..Position::AfterQuery]);
    text += &format!("host: {}\r\n", &url[Position::BeforeHost..Position::AfterPort]);
    request.fields().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
    stream.write_all(format!("{text}user-agent: ExampleBot/1.0\r\n\r\n").as_bytes()).await?;
    // A head of at most 64 KiB.
    let mut lines = BufReader::new(stream).take(64 * 1024);
    let (mut line, mut left) = (String::new(), None);
    lines.read_line(&mut line).await?;
    let mut head = Head::new(line.split(' ').nth(1).ok_or("no status")?.parse()?);
    while line != "\r\n" {
        line.clear();
        lines.read_line(&mut line).await?;
        let (name, value) = line.split_once(':').unwrap_or_default();
        head.add_field(name, value.as_bytes());
        if name.eq_ignore_ascii_case("content-length") {
            left = Some(value.trim().parse()?);
        }
        line.ends_with('\n').then_some(()).ok_or("the head is not complete")?;
    }
    Ok((head, Body { stream: lines.into_inner(), left }))
}

impl AsyncTransport for Client {
    type Body = Body;

    async fn send(&mut self, request: &Request) -> Result<(Head, Body), Failure> {
        match timeout(LIMIT, send(request)).await {
            Ok(answer) => answer.map_err(|error| Failure::new(FailureKind::Other, error)),
            Err(error) => Err(Failure::new(FailureKind::Timeout, error)),
        }
    }

    async fn read(&mut self, body: &mut Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        let mut rest = (&mut body.stream).take(body.left.unwrap_or(u64::MAX));
        let bytes = match timeout(LIMIT, rest.read(buffer)).await {
            Ok(read) => read.map_err(|error| Failure::new(FailureKind::Incomplete, error))?,
            Err(error) => return Err(Failure::new(FailureKind::Timeout, error)),
        };
        body.left = body.left.map(|left| left.saturating_sub(bytes as u64));
        let cut = bytes == 0 && body.left.is_some_and(|left| left > 0);
        if cut { Err(Failure::new(FailureKind::Incomplete, "")) } else { Ok(bytes) }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url: Url = std::env::args().nth(1).ok_or("no URL")?.parse()?;
    let profile = SiteProfile::RFC9309;
    let outcome =
        Outcome::retrieve_async(&mut Client, &Origin::from_url(&url)?, &Default::default(), &profile).await;
    let entry = Entry::from_outcome(None, outcome, &profile);
    let permission = entry.permission(&Crawler::new("ExampleBot")?, std::time::SystemTime::now());
    Ok(writeln!(std::io::stdout(), "{}", permission.check_url(&url))?)
}
