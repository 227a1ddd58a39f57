//! What is written, with messages for people.

use robots_match::{AccessPlan, AccessPlanError, AccessWish};

use super::stances::Wish;
use crate::arguments::NamedProfile;
use crate::failure::{Failure, Result};
use crate::subject::Subject;
use crate::text::Text;

/// Writes the rules into a file, and proves what changes.
pub(super) fn plan(subject: &Subject, profile: &NamedProfile, wishes: &[Wish]) -> Result<AccessPlan> {
    let all: Vec<AccessWish<'_>> =
        wishes.iter().map(|wish| AccessWish { crawler: &wish.named.crawler, wanted: wish.wanted }).collect();
    AccessPlan::new(&subject.robots, &all, |crawler| profile.of(crawler).rules).map_err(|error| {
        let name = match error {
            AccessPlanError::NotPossible(index) => wishes.get(index).map(|wish| &wish.named.name),
            _ => None,
        };
        Failure::new(match name {
            Some(name) => format!(
                "no group gives `{}` the access that it should have without a change for others; nothing is written; `robots \
                 lint` shows what is odd in the file",
                Text(name.as_bytes())
            ),
            None => format!("{error}; nothing is written"),
        })
    })
}
