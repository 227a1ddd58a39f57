//! Hosts whose addresses have been seen, for the policy about redirects.

use alloc::sync::Arc;
use core::net::IpAddr;
use std::collections::HashMap;
use std::sync::Mutex;

use url::{Host, Url};

use super::address::AddressPolicy;
use crate::common::lock;

/// The most hosts that are remembered.
const MOST: usize = 10_000;

/// Which hosts had only addresses that are not public, in all lookups so far. A host that had a public address once counts
/// as public from then on, because a kept connection may lead there.
#[derive(Clone, Default)]
pub(super) struct Hosts(Arc<Mutex<HashMap<String, bool>>>);

impl Hosts {
    /// Notes the result of a lookup.
    pub(super) fn note(&self, host: &str, addresses: impl IntoIterator<Item = IpAddr>) {
        let is_private = addresses.into_iter().all(|address| !AddressPolicy::Public.allows(address));
        let mut known = lock(&self.0);
        // A host that is forgotten counts as public.
        if known.len() >= MOST && !known.contains_key(host) {
            known.clear();
        }
        let before = known.entry(host.to_owned()).or_insert(is_private);
        *before &= is_private;
    }

    /// Returns whether the host of a URL is known to have no public address.
    pub(super) fn is_private(&self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Ipv4(address)) => !AddressPolicy::Public.allows(address.into()),
            Some(Host::Ipv6(address)) => !AddressPolicy::Public.allows(address.into()),
            Some(Host::Domain(host)) => {
                let known = lock(&self.0);
                known.get(host).copied().unwrap_or(false)
            }
            None => false,
        }
    }
}

debug!([] Hosts as "Hosts", |_hosts|);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_had_a_public_address_stays_public() {
        let hosts = Hosts::default();
        let is_private = |url: &str| hosts.is_private(&url.parse().unwrap());
        let address = |text: &str| text.parse().unwrap();
        assert!(!is_private("http://a.test/"));
        hosts.note("a.test", [address("10.0.0.1")]);
        assert!(is_private("http://a.test/"));
        hosts.note("a.test", [address("10.0.0.1"), address("1.1.1.1")]);
        hosts.note("a.test", [address("10.0.0.1")]);
        assert!(!is_private("http://a.test/"));
        assert!(
            is_private("http://127.0.0.1/") && is_private("http://[::1]/") && !is_private("http://1.1.1.1/")
        );
        for number in 0..2 * MOST {
            hosts.note(&format!("{number}.test"), [address("10.0.0.1")]);
        }
        assert!(hosts.0.lock().unwrap().len() <= MOST);
    }
}
