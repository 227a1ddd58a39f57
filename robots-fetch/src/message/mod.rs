//! What an HTTP message says: heads, fields, framing, chunks, codings and ranges (RFC 9110, 9111, 9112). Clients and archives read
//! messages by the same functions.
#![cfg_attr(
    not(all(feature = "blocking", feature = "reqwest", feature = "warc")),
    allow(dead_code, reason = "each client and the reader of archives uses a part")
)]

#[cfg(feature = "_message")]
pub(crate) mod chunks;
pub(crate) mod coding;
#[cfg(feature = "_message")]
pub(crate) mod decoder;
pub(crate) mod fields;
#[cfg(feature = "_message")]
pub(crate) mod framing;
pub(crate) mod freshness;
pub(crate) mod head;
#[cfg(feature = "_message")]
pub(crate) mod http1;
