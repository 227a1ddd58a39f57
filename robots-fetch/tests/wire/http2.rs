//! A server of HTTP/2 over TLS that sends the frames of a script.
//!
//! `HEADERS :status=200 name=value ...`, `HEADERS+END ...`, `DATA bytes`, `DATA+END bytes`, `RST NO_ERROR`, `GOAWAY NO_ERROR`,
//! `RAW bytes`.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::bytes::filled;
use crate::http1::{Server, ending};
use crate::scenario::{Act, Answer, End, Scenario};

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;

const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

type Wire = StreamOwned<ServerConnection, TcpStream>;

pub(crate) fn serve(scenario: &Scenario, tls: &Arc<ServerConfig>) -> Server {
    let answers = Mutex::new(VecDeque::from(scenario.answers.clone()));
    let config = Arc::clone(tls);
    Server::start(move |tcp| {
        let connection = ServerConnection::new(Arc::clone(&config)).map_err(io::Error::other)?;
        let mut wire = StreamOwned::new(connection, tcp.try_clone()?);
        let mut preface = [0; 24];
        wire.read_exact(&mut preface)?;
        send(&mut wire, SETTINGS, 0, 0, &[])?;
        while let Some(stream) = request(&mut wire)? {
            let Some(answer) = answers.lock().unwrap().pop_front() else { return Ok(()) };
            follow(&mut wire, stream, &answer)?;
            if answer.end != End::Keep {
                return ending(&mut wire, &tcp, answer.end);
            }
        }
        Ok(())
    })
}

/// Reads frames up to a request, and returns the stream of the request.
fn request(wire: &mut Wire) -> io::Result<Option<u32>> {
    loop {
        let mut head = [0; 9];
        if wire.read_exact(&mut head).is_err() {
            return Ok(None);
        }
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let mut payload = vec![0; length];
        wire.read_exact(&mut payload)?;
        let (kind, flags) = (head[3], head[4]);
        match kind {
            SETTINGS if flags & ACK == 0 => send(wire, SETTINGS, ACK, 0, &[])?,
            PING if flags & ACK == 0 => send(wire, PING, ACK, 0, &payload)?,
            HEADERS => return Ok(Some(u32::from_be_bytes([head[5] & 0x7F, head[6], head[7], head[8]]))),
            _ => {}
        }
    }
}

fn follow(wire: &mut Wire, stream: u32, answer: &Answer) -> io::Result<()> {
    for act in &answer.acts {
        match act {
            Act::Pause(pause) => thread::sleep(*pause),
            Act::Send(bytes) => wire.write_all(bytes)?,
            Act::Do(frame) => {
                let (name, rest) = frame.split_once(' ').unwrap_or((frame, ""));
                match name {
                    "HEADERS" => send(wire, HEADERS, END_HEADERS, stream, &block(rest))?,
                    "HEADERS+END" => send(wire, HEADERS, END_HEADERS | END_STREAM, stream, &block(rest))?,
                    "DATA" => send(wire, DATA, 0, stream, &filled(rest))?,
                    "DATA+END" => send(wire, DATA, END_STREAM, stream, &filled(rest))?,
                    "RST" => send(wire, RST_STREAM, 0, stream, &reason(rest).to_be_bytes())?,
                    "GOAWAY" => {
                        let payload = [stream.to_be_bytes(), reason(rest).to_be_bytes()].concat();
                        send(wire, GOAWAY, 0, 0, &payload)?;
                    }
                    "GOAWAY-BEFORE" => {
                        let payload = [0_u32.to_be_bytes(), reason(rest).to_be_bytes()].concat();
                        send(wire, GOAWAY, 0, 0, &payload)?;
                    }
                    "RAW" => wire.write_all(&filled(rest))?,
                    other => panic!("unknown frame {other:?}"),
                }
            }
        }
        wire.flush()?;
    }
    Ok(())
}

fn send(wire: &mut Wire, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    wire.write_all(&head)?;
    wire.write_all(payload)?;
    wire.flush()
}

/// Returns a block of literal fields without indexing (RFC 7541, section 6.2.2).
fn block(fields: &str) -> Vec<u8> {
    let string = |text: &str| {
        let bytes = filled(text);
        let mut coded = Vec::new();
        // An integer with a prefix of 7 bits (RFC 7541, section 5.1).
        match u8::try_from(bytes.len()) {
            Ok(length) if length < 127 => coded.push(length),
            _ => {
                coded.push(127);
                let mut rest = bytes.len() - 127;
                while rest >= 128 {
                    coded.push(u8::try_from(rest % 128).unwrap() | 128);
                    rest /= 128;
                }
                coded.push(u8::try_from(rest).unwrap());
            }
        }
        coded.extend(bytes);
        coded
    };
    let field = |field: &str| {
        let (name, value) = field[1..].split_once('=').unwrap_or_else(|| panic!("{field:?} has no value"));
        [vec![0], string(&format!("{}{name}", &field[..1])), string(value)].concat()
    };
    fields.split_whitespace().flat_map(field).collect()
}

fn reason(name: &str) -> u32 {
    match name {
        "NO_ERROR" => 0,
        "PROTOCOL_ERROR" => 1,
        "INTERNAL_ERROR" => 2,
        "REFUSED_STREAM" => 7,
        "CANCEL" => 8,
        "ENHANCE_YOUR_CALM" => 11,
        other => panic!("unknown reason {other:?}"),
    }
}
