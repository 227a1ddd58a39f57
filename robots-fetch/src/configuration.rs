//! Profiles, policies and options from configuration files (feature `serde`).
//!
//! A table changes fields of a default. A field that does not exist is an error. Times are in seconds, also with a point; for a limit,
//! `"none"` sets none.

use core::time::Duration;

use robots_match::syntax::{Limit, policy_changes};
use robots_match::{AccessResult, Document, Profile};
use serde::de::value::{Error as Unread, StrDeserializer};
use serde::de::{Deserialize, Deserializer, Error as _};

use crate::gate::policy::GatePolicy;
use crate::policy::{AccessPolicy, OutageAccess};
use crate::profile::SiteProfile;
use crate::table::Table;

/// A time in seconds.
pub(crate) type Seconds = Limit<Duration>;

/// Makes wrappers of values that are read in another way than their types are: from what, and how.
macro_rules! read_as {
    ($($(#[$about:meta])* $name:ident($of:ty) from $from:ty: $read:expr;)*) => {$(
        $(#[$about])*
        struct $name($of);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read: fn($from) -> Result<$of, String> = $read;
                read(<$from>::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
            }
        }

        impl From<$name> for $of {
            fn from(read: $name) -> Self {
                read.0
            }
        }
    )*};
}

read_as! {
    /// The result of an answer, or `none`.
    ResultOrNone(Option<AccessResult>) from String: |name| match &*name {
        "none" => Ok(None),
        name => AccessResult::deserialize(StrDeserializer::new(name)).map(Some).map_err(|error: Unread| error.to_string()),
    };
    /// A time in seconds that is not a limit, so that it can't be `none`.
    Time(Duration) from Seconds: |time| {
        let time = Option::<Duration>::from(time).filter(|time| *time < Duration::MAX);
        time.ok_or_else(|| "expected a number of seconds below 2^64; only a limit can be \"none\"".to_owned())
    };
    /// Ranges of codes with their results, from a list of rows.
    Ranges(Table<(u16, u16, AccessResult), 16>) from Vec<(u16, u16, AccessResult)>: |rows| {
        if let Some((first, last, _)) = rows.iter().find(|(first, last, _)| first > last) {
            return Err(format!("a range begins with its smaller number: write [{last}, {first}, ...]"));
        }
        Table::new(&rows).ok_or_else(|| format!("expected at most 16 rows, found {}", rows.len()))
    };
    /// The steps of an outage: seconds, and the access from then on.
    Steps(Table<(Duration, OutageAccess), 6>) from Vec<(Time, OutageAccess)>: |steps| {
        let steps: Vec<_> = steps.into_iter().map(|(from, access)| (from.into(), access)).collect();
        Table::new(&steps).ok_or_else(|| format!("expected at most 6 steps, found {}", steps.len()))
    };
}

policy_changes! {
    struct AccessChanges of AccessPolicy {
        statuses: Ranges,
        ftp_replies: Ranges,
        max_redirects: u8,
        too_many_redirects: AccessResult,
        invalid_redirect: AccessResult,
        redirect_to_disallowed: ResultOrNone,
        failure: AccessResult,
        outage: Steps,
        default_lifetime: Time,
        default_lifetime_without_file: Time,
        max_lifetime_by_expires: Seconds,
        max_lifetime_by_max_age: Seconds,
        min_lifetime: Time,
        stale_while_revalidate: Seconds,
        max_stale_age: Seconds,
        keep_after_unavailable: Seconds,
        keep_while_throttled: Seconds,
        first_retry: Time,
        max_retry: Seconds,
        first_retry_503: Time,
        max_retry_503: Seconds,
        first_retry_throttled: Time,
        max_retry_throttled: Seconds,
        max_retry_after: Seconds,
        conditional_requests: bool,
        html: ResultOrNone,
        error_page_may_be_404: bool,
        max_body: usize,
    }
    struct GateChanges of GatePolicy {
        default_delay: Time,
        min_delay: Time,
        max_delay: Seconds,
        obey_crawl_delay: bool,
        obey_request_rate: bool,
        obey_visit_time: bool,
        origin_requests: u32,
        max_request: Seconds,
        origin_bodies: Limit<u32>,
        address_requests: Limit<u32>,
        address_delay: Time,
        first_pause: Time,
        max_pause: Seconds,
        max_retry_after: Seconds,
        min_rules_lifetime: Time,
        robots_retries: u32,
        robots_retry_pause: Time,
        max_stall: Seconds,
        max_wait: Seconds,
        max_bytes: usize,
    }
}

/// Reads a table of the fields that differ from [`AccessPolicy::RFC9309`]. Times are in seconds; for a limit, `"none"` sets none.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for AccessPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut policy = Self::RFC9309;
        AccessChanges::deserialize(deserializer)?.apply(&mut policy);
        Ok(policy)
    }
}

