//! Resolver and connections for `ureq`: the checked addresses are those that are connected to, and each connection has a
//! filter.

use alloc::sync::Arc;
use core::net::SocketAddr;
use std::io::{Read as _, Write as _};

use ::ureq::Error;
use ::ureq::config::Config;
use ::ureq::http::Uri;
use ::ureq::http::uri::Scheme;
use ::ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ::ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, DefaultConnector, LazyBuffers, NextTimeout,
    TcpConnector, Transport as Wire, TransportAdapter,
};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use url::Url;

use super::filter::{Broken, is_unreached};
use super::filter::{Filtered, Stale};
use crate::client::limits::Phase;
use crate::client::options::{ClientOptions, Reach};
use crate::failure::{Failure, FailureKind};

/// A resolver whose addresses are those that are connected to, so that checking them here is enough.
#[derive(Debug)]
pub(super) struct Checked {
    options: ClientOptions,
    reach: Reach,
    /// Host and port of the proxy, whose addresses take the place of all others.
    proxy: Option<(String, u16)>,
}

impl Checked {
    pub(super) fn new(options: &ClientOptions, reach: Reach) -> Self {
        Self { options: options.clone(), reach, proxy: None }
    }

    /// Returns a resolver of this proxy.
    pub(super) fn of_proxy(options: &ClientOptions, proxy: &Url) -> Self {
        let host = proxy.host_str().unwrap_or_default().to_owned();
        let port = proxy.port_or_known_default().unwrap_or(80);
        Self { proxy: Some((host, port)), ..Self::new(options, Reach::Proxy) }
    }
}

impl Resolver for Checked {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let (host, port) = match &self.proxy {
            Some((host, port)) => (host.as_str(), *port),
            None => {
                let port = if uri.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
                (uri.host().ok_or(Error::HostNotFound)?, uri.port_u16().unwrap_or(port))
            }
        };
        // A proxy of the caller's configuration is exempt, too.
        let is_proxy = config.proxy().is_some_and(|proxy| proxy.uri().authority() == uri.authority());
        let reach = if is_proxy { Reach::Proxy } else { self.reach };
        let found: Result<Vec<SocketAddr>, Failure> =
            self.options.look_up_within(host, port, reach, *timeout.after);
        let found = found.map_err(|failure| {
            Error::Other(Box::new(match reach {
                Reach::Proxy => Failure::new(FailureKind::Proxy, failure),
                _ => failure,
            }))
        });
        let mut all = self.empty();
        for address in found? {
            if all.try_push(address).is_err() {
                break;
            }
        }
        Ok(all)
    }
}

/// The way to a site.
#[derive(Clone, Debug)]
pub(super) enum Route {
    Direct,
    /// To the proxy at this URI, which forwards requests in absolute-form (RFC 9112, section 3.2.2).
    Forwarded(Uri),
    /// Through a tunnel that `ureq` opens.
    Tunnelled,
}

/// A connector, with a filter on each connection.
#[derive(Debug)]
pub(super) struct Connecting {
    inner: Box<dyn Connector<(), Out = Box<dyn Wire>>>,
    max_head: usize,
    route: Route,
}

impl Connecting {
    /// Creates the connector of `ureq`, or one with these settings of TLS.
    pub(super) fn new(options: &ClientOptions, tls: Option<Arc<ClientConfig>>, route: Route) -> Self {
        let inner: Box<dyn Connector<(), Out = Box<dyn Wire>>> = match tls {
            None => Box::new(DefaultConnector::default()),
            Some(tls) => {
                Box::new(ConnectProxyConnector::default().chain(TcpConnector::default()).chain(Securing(tls)))
            }
        };
        Self { inner, max_head: options.max_head, route }
    }

