//! Where entries are kept on disk.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::{env, fs};

use robots_fetch::{Disk, SiteProfile, StoreError, StoreLimits};

use crate::failure::reason;
use crate::output::{self, Style};
use crate::text::Text;

/// The limits of what is kept on disk: 10,000 entries, 64 MiB.
const KEPT: StoreLimits = StoreLimits::DEFAULT;

/// Opens the store of this name. A damaged store is replaced by an empty one: its files can be fetched again. A file that does not begin
/// as a store is an error, because another program may have made it. Each operation waits for other commands for at most `busy`.
pub(super) fn open(
    folder: &Path,
    name: &str,
    profile: SiteProfile,
    busy: Duration,
) -> Result<Disk, StoreError> {
    let path = folder.join(name);
    if let Err(error) = fs::create_dir_all(folder) {
        let shown = Text(path.as_os_str().as_encoded_bytes()).to_string();
        return Err(StoreError::failed(&shown, reason(&error)));
    }
    match Disk::open_within(&path, profile, KEPT, busy) {
        Err(StoreError::Damaged { path: shown, reason, .. }) => {
            let text = format!("store `{shown}` is damaged: {reason}; it is replaced by an empty one");
            output::complain("note", Style::Note, &text);
            Disk::recreate_within(&path, profile, KEPT, busy)
        }
        opened => opened,
    }
}

/// Returns the user's folder for caches.
pub(super) fn folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    if cfg!(target_os = "macos") {
        return Some(folder("HOME")?.join("Library/Caches"));
    }
    folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))
}
