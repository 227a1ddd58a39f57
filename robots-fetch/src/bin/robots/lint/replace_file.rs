//! Replacing a file.

use std::ffi::OsStr;

use crate::failure::{Failure, Result, reason};
use crate::text::Text;

/// Replaces a file in one step, so that no other process reads a part of it.
pub(super) fn replace_file(path: &OsStr, body: &[u8]) -> Result<()> {
    let failure = |error: std::io::Error| {
        Failure::new(format!("can't write {}: {}", Text(path.as_encoded_bytes()), reason(&error)))
    };
    // A link is followed, and the permissions are kept.
    let path = std::fs::canonicalize(path).map_err(failure)?;
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let permissions = std::fs::metadata(&path).map_err(failure)?.permissions();
    let replaced = std::fs::write(&beside, body)
        .and_then(|()| std::fs::set_permissions(&beside, permissions))
        .and_then(|()| std::fs::rename(&beside, &path));
    replaced.map_err(|error| {
        // The file may not have been created.
        let _ = std::fs::remove_file(&beside);
        failure(error)
    })
}
