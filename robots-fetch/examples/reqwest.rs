//! A client of reqwest whose requests wait for their turn, and whose redirects are checked. Prints a page.
//!
//! `cargo run --example reqwest --features reqwest-middleware,reqwest-rustls -- https://example.com/page`
use core::error::Error;
use std::io::Write as _;

use robots_fetch::client::{ClientOptions, reqwest::Client};
use robots_fetch::matching::Crawler;
use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GateMiddleware, GatePolicy, Refusal, SiteProfile};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("no URL")?;
    let agent = "ExampleBot/1.0 (+https://example.com/bot)";

    // The client of the robots.txt files, and the gate in front of the client of the pages.
    let robots = Client::new(&ClientOptions::new(agent)?)?;
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), robots);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot")?, GatePolicy::default());
    let client = GateMiddleware::client(gate, reqwest::Client::builder().user_agent(agent))?;

    let text = match client.get(url).send().await {
        Ok(response) => response.text().await?,
        Err(reqwest_middleware::Error::Middleware(error)) => match error.downcast_ref::<Refusal>() {
            Some(refusal) => refusal.to_string(),
            None => return Err(error.into()),
        },
        Err(error) => return Err(error.into()),
    };
    Ok(writeln!(std::io::stdout(), "{text}")?)
}
