//! The instructions of one call of each layer, which do not depend on the machine's load: `cargo xtask bench
//! --instructions`, where valgrind is installed.

#[path = "support/sample.rs"]
mod sample;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use robots_match::groups::Groups;
use robots_match::syntax::Lines;
use robots_match::{Crawler, Difference, Profile, Robots, RuleSet};
use sample::{crawler, file};

const PROFILE: Profile = Profile::RFC9309;

fn rules() -> RuleSet {
    RuleSet::parse(&file(), &crawler(), &PROFILE)
}

// The input is returned, so that freeing its memory is not counted.

#[library_benchmark]
#[bench::sample(file())]
fn read_all_lines(file: Vec<u8>) -> (Vec<u8>, usize) {
    let count = Lines::new(black_box(&file), &PROFILE.syntax).filter(|line| black_box(line).number > 0).count();
    (file, count)
}

#[library_benchmark]
#[bench::sample(file())]
fn group(file: Vec<u8>) -> (Vec<u8>, usize) {
    let count = black_box(Groups::parse(black_box(&file), &PROFILE.syntax, &PROFILE.groups)).iter().count();
    (file, count)
}

#[library_benchmark]
#[bench::sample(file())]
fn compile(file: Vec<u8>) -> (Vec<u8>, RuleSet) {
    let rules = RuleSet::parse(black_box(&file), &crawler(), &PROFILE);
    (file, rules)
}

#[library_benchmark]
#[bench::plain(rules(), b"/shop/item-5/open")]
#[bench::wildcard(rules(), b"/list?sort=46")]
#[bench::none(rules(), b"/about")]
fn check(rules: RuleSet, path: &[u8]) -> (RuleSet, bool) {
    let is_allowed = black_box(&rules).check(black_box(path)).is_allowed();
    (rules, is_allowed)
}

#[library_benchmark]
#[bench::sample(file(), b"/shop/item-5/open")]
fn answer(file: Vec<u8>, path: &[u8]) -> (Vec<u8>, bool) {
    let is_allowed = Robots::new(black_box(&file), PROFILE).check(&crawler(), black_box(path)).is_allowed();
    (file, is_allowed)
}

/// Rules that can all match one path, so that each is compared with all others.
fn rules_with_stars() -> RuleSet {
    let rules: String = (0..1_000).map(|number| format!("Disallow: /*/p{number}\n")).collect();
    RuleSet::parse(format!("User-agent: *\n{rules}").as_bytes(), &Crawler::unnamed(), &PROFILE)
}

/// Returns how many states the searches visit, which is the same number in every run.
#[library_benchmark]
#[bench::sample(rules())]
#[bench::stars(rules_with_stars())]
fn remove_each_rule(rules: RuleSet) -> (RuleSet, usize) {
    let removals = black_box(&rules).removals(Difference::MAX_STATES);
    let states = removals.map(|(_, difference)| difference.states).sum();
    (rules, states)
}

library_benchmark_group!(
    name = layers;
    benchmarks = read_all_lines, group, compile, check, answer, remove_each_rule
);
main!(library_benchmark_groups = layers);
