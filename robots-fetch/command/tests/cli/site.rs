//! Sites on this machine, and users who ask them.

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::without_proxies;
use robots_conformance::testing::schema::against;

/// A site, with a response that can be changed, and the heads of the requests that were received.
pub(crate) struct Site {
    pub(crate) base: String,
    answer: Arc<Mutex<Vec<u8>>>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub(crate) fn new(answer: impl Into<Vec<u8>>) -> Self {
        let (answer, asked) = (Arc::new(Mutex::new(answer.into())), Arc::<Mutex<Vec<String>>>::default());
        let (answers, heads) = (Arc::clone(&answer), Arc::clone(&asked));
        let base = served(move |_, head, stream| {
            heads.lock().unwrap().push(head.to_owned());
            let answer = answers.lock().unwrap().clone();
            // Without a response, the client closes the connection.
            let _ =
                if answer.is_empty() { stream.read(&mut [0]).map(drop) } else { stream.write_all(&answer) };
        });
        Self { base, answer, asked }
    }

    pub(crate) fn answers(&self, answer: impl Into<Vec<u8>>) {
        *self.answer.lock().unwrap() = answer.into();
    }

    pub(crate) fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

/// Starts a server that calls `serve` with its URL, the head of each request, and the connection. Returns its URL.
pub(crate) fn served(serve: impl Fn(&str, &str, &mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let base = url.clone();
    // The thread ends with the process.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut head, mut lines) = (String::new(), BufReader::new(stream.try_clone().unwrap()));
            while lines.read_line(&mut head).unwrap() > 2 {}
            serve(&base, &head, &mut stream);
        }
    });
    url
}

/// Returns the path that the head of a request asks for.
pub(crate) fn path_of(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

/// A response with a body, after which the connection is closed.
pub(crate) fn answer(status: &str, fields: &[&str], body: &str) -> String {
    let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
    let len = body.len();
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {len}\r\nConnection: close\r\n\r\n{body}")
}

pub(crate) fn rules(fields: &[&str]) -> String {
    answer("200 OK", fields, "User-agent: *\nDisallow: /private\nAllow: /private/open\n")
}

/// A user with an empty folder for caches.
pub(crate) struct User(pub(crate) TempDir);

impl User {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn caches(&self) -> PathBuf {
        self.0.path().join("caches")
    }

    /// Status, standard output and standard error.
    pub(crate) fn robots(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        command.env("XDG_CACHE_HOME", self.caches()).env("HOME", self.0.path());
        command.env("LOCALAPPDATA", self.caches()).env_remove("CLICOLOR_FORCE");
        without_proxies(&mut command);
        let output = command.args(args).timeout(Duration::from_secs(60)).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// Status and output of `fetch`, without ports and times.
    pub(crate) fn fetch(&self, args: &[&str], site: &Site) -> (i32, String) {
        let (status, out, err) = self.robots(&[&["fetch"], args, &[&site.base]].concat());
        assert_eq!(err, "");
        (status, settled(&out, site))
    }

    pub(crate) fn json(&self, args: &[&str]) -> (i32, Value) {
        let (status, out, err) = self.robots(&[args, &["--format", "json"]].concat());
        assert_eq!(err, "");
        let value = serde_json::from_str(&out).unwrap();
        assert_eq!(against(&format!("{}.json", args[0]), &value), [""; 0]);
        (status, value)
    }
}

/// The text without ports and times, which differ from run to run.
pub(crate) fn settled(text: &str, site: &Site) -> String {
    let mut settled = String::new();
    let text = text.replace(&site.base, "http://site");
    let mut rest = text.as_str();
    // As 2026-11-20T18:04:05Z.
    while let Some(at) = rest.find("20").filter(|_| rest.len() >= 20) {
        let (before, after) = rest.split_at(at);
        settled.push_str(before);
        match after.get(..20) {
            Some(time) if time.ends_with('Z') && time.as_bytes()[10] == b'T' => {
                settled.push_str("TIME");
                rest = &after[20..];
            }
            _ => {
                settled.push_str("20");
                rest = &after[2..];
            }
        }
    }
    settled + rest
}

/// A value without ports and times, and its times in order.
pub(crate) fn settled_json(value: &Value, site: &Site) -> (Value, Vec<String>) {
    let text = value.to_string();
    let times = text.split('"').filter(|word| settled(word, site) == "TIME").map(str::to_owned).collect();
    (serde_json::from_str(&settled(&text, site)).unwrap(), times)
}
