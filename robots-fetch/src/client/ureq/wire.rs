//! Resolver and connections for `ureq`: the checked addresses are those that are connected to, and a broken connection does
//! not count as one that ended.

use core::net::SocketAddr;
use std::io;
use std::sync::mpsc;
use std::thread;

use ::ureq::Error;
use ::ureq::config::Config;
use ::ureq::http::Uri;
use ::ureq::http::uri::Scheme;
use ::ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ::ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, Transport as Wire,
};

use crate::client::options::ClientOptions;
use crate::client::phase::Phase;
use crate::failure::{Failure, FailureKind};

/// A resolver whose addresses are those that are connected to, so that checking them here is enough.
#[derive(Debug)]
pub(super) struct Checked(pub(super) ClientOptions);

impl Resolver for Checked {
    fn resolve(&self, uri: &Uri, _: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let host = uri.host().ok_or(Error::HostNotFound)?.to_owned();
        let port = if uri.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(port);
        let options = self.0.clone();
        // A lookup has no timeout: it is abandoned in a thread that ends with it.
        let (sender, receiver) = mpsc::sync_channel(1);
        thread::Builder::new().spawn(move || sender.send(options.look_up(&host, port))).map_err(Error::Io)?;
        let found: Vec<SocketAddr> = match receiver.recv_timeout(*timeout.after) {
            Ok(found) => found.map_err(|failure| Error::Other(Box::new(failure)))?,
            Err(_) => return Err(Error::Timeout(timeout.reason)),
        };
        let mut all = self.empty();
        for address in found {
            if all.try_push(address).is_err() {
                break;
            }
        }
        Ok(all)
    }
}

/// An error of a broken connection, which must not count as the end of a body.
#[derive(Debug)]
pub(super) struct Broken(pub(super) String);

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Broken {}

/// The default connector, with connections that report how they break.
#[derive(Debug, Default)]
pub(super) struct Connecting(DefaultConnector);

impl Connector for Connecting {
    type Out = Reporting;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<()>,
    ) -> Result<Option<Reporting>, Error> {
        let tls = details.needs_tls();
        let connected = self.0.connect(details, chained).map_err(|error| match &error {
            Error::Io(cause) => {
                let kind = match Phase::Connect.kind(cause) {
                    FailureKind::Connect if tls && !is_unreached(cause) => FailureKind::Tls,
                    kind => kind,
                };
                Error::Other(Box::new(Failure::new(kind, cause)))
            }
            _ => error,
        });
        Ok(connected?.map(Reporting))
    }
}

/// Returns whether there was no connection at all, rather than one that broke during the TLS handshake.
fn is_unreached(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let broken = [Kind::ConnectionReset, Kind::ConnectionAborted, Kind::BrokenPipe, Kind::UnexpectedEof];
    !broken.contains(&error.kind()) && error.kind() != Kind::InvalidData
}

/// A connection whose reset does not count as an end.
#[derive(Debug)]
pub(super) struct Reporting(Box<dyn Wire>);

impl Wire for Reporting {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.0.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.0.await_input(timeout).map_err(|error| match error {
            Error::Io(cause) if !is_unreached(&cause) => {
                if cause.kind() == io::ErrorKind::InvalidData && self.0.is_tls() {
                    return Error::Other(Box::new(Failure::new(FailureKind::Tls, cause)));
                }
                Error::Other(Box::new(Broken(cause.to_string())))
            }
            error => error,
        })
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }

    fn is_tls(&self) -> bool {
        self.0.is_tls()
    }
}
