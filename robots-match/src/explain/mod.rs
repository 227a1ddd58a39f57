//! Explanations: why a URL may or may not be accessed, and which rules almost matched.

mod explanation;
mod group_status;
mod matched_rule;
mod near_miss;

pub use explanation::Explanation;
pub use group_status::{GroupExplanation, GroupStatus};
pub use matched_rule::{MatchedRule, RuleOutcome};
pub use near_miss::NearMiss;
