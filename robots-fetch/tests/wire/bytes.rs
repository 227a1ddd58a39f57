//! The bytes that placeholders in scenarios stand for.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

/// The file of all scenarios.
pub(crate) const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

/// `hello\n` by a brotli encoder.
const BROTLI: &[u8] = &[0x8B, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', b'\n', 0x03];

/// Returns the bytes of a text with placeholders in braces; see the README of the scenarios.
pub(crate) fn filled(text: &str) -> Vec<u8> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or_else(|| panic!("`{{` is not closed in {text:?}"));
        all.extend_from_slice(before.as_bytes());
        all.extend(placeholder(name));
        rest = after;
    }
    all.extend_from_slice(rest.as_bytes());
    all
}

fn placeholder(name: &str) -> Vec<u8> {
    let (name, argument) = name.split_once(':').unwrap_or((name, ""));
    let number =
        || argument.parse::<usize>().unwrap_or_else(|_| panic!("{name} needs a number, not {argument:?}"));
    match name {
        "file" if argument.is_empty() => FILE.to_vec(),
        "file" => FILE[..number()].to_vec(),
        // Two chunks and the last one; the chunks without the last one.
        "chunked" => [placeholder(&format!("chunks:{argument}")), b"0\r\n\r\n".to_vec()].concat(),
        "chunks" => {
            let body = if argument.is_empty() { FILE.to_vec() } else { placeholder(argument) };
            let (start, end) = body.split_at(body.len() / 2);
            let chunk = |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
            [chunk(start), chunk(end)].concat()
        }
        "gzip" => coded(GzEncoder::new(Vec::new(), Compression::best()), |encoder| encoder.finish().unwrap()),
        "zlib" => {
            coded(ZlibEncoder::new(Vec::new(), Compression::best()), |encoder| encoder.finish().unwrap())
        }
        "deflate" => {
            coded(DeflateEncoder::new(Vec::new(), Compression::best()), |encoder| encoder.finish().unwrap())
        }
        "brotli" => BROTLI.to_vec(),
        // A coded body without its last byte.
        "cut" => {
            let mut body = placeholder(argument);
            body.pop();
            body
        }
        // The number of bytes of another placeholder.
        "length" => {
            let of = if argument.is_empty() { "file" } else { argument };
            placeholder(of).len().to_string().into_bytes()
        }
        "zeros" => vec![0; number()],
        "x" => vec![b'x'; number()],
        // The part of an endless body that is kept: the limit of RFC 9309, and one byte more.
        "endless" => vec![b'#'; robots_fetch::SiteProfile::RFC9309.max_size() + 1],
        "byte" => vec![u8::from_str_radix(argument, 16).unwrap()],
        "fields" => (0..number()).flat_map(|index| format!("X{index}: y\r\n").into_bytes()).collect(),
        "interim" => b"HTTP/1.1 103 Wait\r\nLink: x\r\n\r\n".repeat(number()),
        other => panic!("unknown placeholder {other:?}"),
    }
}

fn coded<W: std::io::Write>(mut encoder: W, finish: impl FnOnce(W) -> Vec<u8>) -> Vec<u8> {
    encoder.write_all(FILE).unwrap();
    finish(encoder)
}
