use std::collections::HashMap;
use std::sync::LazyLock;
use std::thread;

use proptest::prelude::*;
use url::Url;

use super::*;
use crate::origin::Origin;

fn origin(number: usize) -> Origin {
    static FIRST: LazyLock<Vec<Origin>> = LazyLock::new(|| (0..40).map(parsed).collect());
    FIRST.get(number).cloned().unwrap_or_else(|| parsed(number))
}

fn parsed(number: usize) -> Origin {
    Origin::parse(&format!("https://site-{number}.example")).unwrap()
}

fn insert(map: &OriginMap<usize>, number: usize, bytes: usize) -> bool {
    map.insert(&origin(number).key(), number, bytes)
}

fn get<V: Clone>(map: &OriginMap<V>, number: usize) -> Option<V> {
    map.find(&origin(number).key(), |value| value.clone())
}

fn has(map: &OriginMap<usize>, number: usize) -> bool {
    // Without marking it as used.
    let origin = origin(number);
    let place = map.place(&origin.key());
    map.shard(place.shard).slot(place.tag, &origin.key()).is_some()
}

#[test]
fn keys_are_equal_where_origins_are() {
    let urls = [
        "https://example.com/a?b#c",
        "https://me:secret@example.com:443/",
        "http://example.com:443/",
        "http://example.com/",
        "http://example.com:80/x",
        "ftp://example.com/",
        "ftp://example.com:80/",
        "https://EXAMPLE.com./",
        "https://www.ex\u{E4}mple.com/",
        "https://www.xn--exmple-cua.com/",
        "http://[::1]:8080/",
        "http://[0:0::1]:8080/a",
        "http://0x7f.1/",
        "http://127.0.0.1/",
        "http://127.0.0.1:0/",
    ];
    let urls = urls.map(|url| Url::parse(url).unwrap());
    let hasher = RandomState::default();
    for one in &urls {
        for other in &urls {
            let (key, other_key) = (Key::from_url(one).unwrap(), Key::from_url(other).unwrap());
            let same = Origin::from_url(one).unwrap() == Origin::from_url(other).unwrap();
            assert_eq!(key == other_key, same, "{one} {other}");
            assert!(!same || key.hash(&hasher) == other_key.hash(&hasher), "{one} {other}");
        }
        let origin = Origin::from_url(one).unwrap();
        assert_eq!(Key::from_url(one).unwrap(), origin.key());
    }
    for url in ["mailto:a@example.com", "file:///robots.txt", "gopher://example.com/", "data:,x"] {
        let url = Url::parse(url).unwrap();
        assert_eq!(Key::from_url(&url).unwrap_err(), Origin::from_url(&url).unwrap_err());
    }
}

#[test]
fn a_value_that_was_not_used_goes_first() {
    let map = OriginMap::new(StoreLimits { entries: 4, bytes: 1 << 20 });
    for number in 0..4 {
        assert!(insert(&map, number, 10));
    }
    assert_eq!((get(&map, 0), get(&map, 2)), (Some(0), Some(2)));
    insert(&map, 4, 10);
    insert(&map, 5, 10);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|number| has(&map, number)), [true, false, true, false, true, true]);
    // Those that were used got one more round, and are now like the others.
    (6..10).for_each(|number| assert!(insert(&map, number, 10)));
    assert_eq!((0..10).filter(|&number| has(&map, number)).collect::<Vec<_>>(), [6, 7, 8, 9]);
}

#[test]
fn values_that_are_in_use_outlive_a_hundred_times_as_many_that_are_not() {
    const IN_USE: usize = 2_000;
    let map = OriginMap::new(StoreLimits { entries: 4 * IN_USE, bytes: 1 << 30 });
    (0..IN_USE).for_each(|number| assert!(insert(&map, number, 10)));
    for number in 0..100 * IN_USE {
        insert(&map, IN_USE + number, 10);
        let _ = get(&map, number % IN_USE);
    }
    assert_eq!(map.len(), 4 * IN_USE);
    let kept = (0..IN_USE).filter(|&number| has(&map, number)).count();
    assert!(kept > IN_USE / 100 * 99, "{kept}");
}

#[test]
fn large_values_push_out_as_many_bytes_as_they_need() {
    let map = OriginMap::new(StoreLimits { entries: 100_000, bytes: 4 << 20 });
    for number in 0..4_000 {
        insert(&map, number, 500);
        assert!(map.bytes() <= 4 << 20);
    }
    let before = map.len();
    assert!(insert(&map, 0, 3 << 20) && has(&map, 0));
    assert!(map.bytes() <= 4 << 20 && map.len() < before / 2, "{} {before}", map.len());
    assert!(!insert(&map, 0, 4 << 20) && !has(&map, 0));
    for limits in [StoreLimits { entries: 0, bytes: 1 << 20 }, StoreLimits { entries: 9, bytes: 0 }] {
        let map = OriginMap::new(limits);
        assert!(!insert(&map, 1, 0));
        assert_eq!((map.len(), map.bytes()), (0, 0));
    }
}

