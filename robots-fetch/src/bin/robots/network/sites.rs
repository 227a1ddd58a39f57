//! Asking sites, several at a time.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::thread;

use robots_fetch::client::{ByScheme, ureq};
use robots_fetch::{Cache, Entry, Origin, Store};
use url::Url;

use super::progress::Progress;

/// The number of sites that are asked at a time.
const AT_A_TIME: usize = 16;

/// Sites, and what is known of them.
pub(crate) struct Sites(Cache<ByScheme<ureq::Client>, Box<dyn Store>>, ureq::Client);

impl Sites {
    pub(super) fn new(cache: Cache<ByScheme<ureq::Client>, Box<dyn Store>>, http: ureq::Client) -> Self {
        Self(cache, http)
    }

    /// Downloads a file other than a robots.txt, such as a sitemap, of at most `most` bytes.
    pub(crate) fn download(&self, url: &Url, most: usize) -> Result<Vec<u8>, String> {
        self.1.download(url, most).map_err(|failure| failure.to_string())
    }

    /// Returns the entry of each origin, and asks the sites whose entries are missing or stale.
    pub(crate) fn entries(&self, origins: &[Origin]) -> Vec<Arc<Entry>> {
        let shows = origins.len() > 1 && io::stderr().is_terminal();
        let progress = Progress::new(origins.len(), shows.then(io::stderr));
        let next = AtomicUsize::new(0);
        let mut entries = vec![None; origins.len()];
        let places: Vec<_> = entries.iter_mut().map(Mutex::new).collect();
        thread::scope(|scope| {
            for _ in 0..AT_A_TIME.min(origins.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(origin), Some(place)) = (origins.get(index), places.get(index)) else {
                            break;
                        };
                        let entry = self.0.get(origin);
                        **place.lock().unwrap_or_else(PoisonError::into_inner) = Some(entry);
                        progress.one();
                    }
                });
            }
        });
        drop(places);
        drop(progress);
        entries.into_iter().flatten().collect()
    }

    /// Asks a site, whatever is known of it.
    pub(crate) fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.0.refresh(origin)
    }
}
