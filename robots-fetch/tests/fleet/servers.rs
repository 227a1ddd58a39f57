//! Real servers, from the packages of the system, on free ports.

use core::net::Ipv4Addr;
use core::time::Duration;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

/// How long a server may take to do what a test waits for.
const MOST: Duration = Duration::from_secs(60);

/// Returns a port that is free, and so is the port of the cluster bus, which is 10,000 higher.
pub(crate) fn free_port() -> u16 {
    let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
    (0..1000)
        .find_map(|_| {
            let port = bind(0)?.local_addr().ok()?.port();
            bind(port.checked_add(10_000)?).map(|_| port)
        })
        .expect("a free port")
}

/// Waits until `is` returns true.
pub(crate) fn until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < MOST, "{what}: not within {MOST:?}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// A server that runs. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    program: &'static str,
    arguments: Vec<String>,
    folder: PathBuf,
    /// Removed with the last server that has it.
    _owned: Option<tempfile::TempDir>,
}

impl Server {
    /// Starts a server. Prints that the test is skipped if there is none on this machine.
    pub(crate) fn start() -> Option<Self> {
        Self::with("redis-server", &[])
    }

    pub(crate) fn with(program: &'static str, arguments: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let mut server = Self::within(program, &path, arguments)?;
        server._owned = Some(folder);
        Some(server)
    }

    /// Starts a server whose files are in a folder.
    pub(crate) fn within(program: &'static str, folder: &Path, arguments: &[&str]) -> Option<Self> {
        if let Err(error) = Command::new(program).arg("--version").stdout(Stdio::null()).status() {
            println!("skipped: {program}: {error}");
            return None;
        }
        let port = free_port();
        let mut all: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let tls = arguments.contains(&"--tls-port");
        let common: &[&str] =
            if program == "redis-server" { &["--save", "", "--appendonly", "no"] } else { &[] };
        let ports = ["--port".to_owned(), if tls { "0".to_owned() } else { port.to_string() }];
        all.extend(ports.into_iter().chain(common.iter().map(|&argument| argument.to_owned())));
        all.extend(["--bind".to_owned(), "127.0.0.1".to_owned()]);
        for argument in &mut all {
            if argument == "PORT" {
                *argument = port.to_string();
            }
        }
        let child = run(program, &all, folder);
        let mut server =
            Self { child, port, program, arguments: all, folder: folder.to_owned(), _owned: None };
        server.wait(tls);
        Some(server)
    }

    fn wait(&mut self, tls: bool) {
        let (port, program) = (self.port, self.program);
        until(program, || {
            assert!(self.child.try_wait().unwrap().is_none(), "{program} ended");
            if tls {
                TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
            } else {
                send(port, &["PING"]).is_ok_and(|answer| answer == "PONG")
            }
        });
    }

    /// Starts a server again that was killed.
    pub(crate) fn restart(&mut self) {
        self.child = run(self.program, &self.arguments, &self.folder);
        self.wait(false);
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops or continues the process of the server.
    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// Sends a signal later.
    pub(crate) fn signal_later(&self, signal: &'static str, time: Duration) {
        let id = self.child.id().to_string();
        thread::spawn(move || {
            thread::sleep(time);
            Command::new("kill").args([signal, &id]).status()
        });
    }

    /// The store, for the processes of a fleet.
    pub(crate) fn store(&self) -> String {
        format!("redis:{}", self.url())
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Sends a command, and returns its answer as text.
    pub(crate) fn command(&self, words: &[&str]) -> String {
        send(self.port, words).unwrap()
    }

    /// Returns how often a command was called since the statistics were reset.
    pub(crate) fn calls(&self, command: &str) -> usize {
        let statistics = self.command(&["INFO", "commandstats"]);
        let start = format!("cmdstat_{command}:calls=");
        let line = statistics.lines().find_map(|line| line.strip_prefix(&start));
        line.map_or(0, |line| line.split(',').next().unwrap().parse().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(program: &str, arguments: &[String], folder: &Path) -> Child {
    let mut command = Command::new(program);
    // A sentinel writes to its configuration.
    if program == "redis-sentinel" {
        command.arg(folder.join("sentinel.conf"));
    }
    let command = command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Sends a command to a server. An answer of several parts is their lines.
pub(crate) fn send(port: u16, words: &[&str]) -> io::Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(MOST))?;
    let mut request = format!("*{}\r\n", words.len());
    for word in words {
        request += &format!("${}\r\n{word}\r\n", word.len());
    }
    stream.write_all(request.as_bytes())?;
    answer(&mut BufReader::new(stream))
}

fn answer(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let Some((kind, rest)) = line.trim_end().split_at_checked(1) else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    match kind {
        "$" if rest != "-1" => {
            let mut bytes = vec![0; rest.parse::<usize>().unwrap() + 2];
            stream.read_exact(&mut bytes)?;
            bytes.truncate(bytes.len() - 2);
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        "*" => {
            let parts = (0..rest.parse::<usize>().unwrap()).map(|_| answer(stream));
            Ok(parts.collect::<io::Result<Vec<_>>>()?.join("\n"))
        }
        _ => Ok(rest.to_owned()),
    }
}
