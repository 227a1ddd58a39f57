//! Resolver and connections for `ureq`: the checked addresses are those that are connected to, and each connection has a
//! filter.

use core::net::SocketAddr;
use std::sync::mpsc;
use std::thread;

use ::ureq::Error;
use ::ureq::config::Config;
use ::ureq::http::Uri;
use ::ureq::http::uri::Scheme;
use ::ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ::ureq::unversioned::transport::{ConnectionDetails, Connector, DefaultConnector, NextTimeout};

use super::broken::is_unreached;
use super::filter::Filtered;
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

/// The default connector, with a filter on each connection.
#[derive(Debug)]
pub(super) struct Connecting {
    inner: DefaultConnector,
    max_head: usize,
}

impl Connecting {
    pub(super) fn new(options: &ClientOptions) -> Self {
        Self { inner: DefaultConnector::default(), max_head: options.max_head }
    }
}

impl Connector for Connecting {
    type Out = Filtered;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<()>,
    ) -> Result<Option<Filtered>, Error> {
        let tls = details.needs_tls();
        let connected = self.inner.connect(details, chained).map_err(|error| match &error {
            Error::Io(cause) => {
                let kind = match Phase::Connect.kind(cause) {
                    FailureKind::Connect if tls && !is_unreached(cause) => FailureKind::Tls,
                    kind => kind,
                };
                Error::Other(Box::new(Failure::new(kind, cause)))
            }
            _ => error,
        });
        let (input, output) = (details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(connected?.map(|inner| Filtered::new(inner, self.max_head, input, output)))
    }
}
