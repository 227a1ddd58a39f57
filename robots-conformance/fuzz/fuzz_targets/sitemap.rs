//! Any bytes as a sitemap, an index or a feed, which gzip may have compressed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robots_conformance::properties::check("sitemap", data));