#[test]
fn a_value_may_grow() {
    let map = OriginMap::new(StoreLimits { entries: 100, bytes: 10_000 });
    (0..5).for_each(|number| assert!(insert(&map, number, 1_000)));
    assert_eq!(map.change(&origin(3).key(), |value| (*value, 8_000)), Some(3));
    assert!(has(&map, 3) && map.bytes() <= 10_000 && map.len() < 5, "{}", map.bytes());
    assert_eq!(map.change(&origin(9).key(), |value| (*value, 0)), None);
    map.remove(&origin(3).key());
    let rest = map.len();
    (0..5).for_each(|number| map.remove(&origin(number).key()));
    assert_eq!((map.len(), map.bytes()), (0, 0), "{rest}");
}

#[test]
fn threads_share_the_map() {
    let map = OriginMap::new(StoreLimits { entries: 1_000, bytes: 1 << 20 });
    thread::scope(|scope| {
        for thread in 0..8 {
            let map = &map;
            scope.spawn(move || {
                for turn in 0..5_000 {
                    let number = (turn * 31 + thread * 17) % 3_000;
                    insert(map, number, 100);
                    if let Some(value) = get(map, number) {
                        assert_eq!(value, number);
                    }
                    if turn % 5 == 0 {
                        map.remove(&origin(number).key());
                    }
                }
            });
        }
    });
    assert!(map.len() <= 1_008);
    (0..3_000).for_each(|number| map.remove(&origin(number).key()));
    assert_eq!((map.len(), map.bytes()), (0, 0));
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Insert { number: usize, bytes: usize },
    Change { number: usize, bytes: usize },
    Remove { number: usize },
    Get { number: usize },
}

fn act() -> impl Strategy<Value = Act> {
    let number = 0..40_usize;
    prop_oneof![
        4 => (number.clone(), 0..3_000_usize).prop_map(|(number, bytes)| Act::Insert { number, bytes }),
        1 => (number.clone(), 0..3_000_usize).prop_map(|(number, bytes)| Act::Change { number, bytes }),
        1 => number.clone().prop_map(|number| Act::Remove { number }),
        3 => number.prop_map(|number| Act::Get { number }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// A map without limits is the model: the bounded map has a part of it, with the same values, the newest value among
    /// them, and its sums are those of this part.
    #[test]
    fn the_map_is_a_bounded_part_of_one_without_limits(
        acts in prop::collection::vec(act(), 1..200),
        entries in 1..30_usize,
        bytes in 2_000..20_000_usize,
        shards in 0..2_usize,
    ) {
        let limits = StoreLimits { entries, bytes };
        // With two shards, a value may have to be dropped from another shard than that of the new value.
        let mut map = OriginMap::new(limits);
        if shards == 1 {
            map.shards = (0..2).map(|_| Mutex::new(Shard::new())).collect();
        }
        let mut model: HashMap<usize, (usize, usize)> = HashMap::new();
        for (turn, act) in acts.into_iter().enumerate() {
            match act {
                Act::Insert { number, bytes } => {
                    let origin = origin(number);
                    let full = bytes + Shard::<usize>::overhead(&origin.key());
                    let kept = map.insert(&origin.key(), turn, bytes);
                    prop_assert_eq!(kept, full <= limits.bytes);
                    prop_assert_eq!(has(&map, number), kept);
                    model.insert(number, (turn, full));
                }
                Act::Change { number, bytes } => {
                    let origin = origin(number);
                    let full = bytes + Shard::<usize>::overhead(&origin.key());
                    if full <= limits.bytes && map.change(&origin.key(), |value| { *value = turn; ((), bytes) }).is_some() {
                        prop_assert!(has(&map, number));
                        model.insert(number, (turn, full));
                    }
                }
                Act::Remove { number } => {
                    map.remove(&origin(number).key());
                    prop_assert!(!has(&map, number));
                    model.remove(&number);
                }
                Act::Get { number } => {
                    if let Some(value) = get(&map, number) {
                        prop_assert_eq!(Some(value), model.get(&number).map(|known| known.0));
                    }
                }
            }
            prop_assert!(map.len() <= limits.entries && map.bytes() <= limits.bytes);
            let held: Vec<usize> = (0..40).filter(|&number| has(&map, number)).collect();
            prop_assert_eq!(map.len(), held.len());
            prop_assert_eq!(map.bytes(), held.iter().map(|number| model[number].1).sum::<usize>());
        }
    }
}

#[test]
fn allocations_are_counted_as_allocators_round_them() {
    assert_eq!([0, 1, 8, 9, 24, 25].map(allocated), [0, 16, 16, 32, 32, 48]);
}
