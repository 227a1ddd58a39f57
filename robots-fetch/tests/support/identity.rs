//! Certificates of servers.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Returns a certificate in PEM format.
pub(crate) fn pem(certificate: &CertificateDer<'_>) -> Vec<u8> {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(certificate);
    format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n").into_bytes()
}

/// A certificate of all hosts, and TLS with it that speaks these protocols.
pub(crate) fn identity(protocols: &[&[u8]]) -> (CertificateDer<'static>, Arc<ServerConfig>) {
    let hosts = ["example.com", "*.example.com", "example.org", "*.example.org"].map(str::to_owned);
    let pair = rcgen::generate_simple_self_signed(hosts).unwrap();
    let certificate = pair.cert.der().clone();
    let key = PrivateKeyDer::try_from(pair.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_no_client_auth().with_single_cert(vec![certificate.clone()], key).unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    (certificate, Arc::new(config))
}
