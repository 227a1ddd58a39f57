//! Sites that are asked for their robots.txt, and the cache between them and the commands.

mod arguments;
mod folder;
mod progress;
mod sites;

use core::time::Duration;
use std::path::PathBuf;

use robots_fetch::client::{AddressPolicy, ByScheme, ClientOptions, ftp, ureq};
use robots_fetch::{Cache, CacheOptions, RetrievalLimits, SiteProfile, Store, StoreError};
use robots_match::Crawler;

pub(crate) use self::arguments::{CacheArguments, RequestArguments, SITES, utf8};
use self::folder::{folder, open};
pub(crate) use self::sites::Sites;
use crate::failure::{Failure, Result};
use crate::output::{self, Style};

/// How sites are asked, and where their answers are kept.
#[derive(Debug)]
pub(crate) struct Network {
    user_agent: Option<String>,
    timeout: Duration,
    addresses: AddressPolicy,
    cache: Keep,
}

/// Where entries are kept.
#[derive(Debug)]
enum Keep {
    Nowhere,
    /// In the user's folder for caches, if there is one.
    ByDefault,
    In(PathBuf),
}

impl Network {
    /// A network with these options.
    pub(crate) fn new(requests: &RequestArguments, cache: &CacheArguments) -> Self {
        let cache = match &cache.cache {
            _ if cache.no_cache => Keep::Nowhere,
            None => Keep::ByDefault,
            Some(folder) => Keep::In(folder.clone()),
        };
        Self { cache, ..Self::without_cache(requests) }
    }

    /// A network that keeps nothing, and uses nothing that was kept.
    pub(crate) fn without_cache(requests: &RequestArguments) -> Self {
        Self {
            user_agent: requests.user_agent.clone(),
            timeout: requests.timeout,
            addresses: if requests.public_only { AddressPolicy::Public } else { AddressPolicy::Any },
            cache: Keep::Nowhere,
        }
    }

    /// Returns a client that asks sites with these options. The rules for `crawler` decide which redirects lead to disallowed
    /// URLs.
    pub(crate) fn sites(&self, profile: SiteProfile, crawler: Crawler) -> Result<Sites> {
        let user_agent = self.user_agent.as_deref().unwrap_or(concat!("robots/", env!("CARGO_PKG_VERSION")));
        let mut options = ClientOptions::new(user_agent).map_err(|error| Failure::new(error.to_string()))?;
        options.total_timeout = self.timeout;
        options.connect_timeout = options.connect_timeout.min(self.timeout);
        options.read_timeout = options.read_timeout.min(self.timeout);
        options.addresses = self.addresses;
        let failed = |error: robots_fetch::Failure| Failure::new(error.to_string());
        let http = ureq::Client::new(&options).map_err(failed)?;
        let client = ByScheme::new(http.clone(), ftp::Client::new(&options).map_err(failed)?);
        let report = |error: &StoreError| output::complain("note", Style::Note, &error.to_string());
        // The command ends before a retrieval in the background would.
        let mut limits = RetrievalLimits::DEFAULT;
        limits.background = 0;
        let kept = CacheOptions::new(profile).retrieval_limits(limits).crawler(crawler);
        let kept = kept.store(self.store(&profile)?).on_store_error(report);
        Ok(Sites::new(Cache::new(kept, client), http))
    }

    fn store(&self, profile: &SiteProfile) -> Result<Box<dyn Store>> {
        let folder = match &self.cache {
            Keep::Nowhere => None,
            Keep::ByDefault => folder().map(|folder| folder.join("robots")),
            Keep::In(folder) => Some(folder.clone()),
        };
        let Some(folder) = folder else { return Ok(Box::new(())) };
        // A site may send other files to other user agents.
        let name = match &self.user_agent {
            None => "robots.sqlite".to_owned(),
            Some(name) => format!("robots-{:08x}.sqlite", crc32fast::hash(name.as_bytes())),
        };
        match open(&folder, &name, *profile) {
            Ok(disk) => Ok(Box::new(disk)),
            // A folder that is named has to work; a store that stays locked by another command is free again soon.
            Err(error) if matches!(self.cache, Keep::In(_)) && !matches!(error, StoreError::Busy { .. }) => {
                Err(Failure::new(error.to_string()))
            }
            Err(error) => {
                output::complain("note", Style::Note, &format!("{error}; files are not kept"));
                Ok(Box::new(()))
            }
        }
    }
}
