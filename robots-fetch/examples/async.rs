//! A client of one's own, over `tokio::net`: HTTP/1.0 without TLS. `cargo run --example async -- http://example.com/page`
use core::{error::Error, time::Duration};
use std::{io::Write as _, time::SystemTime};

use robots_fetch::matching::ProductToken;
use robots_fetch::{
    AwaitingHead, Entry, Failure, FailureKind, Head, NextStep, Origin, Outcome, Profile, ReadingBody, Request,
};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::{net::TcpStream, time::timeout};
use url::{Position, Url};

const LIMIT: Duration = Duration::from_secs(10);
/// The head of the answer, the length of its body if it says so, and where that comes from.
type Answer = (Head, Option<usize>, BufReader<TcpStream>);

async fn send(request: &Request) -> Result<Answer, Box<dyn Error>> {
    let url = &request.url;
    let port = url.port_or_known_default().filter(|_| url.scheme() == "http").ok_or("not http")?;
    let mut stream = TcpStream::connect((url.host_str().ok_or("no host")?, port)).await?;
    let mut text = format!("GET {} HTTP/1.0\r\n", &url[Position::BeforePath..Position::AfterQuery]);
    text += &format!("host: {}\r\n", &url[Position::BeforeHost..Position::AfterPort]);
    request.fields().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
    stream.write_all(format!("{text}user-agent: ExampleBot/1.0\r\n\r\n").as_bytes()).await?;
    // A head of at most 64 KiB.
    let mut lines = BufReader::new(stream).take(64 * 1024);
    let (mut line, mut length) = (String::new(), None);
    lines.read_line(&mut line).await?;
    let mut head = Head::new(line.split(' ').nth(1).ok_or("no status")?.parse()?);
    while line != "\r\n" {
        line.clear();
        lines.read_line(&mut line).await?;
        let (name, value) = line.split_once(':').unwrap_or_default();
        head.add_field(name, value.as_bytes());
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse()?);
        }
        line.ends_with('\n').then_some(()).ok_or("the head is not complete")?;
    }
    Ok((head, length, lines.into_inner()))
}
async fn read(mut reading: ReadingBody, length: Option<usize>, mut body: BufReader<TcpStream>) -> Outcome {
    let (mut part, mut bytes) = (Vec::new(), 0);
    let failure = loop {
        part.clear();
        let read = timeout(LIMIT, body.read_buf(&mut part)).await.map_err(Into::into).flatten();
        bytes += part.len();
        match read.map_err(|error: std::io::Error| error.to_string()) {
            Ok(1..) if reading.push(&part) => {}
            Ok(0) if length.is_some_and(|length| bytes < length) => break "it ended early".to_owned(),
            Ok(_) => return reading.end(SystemTime::now()),
            Err(error) => break error,
        }
    };
    reading.failure(Failure::new(FailureKind::Incomplete, failure), SystemTime::now())
}
async fn fetch(origin: &Origin, profile: &Profile) -> Outcome {
    let now = SystemTime::now;
    let mut awaiting = AwaitingHead::new(origin, &Default::default(), profile, now());
    loop {
        match timeout(LIMIT, send(awaiting.request())).await.map_err(Into::into).flatten() {
            Err(error) => return awaiting.failure(Failure::new(FailureKind::Other, error), now()),
            Ok((head, length, body)) => match awaiting.head(&head, now()) {
                NextStep::Send(next) => awaiting = next,
                NextStep::Read(reading) => return read(reading, length, body).await,
                NextStep::Done(outcome) => return outcome,
            },
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url: Url = std::env::args().nth(1).ok_or("no URL")?.parse()?;
    let entry = Entry::from_outcome(
        None,
        fetch(&Origin::from_url(&url)?, &Profile::RFC9309).await,
        &Profile::RFC9309,
    );
    let permission = entry.permission(&ProductToken::new("ExampleBot")?, SystemTime::now());
    Ok(writeln!(std::io::stdout(), "{}", permission.check_url(&url))?)
}