    /// Returns the failure of a connection that was not made.
    fn failure(&self, error: Error, details: &ConnectionDetails<'_>) -> Error {
        // The connection to the proxy of a tunnel is made by a connector without the proxy.
        let is_to_proxy = match &self.route {
            Route::Direct => false,
            Route::Forwarded(_) => true,
            Route::Tunnelled => details.config.proxy().is_none(),
        };
        let failure = match error {
            Error::Io(cause) => {
                let tls = details.needs_tls();
                let is_by_tls = cause.get_ref().is_some_and(|inner| inner.is::<rustls::Error>());
                let kind = match Phase::Connect.kind(&cause) {
                    FailureKind::Connect if tls && !is_unreached(&cause) => FailureKind::Tls,
                    kind => kind,
                };
                match &self.route {
                    Route::Tunnelled if !is_to_proxy && !is_by_tls => {
                        Failure::new(FailureKind::Proxy, &cause)
                    }
                    _ => Failure::new(kind, &cause),
                }
                .caused_by(cause)
            }
            Error::Timeout(_) if !matches!(self.route, Route::Direct) => {
                Failure::new(FailureKind::Proxy, "no connection in time")
            }
            Error::Other(other) if !matches!(self.route, Route::Direct) => {
                let text = match (other.downcast_ref::<Broken>(), other.downcast_ref::<Stale>()) {
                    (Some(Broken(text)), _) | (None, Some(Stale(text))) => text.clone(),
                    _ => return Error::Other(other),
                };
                Failure::new(FailureKind::Proxy, text)
            }
            // The proxy's answer to `CONNECT` is not valid, or not a success.
            error @ (Error::Protocol(_) | Error::Http(_) | Error::ConnectProxyFailed(_))
                if !matches!(self.route, Route::Direct) =>
            {
                Failure::new(FailureKind::Proxy, error)
            }
            error => return error,
        };
        Error::Other(Box::new(if is_to_proxy && failure.kind() != FailureKind::Proxy {
            Failure::new(FailureKind::Proxy, failure)
        } else {
            failure
        }))
    }
}

impl Connector<()> for Connecting {
    type Out = Filtered;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<()>,
    ) -> Result<Option<Filtered>, Error> {
        let connected = match &self.route {
            Route::Forwarded(proxy) => {
                let to_proxy = ConnectionDetails {
                    uri: proxy,
                    addrs: details.addrs.clone(),
                    config: details.config,
                    request_level: details.request_level,
                    resolver: details.resolver,
                    now: details.now,
                    timeout: details.timeout,
                    current_time: Arc::clone(&details.current_time),
                    run_connector: Arc::clone(&details.run_connector),
                    register_shutdown: Arc::clone(&details.register_shutdown),
                };
                self.inner.connect(&to_proxy, chained)
            }
            _ => self.inner.connect(details, chained),
        };
        let connected = connected.map_err(|error| self.failure(error, details))?;
        let (input, output) = (details.config.input_buffer_size(), details.config.output_buffer_size());
        let target = match (&self.route, details.uri.authority()) {
            (Route::Forwarded(_), Some(authority)) => Some(format!("http://{authority}")),
            _ => None,
        };
        Ok(connected.map(|inner| Filtered::new(inner, self.max_head, input, output, target)))
    }
}

/// A connector that secures the connections of `https` URLs.
#[derive(Debug)]
pub(super) struct Securing(pub(super) Arc<ClientConfig>);

impl<In: Wire> Connector<In> for Securing {
    type Out = Box<dyn Wire>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        let Some(wire) = chained else { return Ok(None) };
        if !details.needs_tls() || wire.is_tls() {
            return Ok(Some(Box::new(wire)));
        }
        let host = details.uri.host().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let name =
            ServerName::try_from(host.to_owned()).map_err(|_| Error::Tls("invalid name of a server"))?;
        let mut connection = ClientConnection::new(Arc::clone(&self.0), name)?;
        let mut socket = TransportAdapter::new(Box::new(wire) as Box<dyn Wire>, details.current_time.clone());
        socket.set_timeout(details.timeout);
        connection.complete_io(&mut socket)?;
        let config = details.config;
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        let stream = StreamOwned { conn: connection, sock: socket };
        Ok(Some(Box::new(Secured { buffers, stream })))
    }
}

/// A secured connection.
struct Secured {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl Wire for Secured {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.get_mut().set_timeout(timeout);
        let output = self.buffers.output();
        self.stream.write_all(output.get(..amount).unwrap_or_default())?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.get_mut().set_timeout(timeout);
        let bytes = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(bytes);
        Ok(bytes > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.get_mut().get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

impl core::fmt::Debug for Secured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Secured").field("inner", &self.stream.sock.inner()).finish()
    }
}
