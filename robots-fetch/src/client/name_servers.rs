//! Queries to name servers (hickory).

use core::net::{IpAddr, SocketAddr};
use core::time::Duration;
use std::io;
use std::sync::OnceLock;

use alloc::sync::Arc;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::op::Query;
use hickory_resolver::proto::rr::{Name, RecordType};
use hickory_resolver::{Hosts, TokioResolver, system_conf};

use crate::failure::{Failure, FailureKind};

/// How long a look-up waits for IPv6 addresses once it has others: some name servers never answer such queries.
const PATIENCE: Duration = Duration::from_secs(1);

/// Name servers that are asked over UDP, and over TCP for long answers.
///
/// IPv4 and IPv6 addresses are looked up one after the other. A name whose servers never answer then needs one socket at a
/// time, so that hundreds of them stay within the usual limit of 1,024 open files.
#[derive(Clone)]
pub(super) struct NameServers {
    v4: TokioResolver,
    v6: TokioResolver,
    hosts: Option<Arc<Hosts>>,
}

impl NameServers {
    /// Returns the name servers of the system, with its hosts file and search domains; `None` if the configuration can't be
    /// read. It is read once in a process.
    pub(super) fn of_system() -> Option<&'static Self> {
        static SYSTEM: OnceLock<Option<NameServers>> = OnceLock::new();
        let read = || {
            let (config, options) = system_conf::read_system_conf().ok()?;
            let hosts = Hosts::from_system().unwrap_or_default();
            Self::build(&config, &options, Some(Arc::new(hosts))).ok()
        };
        SYSTEM.get_or_init(read).as_ref()
    }

    pub(super) fn new(servers: impl IntoIterator<Item = SocketAddr>) -> Result<Self, Failure> {
        let server = |address: SocketAddr| {
            let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
                connection.port = address.port();
                connection
            });
            NameServerConfig::new(address.ip(), true, connections.to_vec())
        };
        let servers: Vec<_> = servers.into_iter().map(server).collect();
        if servers.is_empty() {
            return Err(Failure::new(FailureKind::Other, "no name server"));
        }
        let config = ResolverConfig::from_parts(None, Vec::new(), servers);
        let mut options = ResolverOpts::default();
        options.timeout = Duration::from_millis(2500);
        Self::build(&config, &options, None).map_err(|error| Failure::new(FailureKind::Other, error))
    }

    fn build(
        config: &ResolverConfig,
        options: &ResolverOpts,
        hosts: Option<Arc<Hosts>>,
    ) -> Result<Self, NetError> {
        let of = |strategy| {
            let provider = TokioRuntimeProvider::default();
            let mut builder = TokioResolver::builder_with_config(config.clone(), provider);
            let mut options = options.clone();
            options.ip_strategy = strategy;
            // The hosts file is read here, for both kinds of addresses together.
            options.use_hosts_file = ResolveHosts::Never;
            options.max_active_requests = 4096;
            *builder.options_mut() = options;
            builder.build()
        };
        Ok(Self { v4: of(LookupIpStrategy::Ipv4Only)?, v6: of(LookupIpStrategy::Ipv6Only)?, hosts })
    }

    /// Looks up the addresses of a host, within a tokio runtime. It may take until the name servers have been asked several
    /// times; dropping the future cancels it.
    pub(super) async fn look_up(&self, host: &str) -> io::Result<Vec<SocketAddr>> {
        let all = |addresses: Vec<IpAddr>| addresses.into_iter().map(|address| (address, 0).into()).collect();
        let by_file = self.in_hosts_file(host);
        if !by_file.is_empty() {
            return Ok(all(by_file));
        }
        let v4 = self.v4.lookup_ip(host).await;
        let v4 = v4.map(|found| found.iter().collect::<Vec<_>>());
        let has_some = v4.as_ref().is_ok_and(|found| !found.is_empty());
        let asking = self.v6.lookup_ip(host);
        let v6 = if has_some {
            tokio::time::timeout(PATIENCE, asking).await.unwrap_or(Err(NetError::Timeout))
        } else {
            asking.await
        };
        let v6 = v6.map(|found| found.iter().collect::<Vec<_>>());
        match (v4, v6) {
            (Ok(v4), Ok(v6)) => Ok(all([v4, v6].concat())),
            (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(all(found)),
            (Err(v4), Err(v6)) => Err(error(if is_silence(&v4) { v6 } else { v4 })),
        }
    }

    fn in_hosts_file(&self, host: &str) -> Vec<IpAddr> {
        let (Some(hosts), Ok(name)) = (&self.hosts, Name::from_utf8(host)) else { return Vec::new() };
        let found = [RecordType::A, RecordType::AAAA]
            .into_iter()
            .filter_map(|kind| hosts.lookup_static_host(&Query::query(name.clone(), kind)));
        found
            .flat_map(|lookup| lookup.answers().to_vec())
            .filter_map(|record| record.data.ip_addr())
            .collect()
    }
}

/// Returns whether an error means that no name server answered.
const fn is_silence(error: &NetError) -> bool {
    matches!(error, NetError::Timeout | NetError::NoConnections | NetError::Io(_) | NetError::Busy)
}

fn error(error: NetError) -> io::Error {
    if is_silence(&error) {
        return io::Error::new(io::ErrorKind::TimedOut, format!("no name server answers: {error}"));
    }
    let text = if error.is_nx_domain() { "no such host".to_owned() } else { error.to_string() };
    io::Error::other(text)
}
