//! Many rules, made of the words of the input: four bytes (how many, knobs, profile, seed), then words.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("ruleset", data));
