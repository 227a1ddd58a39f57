//! The workloads.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use robots_fetch::matching::{Crawler, RuleSet};
use robots_fetch::{AsyncCache, CacheOptions, Disk, Retrieval, SiteProfile, StoreLimits};
use url::{Position, Url};

use crate::origins::{Bodies, cache, url};
use robots_bench::arguments::Arguments;
use robots_bench::corpus::UNNAMED_AGENT;
use robots_bench::turns::{Candidate, medians, medians_on};

/// The cache that others are compared with.
const ROBOTXT: &str = "RwLock + HashMap<String, robotxt>";

type Map<R> = RwLock<HashMap<String, R>>;

pub(crate) fn all(bodies: &Bodies, arguments: &Arguments) -> Result<(), String> {
    let (wanted, rounds) = (|name: &str| arguments.wants(name), arguments.rounds);
    for (origins, name) in
        [(1_000, "1,000 origins"), (100_000, "100,000 origins"), (1_000_000, "1,000,000 origins")]
    {
        if wanted(name) {
            hits(bodies, rounds, origins, name);
        }
    }
    if wanted("stores") {
        stores(bodies, rounds)?;
    }
    if wanted("waiting") {
        waiting();
    }
    Ok(())
}

fn bot() -> Crawler {
    Crawler::new(UNNAMED_AGENT).expect("letters are a name")
}

/// The key of a URL in a map: text that the URL contains, so that nothing is copied.
fn key(url: &Url) -> &str {
    &url[..Position::BeforePath]
}

fn path(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// From a URL to a decision, in memory.
fn hits(bodies: &Bodies, rounds: usize, origins: usize, name: &str) {
    let crawler = bot();
    let own = cache((), bodies.fetch());
    let robotxt: Map<robotxt::Robots> = RwLock::default();
    let rule_sets: Map<RuleSet> = RwLock::default();
    // Another cache would take too much memory beside the others.
    let moka =
        (origins <= 100_000).then(|| moka::sync::Cache::<String, std::sync::Arc<RuleSet>>::new(u64::MAX));
    for number in 0..origins {
        let first = url(number, "/");
        let site = bodies.of(number);
        black_box(own.check(&first, &crawler).is_ok());
        let compiled = robotxt::Robots::parse(&site.body, UNNAMED_AGENT);
        robotxt.write().expect("none panics").insert(key(&first).to_owned(), compiled);
        let rules = RuleSet::parse(&site.body, &crawler, &robots_fetch::matching::Profile::RFC9309);
        if let Some(moka) = &moka {
            moka.insert(key(&first).to_owned(), std::sync::Arc::new(rules.clone()));
        }
        if origins <= 100_000 {
            rule_sets.write().expect("none panics").insert(key(&first).to_owned(), rules);
        }
    }
    let urls = bodies.urls(origins, (origins * 4).clamp(20_000, 200_000));
    let parts: Vec<&[Url]> = urls.chunks(urls.len() / 2).collect();
    let ask_own = |url: &Url| own.check(url, &crawler).is_ok_and(|verdict| verdict.is_allowed());
    let candidates = |threads: usize| {
        let (parts, all, robotxt, rule_sets) = (&parts, &urls, &robotxt, &rule_sets);
        let part = move |part: usize| if threads == 1 { &**all } else { parts[part] };
        let mut candidates = vec![
            Candidate::new("this cache", move |at| each(part(at), ask_own)),
            Candidate::new("this cache again", move |at| each(part(at), ask_own)),
            Candidate::new(ROBOTXT, move |at| {
                each(part(at), |url| {
                    let map = robotxt.read().expect("none panics");
                    map.get(key(url)).is_some_and(|rules| rules.is_allowed(path(url)))
                });
            }),
        ];
        if origins <= 100_000 {
            candidates.push(Candidate::new("RwLock + HashMap<String, RuleSet>", move |at| {
                each(part(at), |url| {
                    let map = rule_sets.read().expect("none panics");
                    map.get(key(url)).is_some_and(|rules| rules.check_url(url).is_allowed())
                });
            }));
        }
        if let Some(moka) = &moka {
            candidates.push(Candidate::new("moka + RuleSet", move |at| {
                each(part(at), |url| {
                    moka.get(key(url)).is_some_and(|rules| rules.check_url(url).is_allowed())
                });
            }));
        }
        candidates
    };
    for (threads, shown_threads) in [(1, "one thread"), (2, "two threads")] {
        let figures = medians_on(threads, &candidates(threads), rounds);
        shown(&format!("hit, {name}, {shown_threads}"), &figures, urls.len() / threads);
    }
}

/// Asks about each URL.
fn each(urls: &[Url], ask: impl Fn(&Url) -> bool) {
    for url in urls {
        black_box(ask(black_box(url)));
    }
}

/// A hit over each store, and of the async cache, beside one without a store.
fn stores(bodies: &Bodies, rounds: usize) -> Result<(), String> {
    const ORIGINS: usize = 1_000;
    let crawler = bot();
    let folder = std::env::temp_dir().join(format!("robots-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let open = |name: &str| {
        let mut limits = StoreLimits::DEFAULT;
        limits.entries = ORIGINS;
        Disk::open(folder.join(name), SiteProfile::RFC9309, limits).map_err(|error| error.to_string())
    };
    let memory = cache((), bodies.fetch());
    let disk = cache(open("disk.sqlite")?, bodies.fetch());
    let fetch = bodies.fetch();
    let tasks = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), move |retrieval: Retrieval| {
        let fetch = fetch.clone();
        async move { robots_fetch::Fetch::fetch(&fetch, retrieval) }
    });
    for number in 0..ORIGINS {
        let url = url(number, "/");
        let answers = [memory.check(&url, &crawler), disk.check(&url, &crawler)];
        black_box(answers.map(|answer| answer.is_ok()));
        black_box(pollster::block_on(tasks.check(&url, &crawler)).is_ok());
    }
    let urls = bodies.urls(ORIGINS, 20_000);
    macro_rules! candidate {
        ($name:literal, $url:ident => $ask:expr) => {
            Candidate::new($name, |_| each(&urls, |$url| $ask))
        };
    }
    let figures = medians(
        &[
            candidate!("memory only", url => memory.check(url, &crawler).is_ok()),
            candidate!("memory again", url => memory.check(url, &crawler).is_ok()),
            candidate!("over Disk", url => disk.check(url, &crawler).is_ok()),
            candidate!("async", url => pollster::block_on(tasks.check(url, &crawler)).is_ok()),
            candidate!("permission", url => memory.permission(url, &crawler).is_ok()),
            candidate!("decide", url => memory.decide(url, &crawler).is_ok()),
        ],
        rounds,
    );
    shown("stores, warm, 1,000 origins", &figures, urls.len());
    drop(disk);
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())
}

