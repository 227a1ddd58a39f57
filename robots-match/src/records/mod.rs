//! Other records with typed values: sitemaps, crawl delays, preferences, licenses (RFC 9309, section 2.2.4).
//!
//! RFC 9309 defines `user-agent`, `allow` and `disallow`; other keys have their own documents, or none. [`Records`] reads
//! these records. They never change the groups of a file or what the rules allow.
//!
//! * Every other record of the file is an [`OtherRecord`], which keeps its line, its spans and its bytes.
//! * A valid value is a [`RecordValue`]. Problems are listed as [`RecordProblem`]s; they are never errors.
//! * [`OtherRecord::concerns_all`] and [`OtherRecord::concerns_group`] return which crawlers a record concerns.
//! * [`Records::for_crawler`] selects the records for one crawler.
//!
//! ```
//! use core::time::Duration;
//! use robots_match::records::{RecordValue, Records};
//! use robots_match::{Crawler, Profile, Robots};
//!
//! let body = "User-agent: ExampleBot\nCrawl-delay: 2.5\nSitemap: /map.xml\n";
//! let robots = Robots::new(body, Profile::RFC9309);
//! let groups = robots.groups();
//! let records = Records::new(&robots, &groups);
//!
//! let selection = groups.select(&Crawler::new("ExampleBot")?);
//! assert_eq!(records.for_crawler(&selection).crawl_delay(), Some(Duration::from_millis(2500)));
//!
//! let sitemap = &records.all()[1];
//! assert!(sitemap.value.is_none());
//! assert_eq!(sitemap.problems[0].to_string(), "expected an absolute URL with scheme, host and path");
//! assert_eq!(sitemap.problems[0].span.of(robots.body()), b"/map.xml");
//! # Ok::<(), robots_match::InvalidName>(())
//! ```

mod absolute_url;
mod clean_param;
mod content_signal;
mod content_usage;
mod crawl_facts;
mod crawler_records;
mod field;
mod file_records;
mod host;
mod kind;
mod place;
#[cfg(feature = "usage")]
mod preferences;
mod problem;
mod record;
mod time;
mod value;

pub use content_signal::ContentSignal;
pub use content_usage::ContentUsage;
pub use crawl_facts::{CrawlFacts, Statement};
pub use crawler_records::CrawlerRecords;
pub use file_records::Records;
pub use kind::RecordKind;
#[cfg(feature = "usage")]
pub use preferences::Preferences;
#[cfg(feature = "lint")]
pub(crate) use problem::ProblemKind;
pub use problem::RecordProblem;
pub use record::OtherRecord;
pub use time::TimeWindow;
pub use value::RecordValue;
