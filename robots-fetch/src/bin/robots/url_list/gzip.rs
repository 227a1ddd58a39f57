//! Lists that gzip compressed.

use std::io::Read as _;

/// Returns bytes that gzip may have compressed as they were before.
pub(super) fn plain(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, String> {
    let too_large = || format!("more than {} MiB", most >> 20);
    if bytes.len() > most {
        return Err(too_large());
    }
    if !bytes.starts_with(b"\x1F\x8B") {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(&*bytes);
    decoder.take(most as u64 + 1).read_to_end(&mut plain).map_err(|_| "invalid gzip data".to_owned())?;
    if plain.len() > most { Err(too_large()) } else { Ok(plain) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn gzip_is_decoded_up_to_the_limit() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&vec![b'/'; 4 << 20]).unwrap();
        let bytes = encoder.finish().unwrap();
        assert_eq!(plain(bytes.clone(), 4 << 20).unwrap().len(), 4 << 20);
        assert_eq!(plain(bytes, 1 << 20).unwrap_err(), "more than 1 MiB");
        assert_eq!(plain(b"\x1F\x8Bx".to_vec(), 9).unwrap_err(), "invalid gzip data");
    }
}
