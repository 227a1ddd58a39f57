//! Connections to servers, clusters, and servers that sentinels watch.

use ::redis::aio::MultiplexedConnection;
use ::redis::cluster::ClusterClient;
use ::redis::cluster_async::ClusterConnection;
use ::redis::sentinel::{SentinelClientBuilder, SentinelServerType};
use ::redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, FromRedisValue, IntoConnectionInfo as _,
    RedisConnectionInfo, RedisResult, TlsCertificates, TlsMode,
};
use rustls::crypto::{CryptoProvider, ring};

use super::options::{RedisOptions, Servers};

/// The servers to connect to.
pub(super) enum Target {
    Single(Client),
    Cluster(ClusterClient),
    Sentinel(Sentinels),
}

pub(super) struct Sentinels {
    addresses: Vec<ConnectionAddr>,
    service: String,
    /// How to log in at the servers.
    server: RedisConnectionInfo,
    certificates: Option<TlsCertificates>,
}

/// A connection. Cloning is cheap: commands share it.
#[derive(Clone)]
pub(super) enum Connection {
    Single(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Target {
    pub(super) fn new(options: &RedisOptions) -> RedisResult<Self> {
        if CryptoProvider::get_default().is_none() {
            // Another thread may have been faster, which does no harm.
            let _ = ring::default_provider().install_default();
        }
        let certificates = options
            .root_certificates
            .as_ref()
            .map(|pem| TlsCertificates { client_tls: None, root_cert: Some(pem.clone().into_bytes()) });
        Ok(match &options.servers {
            Servers::Single(url) => Self::Single(match certificates {
                Some(certificates) if is_tls(url.as_str().into_connection_info()?.addr()) => {
                    Client::build_with_tls(url.as_str(), certificates)?
                }
                _ => Client::open(url.as_str())?,
            }),
            Servers::Cluster(urls) => {
                let builder = ClusterClient::builder(urls.iter().map(String::as_str))
                    .connection_timeout(options.timeout)
                    .response_timeout(options.timeout)
                    .retries(2);
                Self::Cluster(match certificates {
                    Some(certificates) => builder.certs(certificates).build()?,
                    None => builder.build()?,
                })
            }
            Servers::Sentinel { sentinels, service } => {
                let infos = sentinels.iter().map(|url| url.as_str().into_connection_info());
                let infos = infos.collect::<RedisResult<Vec<_>>>()?;
                let server = infos.first().map(|info| info.redis_settings().clone()).unwrap_or_default();
                let addresses = infos.iter().map(|info| info.addr().clone()).collect();
                Self::Sentinel(Sentinels { addresses, service: service.clone(), server, certificates })
            }
        })
    }

    /// Connects. The caller limits the time.
    pub(super) async fn connect(&self) -> RedisResult<Connection> {
        // The store has its own timeout.
        let config = AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        Ok(match self {
            Self::Single(client) => {
                Connection::Single(client.get_multiplexed_async_connection_with_config(&config).await?)
            }
            Self::Cluster(client) => Connection::Cluster(client.get_async_connection().await?),
            Self::Sentinel(sentinels) => Connection::Single(sentinels.connect(&config).await?),
        })
    }
}

impl Sentinels {
    /// Asks the sentinels for the primary server, and connects to it. Nothing that sentinels said earlier is used.
    async fn connect(&self, config: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
        let mut builder =
            SentinelClientBuilder::new(self.addresses.clone(), &self.service, SentinelServerType::Master)?
                .set_client_to_redis_db(self.server.db());
        if let Some(user) = self.server.username() {
            builder = builder.set_client_to_redis_username(user);
        }
        if let Some(password) = self.server.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        if self.addresses.first().is_some_and(is_tls) {
            builder = builder
                .set_client_to_redis_tls_mode(TlsMode::Secure)
                .set_client_to_sentinel_tls_mode(TlsMode::Secure);
            if let Some(certificates) = &self.certificates {
                builder = builder
                    .set_client_to_redis_certificates(certificates.clone())
                    .set_client_to_sentinel_certificates(certificates.clone());
            }
        }
        builder.build()?.get_async_connection_with_config(config).await
    }
}

impl Connection {
    pub(super) async fn run<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        match self {
            Self::Single(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}

const fn is_tls(address: &ConnectionAddr) -> bool {
    matches!(address, ConnectionAddr::TcpTls { .. })
}
