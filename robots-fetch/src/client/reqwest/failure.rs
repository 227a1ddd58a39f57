//! Failures of `reqwest` errors.

use core::error::Error;
use std::io;

use crate::client::limits::Phase;
use crate::failure::{Failure, FailureKind};

/// What `hyper-util` says about `https` if it only has connections without TLS.
const WITHOUT_TLS: &str = "scheme is not http";

/// Returns the failure of an error in this phase, by the first cause in its chain that is known. Through a proxy, a
/// connection that breaks before it is complete is not taken for a failure of TLS.
pub(super) fn failure(error: &::reqwest::Error, phase: Phase, is_proxied: bool) -> Failure {
    let phase = if error.is_connect() { Phase::Connect } else { phase };
    let is_tls = error.url().is_some_and(|url| url.scheme() == "https");
    let tls = phase == Phase::Connect && is_tls && !is_proxied;
    if is_tls && chain(error).contains(WITHOUT_TLS) {
        let text = "https, because reqwest has no TLS: use the feature `reqwest-rustls`, or one of reqwest";
        return Failure::new(FailureKind::UnsupportedScheme, text).local();
    }
    let mut kind = if error.is_timeout() { Some(FailureKind::Timeout) } else { None };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return failure.clone();
        }
        let said = if is_tls_error(error) {
            Some(FailureKind::Tls)
        } else if let Some(error) = error.downcast_ref::<hyper::Error>() {
            said_by_hyper(error, phase)
        } else if let Some(error) = error.downcast_ref::<h2::Error>() {
            error.is_library().then_some(FailureKind::InvalidResponse)
        } else {
            None
        };
        kind = kind.or(said);
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if let Some(inner) = error.get_ref() {
                cause = Some(inner);
                kind = kind.or_else(|| said_by_socket(error, phase, tls, is_tls_error(inner)));
                continue;
            }
            kind = kind.or_else(|| said_by_socket(error, phase, tls, false));
        }
        cause = error.source();
    }
    let other = if error.is_builder() { FailureKind::Other } else { phase.broken() };
    Failure::new(kind.unwrap_or(other), chain(error))
}

/// Returns whether an error is one of rustls. Those of other libraries are known by what they do to the socket.
#[cfg_attr(not(feature = "reqwest-rustls"), expect(unused_variables, reason = "rustls is not built"))]
fn is_tls_error(error: &(dyn Error + 'static)) -> bool {
    #[cfg(feature = "reqwest-rustls")]
    return error.is::<rustls::Error>();
    #[cfg(not(feature = "reqwest-rustls"))]
    false
}

fn said_by_hyper(error: &hyper::Error, phase: Phase) -> Option<FailureKind> {
    if error.is_parse_too_large() {
        Some(FailureKind::HeadTooLarge)
    } else if error.is_parse() {
        Some(FailureKind::InvalidResponse)
    } else {
        error.is_incomplete_message().then(|| phase.broken())
    }
}

fn said_by_socket(error: &io::Error, phase: Phase, tls: bool, by_tls: bool) -> Option<FailureKind> {
    use io::ErrorKind as Kind;
    Some(match (error.kind(), phase) {
        _ if by_tls => FailureKind::Tls,
        (
            Kind::UnexpectedEof
            | Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe
            | Kind::InvalidData,
            Phase::Connect,
        ) if tls => FailureKind::Tls,
        // Only chunks are parsed in a body.
        (Kind::InvalidData | Kind::InvalidInput, Phase::Body) => FailureKind::Chunking,
        // Unspecific; its cause may be specific.
        (Kind::Other, _) => return None,
        _ => phase.kind(error),
    })
}

/// Returns the texts of an error and its causes, without the URL, which is known.
pub(super) fn chain(error: &::reqwest::Error) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !all.last().is_some_and(|last| last.ends_with(&text)) {
            all.push(text);
        }
        cause = error.source();
    }
    if all.is_empty() { error.to_string() } else { all.join(": ") }
}
