//! Addresses that name servers confirm: the name of the address is below a domain of the crawler, and has that address.

use alloc::sync::Arc;
use core::net::{IpAddr, SocketAddr};
use core::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{RData, RecordType};
use hickory_resolver::system_conf;
use robots_match::KnownCrawler;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use crate::failure::{Failure, Result};

/// Which name servers are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameServers {
    System,
    At(SocketAddr),
}

impl NameServers {
    /// Reads `system`, an address, or an address with a port.
    pub(super) fn parse(text: &str) -> core::result::Result<Self, String> {
        let with_port = || text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 53));
        match text {
            "system" => Ok(Self::System),
            _ => text.parse().or_else(|_| with_port()).map(Self::At).map_err(|_| {
                "expected the address of a name server, such as 192.0.2.53 or 192.0.2.53:5353".to_owned()
            }),
        }
    }

    fn resolver(self) -> Result<TokioResolver> {
        let (config, mut options) = match self {
            Self::System => system_conf::read_system_conf().map_err(|_| {
                Failure::new("can't read which name servers this system has; name one with --dns=ADDRESS")
            })?,
            Self::At(address) => {
                let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
                    connection.port = address.port();
                    connection
                });
                let server = NameServerConfig::new(address.ip(), true, connections.to_vec());
                (ResolverConfig::from_parts(None, Vec::new(), vec![server]), ResolverOpts::default())
            }
        };
        options.timeout = PATIENCE;
        options.max_active_requests = 4096;
        let provider = TokioRuntimeProvider::default();
        let mut builder = TokioResolver::builder_with_config(config, provider);
        *builder.options_mut() = options;
        builder.build().map_err(|error| Failure::new(format!("can't ask the name servers: {error}")))
    }
}

/// How long a query waits for an answer. Queries are repeated.
const PATIENCE: Duration = Duration::from_millis(2500);

/// The most addresses that are looked up at the same time.
const MOST_AT_ONCE: usize = 64;

/// The most look-ups without an answer, if no more have one. The others would have none either, and each of them takes seconds.
const MOST_SILENT: usize = 128;

/// The most names of an address that are looked up.
const MOST_NAMES: usize = 8;

/// An address that says by its header to be a crawler's.
pub(super) type Claim = (&'static KnownCrawler, IpAddr);

/// What name servers say.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) confirmed: Vec<Claim>,
    pub(super) refuted: Vec<Claim>,
    /// How many addresses got no answer.
    pub(super) unknown: usize,
}

impl Answers {
    /// Returns whether the name servers do not answer.
    const fn are_silent(&self) -> bool {
        self.unknown >= MOST_SILENT && self.unknown > self.confirmed.len() + self.refuted.len()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Confirmed,
    Refuted,
    Unknown,
}

/// Looks up the addresses of crawlers, each of which has domains.
pub(super) fn look_up(
    servers: NameServers,
    claims: Vec<Claim>,
    domains: fn(&KnownCrawler) -> &'static [&'static str],
) -> Result<Answers> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("can't ask name servers: {error}")))?;
    // Within the runtime, because connections belong to it.
    runtime.block_on(async {
        let resolver = Arc::new(servers.resolver()?);
        let mut answers = Answers::default();
        let mut claims = claims.into_iter();
        let mut asked = JoinSet::new();
        loop {
            while asked.len() < MOST_AT_ONCE && !answers.are_silent() {
                let Some((known, address)) = claims.next() else { break };
                let (resolver, domains) = (Arc::clone(&resolver), domains(known));
                asked.spawn(async move { (known, address, answer(&resolver, address, domains).await) });
            }
            let Some(joined) = asked.join_next().await else { break };
            match joined {
                Ok((known, address, Answer::Confirmed)) => answers.confirmed.push((known, address)),
                Ok((known, address, Answer::Refuted)) => answers.refuted.push((known, address)),
                Ok((_, _, Answer::Unknown)) | Err(_) => answers.unknown += 1,
            }
        }
        answers.unknown += claims.count();
        Ok(answers)
    })
}

async fn answer(resolver: &TokioResolver, address: IpAddr, domains: &[&str]) -> Answer {
    let names = match resolver.reverse_lookup(address).await {
        Ok(found) => found,
        Err(error) => return of_error(&error),
    };
    let names = names.answers().iter().filter_map(|record| match &record.data {
        RData::PTR(name) => Some(name.0.clone()),
        _ => None,
    });
    let mut answer = Answer::Refuted;
    // A look-up of both kinds may end with the addresses of one, and then says nothing about the other.
    let kind = if address.is_ipv4() { RecordType::A } else { RecordType::AAAA };
    // An address has one name, or few.
    for name in names.filter(|name| is_below(&name.to_utf8(), domains)).take(MOST_NAMES) {
        match resolver.lookup(name, kind).await {
            Ok(found) if found.answers().iter().any(|record| record.data.ip_addr() == Some(address)) => {
                return Answer::Confirmed;
            }
            Ok(_) => {}
            Err(error) if of_error(&error) == Answer::Unknown => answer = Answer::Unknown,
            Err(_) => {}
        }
    }
    answer
}

/// Returns what an error says: that a name does not exist, or nothing.
fn of_error(error: &NetError) -> Answer {
    if error.is_no_records_found() { Answer::Refuted } else { Answer::Unknown }
}

/// Returns whether a name is below one of these domains.
fn is_below(name: &str, domains: &[&str]) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_below = |domain: &&str| name.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
    domains.iter().any(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_below_domains_at_a_dot() {
        for (name, is_it) in [
            ("crawl-192-0-2-1.googlebot.com.", true),
            ("Crawl.GoogleBot.Com", true),
            ("googlebot.com.", false),
            ("notgooglebot.com.", false),
            ("googlebot.com.example.net.", false),
        ] {
            assert_eq!(is_below(name, &["example.org", "googlebot.com"]), is_it, "{name}");
        }
    }

    #[test]
    fn name_servers_are_addresses() {
        assert_eq!(NameServers::parse("192.0.2.53"), NameServers::parse("192.0.2.53:53"));
        assert_eq!(NameServers::parse("2001:db8::1"), NameServers::parse("[2001:db8::1]:53"));
        assert!(NameServers::parse("dns.example").is_err());
    }
}