/// Reads a table of the fields that differ from the default. Times are in seconds; for a limit, `"none"` sets none.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use robots_fetch::GatePolicy;
/// use std::time::Duration;
///
/// let policy: GatePolicy = toml::from_str("default-delay = 0.5\nmax-wait = 3600\naddress-requests = 4\n").unwrap();
/// assert_eq!(policy.default_delay, Duration::from_millis(500));
/// assert_eq!((policy.max_wait, policy.address_requests), (Some(Duration::from_secs(3600)), Some(4)));
/// assert!(toml::from_str::<GatePolicy>("origin-bodies = 2.5\n").is_err());
/// // A delay is not a limit.
/// assert!(toml::from_str::<GatePolicy>("default-delay = 'none'\n").is_err());
/// # }
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for GatePolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut policy = Self::default();
        GateChanges::deserialize(deserializer)?.apply(&mut policy);
        Ok(policy)
    }
}

/// Reads a table with the fields of the document that it names, and those that differ:
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use robots_fetch::{AccessResult, SiteProfile};
///
/// let text = "document = 'google'\n[access]\nmax-redirects = 10\nstatuses = [[200, 299, 'success'], [451, 451, 'restricted']]\n";
/// let profile: SiteProfile = toml::from_str(text).unwrap();
/// assert_eq!(profile.rules, SiteProfile::GOOGLE.rules);
/// assert_eq!(profile.access.max_redirects, 10);
/// assert_eq!(profile.access.status_result(451), AccessResult::Restricted);
/// # }
/// ```
///
/// The table `rules` is read as [`Profile`] is; without it, the rules are those of `document`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for SiteProfile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            document: Option<Document>,
            rules: Option<Profile>,
            #[serde(default)]
            access: AccessChanges,
        }

        let table = Table::deserialize(deserializer)?;
        let mut profile = Self::from(table.document.unwrap_or_default());
        profile.rules = table.rules.unwrap_or(profile.rules);
        table.access.apply(&mut profile.access);
        Ok(profile)
    }
}

/// Options of clients.
#[cfg(any(feature = "blocking", feature = "ftp", feature = "reqwest"))]
mod client {
    use alloc::collections::BTreeMap;

    use serde::de::{Deserialize, Deserializer, Error as _};

    use super::Seconds;
    use crate::client::{AddressPolicy, ClientOptions, Proxies};

    /// Reads a table of the options that differ from the defaults: `user-agent`, `connect-timeout`, `read-timeout` and
    /// `total-timeout` in seconds, `max-head`, `addresses`, `redirect-addresses`, `certificates` (PEM), `proxy` (a URL, or `env`), and
    /// `fields`, a table of header fields.
    ///
    /// ```
    /// # #[cfg(all(feature = "serde", feature = "blocking"))] {
    /// use robots_fetch::client::ClientOptions;
    ///
    /// let text = "user-agent = 'ExampleBot/1.0'\ntotal-timeout = 20\naddresses = 'any'\n[fields]\nfrom = 'bot@example.com'\n";
    /// let options: ClientOptions = toml::from_str(text).unwrap();
    /// assert_eq!(options.total_timeout.as_secs(), 20);
    /// assert!(toml::from_str::<ClientOptions>("[fields]\ncookie = 'a'\n").is_err());
    /// assert!(toml::from_str::<ClientOptions>("user-agent = ''\n").is_err());
    /// # }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
    impl<'de> Deserialize<'de> for ClientOptions {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            #[derive(Default, serde::Deserialize)]
            #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
            struct Table {
                user_agent: Option<String>,
                connect_timeout: Option<Seconds>,
                read_timeout: Option<Seconds>,
                total_timeout: Option<Seconds>,
                max_head: Option<usize>,
                addresses: Option<AddressPolicy>,
                redirect_addresses: Option<AddressPolicy>,
                certificates: Option<String>,
                proxy: Option<String>,
                fields: BTreeMap<String, String>,
            }

            let table = Table::deserialize(deserializer)?;
            let mut options = Self::default();
            let set = |field: &mut core::time::Duration, value: Option<Seconds>| {
                *field = value.map_or(*field, Into::into);
            };
            set(&mut options.connect_timeout, table.connect_timeout);
            set(&mut options.read_timeout, table.read_timeout);
            set(&mut options.total_timeout, table.total_timeout);
            options.max_head = table.max_head.unwrap_or(options.max_head);
            options.addresses = table.addresses.unwrap_or(options.addresses);
            options.redirect_addresses = table.redirect_addresses.unwrap_or(options.redirect_addresses);
            options.certificates = table.certificates.map(String::into_bytes).unwrap_or_default();
            options.proxies = match table.proxy.as_deref() {
                None => Proxies::default(),
                Some("env") => Proxies::from_env(),
                Some(url) => Proxies::parse(url).map_err(D::Error::custom)?,
            };
            let agent = table.user_agent.map(|agent| ("user-agent".to_owned(), agent));
            for (name, value) in agent.into_iter().chain(table.fields) {
                options = options.with_field(&name, &value).map_err(D::Error::custom)?;
            }
            Ok(options)
        }
    }
}
