//! About how many bytes an entry takes.

use robots_match::Robots;

use crate::entry::Entry;
use crate::map::allocated;

impl Entry {
    /// Returns about how many bytes the entry takes in memory: body, URLs and header fields, and 512 bytes more.
    #[must_use]
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 512;
        let hops: usize = self.hops.iter().map(|hop| size_of_val(hop) + hop.url.as_str().len()).sum();
        let file = self.good_file().or_else(|| self.previous_file());
        OVERHEAD + hops + file.map_or(0, |file| file.len() + file.facts_len())
    }

    /// Returns about how many bytes the entry takes in memory as it is, with the blocks that it points to.
    pub(crate) fn memory(&self) -> usize {
        let hops: usize =
            self.hops.iter().map(|hop| size_of_val(hop) + allocated(hop.url.as_str().len())).sum();
        let file = self.good_file().or_else(|| self.previous_file()).map_or(0, |file| {
            let fields: usize =
                file.fields.all().into_iter().flatten().map(|field| allocated(field.len())).sum();
            let body = allocated(file.len()) + size_of::<Robots>() + 24;
            body + fields + allocated(file.url.as_str().len())
        });
        // A cause has a block of its own.
        let cause = self.cause().map_or(0, |cause| size_of_val(cause) + 24);
        size_of::<Self>() + 24 + hops + 24 + file + cause
    }
}
