//! TLS settings of clients.

use alloc::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::failure::{Failure, FailureKind};

/// Returns settings that trust the root certificates of Mozilla and those in `pem`.
///
/// # Errors
///
/// `pem` is not empty and contains no certificate, or an invalid one.
pub(super) fn config(pem: &[u8]) -> Result<ClientConfig, Failure> {
    let failure = |text: String| Failure::new(FailureKind::Tls, text).local();
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        count += 1;
        let invalid =
            |error: &dyn core::fmt::Display| failure(format!("certificate {count} of the file: {error}"));
        let certificate = certificate.map_err(|error| invalid(&error))?;
        roots.add(certificate).map_err(|error| invalid(&error))?;
    }
    if count == 0 && !pem.is_empty() {
        return Err(failure(
            "expected a certificate in PEM format (`-----BEGIN CERTIFICATE-----`)".to_owned(),
        ));
    }
    // The provider of the process, if it has one. None is installed here, because that is for the program to decide.
    #[cfg(feature = "blocking")]
    let built_in = rustls::crypto::ring::default_provider;
    #[cfg(not(feature = "blocking"))]
    let built_in = rustls::crypto::aws_lc_rs::default_provider;
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(built_in()));
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failure(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_read_or_refused() {
        assert!(config(b"").is_ok());
        for pem in [
            &b"no certificate"[..],
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            b"-----BEGIN CERTIFICATE-----\n\xFF\n-----END CERTIFICATE-----\n",
            b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        ] {
            assert_eq!(config(pem).unwrap_err().kind(), FailureKind::Tls);
        }
    }
}
