//! An FTP server with scripted faults.

use core::net::{Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// The `robots.txt` of the server.
pub const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

/// How the server departs from what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "tests name all faults")]
pub enum Fault {
    /// It does not depart.
    None,
    /// It sends this reply to this command, or to the connection if the command is empty.
    Replies(&'static str, &'static str),
    /// It says nothing more after this command.
    Silent(&'static str),
    /// It closes all after this command.
    Gone(&'static str),
    /// It knows only the old passive mode, and names an address that is not its own.
    Old,
    /// It closes the data connection in the middle, and says so.
    Cut,
    /// It closes it, and then the other, without a word.
    Lost,
    /// It sends a byte now and then.
    Slow,
    /// It sends data without end.
    Endless,
    /// It greets without end.
    Chatty,
}

/// Starts a server, which runs until the process ends, and returns its address.
pub fn serve(fault: Fault) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away is not a fault of the server.
            thread::spawn(move || session(&stream, fault).ok());
        }
    });
    address
}

fn session(mut control: &TcpStream, fault: Fault) -> io::Result<()> {
    if fault == Fault::Chatty {
        loop {
            control.write_all(b"220-Welcome\r\n")?;
        }
    }
    let mut lines = BufReader::new(control.try_clone()?).lines();
    let mut data: Option<TcpListener> = None;
    let mut line = String::new();
    loop {
        let command = line.split(' ').next().unwrap_or_default().to_owned();
        let reply = match command.as_str() {
            name if matches!(fault, Fault::Silent(at) if at == name) => {
                lines.by_ref().for_each(drop);
                return Ok(());
            }
            name if matches!(fault, Fault::Gone(at) if at == name) => {
                return control.shutdown(Shutdown::Both);
            }
            name if matches!(fault, Fault::Replies(at, _) if at == name) => match fault {
                Fault::Replies(_, reply) => reply.to_owned(),
                _ => continue,
            },
            "" => "220 Ready".to_owned(),
            "USER" => "331 Password, please".to_owned(),
            "PASS" => "230 Welcome".to_owned(),
            "TYPE" => "200 So be it".to_owned(),
            "EPSV" if fault == Fault::Old => "502 What is that".to_owned(),
            "EPSV" | "PASV" => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                match command.as_str() {
                    "EPSV" => format!("229 Here (|||{port}|)"),
                    _ => format!("227 Here (10,9,8,7,{},{})", port >> 8, port & 0xFF),
                }
            }
            "RETR" if line == "RETR robots.txt" => {
                control.write_all(b"150 Here it comes\r\n")?;
                let Some((mut sent, _)) = data.take().and_then(|data| data.accept().ok()) else {
                    return Ok(());
                };
                match fault {
                    Fault::Cut => {
                        sent.write_all(&FILE[..20])?;
                        "426 Lost it".to_owned()
                    }
                    Fault::Lost => {
                        sent.write_all(&FILE[..20])?;
                        drop(sent);
                        return control.shutdown(Shutdown::Both);
                    }
                    Fault::Slow => loop {
                        sent.write_all(b"x")?;
                        thread::sleep(Duration::from_millis(100));
                    },
                    Fault::Endless => loop {
                        sent.write_all(FILE)?;
                    },
                    Fault::Silent("data") => {
                        lines.by_ref().for_each(drop);
                        return Ok(());
                    }
                    _ => {
                        sent.write_all(FILE)?;
                        "226 That was it".to_owned()
                    }
                }
            }
            "RETR" => "550 No such file".to_owned(),
            _ => "500 What".to_owned(),
        };
        control.write_all(format!("{reply}\r\n").as_bytes())?;
        match lines.next() {
            Some(next) => line = next?,
            None => return Ok(()),
        }
    }
}
