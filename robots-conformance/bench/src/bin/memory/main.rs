//! `cargo xtask bench`: the memory of rule sets, and which verdicts allocate. A program of its own, because an allocator that
//! counts would slow down the others.

use std::hint::black_box;
use std::process::ExitCode;

use peak_alloc::PeakAlloc;
use robots_bench::arguments::{Arguments, exit};
use robots_bench::corpus::{Site, UNNAMED_AGENT, large, plain};
use robots_bench::implementation::{Implementation as _, Robots};
use robots_match::RuleSet;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    exit(run)
}

fn run() -> Result<(), String> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    println!("memory of rule sets for an agent that no file names");
    let all = held("all files", &arguments.sites()?);
    // A file as long as crawlers read.
    let mut site = large(22_000, plain);
    site.body.truncate(500 * 1024);
    let long = held("one file of 500 KiB of plain rules in one group", &[site]);
    println!("\nbytes held, all files: {all:.2} of the bound\nbytes held, 500 KiB: {long:.2} of the bound\n");
    Ok(())
}

/// Prints what the rule sets of files hold, and the bound: 1.2 bytes for each of their patterns, 12 for each rule, 64 for each
/// set, and in sets that are not scanned 24 more for each rule. Returns the part of the bound that is held.
fn held(name: &str, sites: &[Site]) -> f64 {
    let (mut held, mut patterns, mut rules, mut sets, mut indexed) = (0, 0, 0, 0, 0);
    let (mut peak, mut verdicts, mut allocating) = (0.0_f64, 0, 0);
    for site in sites {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let Some(set) = Robots::compile(&site.body, UNNAMED_AGENT) else { continue };
        let most = MEMORY.peak_usage() - before;
        // The layout is that which verdicts use: verdicts change nothing.
        for url in &site.urls {
            let current = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            black_box(set.check(url.path().as_bytes()));
            verdicts += 1;
            allocating += usize::from(MEMORY.peak_usage() > current);
        }
        let own = MEMORY.current_usage() - before + size_of::<RuleSet>();
        let text: usize = set.compiled_rules().iter().map(|rule| rule.pattern.len()).sum();
        held += own;
        patterns += text;
        rules += set.len();
        sets += 1;
        if set.len() > RuleSet::MAX_SCANNED {
            indexed += set.len();
            peak = peak.max(most as f64 / bound(text, set.len(), 1, set.len()));
        }
    }
    let part = held as f64 / bound(patterns, rules, sets, indexed);
    println!(
        "  {name}: {held} bytes held, structs included, by {sets} sets of {rules} rules, {indexed} of them in sets of more than {}, with \
         {patterns} bytes of patterns",
        RuleSet::MAX_SCANNED
    );
    println!("    bound {:.0} bytes, {part:.2} of it held", bound(patterns, rules, sets, indexed));
    println!(
        "    peak while an indexed set is compiled: at most {peak:.2} of the bound of that set (2 at most)"
    );
    println!(
        "    {allocating} of {verdicts} verdicts allocate, on paths that are not in their canonical form"
    );
    part
}

fn bound(patterns: usize, rules: usize, sets: usize, indexed: usize) -> f64 {
    1.2 * patterns as f64 + (12 * rules + 64 * sets + 24 * indexed) as f64
}
