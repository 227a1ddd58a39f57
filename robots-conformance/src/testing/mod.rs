//! What tests of several packages need: servers with faults, and a comparison with a JSON schema.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "helpers of tests panic as tests do"
)]

pub mod closed_port;
pub mod ftp_server;
pub mod schema;
