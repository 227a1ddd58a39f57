//! A robots.txt in which crawlers have the access that they should have.

mod layout;
mod plan;

pub use plan::{AccessPlan, AccessPlanError, AccessWish, WantedAccess};
