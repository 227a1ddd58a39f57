//! Clients, which transfer bytes and classify failures. The meaning of answers is not decided here.
//!
//! No client follows redirects by itself, sends cookies or credentials, or uses a proxy from the environment unless
//! [`ClientOptions::proxies`] says so. Each decodes gzip, deflate and brotli only as far as the body is needed, and connects
//! only to addresses that [`ClientOptions::addresses`] allows: by default, those on the public Internet. Each has a `fetch`,
//! which makes one retrieval, and a `refresh`, which makes the next [`Entry`](crate::Entry) from the previous one. Clients read
//! the system clock; the rest of the crate does not.
//!
//! A client supports either HTTP or FTP; `with_ftp` of an HTTP client combines two, so that a redirect can lead from one to the other.

mod address;
#[cfg(feature = "reqwest")]
mod connections;
mod hosts;
#[cfg(any(feature = "blocking", feature = "reqwest"))]
mod http1;
mod limits;
#[cfg(feature = "hickory")]
mod name_servers;
mod options;
mod proxy;
mod resolver;
#[cfg(feature = "_tls")]
mod tls;

#[cfg(feature = "blocking")]
pub mod blocking;
#[cfg(feature = "ftp")]
pub mod ftp;
#[cfg(feature = "reqwest")]
pub mod reqwest;

pub use address::AddressPolicy;
pub use options::ClientOptions;
pub use proxy::Proxies;
