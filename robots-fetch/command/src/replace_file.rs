//! Replacing a file.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::Builder;

use crate::failure::{Failure, Result, reason};
use crate::text::Text;

/// Replaces a regular file in one step, so that no other process reads a part of it. A symbolic link stays, and its target is
/// replaced.
///
/// The new content is first written to a file with a random name, which must not exist before: in a folder where others may
/// write, no link that they prepare is followed. Owner, group and permissions stay as they are.
///
/// # Errors
///
/// The file can't be replaced, or not with the same owner, group and permissions. It is unchanged then.
pub(crate) fn replace_file(path: &OsStr, body: &[u8]) -> Result<()> {
    let failure = |error: io::Error| {
        Failure::new(format!("can't write {}: {}", Text(path.as_encoded_bytes()), reason(&error)))
    };
    replace(path.as_ref(), body).map_err(failure)
}

fn replace(path: &Path, body: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let before = fs::symlink_metadata(&path)?;
    if !before.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let folder = path.parent().ok_or_else(|| io::Error::other("has no folder"))?;
    let mut file = Builder::new().prefix(".robots-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(body)?;
    keep_owner(file.as_file(), &before)?;
    file.as_file().set_permissions(before.permissions())?;
    file.as_file().sync_all()?;
    // The file is removed if it can't get the name.
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
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
