//! The instructions of one call of each layer, which do not depend on the machine's load: `cargo xtask bench
//! --instructions`, where valgrind is installed.

#[path = "support/sample.rs"]
mod sample;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use robots_match::groups::Groups;
use robots_match::syntax::Lines;
use robots_match::{Profile, Robots, RuleSet};
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

library_benchmark_group!(name = layers; benchmarks = read_all_lines, group, compile, check, answer);
main!(library_benchmark_groups = layers);
