//! Stored bytes as entries.

use alloc::sync::Arc;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::error::StoreError;

/// Reads the bytes that were stored for an origin. `None` if they are of another version or policy.
pub(crate) fn entry(
    bytes: &[u8],
    origin: &Origin,
    profile: &SiteProfile,
) -> Result<Option<Arc<Entry>>, StoreError> {
    let damaged = |reason: String, source| StoreError::Entry { origin: origin.to_string(), reason, source };
    match Entry::decode(bytes, profile) {
        Err(unreadable) if unreadable.is_absent() => Ok(None),
        Err(unreadable) => Err(damaged(unreadable.to_string(), Some(unreadable.into()))),
        // The checksum does not cover the key.
        Ok(entry) if entry.hops().first().map(|hop| &hop.url) != Some(origin.robots_url()) => {
            Err(damaged("it is of another origin".to_owned(), None))
        }
        Ok(entry) => Ok(Some(Arc::new(entry))),
    }
}
