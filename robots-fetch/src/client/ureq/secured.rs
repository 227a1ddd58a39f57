//! TLS over the connections of `ureq`, with settings of our own: `ureq` trusts either the root certificates of Mozilla or
//! others, and not both.

use alloc::sync::Arc;
use std::io::{Read as _, Write as _};

use ::ureq::Error;
use ::ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport as Wire, TransportAdapter,
};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

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
