//! The time of each layer, one call at a time: `cargo bench` in this folder, or `cargo xtask bench --layers`.
//!
//! The file is made, of the size of a long real one, so that figures of two versions can be compared anywhere.

#[path = "support/sample.rs"]
mod sample;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use robots_match::groups::{Groups, RuleSelector};
use robots_match::syntax::Lines;
use robots_match::{Profile, Robots, RuleSet, path_of};
use sample::{crawler, file};

fn main() {
    divan::main();
}

const PROFILES: [(&str, Profile); 2] = [("rfc9309", Profile::RFC9309), ("google", Profile::GOOGLE)];

fn profile(name: &str) -> Profile {
    PROFILES.iter().find(|(known, _)| *known == name).map_or(Profile::RFC9309, |(_, profile)| *profile)
}

fn names() -> [&'static str; 2] {
    PROFILES.map(|(name, _)| name)
}

#[divan::bench(args = names())]
fn read_all_lines(bencher: Bencher<'_, '_>, name: &str) {
    let (file, policy) = (file(), profile(name).syntax);
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        for line in Lines::new(black_box(&file), &policy) {
            black_box(line.record);
        }
    });
}

#[divan::bench(args = names())]
fn read_lines_of_groups(bencher: Bencher<'_, '_>, name: &str) {
    let (file, policy) = (file(), profile(name).syntax);
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        for line in Lines::new(black_box(&file), &policy).of_groups() {
            black_box(line);
        }
    });
}

#[divan::bench(args = names())]
fn find_deviations(bencher: Bencher<'_, '_>, name: &str) {
    let (file, policy) = (file(), profile(name).syntax);
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        Lines::new(black_box(&file), &policy).filter(|line| line.deviations(&policy).next().is_some()).count()
    });
}

#[divan::bench(args = names())]
fn group(bencher: Bencher<'_, '_>, name: &str) {
    let (file, profile) = (file(), profile(name));
    bencher
        .counter(BytesCount::of_slice(&file))
        .bench(|| Groups::parse(black_box(&file), &profile.syntax, &profile.groups));
}

#[divan::bench(args = names())]
fn find_applicable(bencher: Bencher<'_, '_>, name: &str) {
    let (file, profile, crawler) = (file(), profile(name), crawler());
    bencher.counter(BytesCount::of_slice(&file)).bench(|| {
        let lines = Lines::new(black_box(&file), &profile.syntax).of_groups();
        RuleSelector::new(lines, &crawler, &profile.groups).count()
    });
}

#[divan::bench(args = names())]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let (file, profile, crawler) = (file(), profile(name), crawler());
    bencher
        .counter(BytesCount::of_slice(&file))
        .bench(|| RuleSet::parse(black_box(&file), &crawler, &profile));
}

/// A path that a plain rule decides, one that a rule with `*` decides, one that none does, one that changes its form.
const PATHS: [&str; 4] =
    ["/account/33/settings/mail", "/shop/list?sort=21", "/about/us.html", "/search/ExampleBot%20%37"];

#[divan::bench(args = PATHS)]
fn check(bencher: Bencher<'_, '_>, path: &str) {
    let rules = RuleSet::parse(&file(), &crawler(), &Profile::RFC9309);
    bencher.bench(|| rules.check(black_box(path.as_bytes())).is_allowed());
}

#[divan::bench(args = PATHS)]
fn answer(bencher: Bencher<'_, '_>, path: &str) {
    let (file, crawler) = (file(), crawler());
    bencher.bench(|| {
        Robots::new(black_box(&file), Profile::RFC9309).check(&crawler, black_box(path)).is_allowed()
    });
}

#[divan::bench]
fn take_a_url_apart() -> usize {
    let url = b"https://user@www.example.com:8080/shop/list?sort=21&from=http://example.org/#top";
    path_of(black_box(url), &Profile::RFC9309.matching).len()
}
