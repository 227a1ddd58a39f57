//! `robots log --dns`, with a name server of the test.

use core::net::{Ipv4Addr, SocketAddr};
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::thread;

use crate::log::Logs;

const GOOGLEBOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/// What the name server knows: the name of an address, and the address of a name. Other names do not exist; those that begin with
/// `5.` make it fail.
const NAMES: [(&str, &str); 4] = [
    ("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa", "crawl-6.googlebot.com"),
    ("1.2.0.192.in-addr.arpa", "crawl-1.googlebot.com"),
    ("2.2.0.192.in-addr.arpa", "host.example.net"),
    ("3.2.0.192.in-addr.arpa", "crawl-3.googlebot.com"),
];
const ADDRESSES: [(&str, [u8; 4]); 4] = [
    ("crawl-6.googlebot.com", [192, 0, 2, 66]),
    ("crawl-1.googlebot.com", [192, 0, 2, 1]),
    ("host.example.net", [192, 0, 2, 2]),
    // Anyone can give an address the name of another's crawler.
    ("crawl-3.googlebot.com", [192, 0, 2, 9]),
];

fn encoded(name: &str) -> Vec<u8> {
    let labels = name.split('.').flat_map(|label| [&[label.len() as u8], label.as_bytes()].concat());
    labels.chain([0]).collect()
}

fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((bytes, from)) = socket.recv_from(&mut buffer) {
            let query = &buffer[..bytes];
            let end = 12 + query[12..].iter().position(|byte| *byte == 0).unwrap() + 1;
            let (name, kind) = (query[12..end].to_ascii_lowercase(), query[end + 1]);
            let data = match kind {
                1 => ADDRESSES.iter().find(|(of, _)| encoded(of) == name).map(|(_, data)| data.to_vec()),
                // 2001:db8::1
                28 if name == encoded("crawl-6.googlebot.com") => {
                    let mut address = vec![0x20, 0x01, 0x0D, 0xB8];
                    address.resize(15, 0);
                    Some([address, vec![1]].concat())
                }
                12 => NAMES.iter().find(|(of, _)| encoded(of) == name).map(|(_, data)| encoded(data)),
                _ => None,
            };
            let code = match &data {
                Some(_) => 0,
                None if name.starts_with(b"\x015") => 2,
                // The name exists, without an address of this kind.
                None if kind == 28 => 0,
                None => 3,
            };
            let mut reply = query[..2].to_vec();
            reply.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(data.is_some()), 0, 0, 0, 0]);
            reply.extend(&query[12..end + 4]);
            if let Some(data) = data {
                reply.extend([0xC0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, data.len() as u8]);
                reply.extend(data);
            }
            let _ = socket.send_to(&reply, from);
        }
    });
    address
}

fn log(addresses: impl IntoIterator<Item = u8>, agent: &str) -> String {
    let line = |host| {
        format!(
            "192.0.2.{host} - - [10/Nov/2025:10:00:00 +0000] \"GET /x HTTP/1.1\" 200 1 \"-\" \"{agent}\"\n"
        )
    };
    addresses.into_iter().map(line).collect()
}

#[test]
fn addresses_are_confirmed_by_their_names_and_the_addresses_of_these() {
    let logs = Logs::new("log-dns");
    let dns = format!("--dns={}", name_server());
    let access = logs.write("access.log", log(1..=4, GOOGLEBOT));
    let (status, value, errors) = logs.json(&[&dns, &access]);
    let crawler = &value["hosts"][0]["crawlers"][0];
    assert_eq!(status, 1, "{errors}");
    assert_eq!(crawler["identity"], "verified");
    let figures =
        ["disallowed", "verified", "unverified", "no_ranges"].map(|name| crawler[name].as_u64().unwrap());
    assert_eq!(figures, [4, 1, 3, 0]);
    assert_eq!(crawler["beyond_grace_verified"], 1);
    assert!(errors.contains("looking up 4 addresses at name servers"), "{errors}");
    assert!(errors.contains("more than 90 days old"), "{errors}");

    // Ranges say more.
    let ranges = logs.write("ranges.txt", "192.0.2.4\n");
    let (_, value, _) = logs.json(&[&dns, "--ranges", &format!("Googlebot={ranges}"), &access]);
    let crawler = &value["hosts"][0]["crawlers"][0];
    assert_eq!((&crawler["verified"], &crawler["unverified"]), (&2.into(), &2.into()));

    // No crawler is accused by requests from the addresses of others.
    let others = logs.write("others.log", log(2..=4, GOOGLEBOT));
    assert_eq!(logs.json(&[&dns, &others]).0, 0);
}

