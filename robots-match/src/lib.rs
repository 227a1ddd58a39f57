//! May a crawler access this path, and which line of the robots.txt says so?
//!
//! The third of four layers: groups come from `robots-groups`, which this crate re-exports as [`groups`]; what an
//! HTTP answer means is for `robots-fetch`.
//!
//! * [`Robots`] is the front door: a body and a [`Profile`] in, verdicts for many crawlers out.
//! * [`RuleSet`] is compiled for one crawler, owned, and checked by `&self`.
//! * [`Verdict`] tells whether, and by which rule, line and span.
//! * [`explain`] tells all that led to a verdict, and what nearly did.
//! * [`Profile`] names the documents and lets one knob be turned.
//!
//! ```
//! use robots_match::{ProductToken, Profile, Robots};
//!
//! let robots = Robots::new(&b"User-agent: foobot\nAllow: /page\nDisallow: /*.htm\n"[..], Profile::RFC9309);
//! let rules = robots.rules(&ProductToken::new("foobot")?);
//! let verdict = rules.check_text(b"https://example.com/page.htm");
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.ruling().unwrap().span.of(robots.body()), b"/*.htm");
//! # Ok::<(), robots_match::InvalidToken>(())
//! ```
//!
//! The crate needs `alloc` and no standard library; the feature `url` adds a check for `url::Url`, the feature `lint`
//! tells what in a file is most likely not as it was meant.

#![no_std]

extern crate alloc;

mod canon;
pub mod explain;
mod floating;
mod keyed;
#[cfg(feature = "lint")]
pub mod lint;
mod pattern;
mod policy;
mod profile;
mod robots;
mod rules;
mod url_text;
mod verdict;

pub use policy::{Authority, EmptyPattern, Form, IndexPage, Policy, Precedence, Query, RobotsTxt, Specials};
pub use profile::Profile;
pub use robots::Robots;
pub use robots_groups as groups;
pub use robots_groups::syntax::{self, Effect, Span};
pub use robots_groups::{Basis, Crawler, InvalidToken, ProductToken};
pub use rules::{RuleSet, Ruling};
pub use url_text::path_of;
pub use verdict::{Reason, Verdict};
