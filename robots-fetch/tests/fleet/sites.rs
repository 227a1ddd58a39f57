//! The sites of a test: a server that counts the requests for each host.

use alloc::sync::Arc;
use core::net::Ipv4Addr;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Condvar, Mutex};
use std::thread;

/// How long a file is fresh, in seconds.
pub(crate) const LIFETIME: u64 = 3600;

/// How long a site takes to answer.
const DELAY: Duration = Duration::from_millis(30);

#[derive(Default)]
struct Shared {
    counts: Mutex<HashMap<String, usize>>,
    changed: Condvar,
    /// The host whose next request is not answered.
    hangs: Mutex<Option<String>>,
    ended: AtomicBool,
}

/// All sites, on one port.
pub(crate) struct Sites {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

pub(crate) fn host(number: usize) -> String {
    format!("site-{number}.test")
}

/// The file of a site. No other site has this file.
fn file(host: &str) -> String {
    format!("User-agent: *\nDisallow: /private-{host}\n")
}

impl Sites {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if serving.ended.load(Ordering::SeqCst) {
                    break;
                }
                let (stream, shared) = (stream.unwrap(), Arc::clone(&serving));
                // A client that is killed closes its connection.
                thread::spawn(move || serve(stream, &shared).ok());
            }
        });
        Self { port, shared }
    }

    /// Returns the number of requests.
    pub(crate) fn count(&self) -> usize {
        self.shared.counts.lock().unwrap().values().sum()
    }

    pub(crate) fn count_of(&self, number: usize) -> usize {
        self.shared.counts.lock().unwrap().get(&host(number)).copied().unwrap_or_default()
    }

    /// Lets the next request of a site be without an answer for a minute.
    pub(crate) fn hang_once(&self, number: usize) {
        *self.shared.hangs.lock().unwrap() = Some(host(number));
    }

    /// Waits until a site was asked this often.
    pub(crate) fn wait_for(&self, number: usize, count: usize) {
        let counts = self.shared.counts.lock().unwrap();
        let few =
            |counts: &mut HashMap<String, usize>| counts.get(&host(number)).is_none_or(|is| *is < count);
        let most = Duration::from_secs(60);
        let (_counts, waited) = self.shared.changed.wait_timeout_while(counts, most, few).unwrap();
        assert!(!waited.timed_out(), "site {number} was not asked {count} times");
    }
}

impl Drop for Sites {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut host = String::new();
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?;
        if let Some(value) = line.strip_prefix("Host: ") {
            host = value.to_owned();
        }
        if line.is_empty() {
            break;
        }
    }
    *shared.counts.lock().unwrap().entry(host.clone()).or_default() += 1;
    shared.changed.notify_all();
    let hangs = shared.hangs.lock().unwrap().take_if(|hangs| *hangs == host).is_some();
    thread::sleep(if hangs { Duration::from_secs(60) } else { DELAY });
    let body = file(&host);
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
    write!(
        stream,
        "{head}Cache-Control: max-age={LIFETIME}, must-revalidate\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}
