//! Known crawlers: their names in files, operators and purposes.
//!
//! `crawlers.toml` has the facts, and `table.rs` has them as Rust, so that nothing is parsed at run time.

pub(crate) mod closeness;
mod known_crawler;
mod product;
mod purpose;
mod table;

pub use self::known_crawler::{Catalogue, Identity, InvalidCatalogue, KnownCrawler, Trigger};
#[cfg(feature = "lint")]
pub(crate) use self::product::former;
#[cfg(any(feature = "lint", feature = "records"))]
pub(crate) use self::product::product;
pub use self::purpose::Purpose;
