//! Sites that are asked for their robots.txt, and the cache between them and the commands.

mod arguments;
mod folder;
mod progress;
mod resolve;
mod sites;

use core::time::Duration;
use std::env;
use std::path::PathBuf;

use robots_fetch::client::{AddressPolicy, ClientOptions, Proxies, blocking, ftp};
use robots_fetch::{Cache, CacheOptions, FailureKind, SiteProfile, Store, StoreError, StoreLimits};
use robots_match::Crawler;

pub(crate) use self::arguments::{
    CacheArguments, RequestArguments, SITES, given_options, note_without_effect, utf8,
};
use self::folder::{folder, open};
pub(crate) use self::resolve::Resolve;
use self::sites::InTime;
pub(crate) use self::sites::{SiteTime, Sites, age_in_cache};
use crate::failure::{Failure, Result, reason};
use crate::output::{self, Style};
use crate::source::{Admitted, read_within};
use crate::text::Text;

/// The longest time for which the claim of a command that was killed, or the lock of one that was stopped, delays the next one. If a
/// site takes longer, both ask it.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The most bytes of a file with certificates.
const MOST_CERTIFICATES: usize = 16 << 20;

/// What is kept in memory: a command asks each site once, and then only for redirects to it.
const IN_MEMORY: StoreLimits = {
    let mut limits = StoreLimits::DEFAULT;
    (limits.entries, limits.bytes) = (1_000, 8 << 20);
    limits
};

/// How sites are asked, and where their answers are kept.
#[derive(Debug)]
pub(crate) struct Network {
    user_agent: Option<String>,
    timeout: Duration,
    addresses: AddressPolicy,
    redirect_addresses: AddressPolicy,
    /// The URL of a proxy, in place of those of the environment.
    proxy: Option<String>,
    /// Hosts that are asked without a proxy.
    no_proxy: Option<String>,
    /// A file with certificates.
    ca: Option<PathBuf>,
    /// Addresses in place of those of host names.
    resolve: Vec<Resolve>,
    cache: Keep,
    notes: bool,
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
            // What an address answers is not what the site answers.
            _ if cache.no_cache || !requests.resolve.is_empty() => Keep::Nowhere,
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
            // The user chose the host. A redirect is the choice of a site.
            addresses: if requests.public_only { AddressPolicy::Public } else { AddressPolicy::Any },
            redirect_addresses: if requests.private_redirects {
                AddressPolicy::Any
            } else {
                AddressPolicy::Public
            },
            proxy: requests.proxy.clone(),
            no_proxy: requests.no_proxy.clone(),
            ca: requests.ca.clone(),
            resolve: requests.resolve.clone(),
            cache: Keep::Nowhere,
            notes: false,
        }
    }

    /// Returns the network with another User-Agent header, if one is given.
    pub(crate) fn with_user_agent(self, user_agent: Option<&String>) -> Self {
        Self { user_agent: user_agent.cloned().or(self.user_agent), ..self }
    }

    /// Returns the network with these addresses in place of those of host names.
    pub(crate) fn with_resolve(self, resolve: &[Resolve]) -> Self {
        Self { resolve: resolve.to_vec(), ..self }
    }

    /// Returns the network with a note on standard error about answers from the cache, or without one.
    pub(crate) fn with_notes(self, notes: bool) -> Self {
        Self { notes, ..self }
    }

    /// Returns a client that asks sites with these options. The rules for `crawler` decide which redirects lead to disallowed
    /// URLs.
    pub(crate) fn sites(&self, profile: SiteProfile, crawler: Crawler) -> Result<Sites> {
        let user_agent = self.user_agent.as_deref().unwrap_or(concat!("robots/", env!("CARGO_PKG_VERSION")));
        let mut options = ClientOptions::new(user_agent).map_err(|error| Failure::new(error.to_string()))?;
        // A time that the user has chosen holds for each pause of an answer, too.
        if self.timeout != options.total_timeout {
            options.total_timeout = self.timeout;
            options.connect_timeout = self.timeout;
            options.read_timeout = self.timeout;
        }
        options.addresses = self.addresses.clone();
        options.redirect_addresses = self.redirect_addresses.clone();
        options.proxies = self.proxies()?;
        if !self.resolve.is_empty() {
            // A proxy would look up the names itself.
            for own in &self.resolve {
                options.proxies = options.proxies.with_exceptions(own.host());
            }
            let resolve = self.resolve.clone();
            options = options.with_resolver(move |host, port| Resolve::look_up(&resolve, host, port));
        }
        if let Some(path) = &self.ca {
            let shown = Text(path.as_os_str().as_encoded_bytes());
            let read = read_within(path, Admitted::Any, MOST_CERTIFICATES);
            options.certificates =
                read.map_err(|error| Failure::new(format!("--ca: can't read {shown}: {}", reason(&error))))?;
            if options.certificates.len() > MOST_CERTIFICATES {
                return Err(Failure::new(format!(
                    "--ca: {shown} is larger than {} MiB",
                    MOST_CERTIFICATES >> 20
                )));
            }
            if options.certificates.is_empty() {
                return Err(Failure::new(format!("{shown} is empty; expected certificates in PEM format")));
            }
        }
        let failed = |error: robots_fetch::Failure| Failure::new(error.to_string());
        let http = blocking::Client::new(&options).map_err(|failure| match &self.ca {
            Some(path) if failure.kind() == FailureKind::Tls => {
                let shown = Text(path.as_os_str().as_encoded_bytes());
                Failure::new(format!("can't use {shown}: {}", failure.text()))
            }
            _ => failed(failure),
        })?;
        let client = http.clone().with_ftp(ftp::Client::new(&options).map_err(failed)?);
        let report = |error: &StoreError| output::complain("note", Style::Note, &error.to_string());
        // The command ends before a retrieval in the background would.
        let mut kept = CacheOptions::new(profile);
        kept.retrievals.background = 0;
        kept.limits = IN_MEMORY;
        kept.crawler = crawler;
        let kept = kept.with_store(self.store(&profile)?).with_store_error_handler(report);
        Ok(Sites::new(Cache::new(kept, InTime(client)), http, self.timeout, self.notes))
    }

    /// Returns the proxies of the arguments, or else of the environment.
    fn proxies(&self) -> Result<Proxies> {
        let proxies = match &self.proxy {
            None => Proxies::from_env(),
            Some(url) => {
                let proxies = Proxies::parse(url).map_err(|failure| {
                    // The value may contain a password.
                    Failure::new(format!("invalid value for `--proxy`: {}", failure.text()))
                })?;
                let direct = env::var_os("no_proxy").or_else(|| env::var_os("NO_PROXY")).unwrap_or_default();
                proxies.with_exceptions(&direct.to_string_lossy())
            }
        };
        Ok(match &self.no_proxy {
            None => proxies,
            Some(hosts) => proxies.with_exceptions(hosts),
        })
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
        let longest = self.timeout.min(LONGEST_WAIT);
        match open(&folder, &name, *profile, longest) {
            Ok(disk) => Ok(Box::new(disk.with_claim_lifetime(longest))),
            // A folder that is named has to work; a store that stays locked by another command is free again soon.
            Err(error) if matches!(self.cache, Keep::In(_)) && !matches!(error, StoreError::Busy { .. }) => {
                Err(Failure::new(format!("--cache: {error}")))
            }
            Err(error) => {
                output::complain("note", Style::Note, &format!("{error}; files are not kept"));
                Ok(Box::new(()))
            }
        }
    }
}
