//! Rows about access; [`crate::exchange`] runs them.

use crate::case::Case;
use crate::exchange::{Exchange, Mismatch, Timeline};
use crate::row::{Answered, Difference, Files, Kind, RowContext};

impl Kind for Timeline {
    fn validate(&self, files: &Files) -> Result<(), String> {
        self.verify(|name| files.get(name))
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let mismatches = self.run(|name| context.files.get(name), context.profile);
        mismatches.into_iter().map(Difference::from).collect()
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        self.after_each_step(|name| context.files.get(name), context.profile)
    }
}

impl Kind for Exchange {
    fn validate(&self, files: &Files) -> Result<(), String> {
        let row = self.timeline();
        if row.steps.iter().any(|step| step.answers.is_none() || step.access.is_none()) {
            return Err("an exchange has `answers` and `access`".to_owned());
        }
        row.validate(files)
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        self.timeline().check(context)
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        self.timeline().answers(context)
    }
}

impl Case {
    /// Returns the retrievals of a row about access; `None` for other rows.
    #[must_use]
    pub fn timeline(&self) -> Option<Timeline> {
        match self {
            Self::Exchange(exchange) => Some(exchange.timeline()),
            Self::Timeline(timeline) => Some(timeline.clone()),
            _ => None,
        }
    }
}

impl From<Mismatch> for Difference {
    fn from(mismatch: Mismatch) -> Self {
        let Mismatch { what, place, expected, got } = mismatch;
        let difference = Self::new(what, expected, got);
        if place.is_empty() { difference } else { difference.because(format!("this is at {place}")) }
    }
}
