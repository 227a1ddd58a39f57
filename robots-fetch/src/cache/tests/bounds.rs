//! The memory of a cache.

use super::*;
use crate::StoreLimits;

/// A cache whose origins have files of about this many bytes.
fn cache_of(world: &Arc<World>, limits: StoreLimits, bytes: usize) -> Cache<impl Fetch + use<>> {
    let web = Arc::clone(world);
    Cache::new(standing(world).limits(limits), move |retrieval: Retrieval| {
        let mut body = format!("User-agent: *\nDisallow: /{}\n", retrieval.origin);
        for number in 0..bytes.saturating_sub(body.len()) / 30 {
            body.push_str(&format!("Disallow: /a/folder/{number:09}\n"));
        }
        web.file(&retrieval, body.as_bytes())
    })
}

fn ask<F: Fetch + 'static>(cache: &Cache<F>, number: usize, name: &str) {
    let url = origin(number).robots_url().join(&format!("/{}", origin(number))).unwrap();
    assert!(!cache.check(&url, &bot(name)).unwrap().is_allowed());
}

#[test]
fn entries_rules_and_facts_are_bounded_together() {
    let world = World::new();
    for limits in [
        StoreLimits { entries: 20, bytes: 1 << 20 },
        StoreLimits { entries: 1_000, bytes: 20_000 },
        StoreLimits { entries: 1, bytes: 1 << 20 },
        StoreLimits { entries: 10, bytes: 0 },
        StoreLimits { entries: 0, bytes: 1 << 20 },
    ] {
        let cache = cache_of(&world, limits, 300);
        for number in 0..300 {
            for name in ["ExampleBot", "OtherBot"] {
                ask(&cache, number, name);
                let decision = cache.decide(origin(number).robots_url(), &bot(name)).unwrap();
                assert!(decision.verdict.is_allowed());
                let size = cache.size();
                assert!(size.entries <= limits.entries && size.bytes <= limits.bytes, "{size:?}");
            }
        }
        let size = cache.size();
        if limits.entries > 0 && limits.bytes > 0 {
            assert_eq!(cache.dropped(), 300 - size.entries as u64);
        } else {
            assert_eq!((size.entries, cache.dropped()), (0, 0));
        }
    }
}

#[test]
fn an_origin_in_use_stays() {
    let world = World::new();
    let cache = cache_of(&world, StoreLimits { entries: 50, bytes: 1 << 20 }, 300);
    for number in 1..1_000 {
        ask(&cache, number, "ExampleBot");
        ask(&cache, 0, "ExampleBot");
    }
    let asked = |number: usize| {
        world.asked.lock().unwrap().iter().filter(|(asked, _)| *asked == origin(number)).count()
    };
    // The web does not count files that it makes, so only the entry shows whether it was dropped.
    assert_eq!(asked(0), 0);
    assert!(cache.0.core.sites.find(&origin(0).key(), |_| ()).is_some());
}

#[test]
fn bytes_are_counted_however_threads_change_the_origins() {
    const ORIGINS: usize = 60;
    let world = World::new();
    let limits = StoreLimits { entries: 40, bytes: 30_000 };
    let cache = cache_of(&world, limits, 300);
    thread::scope(|scope| {
        for seed in 0..8 {
            let cache = &cache;
            scope.spawn(move || {
                for step in 0..400 {
                    let number = (7 * step + 3 * seed) % ORIGINS;
                    let name = ["ExampleBot", "OtherBot", "ThirdBot"][(step + seed) % 3];
                    let url = origin(number).robots_url().join(&format!("/{}", origin(number))).unwrap();
                    let is_allowed = match (step / 3 + seed) % 6 {
                        0 => cache.refresh(&origin(number)).status() != Some(200),
                        1 => {
                            cache.forget(&origin(number));
                            false
                        }
                        2 | 3 => cache.decide(&url, &bot(name)).unwrap().verdict.is_allowed(),
                        4 => cache.permission(&url, &bot(name)).unwrap().check_url(&url).is_allowed(),
                        _ => cache.check(&url, &bot(name)).unwrap().is_allowed(),
                    };
                    assert!(!is_allowed);
                }
            });
        }
    });
    let size = cache.size();
    assert!(size.entries <= limits.entries && size.bytes <= limits.bytes, "{size:?}");
    (0..ORIGINS).for_each(|number| cache.forget(&origin(number)));
    let size = cache.size();
    assert_eq!((size.entries, size.bytes), (0, 0));
}
