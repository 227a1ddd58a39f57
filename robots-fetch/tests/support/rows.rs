//! The rows of robots-conformance about access, and their answers as a server gives them.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use robots_conformance::Table;
use robots_conformance::exchange::{Scripted, Timeline};
use robots_fetch::FailureKind;

use super::{Act, Then, answer, head};

/// The tables about access; the port that URLs of rows name stands for that of the server.
pub(crate) fn all(port: u16) -> Vec<Table> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robots-conformance/tables");
    let named = [
        "rfc9309/2.3-access",
        "draft-koster-rep-00/2.3-access",
        "google/G2-G3-access",
        "koster-1996/3.1-access",
    ];
    let read = |name| std::fs::read_to_string(tables.join(format!("{name}.toml"))).unwrap();
    named.map(|name| Table::parse(&read(name).replace(":8080", &format!(":{port}"))).unwrap()).into()
}

/// Whether a row is to be tried with this status: of ranges a part, for another test has every status.
pub(crate) fn is_sampled(row: &Timeline, scripted: &Scripted) -> bool {
    let ranges = row.steps.iter().flat_map(|step| step.answers.iter().flatten());
    let ranged = ranges.into_iter().any(|answer| answer.statuses.iter().any(|range| range.contains('-')));
    !ranged || scripted.head.as_ref().is_ok_and(|head| head.status() % 100 < 9 || head.status() % 11 == 0)
}

/// Returns the act of a server that answers so; `None` if no server can.
///
/// Bodies are delimited in the three ways of HTTP/1.1, by turns.
pub(crate) fn act(scripted: &Scripted) -> Option<Act> {
    let status = match &scripted.head {
        Ok(head) => head.status(),
        Err(kind) => return failing(*kind),
    };
    let fields: Vec<&str> = scripted.fields.iter().map(String::as_str).collect();
    let body = scripted.body.as_slice();
    match (status, body.is_empty()) {
        // Statuses that do not exist, and answers that can't have a body.
        (0..200 | 1000.., _) | (204 | 304, false) => return None,
        (204 | 304, true) => return Some(Act::Send(head(status, &fields), Then::Close)),
        _ => {}
    }
    let more = |fields: &[&str], field: &str| head(status, &[fields, &[field]].concat());
    let longer = format!("Content-Length: {}", body.len() + 10);
    if let Some(kind) = scripted.breaks {
        return Some(match kind {
            FailureKind::Timeout => Act::Send([&more(&fields, &longer), body].concat(), Then::Silence),
            FailureKind::Incomplete => Act::Send([&more(&fields, &longer), body].concat(), Then::Close),
            FailureKind::Reset => Act::Send([&head(status, &fields), body].concat(), Then::Reset),
            FailureKind::Chunking => {
                let start = [more(&fields, "Transfer-Encoding: chunked"), chunked(body, "")].concat();
                Act::Endless(start, b"no length\r\n".to_vec(), Duration::from_millis(50))
            }
            FailureKind::Decoding => {
                let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
                gzip.write_all(body).unwrap();
                let mut coded = gzip.finish().unwrap();
                // The check sum, which comes after the body.
                let sum = coded.len() - 8;
                coded[sum] ^= 1;
                Act::Send([more(&fields, "Content-Encoding: gzip"), coded].concat(), Then::Close)
            }
            _ => return None,
        });
    }
    Some(match status % 3 {
        0 => Act::Send([&head(status, &fields), body].concat(), Then::Close),
        1 => {
            let chunks = chunked(body, "0\r\n\r\n");
            Act::Send([more(&fields, "Transfer-Encoding: chunked"), chunks].concat(), Then::Close)
        }
        _ => Act::Send(answer(status, &fields, body), Then::Close),
    })
}

fn chunked(body: &[u8], end: &str) -> Vec<u8> {
    let chunks = body
        .chunks(1000)
        .flat_map(|part| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat());
    chunks.chain(end.bytes()).collect()
}

/// Returns the act of a server that causes such a failure; `None` if no server can cause it.
pub(crate) fn failing(kind: FailureKind) -> Option<Act> {
    let cut = |field: &str| [&head(200, &[field]), b"User-agent: *\n".as_slice()].concat();
    Some(match kind {
        FailureKind::Dns => Act::NoAddress,
        FailureKind::Connect => Act::Refused,
        FailureKind::Tls => Act::Plain,
        FailureKind::Timeout => Act::Send(Vec::new(), Then::Silence),
        FailureKind::Reset => Act::Send(b"HTTP/1.1 200 OK\r\nContent-".to_vec(), Then::Reset),
        FailureKind::Incomplete => Act::Send(cut("Content-Length: 100"), Then::Close),
        FailureKind::Chunking => Act::Send(cut("Transfer-Encoding: chunked"), Then::Close),
        FailureKind::InvalidResponse => Act::Send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec(), Then::Close),
        FailureKind::HeadTooLarge => {
            let start = b"HTTP/1.1 200 OK\r\n".to_vec();
            Act::Endless(start, format!("X-Field: {}\r\n", "x".repeat(8000)).into_bytes(), Duration::ZERO)
        }
        FailureKind::UnknownCoding => Act::Send(cut("Content-Encoding: x-unknown"), Then::Close),
        FailureKind::Decoding => Act::Send(cut("Content-Encoding: br"), Then::Close),
        _ => return None,
    })
}
