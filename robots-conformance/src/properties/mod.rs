//! What holds for any bytes: asked by the fuzz targets of any input, by the generated tests of some.
//!
//! Each function panics where its property does not hold, and takes whatever it is given.

pub mod batch;
mod grouping;
mod input;
mod pattern;
mod reading;
pub mod retrieval;
mod rule_set;
mod same;
mod url_text;
mod verdict;

pub use grouping::grouping;
pub use input::parts;
pub use pattern::{canonical, pattern};
pub use reading::reading;
pub use rule_set::ruleset;
pub use same::same_answer;
pub use url_text::url_text;
pub use verdict::{agrees_with_model, verdict};
