//! A server of HTTP/1.0 and 1.1 that follows a script, with and without TLS.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

use crate::scenario::{Act, Answer, End, Over, Scenario};
use crate::support::Wire;

/// How long a server waits for a client before it gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server. Dropping it ends its thread.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Starts a server that passes each connection to `serve`, in a thread of its own.
    pub(crate) fn start(serve: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let is_ended = Arc::clone(&ended);
        let serve = Arc::new(serve);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if is_ended.load(Ordering::Acquire) {
                    return;
                }
                let serve = Arc::clone(&serve);
                thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(PATIENCE));
                    let _ = stream.set_write_timeout(Some(PATIENCE));
                    let _ = stream.set_nodelay(true);
                    // A client that goes away is not a mistake of the server.
                    serve(stream).ok()
                });
            }
        });
        Self { address, ended }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        // Wakes the thread.
        drop(TcpStream::connect(self.address));
    }
}

/// Starts a server for a scenario.
pub(crate) fn serve(scenario: &Scenario, tls: &Arc<ServerConfig>) -> Server {
    let answers = Mutex::new(VecDeque::from(scenario.answers.clone()));
    let tls = (scenario.over == Over::Tls).then(|| Arc::clone(tls));
    Server::start(move |tcp| match &tls {
        Some(config) => {
            let connection = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
            connection_of(StreamOwned::new(connection, tcp.try_clone()?), &tcp, &answers)
        }
        None => connection_of(tcp.try_clone()?, &tcp, &answers),
    })
}

fn connection_of(mut wire: impl Wire, tcp: &TcpStream, answers: &Mutex<VecDeque<Answer>>) -> io::Result<()> {
    while has_request(&mut wire)? {
        // The last answer is the answer to all further requests.
        let answer = {
            let mut answers = answers.lock().unwrap();
            let next = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
            match next {
                Some(answer) => answer,
                None => return wire.end(),
            }
        };
        for act in &answer.acts {
            match act {
                Act::Send(bytes) => wire.write_all(bytes).and_then(|()| wire.flush())?,
                Act::Pause(pause) => thread::sleep(*pause),
                Act::Do(what) => panic!("{what:?} is not for HTTP/1.1"),
            }
        }
        if answer.end == End::Keep {
            continue;
        }
        return ending(&mut wire, tcp, answer.end);
    }
    Ok(())
}

/// Ends a connection.
pub(crate) fn ending(wire: &mut impl Wire, tcp: &TcpStream, end: End) -> io::Result<()> {
    match end {
        End::Close | End::Keep => wire.end().and_then(|()| wait(wire)),
        End::Cut => tcp.shutdown(Shutdown::Write).and_then(|()| wait(wire)),
        End::Silence => wait(wire),
        End::Reset => {
            // Bytes that have not left by then are lost.
            thread::sleep(Duration::from_millis(30));
            SockRef::from(tcp).set_linger(Some(Duration::ZERO))
        }
        End::CloseAfter(time) => {
            thread::sleep(time);
            Ok(())
        }
        End::Endless(byte) => loop {
            wire.write_all(&[byte; 1000])?;
            wire.flush()?;
        },
    }
}

/// Waits until the client has gone.
fn wait(wire: &mut impl Read) -> io::Result<()> {
    let mut buffer = [0; 1024];
    while wire.read(&mut buffer)? > 0 {}
    Ok(())
}

/// Reads a request, and returns whether there was one.
fn has_request(wire: &mut impl Read) -> io::Result<bool> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        if wire.read(&mut byte)? == 0 {
            return Ok(false);
        }
        head.push(byte[0]);
    }
    Ok(true)
}
