//! Writing a file in one step, so that no other process reads a part of it, and a disk that is full leaves no part.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::failure::{Failure, Result, reason};
use crate::text::Text;

/// Writes a file: a new one, or in place of a regular file as [`replace_file`]. A device or a pipe gets the bytes.
///
/// # Errors
///
/// The file can't be written. One that exists is unchanged then.
pub(crate) fn write_file(path: &OsStr, body: &[u8]) -> Result<()> {
    let written = match fs::metadata(path) {
        // The folder may admit to replace what the file does not admit to change.
        Ok(found) if found.is_file() => {
            OpenOptions::new().write(true).open(path).and_then(|_| replace(path.as_ref(), body))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => create_file(path.as_ref(), body),
        Ok(_) | Err(_) => fs::write(path, body),
    };
    written.map_err(|error| failed(path, &error))
}

/// Writes a new file.
///
/// # Errors
///
/// The file can't be written, or something has its name. Nothing is left then.
pub(crate) fn create_file(path: &Path, body: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = written_in(folder, body)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// Replaces a regular file. A symbolic link stays, and its target is replaced.
///
/// In a folder where others may write, no link that they prepare is followed. Owner, group and permissions stay as they are.
///
/// # Errors
///
/// The file can't be replaced, or not with the same owner, group and permissions. It is unchanged then.
pub(crate) fn replace_file(path: &OsStr, body: &[u8]) -> Result<()> {
    replace(path.as_ref(), body).map_err(|error| failed(path, &error))
}

fn failed(path: &OsStr, error: &io::Error) -> Failure {
    Failure::new(format!("can't write {}: {}", Text(path.as_encoded_bytes()), reason(error)))
}

fn replace(path: &Path, body: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let before = fs::symlink_metadata(&path)?;
    if !before.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let folder = path.parent().ok_or_else(|| io::Error::other("has no folder"))?;
    let file = written_in(folder, body)?;
    keep_owner(file.as_file(), &before)?;
    file.as_file().set_permissions(before.permissions())?;
    file.as_file().sync_all()?;
    // The file is removed if it can't get the name.
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a file with a random name, which must not exist before. It has the permissions of a new file, and is removed if nothing gives it
/// another name.
fn written_in(folder: &Path, body: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".robots-").suffix(".tmp");
    // As for any new file, the user's mask takes some away.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(body)?;
    Ok(file)
}

/// Gives a file the owner and the group of another.
#[cfg(unix)]
fn keep_owner(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    let owner = (now.uid() != before.uid()).then(|| before.uid());
    let group = (now.gid() != before.gid()).then(|| before.gid());
    if owner.is_none() && group.is_none() {
        return Ok(());
    }
    let lost = |_| io::Error::other("its owner or group would change; correct it as its owner");
    fchown(file, owner, group).map_err(lost)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems have owners that can be lost")]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
