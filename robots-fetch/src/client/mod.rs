//! Clients: thin modules that move bytes and name what went wrong. What answers mean is not theirs.
//!
//! All of them follow no redirect by themselves, send no cookie and no credential, undo gzip, deflate and brotli themselves
//! as far as the body is wanted, use no proxy of the environment, and connect to those addresses alone that
//! [`ClientOptions::addresses`] lets them. Each has a `fetch`, which makes one retrieval, and a `refresh`, which makes the next
//! [`Entry`](crate::Entry) of the one before. Here alone the clock of the system is read.
//!
//! A client speaks HTTP or FTP; `ByScheme` makes one of two, so that a redirect may lead from one to the other.

mod address;
#[cfg(all(feature = "ftp", any(feature = "reqwest", feature = "ureq")))]
mod by_scheme;
#[cfg(feature = "_coding")]
mod coding;
mod deadline;
mod options;
mod phase;

#[cfg(feature = "ftp")]
pub mod ftp;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "ureq")]
pub mod ureq;

pub use address::AddressPolicy;
#[cfg(all(feature = "ftp", any(feature = "reqwest", feature = "ureq")))]
pub use by_scheme::ByScheme;
pub use options::{ClientOptions, InvalidField, Resolver};
