//! Errors of broken connections.

use std::io;

use ::ureq::Error;

use crate::failure::{Failure, FailureKind};

/// An error of a broken connection, which must not count as the end of a body.
#[derive(Debug)]
pub(super) struct Broken(pub(super) String);

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Broken {}

/// Returns the error of a connection, as [`Broken`] if it broke: `ureq` takes some of these errors for the end of a body.
pub(super) fn broken(error: Error, tls: bool) -> Error {
    match error {
        Error::Io(cause) if !is_unreached(&cause) => {
            if cause.kind() == io::ErrorKind::InvalidData && tls {
                return Error::Other(Box::new(Failure::new(FailureKind::Tls, cause)));
            }
            Error::Other(Box::new(Broken(cause.to_string())))
        }
        error => error,
    }
}

/// Returns whether there was no connection at all, rather than one that broke during the TLS handshake.
pub(super) fn is_unreached(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let broken = [Kind::ConnectionReset, Kind::ConnectionAborted, Kind::BrokenPipe, Kind::UnexpectedEof];
    !broken.contains(&error.kind()) && error.kind() != Kind::InvalidData
}
