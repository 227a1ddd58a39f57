//! Reading robots.txt files and standard input.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use robots_match::Profile;
use robots_match::syntax::Lines;

use crate::failure::{Failure, Result, reason};
use crate::text::Text;

/// Checks that at most one argument is standard input, which can be read only once.
pub(crate) fn require_one_standard_input<'a>(
    arguments: impl IntoIterator<Item = &'a OsString>,
) -> Result<()> {
    match arguments.into_iter().filter(|argument| *argument == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::new("standard input can be read only once; name a file instead of one `-`")),
    }
}

/// Checks that the name of a file is not empty, as it is where a shell replaces a variable that is not set.
pub(crate) fn require_name(name: &OsStr) -> Result<()> {
    match name.is_empty() {
        true => Err(Failure::new("the name of a file is empty; look for a variable that is not set")),
        false => Ok(()),
    }
}

/// Returns bytes of an argument as the name of a file.
pub(crate) fn os(name: &[u8]) -> Result<&OsStr> {
    #[cfg(unix)]
    return Ok(std::os::unix::ffi::OsStrExt::from_bytes(name));
    #[cfg(not(unix))]
    core::str::from_utf8(name).map(OsStr::new).map_err(|_| Failure::new("the name of a file is not Unicode"))
}

/// Returns the reason why the file of this name can't be read. A pattern is not the name of a file, so it says when it becomes one. Of
/// a folder, it names the robots.txt in it.
pub(crate) fn reason_of(name: &OsStr, error: &io::Error) -> String {
    let why = reason(error);
    match error.kind() {
        io::ErrorKind::NotFound if name.as_encoded_bytes().contains(&b'*') => format!(
            "{why}; a shell replaces a pattern by the names of files, if it is not in quotes and a file matches it"
        ),
        io::ErrorKind::IsADirectory if Path::new(name).join("robots.txt").is_file() => {
            let file = Path::new(name).join("robots.txt");
            format!("{why}; did you mean `{}`?", Text(file.as_os_str().as_encoded_bytes()))
        }
        _ => why,
    }
}

/// Reads standard input as far as `profile` reads it. A program that writes nothing has mostly failed, and an empty file would allow
/// everything.
pub(crate) fn standard_input(profile: &Profile) -> Result<Vec<u8>> {
    let bytes = read(io::stdin().lock(), profile)
        .map_err(|error| Failure::new(format!("can't read standard input: {}", reason(&error))))?;
    match bytes.is_empty() {
        true => Err(Failure::new(
            "standard input is empty; look for an error of the program that writes it, or name an empty file",
        )),
        false => Ok(bytes),
    }
}

/// Returns whether the name of a file says that its lines have cells (CSV).
pub(crate) fn is_table(name: &OsStr) -> bool {
    let end = Path::new(name).extension();
    end.is_some_and(|end| end.eq_ignore_ascii_case("csv") || end.eq_ignore_ascii_case("tsv"))
}

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
    read(open(path, admitted)?, profile)
}

/// Opens a file.
pub(crate) fn open(path: &Path, admitted: Admitted) -> io::Result<File> {
    if fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    match admitted {
        Admitted::Regular => open_regular(path),
        Admitted::Any => File::open(path),
    }
}

/// Reads a file, up to one byte more than `most`.
pub(crate) fn read_within(path: &Path, admitted: Admitted, most: usize) -> io::Result<Vec<u8>> {
    read_file(path, admitted, &within(most))
}

/// Reads a regular file that is not a link, up to one byte more than `most`.
pub(crate) fn read_unlinked(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    read(open_unlinked(path, OpenOptions::new().read(true))?, &within(most))
}

fn within(most: usize) -> Profile {
    let mut wide = Profile::default();
    wide.syntax.max_size = Some(most);
    wide
}

/// Opens a regular file that is not a link, or creates it if the options say so.
pub(crate) fn open_unlinked(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => return refused("is a link"),
        Ok(found) if !found.is_file() => return refused("is not a regular file"),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(_) | Err(_) => {}
    }
    // The path can lead to another file by now.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        options,
        libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { refused("is not a regular file") }
}

fn refused(why: &str) -> io::Result<File> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Opens a regular file. The file is examined again after opening, because the path can lead to another file by then.
fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe would wait for a writer.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    if !fs::metadata(path)?.is_file() {
        return refused("is not a regular file");
    }
    let file = options.open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return refused("is not a regular file");
    }
    if is_of_kernel(&found) {
        return refused("is an entry of /proc, which may never end");
    }
    Ok(file)
}

/// Returns whether a file is an entry of `/proc`: some of them look like regular files and wait for events.
#[cfg(unix)]
fn is_of_kernel(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // Where `/proc` is a folder of the root file system, it has no such entries.
    let device = |path: &str| fs::metadata(path).ok().map(|folder| folder.dev());
    let proc = device("/proc");
    proc.is_some() && proc != device("/") && proc == Some(found.dev())
}

#[cfg(not(unix))]
fn is_of_kernel(_: &fs::Metadata) -> bool {
    false
}

/// Reads `source` to its end, or up to one byte more than the size limit of `profile`, so that the caller sees that the
/// limit is exceeded.
pub(crate) fn read(source: impl Read, profile: &Profile) -> io::Result<Vec<u8>> {
    let most = profile.syntax.max_size.map_or(Lines::MAX_BYTES, |max| max.min(Lines::MAX_BYTES)) as u64 + 1;
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
