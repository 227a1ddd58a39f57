//! A client over hyper whose requests wait for their turn, and whose redirects are checked. Prints a page without TLS.
//!
//! `cargo run --example tower --features reqwest-rustls,tower -- http://example.com/page`
use core::error::Error;
use std::io::Write as _;

use http::Request;
use http_body::Body as _;
use hyper_util::client::legacy;
use hyper_util::rt::TokioExecutor;
use robots_fetch::client::{ClientOptions, reqwest::Client};
use robots_fetch::matching::Crawler;
use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GateLayer, GatePolicy, Refusal, SiteProfile};
use tower::{ServiceBuilder, ServiceExt as _};
use tower_http::follow_redirect::FollowRedirectLayer;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let url = std::env::args().nth(1).ok_or("no URL")?;
    let agent = "ExampleBot/1.0 (+https://example.com/bot)";

    // The client of the robots.txt files, and the gate in front of the client of the pages.
    let robots = Client::new(&ClientOptions::new(agent)?)?;
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), robots);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot")?, GatePolicy::default());
    let pages = legacy::Client::builder(TokioExecutor::new()).build_http::<String>();
    // Each hop of a redirect passes through the gate, because the gate is below.
    let client =
        ServiceBuilder::new().layer(FollowRedirectLayer::new()).layer(GateLayer::new(gate)).service(pages);

    let request = Request::get(url).header("User-Agent", agent).body(String::new())?;
    let response = match client.oneshot(request).await {
        Ok(response) => response,
        Err(error) => {
            if let Some(refusal) = error.downcast_ref::<Refusal>() {
                return Ok(writeln!(std::io::stdout(), "{refusal}")?);
            }
            return Err(error);
        }
    };
    let mut body = Box::pin(response.into_body());
    while let Some(frame) = core::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        if let Ok(part) = frame?.into_data() {
            std::io::stdout().write_all(&part)?;
        }
    }
    Ok(())
}
