//! Sites that are asked for their robots.txt, and the cache in between.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use lexopt::{Arg, Parser};
use robots_fetch::client::{AddressPolicy, ByScheme, ClientOptions, ftp, ureq};
use robots_fetch::{
    Cache, CacheOptions, Disk, Entry, Memory, Origin, Profile, Store, StoreError, StoreLimits, Tiered,
};

use crate::failure::{Failure, Result, reason};
use crate::show::{self, Style, Text};

/// The lines of a help about options for requests.
macro_rules! requests_help {
    () => {
        "\
      --user-agent TEXT   what requests say they are from (default: robots/VERSION)
      --timeout SECONDS   how long a site may take, with all redirects (default: 30)
      --public-only       don't connect to loopback, private and other special addresses, nor follow redirects there
"
    };
}
pub(crate) use requests_help;

/// The lines of a help about all of these options.
macro_rules! help {
    () => {
        concat!(
            crate::network::requests_help!(),
            "\
      --cache DIR         where robots.txt files are kept (default: robots in the user's folder for caches)
      --no-cache          keep nothing, and use nothing that is kept
"
        )
    };
}
pub(crate) use help;

/// How many sites are asked at a time.
const AT_A_TIME: usize = 16;

/// The most that is kept on disk.
const KEPT: StoreLimits = StoreLimits { entries: 10_000, bytes: 64 << 20 };

/// The options of commands that ask sites.
#[derive(Debug)]
pub(crate) struct Network {
    user_agent: Option<String>,
    whole: Duration,
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

/// One of the options.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NetworkOption {
    UserAgent,
    Timeout,
    PublicOnly,
    Cache,
    NoCache,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            user_agent: None,
            whole: Duration::from_secs(30),
            addresses: AddressPolicy::Any,
            cache: Keep::ByDefault,
        }
    }
}

impl Network {
    /// The same where nothing is kept, and nothing used that is.
    pub(crate) fn keeping_nothing() -> Self {
        Self { cache: Keep::Nowhere, ..Self::default() }
    }

    /// The option about requests that an argument is.
    pub(crate) fn request_option(arg: &Arg<'_>) -> Option<NetworkOption> {
        let is_about_keeping =
            |option: &NetworkOption| matches!(option, NetworkOption::Cache | NetworkOption::NoCache);
        Self::option(arg).filter(|option| !is_about_keeping(option))
    }

    /// The option that an argument is.
    pub(crate) fn option(arg: &Arg<'_>) -> Option<NetworkOption> {
        match arg {
            Arg::Long("user-agent") => Some(NetworkOption::UserAgent),
            Arg::Long("timeout") => Some(NetworkOption::Timeout),
            Arg::Long("public-only") => Some(NetworkOption::PublicOnly),
            Arg::Long("cache") => Some(NetworkOption::Cache),
            Arg::Long("no-cache") => Some(NetworkOption::NoCache),
            _ => None,
        }
    }

    /// Takes an option, and its value if it has one.
    pub(crate) fn set(&mut self, option: NetworkOption, parser: &mut Parser) -> Result<()> {
        match option {
            NetworkOption::UserAgent => {
                let text = parser.value()?;
                let told = || Failure::told(format!("`{}` is no user agent", Text(text.as_encoded_bytes())));
                self.user_agent = Some(text.to_str().ok_or_else(told)?.to_owned());
            }
            NetworkOption::Timeout => self.whole = seconds(&parser.value()?)?,
            NetworkOption::PublicOnly => self.addresses = AddressPolicy::Public,
            NetworkOption::Cache => self.cache = Keep::In(parser.value()?.into()),
            NetworkOption::NoCache => self.cache = Keep::Nowhere,
        }
        Ok(())
    }

    /// What asks sites, as these options say.
    pub(crate) fn sites(&self, profile: Profile) -> Result<Sites> {
        let user_agent = self.user_agent.as_deref().unwrap_or(concat!("robots/", env!("CARGO_PKG_VERSION")));
        let mut options = ClientOptions::new(user_agent).map_err(|error| Failure::told(error.to_string()))?;
        options.total_timeout = self.whole;
        options.connect_timeout = options.connect_timeout.min(self.whole);
        options.read_timeout = options.read_timeout.min(self.whole);
        options.addresses = self.addresses;
        let client = ByScheme::new(
            ureq::Client::new(&options).map_err(|e| Failure::told(e.to_string()))?,
            ftp::Client::new(&options).map_err(|e| Failure::told(e.to_string()))?,
        );
        let told = |error: &StoreError| show::complain("note", Style::Note, &error.to_string());
        let kept = CacheOptions::new(profile).store(self.store(&profile)?).on_store_error(told);
        Ok(Sites(Cache::new(kept, client)))
    }

