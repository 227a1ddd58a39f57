//! What tests of several packages need: servers with faults, and a comparison with a JSON schema.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "helpers of tests panic as tests do"
)]

pub mod ftp_server;
pub mod schema;

use core::net::{Ipv4Addr, SocketAddr};
use std::net::{TcpListener, TcpStream};

/// A port on the loopback interface that refuses connections. It belongs to one end of a connection, so no other test can
/// listen on it while this lives.
#[derive(Debug)]
pub struct ClosedPort {
    /// The address that refuses connections.
    pub address: SocketAddr,
    _connection: (TcpListener, TcpStream),
}

impl ClosedPort {
    /// Takes a free port.
    #[expect(clippy::new_without_default, reason = "each is another port")]
    pub fn new() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        Self { address: stream.local_addr().unwrap(), _connection: (listener, stream) }
    }
}
