//! TLS, a cluster, and sentinels.

use std::fs;

use crate::process::{Fleet, Patience};
use crate::servers::{Server, free_port, until};
use crate::sites::{LIFETIME, Sites};
use crate::{CALLERS, ORIGINS, PROCESSES, alone, patient};

#[test]
fn a_fleet_shares_a_server_over_tls() {
    let _patient = patient();
    let folder = tempfile::tempdir().unwrap();
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("cert.pem"), pair.cert.pem()).unwrap();
    fs::write(path("key.pem"), pair.signing_key.serialize_pem()).unwrap();
    let (certificate, key) = (path("cert.pem"), path("key.pem"));
    let tls = ["--tls-port", "PORT", "--tls-cert-file", &certificate, "--tls-key-file", &key];
    let more = ["--tls-ca-cert-file", &certificate, "--tls-auth-clients", "no"];
    let Some(server) = Server::with("redis-server", &[tls.as_slice(), &more].concat()) else { return };
    let sites = Sites::start();
    let store = |certificate: &str| format!("tls:rediss://localhost:{}|{certificate}", server.port);
    let mut fleet = Fleet::start(PROCESSES, &store(&certificate), "rfc9309", &sites, Patience::LONG);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!((sites.count(), fleet.errors()), (ORIGINS, 0));
    // A server with a certificate that is not trusted gets nothing.
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(path("other.pem"), other.cert.pem()).unwrap();
    let mut suspicious = Fleet::start(1, &store(&path("other.pem")), "rfc9309", &sites, Patience::LONG);
    suspicious.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count(), 2 * ORIGINS);
    assert!(suspicious.errors() > 0);
}

#[test]
fn a_fleet_shares_a_cluster_of_three_nodes() {
    let _patient = patient();
    let options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"];
    let mut nodes = Vec::new();
    for slots in [("0", "5460"), ("5461", "10922"), ("10923", "16383")] {
        let Some(node) = Server::with("redis-server", &options) else { return };
        assert_eq!(node.command(&["CLUSTER", "ADDSLOTSRANGE", slots.0, slots.1]), "OK");
        nodes.push(node);
    }
    for node in &nodes[1..] {
        nodes[0].command(&["CLUSTER", "MEET", "127.0.0.1", &node.port.to_string()]);
    }
    let is_whole = |node: &Server| {
        let info = node.command(&["CLUSTER", "INFO"]);
        info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
    };
    until("the cluster", || nodes.iter().all(is_whole));
    let sites = Sites::start();
    let store = format!("cluster:{},{}", nodes[0].url(), nodes[1].url());
    let mut fleet = Fleet::start(PROCESSES, &store, "rfc9309", &sites, Patience::LONG);
    for expiry in 1..=2 {
        fleet.ask(0, ORIGINS, CALLERS);
        assert_eq!((sites.count(), fleet.errors()), (expiry * ORIGINS, 0));
        fleet.advance(2 * LIFETIME);
    }
    for node in &nodes {
        let entries: usize = node.command(&["DBSIZE"]).parse().unwrap();
        assert!((1..ORIGINS).contains(&entries), "{entries}");
    }
}

#[test]
fn a_fleet_follows_sentinels_to_the_next_primary_server() {
    let _alone = alone();
    let Some(mut primary) = Server::start() else { return };
    let of = primary.port.to_string();
    let Some(replica) = Server::with("redis-server", &["--replicaof", "127.0.0.1", &of]) else { return };
    until("the replica", || replica.command(&["INFO", "replication"]).contains("master_link_status:up"));
    let mut sentinels = Vec::new();
    let mut folders = Vec::new();
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let configuration = format!(
            "sentinel monitor robots 127.0.0.1 {of} 2\nsentinel down-after-milliseconds robots 1000\n\
             sentinel failover-timeout robots 5000\n"
        );
        fs::write(folder.path().join("sentinel.conf"), configuration).unwrap();
        let Some(sentinel) = Server::within("redis-sentinel", folder.path(), &[]) else { return };
        sentinels.push(sentinel);
        folders.push(folder);
    }
    let knows = |sentinel: &Server| {
        let known = sentinel.command(&["SENTINEL", "MASTER", "robots"]);
        let mut lines = known.lines();
        let mut number = |name| lines.by_ref().skip_while(|line| *line != name).nth(1).map(str::to_owned);
        number("num-slaves").as_deref() == Some("1") && number("num-other-sentinels").as_deref() == Some("2")
    };
    until("the sentinels", || sentinels.iter().all(knows));
    let sites = Sites::start();
    let urls: Vec<String> = sentinels.iter().map(Server::url).collect();
    // The first sentinel of the list does not exist.
    let store = format!("sentinel:redis://127.0.0.1:{},{}", free_port(), urls.join(","));
    let mut fleet = Fleet::start(PROCESSES, &store, "rfc9309", &sites, Patience::SHORT);
    fleet.ask(0, ORIGINS, CALLERS);
    assert_eq!((sites.count(), fleet.errors()), (ORIGINS, 0));
    until("replication", || replica.command(&["DBSIZE"]) == primary.command(&["DBSIZE"]));
    primary.kill();
    fleet.advance(2 * LIFETIME);
    fleet.ask(0, ORIGINS, CALLERS);
    let during = sites.count() - ORIGINS;
    assert!((ORIGINS..=ORIGINS * PROCESSES).contains(&during), "{during} retrievals");
    until("failover", || replica.command(&["ROLE"]).starts_with("master"));
    let newer_port = replica.port.to_string();
    let is_moved = |sentinel: &Server| {
        let address = sentinel.command(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "robots"]);
        address.lines().any(|line| line == newer_port)
    };
    until("the sentinels", || sentinels.iter().all(is_moved));
    // The entries that were stored before are on the new server.
    let mut newer = Fleet::start(PROCESSES, &store, "rfc9309", &sites, Patience::LONG);
    newer.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count() - ORIGINS, during);
    newer.advance(2 * LIFETIME);
    newer.ask(0, ORIGINS, CALLERS);
    assert_eq!(sites.count() - ORIGINS, during + ORIGINS);
}
