//! Properties: what must hold for any input. Fuzz targets and generated tests call these functions.
//!
//! Each function accepts any input, and panics if its property does not hold.

pub mod batch;
mod files;
mod grouping;
mod input;
pub mod lint;
mod log;
mod page;
mod pattern;
mod reading;
pub mod retrieval;
mod rule_set;
mod verdict;

pub use files::{archive, sitemap};
pub use grouping::grouping;
pub use input::{parts, rooted};
pub use log::log_lines;
pub use page::page;
pub use pattern::{canonical, pattern, url_text};
pub use reading::reading;
pub use rule_set::ruleset;
pub use verdict::{agrees_with_model, verdict};
