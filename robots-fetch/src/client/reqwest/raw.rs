//! An exchange over HTTP/1 whose head is read here, line by line.
//!
//! `hyper` either refuses a head with an odd line, or skips such lines without a word, even where one hides the end of the body.
//! So it refuses, and the request is sent once more in this way, which reads heads as the blocking client does. The connection is
//! used once.

use core::pin::Pin;
use std::io;

#[cfg(feature = "reqwest-rustls")]
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
#[cfg(feature = "reqwest-rustls")]
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use crate::client::http1::{Body, Heads, PART, path, written};
use crate::client::limits::{Deadline, Limit, Phase};
use crate::client::options::{ClientOptions, Reach};
use crate::failure::{Failure, FailureKind};
use crate::message::framing::Framing;
use crate::message::http1::SentHead;
use crate::retrieval::request::Request;

trait Wire: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Wire for T {}

/// The settings of TLS for such exchanges.
#[derive(Clone, Debug)]
pub(super) struct Tls {
    #[cfg(feature = "reqwest-rustls")]
    pub(super) config: alloc::sync::Arc<rustls::ClientConfig>,
}

/// The schemes of such exchanges.
pub(super) const SCHEMES: &[&str] =
    if cfg!(feature = "reqwest-rustls") { &["http", "https"] } else { &["http"] };

/// The body of an answer, while it is received.
pub(super) struct RawBody {
    wire: Pin<Box<dyn Wire>>,
    body: Body,
}

/// Sends a request, and receives the head of the answer.
pub(super) async fn send(
    request: &Request,
    options: &ClientOptions,
    tls: &Tls,
    deadline: Deadline,
) -> Result<(SentHead, Framing, RawBody), Failure> {
    let mut wire = within(deadline, options, Limit::Connect, connect(request, options, tls)).await?;
    let sent = written(request, options, path(&request.url), &[("connection", "close")]);
    let sending = async { wire.write_all(&sent).await.map_err(|error| failed(error, Phase::Head)) };
    within(deadline, options, Limit::Read, sending).await?;
    let mut heads = Heads::new(options.max_head);
    loop {
        let received = within(deadline, options, Limit::Read, receive(&mut wire, Phase::Head)).await?;
        if received.is_empty() {
            let text = format!("{} closed the connection", request.url.scheme());
            return Err(Failure::new(FailureKind::Reset, text));
        }
        let taken = heads.take(&received).map_err(|failure| options.limits().judged(failure))?;
        if let Some((head, framing, body)) = taken {
            return Ok((head, framing, RawBody { wire, body }));
        }
    }
}

impl RawBody {
    /// Receives the next part of the body without its chunks; empty at its end.
    pub(super) async fn receive(
        &mut self,
        deadline: Deadline,
        options: &ClientOptions,
    ) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(content) = self.body.content()? {
                return Ok(content);
            }
            if self.body.is_ended() {
                return Ok(Vec::new());
            }
            let part = within(deadline, options, Limit::Read, receive(&mut self.wire, Phase::Body)).await?;
            if part.is_empty() {
                self.body.end()?;
                return Ok(part);
            }
            self.body.take(&part);
        }
    }
}

async fn connect(
    request: &Request,
    options: &ClientOptions,
    tls: &Tls,
) -> Result<Pin<Box<dyn Wire>>, Failure> {
    let url = &request.url;
    let port = url.port_or_known_default().unwrap_or_default();
    let addresses = addresses(url, options, options.reach(request)).await?;
    let mut connected = Err(Failure::new(FailureKind::Dns, ""));
    for mut address in addresses {
        if address.port() == 0 {
            address.set_port(port);
        }
        connected = TcpStream::connect(address).await.map_err(|error| failed(error, Phase::Connect));
        if connected.is_ok() {
            break;
        }
    }
    let tcp = connected?;
    if url.scheme() != "https" {
        return Ok(Box::pin(tcp));
    }
    secured(url.host_str().unwrap_or_default(), tcp, tls).await
}

#[cfg(not(feature = "reqwest-rustls"))]
async fn secured(_: &str, _: TcpStream, _: &Tls) -> Result<Pin<Box<dyn Wire>>, Failure> {
    Err(Failure::new(FailureKind::UnsupportedScheme, "https"))
}

#[cfg(feature = "reqwest-rustls")]
async fn secured(host: &str, tcp: TcpStream, tls: &Tls) -> Result<Pin<Box<dyn Wire>>, Failure> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let tls_failure = |error: &dyn core::fmt::Display| Failure::new(FailureKind::Tls, error);
    let name = ServerName::try_from(bare.to_owned()).map_err(|error| tls_failure(&error))?;
    let secured = TlsConnector::from(alloc::sync::Arc::clone(&tls.config)).connect(name, tcp).await;
    Ok(Box::pin(secured.map_err(|error| tls_failure(&error))?))
}

async fn addresses(
    url: &Url,
    options: &ClientOptions,
    reach: Reach,
) -> Result<Vec<core::net::SocketAddr>, Failure> {
    match url.host() {
        // Checked before the request was sent.
        Some(Host::Ipv4(address)) => Ok(vec![(address, 0).into()]),
        Some(Host::Ipv6(address)) => Ok(vec![(address, 0).into()]),
        _ => options.look_up_async(url.host_str().unwrap_or_default(), reach).await,
    }
}

/// Receives some bytes; none at the end.
async fn receive(wire: &mut Pin<Box<dyn Wire>>, phase: Phase) -> Result<Vec<u8>, Failure> {
    let mut part = vec![0; PART];
    let bytes = wire.read(&mut part).await.map_err(|error| failed(error, phase))?;
    part.truncate(bytes);
    Ok(part)
}

/// Waits for as long as a step may take.
async fn within<T>(
    deadline: Deadline,
    options: &ClientOptions,
    limit: Limit,
    step: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let limits = options.limits();
    let time = if limit == Limit::Connect { limits.connect } else { limits.read };
    let allowed = deadline.allows(time, limit)?;
    tokio::time::timeout(allowed.time, step).await.unwrap_or_else(|_| Err(limits.timed_out(allowed.limit)))
}

fn failed(error: io::Error, phase: Phase) -> Failure {
    Failure::new(phase.kind(&error), error)
}
