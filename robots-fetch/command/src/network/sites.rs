//! Asking sites, several at a time.

use alloc::sync::Arc;
use core::cell::Cell;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use core::time::Duration;
use std::io::{self, IsTerminal as _};
use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

use robots_fetch::client::blocking::{self, Download, Looked};
use robots_fetch::{Cache, Entry, Failure, FailureKind, Fetch, Origin, Outcome, Retrieval, Store};
use url::Url;

use super::progress::Progress;
use crate::in_order::{NoThread, Turn, in_order};
use crate::output::{self, Style};
use crate::text::{Text, age};

/// The number of sites that are asked at a time.
const AT_A_TIME: usize = 16;

/// When the first site could be asked.
static STARTED: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

/// Returns the age of an answer that was in the cache before the command began; `None` if the site was asked.
pub(crate) fn age_in_cache(entry: &Entry, now: SystemTime) -> Option<Duration> {
    let received = entry.received();
    (received < *STARTED).then(|| now.duration_since(received).unwrap_or_default())
}

/// Whether something was asked of a site.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Sites, and what is known of them.
pub(crate) struct Sites {
    cache: Cache<InTime, Box<dyn Store>>,
    http: blocking::Client,
    timeout: Duration,
    /// Whether a note says which answers are from the cache.
    notes: bool,
}

/// The time that a site has for its robots.txt and all its sitemaps, or for a page with all its redirects and the robots.txt of each,
/// however many these are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteTime {
    end: Instant,
}

impl SiteTime {
    /// Returns the time that is left.
    pub(crate) fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Returns the time without a pause in which the site was not waited for.
    pub(crate) fn later(self, pause: Duration) -> Self {
        Self { end: self.end + pause }
    }
}

thread_local! {
    /// The time of the site for which this thread asks, if robots.txt files share it.
    static TIME: Cell<Option<SiteTime>> = const { Cell::new(None) };
}

/// Retrieves robots.txt files, in the time of the site for which they are needed: a cache retrieves on the thread that asks it.
pub(super) struct InTime(pub(super) blocking::Client);

impl Fetch for InTime {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        match TIME.get() {
            Some(time) => Fetch::fetch(&self.0.within(time.left()), retrieval),
            None => Fetch::fetch(&self.0, retrieval),
        }
    }
}

impl Sites {
    pub(super) fn new(
        cache: Cache<InTime, Box<dyn Store>>,
        http: blocking::Client,
        timeout: Duration,
        notes: bool,
    ) -> Self {
        LazyLock::force(&STARTED);
        Self { cache, http, timeout, notes }
    }

    /// Returns whether the command asked a site for something, or its cache.
    pub(super) fn was_any_asked() -> bool {
        ASKED.load(Relaxed)
    }

    /// Starts the time of a site, or of a page.
    pub(crate) fn start(&self) -> SiteTime {
        SiteTime { end: Instant::now() + self.timeout }
    }

    /// Downloads a file other than a robots.txt, such as a sitemap. `named_by` are the URLs of the files that led to it; without
    /// any, the user named it. `time` is that of the site.
    pub(crate) fn download(
        &self,
        url: &Url,
        named_by: &[Url],
        time: SiteTime,
    ) -> Result<Download<'_>, String> {
        ASKED.store(true, Relaxed);
        self.http.download(url, named_by, time.left()).map_err(|failure| match failure.kind() {
            // Its text is a sentence.
            FailureKind::InvalidResponse if !failure.text().is_empty() => failure.text().to_owned(),
            _ => advised(&failure, named_by),
        })
    }

    /// Requests a page once, without following redirects. `named_by` are the URLs that led to it. `time` is that of the page.
    pub(crate) fn look(
        &self,
        url: &Url,
        named_by: &[Url],
        most: usize,
        time: SiteTime,
    ) -> Result<Looked, String> {
        ASKED.store(true, Relaxed);
        let looked = self.http.within(time.left()).look(url, named_by, most);
        looked.map_err(|failure| match failure.kind() {
            // The client names the part of the time that was left for it.
            FailureKind::Timeout if time.left().is_zero() => self.ended(url),
            _ => advised(&failure, named_by),
        })
    }

    /// Returns why a URL of a page has no answer after the time of the page.
    pub(crate) fn ended(&self, url: &Url) -> String {
        let (url, seconds) = (Text(url.as_str().as_bytes()), self.timeout.as_secs_f64());
        format!("{url} gave no answer within the {seconds} s of `--timeout`, which all redirects share")
    }

    /// Notes the answers that are from the cache.
    fn note_cached(&self, origins: &[Origin], entries: &[Arc<Entry>]) {
        let now = SystemTime::now();
        let ages = origins
            .iter()
            .zip(entries)
            .filter_map(|(origin, entry)| Some((origin, age_in_cache(entry, now)?)));
        let cached: Vec<_> = ages.collect();
        let oldest = cached.iter().map(|(_, age)| *age).max().unwrap_or_default();
        let message = match cached.as_slice() {
            [] => return,
            [(origin, _)] => {
                let site = Text(origin.as_str().as_bytes());
                format!(
                    "the answer of {site} is from the cache, {} old; `--no-cache` asks again",
                    age(oldest)
                )
            }
            all => {
                let (count, sites) = (all.len(), origins.len());
                let oldest = age(oldest);
                format!(
                    "the answers of {count} of {sites} sites are from the cache, at most {oldest} old; `--no-cache` asks again"
                )
            }
        };
        output::complain("note", Style::Note, &message);
    }

    /// Returns the entry of each origin, and asks the sites whose entries are missing or stale.
    pub(crate) fn entries(&self, origins: &[Origin]) -> Vec<Arc<Entry>> {
        ASKED.fetch_or(!origins.is_empty(), Relaxed);
        let shows = origins.len() > 1 && io::stderr().is_terminal();
        let progress = Progress::new(origins.len(), shows.then(io::stderr));
        let mut entries = Vec::with_capacity(origins.len());
        let ask = |origin| {
            let entry = self.cache.get(origin);
            progress.one();
            entry
        };
        let worker = || {
            |origin, turn: &mut Turn<'_, _>| {
                turn.send(ask(origin), 0);
            }
        };
        let at_a_time = AT_A_TIME.min(origins.len());
        let asked = in_order(at_a_time, usize::MAX, origins.iter(), worker, |entry| {
            entries.push(entry);
            Ok::<_, NoThread>(())
        });
        if asked.is_err() {
            entries.extend(origins.iter().map(ask));
        }
        drop(progress);
        if self.notes {
            self.note_cached(origins, &entries);
        }
        entries
    }

    /// Returns the entry of the origin of a page, as [`Self::entries`], in the time of the page.
    pub(crate) fn entry(&self, origin: &Origin, time: SiteTime) -> Arc<Entry> {
        ASKED.store(true, Relaxed);
        TIME.set(Some(time));
        let entry = self.cache.get(origin);
        TIME.set(None);
        if self.notes {
            self.note_cached(core::slice::from_ref(origin), core::slice::from_ref(&entry));
        }
        entry
    }

    /// Asks a site, whatever is known of it.
    pub(crate) fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        ASKED.store(true, Relaxed);
        self.cache.refresh(origin)
    }
}

/// Returns a failure, and the option that prevents it. `named_by` are the URLs that led to the one that failed.
fn advised(failure: &Failure, named_by: &[Url]) -> String {
    match failure.kind() {
        FailureKind::RefusedAddress if !named_by.is_empty() => {
            format!("{failure}; --private-redirects allows it")
        }
        _ => failure.to_string(),
    }
}
