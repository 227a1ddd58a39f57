//! Reading robots.txt files and standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use robots_match::Profile;
use robots_match::syntax::Lines;

/// The kinds of files that may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// Regular files, which never make the reader wait for a writer.
    Regular,
    /// Also pipes and devices.
    Any,
}

/// Reads a file, up to one byte more than the size limit of `profile`.
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

/// Reads `source` to its end, or up to one byte more than the size limit of `profile`, so that the caller sees that the
/// limit is exceeded.
pub(crate) fn read(source: impl Read, profile: &Profile) -> io::Result<Vec<u8>> {
    let most = profile.syntax.max_size.map_or(Lines::MAX_BYTES, |max| max.min(Lines::MAX_BYTES)) as u64 + 1;
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