#[test]
fn addresses_of_both_kinds_are_confirmed() {
    let logs = Logs::new("log-dns-v6");
    let dns = format!("--dns={}", name_server());
    // The same IPv4 address, written in two ways, and one of a host that has addresses of both kinds.
    let text = log([1], GOOGLEBOT)
        + &log([1], GOOGLEBOT).replace("192.0.2.1 ", "::ffff:192.0.2.1 ")
        + &log([1], GOOGLEBOT).replace("192.0.2.1 ", "2001:db8::1 ");
    let access = logs.write("access.log", text);
    let (status, value, errors) = logs.json(&[&dns, &access]);
    let crawler = &value["hosts"][0]["crawlers"][0];
    assert_eq!((status, &crawler["verified"], &crawler["unverified"]), (1, &3.into(), &0.into()), "{errors}");
}

#[test]
fn name_servers_that_do_not_answer_are_left_after_some_addresses() {
    // Nothing answers at this socket.
    let silent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let logs = Logs::new("log-dns-silent");
    let text: String = (0..3000)
        .map(|number| {
            let address = format!("198.18.{}.{}", number / 250, number % 250);
            log([1], GOOGLEBOT).replace("192.0.2.1 ", &format!("{address} "))
        })
        .collect();
    let access = logs.write("access.log", text);
    let (status, value, errors) = logs.json(&[&format!("--dns={}", silent.local_addr().unwrap()), &access]);
    assert_eq!(status, 2, "{errors}");
    assert_eq!(value["hosts"][0]["crawlers"][0]["unverified"], 0);
    assert!(errors.contains("no name server answered for 3000 of 3000 addresses"), "{errors}");
}

#[test]
fn an_address_without_an_answer_is_unknown_and_an_error() {
    let logs = Logs::new("log-dns-unknown");
    let dns = format!("--dns={}", name_server());
    let access = logs.write("access.log", log([1, 5], GOOGLEBOT));
    let (status, value, errors) = logs.json(&[&dns, &access]);
    let crawler = &value["hosts"][0]["crawlers"][0];
    assert_eq!(status, 2, "{errors}");
    let figures = ["verified", "unverified", "no_ranges"].map(|name| crawler[name].as_u64().unwrap());
    assert_eq!(figures, [1, 0, 1]);
    assert_eq!(value["failed"][0]["message"], "no name server answered for 1 of 2 addresses");
}

#[test]
fn only_crawlers_with_domains_are_looked_up() {
    let logs = Logs::new("log-dns-domains");
    let access = logs.write("access.log", log([1], "GPTBot/1.2"));
    // Nothing listens there, and nothing is asked.
    let (status, value, errors) = logs.json(&["--dns=127.0.0.1:9", &access]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(value["hosts"][0]["crawlers"][0]["identity"], "claimed");
    assert!(!errors.contains("looking up"), "{errors}");

    // Another catalogue has its own domains.
    let own = "[[crawler]]\nname = \"ExampleBot\"\npurpose = \"search\"\ndomains = [\"*.GoogleBot.com\"]\n";
    let own = logs.write("own.toml", own);
    let access = logs.write("own.log", log([1, 2], "ExampleBot/1.0"));
    let dns = format!("--dns={}", name_server());
    let (status, value, errors) = logs.json(&[&dns, "--catalogue-file", &own, &access]);
    assert_eq!(status, 1, "{errors}");
    let crawler = &value["hosts"][0]["crawlers"][0];
    assert_eq!((&crawler["name"], &crawler["kind"]), (&"ExampleBot".into(), &"automatic".into()));
    assert_eq!((&crawler["verified"], &crawler["unverified"]), (&1.into(), &1.into()));
}

#[test]
fn what_can_be_read_once_is_not_looked_up() {
    let logs = Logs::new("log-dns-stream");
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    command.args(["log", "--dns", "--robots", &logs.path("robots.txt")]).stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("can be read only once, and --dns reads logs twice"), "{errors}");
}
