//! Clients of `reqwest`, whose connections lead only where they may.

use alloc::sync::Arc;

use ::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use ::reqwest::redirect;
use tower::util::MapRequestLayer;

use super::decoding;
use super::failure::chain;
use crate::client::connections;
use crate::client::options::{ClientOptions, Reach};
use crate::failure::{Failure, FailureKind};
use crate::message::framing::MOST_FIELDS;

/// Builds a client whose connections have this reach.
pub(super) fn sender(
    builder: ::reqwest::ClientBuilder,
    options: &ClientOptions,
    reach: Reach,
) -> Result<::reqwest::Client, Failure> {
    let builder = if decoding::is_built() { builder.http1_only() } else { builder };
    let built = builder
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .connect_timeout(options.connect_timeout)
        // A larger head would be an unspecific protocol error; smaller ones are checked against the limit later.
        .http2_max_header_list_size(u32::try_from(options.max_head.saturating_mul(4)).unwrap_or(u32::MAX))
        .http1_max_headers(MOST_FIELDS)
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .connector_layer(MapRequestLayer::new(connections::note))
        .dns_resolver(Arc::new(Checked(options.clone(), reach)))
        .build();
    built.map_err(|error| Failure::new(FailureKind::Other, chain(&error)))
}

/// A resolver whose addresses are those that are connected to, so that checking them here is enough.
struct Checked(ClientOptions, Reach);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (options, reach) = (self.0.clone(), self.1);
        Box::pin(async move {
            let found = options.look_up_async(name.as_str(), reach).await;
            let found = found.map_err(|failure| match reach {
                Reach::Proxy => Failure::new(FailureKind::Proxy, failure),
                _ => failure,
            })?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