    fn store(&self, profile: &Profile) -> Result<Box<dyn Store>> {
        let folder = match &self.cache {
            Keep::Nowhere => None,
            Keep::ByDefault => folder().map(|folder| folder.join("robots")),
            Keep::In(folder) => Some(folder.clone()),
        };
        let Some(folder) = folder else { return Ok(Box::new(Memory::default())) };
        // A site may answer otherwise to another.
        let name = match &self.user_agent {
            None => "robots.redb".to_owned(),
            Some(name) => format!("robots-{:08x}.redb", crc32fast::hash(name.as_bytes())),
        };
        match open(&folder, &name, *profile) {
            Ok(disk) => Ok(Box::new(Tiered::new(Memory::default(), disk))),
            // Who names a folder wants that one; another command that has it open leaves it in a moment.
            Err(error) if matches!(self.cache, Keep::In(_)) && !matches!(error, StoreError::Busy { .. }) => {
                Err(Failure::told(error.to_string()))
            }
            Err(error) => {
                show::complain("note", Style::Note, &format!("{error}; nothing is kept"));
                Ok(Box::new(Memory::default()))
            }
        }
    }
}

/// Opens the store of this name. One that is damaged is begun anew: what was in it can be had again.
fn open(folder: &Path, name: &str, profile: Profile) -> core::result::Result<Disk, StoreError> {
    let path = folder.join(name);
    if let Err(error) = fs::create_dir_all(folder) {
        let shown = Text(path.as_os_str().as_encoded_bytes()).to_string();
        return Err(StoreError::failed(&shown, reason(&error)));
    }
    match Disk::open(&path, profile, KEPT) {
        Err(damaged @ StoreError::Damaged { .. }) => {
            show::complain("note", Style::Note, &format!("{damaged}; a new one is begun"));
            Disk::recreate(&path, profile, KEPT)
        }
        opened => opened,
    }
}

/// The user's folder for caches.
fn folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    if cfg!(target_os = "macos") {
        return Some(folder("HOME")?.join("Library/Caches"));
    }
    folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))
}

/// The duration that is meant by a number of seconds: more than none, and at most a day.
fn seconds(text: &OsString) -> Result<Duration> {
    let number = text.to_str().and_then(|text| text.parse().ok());
    let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.filter(|time| !time.is_zero() && *time <= Duration::from_secs(24 * 60 * 60)).ok_or_else(|| {
        let text = Text(text.as_encoded_bytes());
        Failure::told(format!("`{text}` is no number of seconds between 0 and 86400"))
    })
}

/// Sites, as far as they are known.
pub(crate) struct Sites(Cache<ByScheme<ureq::Client>, Box<dyn Store>>);

impl Sites {
    /// What is known of each origin, some of which are asked for it.
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

    /// What an origin answers now.
    pub(crate) fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.0.refresh(origin)
    }
}

/// How many sites are done, on one line that goes at the end.
struct Progress<W: Write> {
    all: usize,
    state: Mutex<(usize, Option<W>)>,
}

impl<W: Write> Progress<W> {
    fn new(all: usize, out: Option<W>) -> Self {
        Self { all, state: Mutex::new((0, out)) }
    }

    fn one(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        if let (done, Some(out)) = &mut *state {
            // Where this can't be written, nothing is lost.
            let _ = write!(out, "\rrobots: {done} of {} sites", self.all).and_then(|()| out.flush());
        }
    }
}

impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(out) = &mut state.1 {
            let _ = write!(out, "\r\x1B[K").and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_one_line_that_goes() {
        let mut out = Vec::new();
        let progress = Progress::new(2, Some(&mut out));
        progress.one();
        progress.one();
        drop(progress);
        assert_eq!(out, b"\rrobots: 1 of 2 sites\rrobots: 2 of 2 sites\r\x1B[K");
    }

    #[test]
    fn seconds_are_more_than_none() {
        assert_eq!(seconds(&"0.25".into()).unwrap(), Duration::from_millis(250));
        for text in ["0", "-1", "86401", "inf", "NaN", "1e300", "", "ten", "\u{202E}"] {
            let Err(Failure::Told(told)) = seconds(&text.into()) else { panic!("{text}") };
            assert!(told.ends_with("is no number of seconds between 0 and 86400") && told.is_ascii());
        }
    }
}
