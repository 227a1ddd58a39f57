// A crawler for production. The chapter `production_crawler` shows it, and `cargo test --test production` runs it.

use core::pin::pin;
use core::time::Duration;
use std::collections::{HashMap, HashSet, VecDeque};
use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use robots_fetch::client::{AddressPolicy, ClientOptions};
use robots_fetch::matching::Crawler;
use robots_fetch::sitemap::{Location, Locations};
use robots_fetch::{
    AsyncCache, AsyncGate, CacheOptions, Disk, GatePolicy, Head, RefusalReason, SiteProfile, StoreLimits,
};
use tokio::task::JoinSet;
use url::Url;

pub type Failed = Box<dyn Error + Send + Sync>;

/// The name in robots.txt files, and the `User-Agent` that contains it.
const NAME: &str = "ExampleBot";
const USER_AGENT: &str = "ExampleBot/1.0 (+https://example.com/bot)";

/// How many sites are visited at a time. The gate takes care of each of them.
const MOST_TASKS: usize = 500;

/// The largest page, in bytes. A sitemap may be larger.
const LARGEST_PAGE: usize = 8 << 20;

/// How often a page is asked for that answers with 429, 503 or not at all.
const ATTEMPTS: u32 = 3;

/// How long requests that have begun may go on after the signal to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Set all of it in a file of yours: with the feature `serde`, `GatePolicy` can be read from one.
pub struct Settings {
    /// The folder of the state.
    pub folder: PathBuf,
    /// The sites to visit, each by its first page.
    pub seeds: Vec<Url>,
    /// `AddressPolicy::Public`, unless the sites are on a network of yours.
    pub addresses: AddressPolicy,
    /// The delays and limits.
    pub gate: GatePolicy,
    /// The longest time for a request.
    pub timeout: Duration,
    /// The most pages of a run.
    pub most_pages: usize,
}

/// What became of the URLs of a run.
#[derive(Debug, Default)]
pub struct Report {
    pub pages: usize,
    pub disallowed: usize,
    /// URLs without an answer, also after some attempts.
    pub failed: usize,
    /// URLs of sites that are away or want a long pause. The next run begins with them.
    pub later: usize,
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        println!("usage: crawler FOLDER [URL]...");
        return Ok(());
    };
    let settings = Settings {
        folder: folder.into(),
        seeds: arguments.map(|seed| seed.parse()).collect::<Result<_, _>>()?,
        addresses: AddressPolicy::Public,
        gate: GatePolicy::default(),
        timeout: Duration::from_secs(30),
        most_pages: 1_000_000,
    };
    let stop = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    println!("{:?}", crawl(settings, stop).await?);
    Ok(())
}

