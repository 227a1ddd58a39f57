//! The parts of an entry that outlast a local failure.

use std::time::SystemTime;

use crate::entry::file::File;
use crate::entry::outage::Outage;
use crate::policy::OutageAccess;
use crate::profile::SiteProfile;

/// The parts of an entry that outlast a local failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Before {
    pub(crate) file: Option<File>,
    /// Whether an answer said since then that the site has no robots.txt.
    pub(crate) is_previous: bool,
    pub(crate) outage: Option<Outage>,
    /// How many attempts in a row were answered by a limit of requests.
    pub(crate) throttled: u32,
}

impl Before {
    /// Returns the file, unless the outage before closes the site even with a file.
    pub(super) fn usable_file(&self, profile: &SiteProfile, now: SystemTime) -> Option<&File> {
        let file = self.file.as_ref()?;
        let is_usable = match self.outage {
            _ if self.is_previous => file.outlives_unavailable(profile.access.keep_after_unavailable, now),
            None if self.throttled > 0 => file.outlives_limit(profile.access.keep_while_throttled, now),
            None => true,
            Some(outage) => matches!(
                profile.access.outage_access(outage.lasted()),
                OutageAccess::FileOrNothing | OutageAccess::FileOrEverything
            ),
        };
        is_usable.then_some(file)
    }
}