/// How long the slowest question takes while the origin is retrieved again, which takes two seconds.
fn waiting() {
    static HOLDS: AtomicBool = AtomicBool::new(false);
    let body = b"User-agent: *\nDisallow: /private\n";
    let fetch = move |retrieval: Retrieval| {
        if HOLDS.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_secs(2));
        }
        crate::origins::answer(&retrieval, body)
    };
    let began = Instant::now();
    let started = std::time::SystemTime::now();
    // An hour passes in each second.
    let clock = move || started + began.elapsed() * 3_600;
    let cache = robots_fetch::Cache::new(CacheOptions::new(SiteProfile::RFC9309).with_clock(clock), fetch);
    let (crawler, url) = (bot(), url(1, "/page"));
    black_box(cache.check(&url, &crawler).is_ok());
    HOLDS.store(true, Ordering::Relaxed);
    let mut slowest = Duration::ZERO;
    let mut count = 0_u64;
    // From the beginning of the retrieval at four fifths of the day to its end.
    while began.elapsed() < Duration::from_millis(23_500) {
        let asked = Instant::now();
        black_box(cache.check(&url, &crawler).is_ok());
        slowest = slowest.max(asked.elapsed());
        count += 1;
    }
    println!(
        "waiting: {count} questions while the file became due and was retrieved for 2 s: the slowest took {slowest:?}\n"
    );
}

fn shown(workload: &str, figures: &[(&str, f64)], count: usize) {
    let time = |name: &str| figures.iter().find(|(known, _)| *known == name).map(|(_, time)| *time);
    let own = figures[0].1;
    println!("{workload}");
    for (name, figure) in figures {
        println!("  {name:36} {:>8.1} ns {:>6.2}", figure / count as f64 * 1e9, figure / own);
    }
    if let Some(other) = time(ROBOTXT) {
        println!("  {workload}: {:.2} times {ROBOTXT}", other / own);
    }
    println!();
}