/// Visits the sites of the seeds until all their pages were visited or `stop` is ready. A folder that has the state of an earlier run
/// is continued.
pub async fn crawl(settings: Settings, stop: impl Future<Output = ()>) -> Result<Report, Failed> {
    let Settings { folder, seeds, addresses, gate: policy, timeout, most_pages } = settings;
    fs::create_dir_all(&folder)?;

    // What is known about robots.txt files lasts longer than the process.
    let disk = Disk::open(folder.join("robots.sqlite"), SiteProfile::RFC9309, StoreLimits::DEFAULT)?;
    let options = CacheOptions::from_store(disk)
        .with_store_error_handler(|error| eprintln!("robots.txt files: {error}"));
    let mut client = ClientOptions::new(USER_AGENT)?;
    client.addresses = addresses;
    client.total_timeout = timeout;
    let cache = AsyncCache::new(options, robots_fetch::client::reqwest::Client::new(&client)?);

    // The gate gives a permit when a URL may be requested, and when.
    let crawler = Crawler::new(NAME)?;
    let gate = AsyncGate::new(cache, crawler, policy);
    // Sites have to recognize the crawler.
    gate.check_user_agent(USER_AGENT)?;

    // A redirect is a link: its target waits for a permit, too.
    let client = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .redirect(reqwest::redirect::Policy::none())
        // A server may close a connection that waits, just when the next request is sent.
        .pool_max_idle_per_host(0)
        .timeout(timeout)
        .build()?;

    let mut frontier = Frontier::open(&folder, seeds)?;
    let mut report = Report::default();
    let mut running = JoinSet::new();
    let mut stop = pin!(stop);
    let mut status = tokio::time::interval(Duration::from_secs(10));
    loop {
        while running.len() < MOST_TASKS && report.pages + running.len() < most_pages {
            let Some(job) = frontier.next() else { break };
            running.spawn(visit(gate.clone(), client.clone(), job));
        }
        tokio::select! {
            () = &mut stop => break,
            // The same numbers are gauges of the feature `metrics`.
            _ = status.tick() => println!(
                "{} pages; {} of {} URLs at the gate are parked; {} bytes",
                report.pages, gate.parked(), gate.waiting(), gate.bytes(),
            ),
            visited = running.join_next() => match visited {
                Some(visit) => frontier.end(visit?, &mut report)?,
                None => return Ok(report),
            },
        }
    }
    // No other request begins. One that waits for its permit is dropped, which leaves nothing at the gate.
    let ending = async {
        while let Some(visit) = running.join_next().await {
            frontier.end(visit?, &mut report)?;
        }
        Ok::<(), Failed>(())
    };
    // URLs that did not end in time are in the file of the frontier.
    let _ = tokio::time::timeout(GRACE, ending).await;
    Ok(report)
}

/// A URL to request.
struct Job {
    url: Url,
    is_sitemap: bool,
    attempts: u32,
}

/// What a task did.
struct Visit {
    job: Job,
    ended: Ended,
    links: Vec<Url>,
    sitemaps: Vec<Url>,
}

enum Ended {
    Page,
    Disallowed,
    /// The site was busy, or did not answer. The gate lets it rest.
    Again,
    /// The site is away.
    Later,
}

/// Requests a URL when it may be requested.
async fn visit(gate: AsyncGate, client: reqwest::Client, job: Job) -> Visit {
    let mut visit = Visit { job, ended: Ended::Again, links: Vec::new(), sitemaps: Vec::new() };
    let url = visit.job.url.clone();
    let permit = match gate.permit(&url).await {
        Ok(permit) => permit,
        Err(refusal) => {
            visit.ended = match refusal.reason() {
                RefusalReason::Disallowed(_) => Ended::Disallowed,
                _ => Ended::Later,
            };
            return visit;
        }
    };
    // The permit knows all that the robots.txt says to this crawler.
    visit.sitemaps.clone_from(&permit.decision().facts.sitemaps);
    let Ok(mut response) = client.get(url.clone()).send().await else {
        permit.note(None);
        return visit;
    };
    // After 429 and 503, the gate pauses the site for as long as `Retry-After` says.
    permit.note(Some(&Head::from_http(response.status(), response.headers())));
    if matches!(response.status().as_u16(), 429 | 503) {
        return visit;
    }
    if response.status().is_redirection() {
        let target = response.headers().get("location").and_then(|target| target.to_str().ok());
        let target = target.and_then(|target| url.join(target).ok());
        if visit.job.is_sitemap {
            visit.sitemaps.extend(target);
        } else {
            visit.links.extend(target);
        }
        visit.ended = Ended::Page;
        return visit;
    }
    let most = if visit.job.is_sitemap { robots_fetch::sitemap::MAX_SIZE } else { LARGEST_PAGE };
    let mut body = Vec::new();
    while body.len() < most {
        match response.chunk().await {
            Ok(Some(part)) => body.extend_from_slice(&part),
            Ok(None) => break,
            Err(_) => return visit,
        }
    }
    visit.ended = Ended::Page;
    if !response.status().is_success() {
        return visit;
    }
    if visit.job.is_sitemap {
        // Sitemaps may be compressed, and name other sitemaps.
        for location in Locations::new(&*body).map_while(Result::ok) {
            let (found, text) = match &location {
                Location::Page(text) => (&mut visit.links, text),
                Location::Sitemap(text) => (&mut visit.sitemaps, text),
                _ => continue,
            };
            found.extend(core::str::from_utf8(text).ok().and_then(|text| url.join(text).ok()));
        }
    } else {
        // Keep the page here. A real crawler parses HTML.
        let text = String::from_utf8_lossy(&body);
        let targets = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        visit.links.extend(targets.filter_map(|target| url.join(target).ok()));
    }
    visit
}

