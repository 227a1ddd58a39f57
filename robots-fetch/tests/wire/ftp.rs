//! A server of FTP that follows a script where a scenario has one for a command, and is correct otherwise.
//!
//! `DATA bytes`, `DATA-END`, `DATA-RESET`, `CLOSE`, `RESET`, `SILENCE`; anything else is a reply.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use crate::bytes::filled;
use crate::http1::Server;
use crate::scenario::{Act, Scenario};

pub(crate) fn serve(scenario: &Scenario) -> Server {
    let on = scenario.on.clone();
    let acts = move |command: &str| on.get(command).cloned();
    Server::start(move |control| session(&control, &acts))
}

/// Returns the acts of a correct server.
fn usual(line: &str) -> Vec<&'static str> {
    match line {
        "" => vec!["220 Ready"],
        "RETR robots.txt" => vec!["150 Here it comes", "DATA {file}", "DATA-END", "226 Done"],
        "QUIT" => vec!["221 Bye", "CLOSE"],
        _ => match line.split(' ').next().unwrap_or_default() {
            "USER" => vec!["331 Password"],
            "PASS" => vec!["230 Welcome"],
            "TYPE" => vec!["200 Yes"],
            "CWD" => vec!["250 Yes"],
            "PWD" => vec!["257 \"/\""],
            "SIZE" | "MDTM" => vec!["502 Not here"],
            "RETR" => vec!["550 No such file"],
            _ => vec!["500 What"],
        },
    }
}

fn session(mut control: &TcpStream, scripted: &dyn Fn(&str) -> Option<Vec<Act>>) -> io::Result<()> {
    let mut lines = BufReader::new(control.try_clone()?).lines();
    let mut listener: Option<TcpListener> = None;
    let mut data: Option<TcpStream> = None;
    let mut line = String::new();
    loop {
        let command = line.split(' ').next().unwrap_or_default().to_owned();
        let mut acts = scripted(if command.is_empty() { "greeting" } else { &command });
        if acts.is_none() && matches!(command.as_str(), "EPSV" | "PASV") {
            let here = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let port = here.local_addr()?.port();
            listener = Some(here);
            acts = Some(vec![Act::Do(match command.as_str() {
                "EPSV" => format!("229 Here (|||{port}|)"),
                _ => format!("227 Here (127,0,0,1,{},{})", port >> 8, port & 0xFF),
            })]);
        }
        let usual = || usual(&line).into_iter().map(|act| Act::Do(act.to_owned())).collect();
        for act in acts.unwrap_or_else(usual) {
            let what = match act {
                Act::Pause(pause) => {
                    thread::sleep(pause);
                    continue;
                }
                Act::Send(_) => continue,
                Act::Do(what) => what,
            };
            if what.starts_with("DATA") && data.is_none() {
                data = listener.take().and_then(|here| here.accept().ok()).map(|(stream, _)| stream);
            }
            match what.split_once(' ').unwrap_or((&what, "")) {
                ("DATA", bytes) => match &mut data {
                    Some(data) => data.write_all(&filled(bytes))?,
                    None => return Ok(()),
                },
                ("DATA-END", _) => data = None,
                ("DATA-RESET", _) => {
                    thread::sleep(Duration::from_millis(30));
                    if let Some(data) = data.take() {
                        SockRef::from(&data).set_linger(Some(Duration::ZERO))?;
                    }
                }
                ("CLOSE", _) => return control.shutdown(Shutdown::Both),
                ("RESET", _) => return SockRef::from(control).set_linger(Some(Duration::ZERO)),
                ("SILENCE", _) => {
                    lines.by_ref().for_each(drop);
                    return Ok(());
                }
                ("RAW", bytes) => control.write_all(&filled(bytes))?,
                _ => control.write_all(format!("{what}\r\n").as_bytes())?,
            }
        }
        match lines.next() {
            Some(next) => line = next?,
            None => return Ok(()),
        }
    }
}
