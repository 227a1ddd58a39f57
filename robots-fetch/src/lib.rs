//! What an HTTP answer to a robots.txt request means, and how long it holds.

pub use robots_match as matching;
