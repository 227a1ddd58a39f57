//! How long a command waits for another one.

use alloc::sync::Arc;
use core::time::Duration;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use robots_fetch::{Claim, Disk, Entry, Origin, Store, StoreError};

/// A store whose claims are waited for only as long as a site may take. A command that was stopped leaves a claim that lasts
/// longer.
pub(super) struct Patience {
    disk: Disk,
    most: Duration,
    /// The origins whose claims were waited for.
    waited: Mutex<HashSet<Origin>>,
}

impl Patience {
    pub(super) fn new(disk: Disk, most: Duration) -> Self {
        Self { disk, most, waited: Mutex::default() }
    }
}

impl Store for Patience {
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        self.disk.get(origin)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.disk.put(origin, entry)
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.disk.remove(origin)
    }

    fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        let has_waited = self.waited.lock().unwrap_or_else(PoisonError::into_inner).contains(origin);
        match self.disk.claim(origin)? {
            Claim::Held if has_waited => Ok(Claim::default()),
            claim => Ok(claim),
        }
    }

    fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        self.waited.lock().unwrap_or_else(PoisonError::into_inner).insert(origin.clone());
        self.disk.wait(origin, at_most.min(self.most))
    }

    fn blocks(&self) -> bool {
        self.disk.blocks()
    }
}
