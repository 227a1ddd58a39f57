//! Captures of robots.txt files in archives: WARC files (ISO 28500), read as a stream.
//!
//! [`Captures`] iterates over the answers in a file, which may consist of gzip members, and continues after damaged ones.
//! [`decide`] decides about each path for each crawler in one body.
//!
//! ```
//! use robots_fetch::matching::{Crawler, Profile};
//! use robots_fetch::warc::{Captures, Item, decide};
//!
//! let file = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://example.com/robots.txt\r\n\
//!     Content-Length: 30\r\n\r\nUser-agent: *\nDisallow: /page\n\r\n\r\n";
//! let (crawlers, paths) = ([Crawler::new("ExampleBot")?], ["/page".to_owned()]);
//! let mut verdicts = Vec::new();
//! for item in Captures::new(&file[..]) {
//!     match item? {
//!         Item::Capture(capture) => {
//!             let body = capture.body?;
//!             decide(&body, &crawlers, &paths, &Profile::RFC9309, |decided| verdicts.push(decided.verdict.to_string()));
//!         }
//!         Item::Damaged(damage) => eprintln!("{damage}"),
//!         _ => {}
//!     }
//! }
//! assert_eq!(verdicts, ["disallowed by line 2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decide;
mod members;
mod message;
mod record;

pub use self::decide::{Decided, Flags, decide, examine};
pub use self::record::{Capture, Captures, Damage, Item};