/// The URLs that were found. A file has all of them and those that are done, so that a crawler that is killed goes on where it was.
struct Frontier {
    file: File,
    known: HashSet<Url>,
    /// The sites of the seeds. One task visits a site at a time, because the gate would let others wait.
    sites: HashMap<String, VecDeque<Job>>,
    /// The sites that have URLs and no task.
    ready: VecDeque<String>,
    busy: HashSet<String>,
}

impl Frontier {
    fn open(folder: &std::path::Path, seeds: Vec<Url>) -> Result<Self, Failed> {
        let path = folder.join("frontier");
        let before = fs::read_to_string(&path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let (known, sites, ready, busy) = Default::default();
        let mut frontier = Self { file, known, sites, ready, busy };
        let lines =
            before.lines().filter_map(|line| Some((line.get(..1)?, line.get(2..)?.parse::<Url>().ok()?)));
        let done: HashSet<_> = lines.clone().filter(|(mark, _)| *mark == "-").map(|(_, url)| url).collect();
        frontier.known.clone_from(&done);
        for seed in &seeds {
            frontier.sites.entry(site(seed)).or_default();
        }
        for (mark, url) in lines.filter(|(mark, _)| *mark != "-") {
            frontier.queue(url, mark == "s");
        }
        for seed in seeds {
            frontier.find(seed, false)?;
        }
        Ok(frontier)
    }

    /// Adds a URL of the sites to visit, and writes it down.
    fn find(&mut self, url: Url, is_sitemap: bool) -> Result<(), Failed> {
        let line = format!("{} {url}\n", if is_sitemap { "s" } else { "p" });
        if self.queue(url, is_sitemap) {
            self.file.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    fn queue(&mut self, mut url: Url, is_sitemap: bool) -> bool {
        url.set_fragment(None);
        let site = site(&url);
        let Some(waiting) = self.sites.get_mut(&site) else { return false };
        if !self.known.insert(url.clone()) {
            return false;
        }
        if waiting.is_empty() && !self.busy.contains(&site) {
            self.ready.push_back(site);
        }
        waiting.push_back(Job { url, is_sitemap, attempts: 0 });
        true
    }

    fn next(&mut self) -> Option<Job> {
        let site = self.ready.pop_front()?;
        let job = self.sites.get_mut(&site)?.pop_front()?;
        self.busy.insert(site);
        Some(job)
    }

    fn end(&mut self, visit: Visit, report: &mut Report) -> Result<(), Failed> {
        let Visit { mut job, ended, links, sitemaps } = visit;
        let site = site(&job.url);
        job.attempts += 1;
        let (mut is_done, mut is_again) = (true, false);
        match ended {
            Ended::Page => report.pages += 1,
            Ended::Disallowed => report.disallowed += 1,
            Ended::Again if job.attempts < ATTEMPTS => {
                is_done = false;
                is_again = true;
            }
            Ended::Again => report.failed += 1,
            Ended::Later => {
                // The other URLs of the site would not fare better today.
                is_done = false;
                report.later += 1 + self.sites.get_mut(&site).map_or(0, |waiting| waiting.drain(..).count());
            }
        }
        if is_done {
            self.file.write_all(format!("- {}\n", job.url).as_bytes())?;
        }
        for sitemap in sitemaps {
            self.find(sitemap, true)?;
        }
        for link in links {
            self.find(link, false)?;
        }
        self.busy.remove(&site);
        if let Some(waiting) = self.sites.get_mut(&site) {
            if is_again {
                waiting.push_back(job);
            }
            if !waiting.is_empty() {
                self.ready.push_back(site);
            }
        }
        Ok(())
    }
}

fn site(url: &Url) -> String {
    url.origin().ascii_serialization()
}
