//! Memory depends on the size of the input, not on sizes that the input claims.

use peak_alloc::PeakAlloc;
use robots_conformance::properties::retrieval::stored;
use robots_conformance::properties::seeds;
use robots_fetch::matching::{Crawler, Profile, RuleSet};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns the peak of the memory that `run` allocates, in bytes.
fn peak(run: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    run();
    MEMORY.peak_usage().saturating_sub(before)
}

// Only one test, because the memory of other tests at the same time would count.
#[test]
fn memory_depends_on_real_sizes_and_not_on_claimed_ones() {
    // Every number in an entry claims as much as it can; what is in front of it is as it was.
    for data in seeds("stored").into_values() {
        for at in 0..data.len() {
            let mut data = data.clone();
            data[at..].iter_mut().take(4).for_each(|byte| *byte = 0xFF);
            let peak = peak(|| stored(&data));
            assert!(peak < 64 * 1024, "{peak} bytes for {} with claims at {at}", data.len());
        }
    }
    // The profile reads at most 500 KiB of a file of any length; where no group applies, nothing is kept.
    let mut file = b"user-agent: *\ndisallow: /a\n".to_vec();
    file.resize(64 << 20, b'\n');
    let found = peak(|| assert_eq!(RuleSet::parse(&file, &Crawler::unnamed(), &Profile::RFC9309).len(), 1));
    assert!(found < 2 << 20, "{found} bytes for a rule");
    let unnamed = Crawler::unnamed().ignoring_wildcard();
    let found = peak(|| assert!(RuleSet::parse(&file, &unnamed, &Profile::KOSTER_1996).is_empty()));
    assert!(found < 1024, "{found} bytes for no rule");
}
