//! The origins that are asked about: their bodies, URLs and answers.

use std::sync::Arc;
use std::time::SystemTime;

use robots_fetch::{
    AwaitingHead, Cache, CacheOptions, Fetch, Head, NextStep, Origin, Outcome, Retrieval, SiteProfile, Store,
};
use url::Url;

use robots_bench::arguments::Arguments;
use robots_bench::corpus::{Random, Site};

/// The longest body.
const LONGEST: usize = 2_048;

/// The files from which the body of each origin is drawn.
pub(crate) struct Bodies {
    sites: Arc<[Site]>,
    source: String,
}

/// Reads the files of a folder, or generates files. Longer ones are left out.
pub(crate) fn bodies(arguments: &Arguments) -> Result<Bodies, String> {
    let (sites, source) = (arguments.sites()?, arguments.source());
    let sites: Arc<[Site]> = sites.into_iter().filter(|site| site.body.len() <= LONGEST).collect();
    if sites.is_empty() {
        return Err(format!("{source}: no file has at most {LONGEST} bytes"));
    }
    Ok(Bodies { sites, source })
}

impl Bodies {
    pub(crate) fn shown(&self) -> String {
        let bytes: usize = self.sites.iter().map(|site| site.body.len()).sum();
        let count = self.sites.len();
        format!("{}: {count} files of at most {LONGEST} bytes, {} on average", self.source, bytes / count)
    }

    /// Returns the site whose file an origin has, by a fixed seed.
    pub(crate) fn of(&self, number: usize) -> &Site {
        let mut random = Random::new(number as u64);
        &self.sites[random.below(self.sites.len())]
    }

    /// Returns URLs to ask about: each of another origin, in a random order that is the same in every run.
    pub(crate) fn urls(&self, origins: usize, count: usize) -> Vec<Url> {
        let mut random = Random::new(5_861);
        (0..count)
            .map(|_| {
                let number = random.below(origins);
                let urls = &self.of(number).urls;
                let path = urls[random.below(urls.len())].path().to_owned();
                url(number, &path)
            })
            .collect()
    }

    /// Makes a source of these files.
    pub(crate) fn fetch(&self) -> impl Fetch + Clone + use<> {
        let bodies = Self { sites: Arc::clone(&self.sites), source: String::new() };
        let bodies = Arc::new(bodies);
        move |retrieval: Retrieval| answer(&retrieval, &bodies.of(number(&retrieval.origin)).body)
    }
}

/// Makes a cache that can hold any number of origins.
pub(crate) fn cache<S: Store + 'static>(store: S, fetch: impl Fetch + 'static) -> Cache<impl Fetch, S> {
    let mut options = CacheOptions::new(SiteProfile::RFC9309).with_store(store);
    (options.limits.entries, options.limits.bytes) = (usize::MAX, usize::MAX);
    Cache::new(options, fetch)
}

/// Returns a URL of an origin.
pub(crate) fn url(number: usize, path: &str) -> Url {
    Url::parse(&format!("https://www.site{number}.test{path}")).expect("hosts of numbers are valid")
}

fn number(origin: &Origin) -> usize {
    let number = origin.host().trim_start_matches("www.site").trim_end_matches(".test");
    number.parse().expect("a host has its number")
}

/// The answer of a usual server.
pub(crate) fn answer(retrieval: &Retrieval, body: &[u8]) -> Outcome {
    let Retrieval { origin, validators, profile, .. } = retrieval;
    let now = SystemTime::now();
    let head = Head::new(200)
        .with_field("content-type", "text/plain; charset=utf-8")
        .with_field("etag", "\"24e-5f3b1a2b3c4d5\"")
        .with_field("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    match AwaitingHead::new(origin, validators, profile, now).head(&head, now) {
        NextStep::Read(mut reading) => {
            let _ = reading.push(body);
            reading.end(now)
        }
        _ => unreachable!("200 is a file"),
    }
}
