//! A server of HTTP/2, over TLS.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// The reaction of the server to a request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// It answers.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// It resets the stream in place of an answer.
    Reset,
    /// It resets it after this part of the body.
    Cut(Vec<u8>),
    /// It does nothing.
    Silence,
    /// It ends the connection after a part of the body.
    Gone(Vec<u8>),
}

/// Starts the server. Returns its address, its certificate, and the sender of what to do with each request.
pub(crate) fn start() -> (SocketAddr, CertificateDer<'static>, mpsc::Sender<Act>) {
    let (certificate, config) = super::identity(&[b"h2"]);
    let (sender, receiver) = mpsc::channel();
    let (bound, address) = mpsc::channel();
    thread::spawn(move || {
        super::runtime().block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            bound.send(listener.local_addr().unwrap()).unwrap();
            while let Ok((stream, _)) = listener.accept().await {
                let act = receiver.try_recv().unwrap_or(Act::Silence);
                let tls = TlsAcceptor::from(config.clone());
                // A client that goes away is not a fault of the server.
                tokio::spawn(async { connection(stream, tls, act).await.ok() });
            }
        });
    });
    (address.recv().unwrap(), certificate, sender)
}

async fn connection(
    stream: tokio::net::TcpStream,
    tls: TlsAcceptor,
    act: Act,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut connection = h2::server::handshake(tls.accept(stream).await?).await?;
    let mut act = Some(act);
    while let Some(next) = connection.accept().await {
        let (_, mut answer) = next?;
        let head = |status: u16| http::Response::builder().status(status);
        match act.take() {
            Some(Act::Answer(status, fields, body)) => {
                let head = fields.iter().fold(head(status), |head, (name, value)| head.header(*name, value));
                let mut stream = answer.send_response(head.body(())?, body.is_empty())?;
                if !body.is_empty() {
                    stream.send_data(body.into(), true)?;
                }
                connection.graceful_shutdown();
            }
            Some(Act::Cut(body)) => {
                let mut stream = answer.send_response(head(200).body(())?, false)?;
                stream.send_data(body.into(), false)?;
                // The part of the body goes out first.
                let _ = tokio::time::timeout(Duration::from_millis(50), connection.accept()).await;
                stream.send_reset(h2::Reason::INTERNAL_ERROR);
                connection.graceful_shutdown();
            }
            Some(Act::Gone(body)) => {
                let mut stream = answer.send_response(head(200).body(())?, false)?;
                stream.send_data(body.into(), false)?;
                let _ = tokio::time::timeout(Duration::from_millis(50), connection.accept()).await;
                return Ok(());
            }
            Some(Act::Reset) => {
                answer.send_reset(h2::Reason::INTERNAL_ERROR);
                connection.graceful_shutdown();
            }
            Some(Act::Silence) | None => {
                let _ = tokio::time::timeout(Duration::from_secs(10), connection.accept()).await;
                return Ok(());
            }
        }
    }
    Ok(())
}
