//! Where the octets of a robots.txt come from.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use robots_match::Profile;
use robots_match::syntax::Lines;

/// Which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// Files with a content of their own: nothing that could wait for somebody to write.
    Regular,
    /// Pipes and devices, too.
    Any,
}

/// Reads a file, no further than `profile` looks.
pub(crate) fn read_file(path: &Path, admitted: Admitted, profile: &Profile) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    if admitted == Admitted::Regular && !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
    }
    read(File::open(path)?, profile)
}

/// Reads `source` to its end, or to the octet that shows it is longer than `profile` reads.
pub(crate) fn read(source: impl Read, profile: &Profile) -> io::Result<Vec<u8>> {
    let most = profile.syntax.max_size.map_or(Lines::MAX_BYTES, |max| max.min(Lines::MAX_BYTES)) as u64 + 1;
    let mut octets = Vec::new();
    source.take(most).read_to_end(&mut octets)?;
    Ok(octets)
}
