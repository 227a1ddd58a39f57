// A small crawler. The chapter `polite_crawler` shows it, and `cargo test --test crawl` runs it against real servers.

use core::time::Duration;
use std::collections::HashSet;

use reqwest_middleware::ClientWithMiddleware;
use robots_fetch::{AsyncGate, GateMiddleware};
use tokio::task::JoinSet;
use url::Url;

/// A page, or why there is none.
pub struct Page {
    pub url: Url,
    pub result: Result<u16, reqwest_middleware::Error>,
    pub links: Vec<Url>,
}

/// Requests the seeds and all pages of their sites that links lead to, up to `most` pages. Requests to different sites run at
/// the same time; the gate delays those to the same site.
pub async fn crawl(gate: AsyncGate, seeds: Vec<Url>, most: usize) -> Result<Vec<Page>, reqwest::Error> {
    let builder = reqwest::Client::builder()
        .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
        // A server may close a connection that waits, just when the next request is sent.
        .pool_max_idle_per_host(0)
        .timeout(Duration::from_secs(30));
    let client = GateMiddleware::client(gate, builder)?;
    let sites: HashSet<_> = seeds.iter().map(Url::origin).collect();
    let mut known: HashSet<Url> = HashSet::new();
    let mut found = seeds;
    let mut tasks = JoinSet::new();
    let mut pages = Vec::new();
    loop {
        for mut url in found.drain(..) {
            url.set_fragment(None);
            if sites.contains(&url.origin()) && known.len() < most && known.insert(url.clone()) {
                tasks.spawn(page(client.clone(), url));
            }
        }
        let Some(Ok(page)) = tasks.join_next().await else { return Ok(pages) };
        found.extend(page.links.iter().cloned());
        pages.push(page);
    }
}

/// Requests one page. `send` waits for a permit, and checks the URL and each redirect.
async fn page(client: ClientWithMiddleware, url: Url) -> Page {
    let mut links = Vec::new();
    let result = async {
        let response = client.get(url.clone()).send().await?;
        let status = response.status().as_u16();
        let base = response.url().clone();
        let text = response.text().await?;
        // A real crawler parses HTML.
        let targets = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        links.extend(targets.filter_map(|target| base.join(target).ok()));
        Ok(status)
    };
    let result = result.await;
    Page { url, result, links }
}
