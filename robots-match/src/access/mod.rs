//! A robots.txt in which crawlers have the access that they should have.

mod layout;
mod plan;
mod wanted;

pub use plan::{AccessPlan, AccessPlanError, AccessWish};
pub use wanted::WantedAccess;
