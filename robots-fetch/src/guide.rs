//! The guide: one chapter for each task, in the docs only.
//!
//! - For authors of crawlers: [`crawlers`] has what all crawlers need; then choose one of the chapters for async crawlers,
//!   blocking crawlers, crawlers on many machines, [your own client](own_client), and
//!   [files that you already have](lower_layers). A chapter about polite crawlers has delays and limits, one about production a whole program, and [`observing`] has
//!   events and counters.
//! - For [site owners](site_owners): the `robots` command.
//!
//! Every example is compiled and run by `cargo test --doc --all-features`.

#[doc = include_str!("../guide/crawlers.md")]
pub mod crawlers {}

#[cfg(all(feature = "disk", feature = "reqwest", feature = "tokio"))]
#[doc = include_str!("../guide/async_crawler.md")]
///
/// [`AsyncCache`](crate::AsyncCache), [`reqwest::Client`](crate::client::reqwest::Client),
/// [`ClientOptions`](crate::client::ClientOptions), [`Disk`](crate::Disk)
pub mod async_crawler {}

#[cfg(all(feature = "reqwest", feature = "reqwest-middleware"))]
#[doc = include_str!("../guide/polite_crawler.md")]
/// The function `crawl`:
///
/// ```
#[doc = include_str!("../guide/crawler.rs")]
/// ```
///
/// [`AsyncGate`](crate::AsyncGate), [`GateMiddleware`](crate::GateMiddleware), [`GatePolicy`](crate::GatePolicy),
/// [`Refusal`](crate::Refusal), [`Gate`](crate::Gate)
pub mod polite_crawler {}

#[cfg(all(
    feature = "disk",
    feature = "gate",
    feature = "http",
    feature = "reqwest-rustls",
    feature = "sitemap"
))]
#[doc = include_str!("../guide/production_crawler.md")]
///
/// # The program
///
/// ```
#[doc = include_str!("../guide/production.rs")]
/// ```
///
/// [`AsyncGate`](crate::AsyncGate), [`HeldPermit`](crate::HeldPermit), [`Disk`](crate::Disk),
/// [`Locations`](crate::sitemap::Locations)
pub mod production_crawler {}

#[doc = include_str!("../guide/observing.md")]
pub mod observing {}

#[cfg(all(feature = "redis", feature = "reqwest", feature = "tokio"))]
#[doc = include_str!("../guide/many_machines.md")]
///
/// [`Redis`](crate::Redis), [`RedisOptions`](crate::RedisOptions), [`AsyncCache`](crate::AsyncCache)
pub mod many_machines {}

#[cfg(feature = "blocking")]
#[doc = include_str!("../guide/blocking_crawler.md")]
///
/// [`Cache`](crate::Cache), [`blocking::Client`](crate::client::blocking::Client), [`ClientOptions`](crate::client::ClientOptions)
pub mod blocking_crawler {}

#[doc = include_str!("../guide/own_client.md")]
///
/// [`Transport`](crate::Transport), [`AsyncTransport`](crate::AsyncTransport), [`Outcome::retrieve`](crate::Outcome::retrieve),
/// [`Outcome::retrieve_async`](crate::Outcome::retrieve_async), [`Entry`](crate::Entry)
pub mod own_client {}

#[doc = include_str!("../guide/lower_layers.md")]
pub mod lower_layers {}

#[doc = include_str!("../guide/site_owners.md")]
pub mod site_owners {}
