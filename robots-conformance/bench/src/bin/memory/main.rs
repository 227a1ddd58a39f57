//! The memory of rule sets and verdicts.

use std::hint::black_box;

use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::corpus::{Site, UNNAMED_AGENT};
use crate::implementation::{Implementation, Robots};
use crate::workloads::outcome::Outcome;

pub(super) fn memory(sites: &[Site]) -> Vec<Outcome> {
    let (mut held, mut patterns, mut rules, mut compiling, mut sets) = (0, 0, 0, 0, 0);
    let (mut checks, mut checked, mut clean) = (0, 0, 0);
    for site in sites {
        let region = Region::new(ALLOCATOR);
        let Some(set) = Robots::compile(&site.body, UNNAMED_AGENT) else { continue };
        let change = region.change();
        // Growth and shrinkage of blocks are included in the bytes allocated and freed.
        held += change.bytes_allocated as i64 - change.bytes_deallocated as i64;
        compiling += change.allocations + change.reallocations;
        sets += 1;
        rules += set.len();
        patterns += set.compiled_rules().iter().map(|ruling| ruling.pattern.len()).sum::<usize>();
        for url in &site.urls {
            let is_clean = !url
                .path()
                .bytes()
                .any(|byte| b"%*$\"<>\\^`{|}#".contains(&byte) || !byte.is_ascii_graphic());
            let region = Region::new(ALLOCATOR);
            black_box(set.check(url.path().as_bytes()));
            checks += 1;
            if is_clean {
                clean += 1;
                checked += region.change().allocations;
            }
        }
    }
    let figure = |workload: &str, unit, figure: f64, note: String| Outcome {
        workload: workload.to_owned(),
        unit,
        rate: false,
        figures: vec![(Robots::NAME, figure)],
        note,
    };
    let (held, patterns, rules) = (held as f64, patterns as f64, rules as f64);
    vec![
        figure(
            "memory held, as a part of the limit of 2 x bytes + 24 per rule",
            "of 1",
            held / (2.0 * patterns + 24.0 * rules),
            format!(
                "{held} bytes held by {sets} rule sets of {rules} rules with {patterns} bytes of patterns: {:.2} x bytes + 12 per \
                 rule ({:.2} of 1.2 x bytes + 12 per rule)",
                (held - 12.0 * rules) / patterns,
                held / (1.2 * patterns + 12.0 * rules)
            ),
        ),
        figure(
            "memory: allocations to compile",
            "per file",
            compiling as f64 / f64::from(sets),
            String::new(),
        ),
        figure(
            "memory: allocations of a verdict",
            "per URL",
            checked as f64 / f64::from(clean.max(1)),
            format!("{clean} of {checks} paths are canonical as written"),
        ),
    ]
}
