//! `cargo xtask bench --cache`: the memory that a cache takes for each origin.

#![allow(dead_code, reason = "the origins are shared with the program that measures time")]

#[path = "../cache/origins.rs"]
mod origins;

use std::collections::HashMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::RwLock;

use robots_bench::arguments::{Arguments, exit};
use robots_bench::corpus;
use robots_fetch::matching::Crawler;
use stats_alloc::Region;

#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

const ORIGINS: usize = 100_000;

fn main() -> ExitCode {
    exit(run)
}

fn run() -> Result<(), String> {
    let bodies = origins::bodies(&Arguments::parse(std::env::args().skip(1))?)?;
    let crawler = Crawler::new(corpus::UNNAMED_AGENT).map_err(|error| error.to_string())?;
    let body: usize = (0..ORIGINS).map(|number| bodies.of(number).body.len()).sum();
    println!("memory for each of {ORIGINS} origins, bytes as they were asked for");
    println!("  {:36} {:>8}", "body", body / ORIGINS);
    let region = Region::new(ALLOCATOR);
    let held = |region: &Region<'_, _>| {
        let change = region.change();
        (change.bytes_allocated as i64 - change.bytes_deallocated as i64) as usize / ORIGINS
    };
    let cache = origins::cache((), bodies.fetch());
    for number in 0..ORIGINS {
        black_box(cache.check(&origins::url(number, "/"), &crawler).is_ok());
    }
    println!("  {:36} {:>8}", "this cache: body, facts and rules", held(&region));
    println!("  {:36} {:>8}", "as the cache counts", cache.bytes() / ORIGINS);
    let region = Region::new(ALLOCATOR);
    let rules: Vec<_> = (0..ORIGINS)
        .map(|number| {
            robots_match::RuleSet::parse(&bodies.of(number).body, &crawler, &robots_match::Profile::RFC9309)
        })
        .collect();
    println!("  {:36} {:>8}", "of that, rules", held(&region));
    drop(rules);
    let region = Region::new(ALLOCATOR);
    let map: RwLock<HashMap<String, robotxt::Robots>> = RwLock::default();
    for number in 0..ORIGINS {
        let url = origins::url(number, "/");
        let rules = robotxt::Robots::parse(&bodies.of(number).body, corpus::UNNAMED_AGENT);
        map.write()
            .map_err(|error| error.to_string())?
            .insert(url[..url::Position::BeforePath].to_owned(), rules);
    }
    println!("  {:36} {:>8}", "HashMap<String, robotxt>, no body", held(&region));
    Ok(())
}
